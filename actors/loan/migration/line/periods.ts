import { must, textIn } from '../../../../engine/index.js';
import { currentSettings } from '../../../company/index.js';
import { type Fault, refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../../kernel/actor.js';
import { dayOfText } from '../../../wire.js';
import { loanTypeOf, recordOf } from '../../context.js';
import { drawOf } from '../../draws/draw.js';
import type { LoanState } from '../../state.js';
import { chainFaults, dayRuleFaults, ownFaults, type PlacedPeriod, sharedFaults } from './check.js';
import {
  type DrawMigrationPeriodStated,
  drawPeriodView,
  type MigrationPeriodStated,
  migrationPeriodView,
  type PastPeriodChanged,
  type PastPeriodRemoved,
  type PastPeriodsRecorded,
  pastPeriodView,
} from './evolve.js';
import type { DrawMigrationPeriodTerms, LineHistory, MigrationPeriodTerms, PastPeriod, PeriodDays } from './history.js';
import { readDrawPeriod, readMigrationPeriod, readPastPeriod } from './read.js';
import { beginRecording, historyOf, refuseHistory } from './taking.js';
import type {
  CreatePastPeriodsRequest,
  DeletePastPeriodRequest,
  DrawMigrationPeriodRequest,
  MigrationPeriodRequest,
  UpdateDrawMigrationPeriodRequest,
  UpdateMigrationPeriodRequest,
  UpdatePastPeriodRequest,
} from './types.js';

/** `POST L/migration/past-periods`: together with the known periods there must be no gap. */
export const createPastPeriods: CommandSpec<LoanState, CreatePastPeriodsRequest> = {
  kind: 'loan',
  type: 'migration.createPastPeriods',
  place: { on: 'target' },
  decide(context) {
    const { pastPeriods } = beginRecording(context);
    const { state, env } = context;
    const history = historyOf(state);
    const periods = pastPeriods.map((period) => readPastPeriod(period, null, env.newId('MP')));
    const placed = periods.map((period, index) => at(period, `pastPeriods[${index}]`));
    const all = [...knownPeriods(history), ...placed];
    refuseHistory([...placed.flatMap(ownFaults), ...sharedFaults(all), ...chainFaults(all)]);
    const body: PastPeriodsRecorded = { periods };
    const made = new Set(periods.map(({ id }) => id));
    return {
      facts: [{ type: 'PastPeriodsRecorded', body }],
      reply: (after) => ({
        data: historyOf(after)
          .pastPeriods.filter(({ id }) => made.has(id))
          .map(pastPeriodView),
      }),
    };
  },
};

/** `PUT L/migration/past-periods?dueDate=`: changes one period. A gap is accepted until its neighbor is changed, too. */
export const updatePastPeriod: CommandSpec<LoanState, UpdatePastPeriodRequest> = {
  kind: 'loan',
  type: 'migration.updatePastPeriod',
  place: { on: 'target' },
  decide(context) {
    const request = beginRecording(context);
    const history = historyOf(context.state);
    const known = periodAsked(context, history);
    if (known === undefined) return { facts: [], reply: () => ({ data: null, message: 'No past period has this due date.' }) };
    const period = readPastPeriod(request, known, known.id);
    refuseHistory([...ownFaults(at(period, '')), ...sharedFaults([...knownPeriods(history, known.id), at(period, '')])]);
    const body: PastPeriodChanged = { period };
    return {
      facts: [{ type: 'PastPeriodChanged', body }],
      reply: (after) => ({
        data: pastPeriodView(
          must(
            historyOf(after).pastPeriods.find(({ id }) => id === known.id),
            'the period that was changed',
          ),
        ),
      }),
    };
  },
};

/** `DELETE L/migration/past-periods?dueDate=`. */
export const removePastPeriod: CommandSpec<LoanState, DeletePastPeriodRequest> = {
  kind: 'loan',
  type: 'migration.removePastPeriod',
  place: { on: 'target' },
  decide(context) {
    beginRecording(context);
    const known = periodAsked(context, historyOf(context.state));
    if (known === undefined) return { facts: [], reply: () => ({ data: null, message: 'No past period has this due date.' }) };
    const body: PastPeriodRemoved = { periodId: known.id };
    return { facts: [{ type: 'PastPeriodRemoved', body }], reply: () => ({ data: pastPeriodView(known) }) };
  },
};

function periodAsked({ command }: CommandContext<LoanState>, { pastPeriods }: LineHistory): PastPeriod | undefined {
  const day = dayOfText(must(textIn(command.query, 'dueDate'), 'the gateway has checked the query'));
  return pastPeriods.find(({ dueDay }) => dueDay === day);
}

const at = (period: PeriodDays, path: string): PlacedPeriod => ({ ...period, path });

/** The known periods, with the period of the cutoff at the end. */
export function knownPeriods({ pastPeriods, period }: LineHistory, but?: string): readonly PlacedPeriod[] {
  const past = pastPeriods.filter(({ id }) => id !== but).map((known) => at(known, `past period ${known.id}`));
  return period === null || period.id === but ? past : [...past, at(period, 'the migration period')];
}

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/** `POST L/migration/period`: the last closed period of the line, with its balances at the cutoff. */
export const createMigrationPeriod: CommandSpec<LoanState, MigrationPeriodRequest> = {
  kind: 'loan',
  type: 'migration.createPeriod',
  place: { on: 'target' },
  decide(context) {
    const request = beginRecording(context);
    if (historyOf(context.state).period !== null) refuseSecond('the line');
    return statedLine(context, readMigrationPeriod(request, null, context.env.newId('MP')), 'first');
  },
};

/** `PUT L/migration/period`. */
export const updateMigrationPeriod: CommandSpec<LoanState, UpdateMigrationPeriodRequest> = {
  kind: 'loan',
  type: 'migration.updatePeriod',
  place: { on: 'target' },
  decide(context) {
    const request = beginRecording(context);
    const known = historyOf(context.state).period ?? refuseNone('line');
    const { createdAt: _createdAt, updatedAt: _updatedAt, ...terms } = known;
    return statedLine(context, readMigrationPeriod(request, terms, known.id), 'changed');
  },
};

/** `POST D/migration/period`: the balances of a draw at the cutoff. */
export const createDrawMigrationPeriod: CommandSpec<LoanState, DrawMigrationPeriodRequest> = {
  kind: 'loan',
  type: 'migration.createDrawPeriod',
  place: { on: 'target' },
  decide(context) {
    const request = beginRecording(context);
    const draw = drawOf(context.state, context.command.params['drawId']);
    if (draw.drawType === 'static') {
      refuse('invalidState', 'A static draw cannot have balances: it has only history.', {
        errors: [{ path: 'drawType', expected: 'a draw with balances', message: 'the draw is static' }],
      });
    }
    if (historyOf(context.state).drawPeriods.some(({ drawId }) => drawId === draw.id)) refuseSecond(`the draw ${draw.id}`);
    return statedDraw(context, readDrawPeriod(request, null, { id: context.env.newId('MP'), drawId: draw.id }));
  },
};

/** `PUT D/migration/period`. */
export const updateDrawMigrationPeriod: CommandSpec<LoanState, UpdateDrawMigrationPeriodRequest> = {
  kind: 'loan',
  type: 'migration.updateDrawPeriod',
  place: { on: 'target' },
  decide(context) {
    const request = beginRecording(context);
    const draw = drawOf(context.state, context.command.params['drawId']);
    const known = historyOf(context.state).drawPeriods.find(({ drawId }) => drawId === draw.id) ?? refuseNone('draw');
    const { createdAt: _createdAt, updatedAt: _updatedAt, ...terms } = known;
    return statedDraw(context, readDrawPeriod(request, terms, { id: known.id, drawId: draw.id }));
  },
};

function statedLine(context: Context, period: MigrationPeriodTerms, time: 'first' | 'changed'): Decision<LoanState> {
  const placed = { ...period, path: '' };
  const others = [...knownPeriods(historyOf(context.state), historyOf(context.state).period?.id), placed];
  refuseHistory([
    ...ownFaults(placed),
    ...sharedFaults(others),
    ...(time === 'first' ? chainFaults(others) : []),
    ...dayFaults(context, period),
  ]);
  const body: MigrationPeriodStated = { period };
  return {
    facts: [{ type: 'MigrationPeriodStated', body }],
    reply: (after) => ({ data: migrationPeriodView(must(historyOf(after).period, 'the period that was stated')) }),
  };
}

/** The migration compares it with the line's period and obligation, once the periods of all draws are there. */
function statedDraw(context: Context, period: DrawMigrationPeriodTerms): Decision<LoanState> {
  refuseHistory([...ownFaults({ ...period, path: '' }), ...dayFaults(context, period)]);
  const body: DrawMigrationPeriodStated = { period };
  return {
    facts: [{ type: 'DrawMigrationPeriodStated', body }],
    reply: (after) => ({
      data: drawPeriodView(
        must(
          historyOf(after).drawPeriods.find(({ id }) => id === period.id),
          'the period that was stated',
        ),
      ),
    }),
  };
}

function dayFaults({ state, env }: Context, period: PeriodDays): readonly Fault[] {
  return dayRuleFaults(recordOf(state).atOrigination, currentSettings(loanTypeOf(env, state)).schedule, period);
}

const refuseSecond = (whose: string): never =>
  refuse('duplicate', `The migration period of ${whose} is already recorded. Change it with PUT.`, {
    errors: [{ path: 'startDate', expected: 'a PUT', message: 'is already recorded' }],
  });

const refuseNone = (of: 'line' | 'draw'): never => refuse('notFound', `No migration period of the ${of} was recorded.`);
