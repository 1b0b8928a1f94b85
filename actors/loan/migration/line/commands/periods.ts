import { must } from '../../../../../engine/index.js';
import { currentSettings } from '../../../../company/index.js';
import { type Fault, refuse } from '../../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../../../kernel/actor.js';
import { loanTypeOf, recordOf } from '../../../context.js';
import { drawOf } from '../../../draws/find.js';
import type { LoanState } from '../../../state.js';
import { dayRuleFaults } from '../check-balances.js';
import { chainFaults, ownFaults, sharedFaults } from '../check-periods.js';
import type { DrawMigrationPeriodStated, MigrationPeriodStated } from '../evolve.js';
import { beginRecording, historyOf, refuseHistory } from '../find.js';
import type { DrawMigrationPeriodTerms, MigrationPeriodTerms, PeriodDays } from '../history.js';
import { readDrawPeriod, readMigrationPeriod } from '../read.js';
import type {
  DrawMigrationPeriodRequest,
  MigrationPeriodRequest,
  UpdateDrawMigrationPeriodRequest,
  UpdateMigrationPeriodRequest,
} from '../types.js';
import { drawPeriodView, migrationPeriodView } from '../view.js';
import { knownPeriods } from './past-periods.js';

type Context = CommandContext<LoanState>;

/** `POST L/migration/period`: the last closed period of the line, with its balances at the cutoff. */
export const createMigrationPeriod: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'migration.createPeriod',
  place: { on: 'target' },
  decide(context) {
    const request = beginRecording<MigrationPeriodRequest>(context);
    if (historyOf(context.state).period !== null) refuseSecond('the line');
    return statedLine(context, readMigrationPeriod(request, null, context.env.newId('MP')), 'first');
  },
};

/** `PUT L/migration/period`. */
export const updateMigrationPeriod: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'migration.updatePeriod',
  place: { on: 'target' },
  decide(context) {
    const request = beginRecording<UpdateMigrationPeriodRequest>(context);
    const known = historyOf(context.state).period ?? refuseNone('line');
    const { createdAt: _createdAt, updatedAt: _updatedAt, ...terms } = known;
    return statedLine(context, readMigrationPeriod(request, terms, known.id), 'changed');
  },
};

/** `POST D/migration/period`: the balances of a draw at the cutoff. */
export const createDrawMigrationPeriod: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'migration.createDrawPeriod',
  place: { on: 'target' },
  decide(context) {
    const request = beginRecording<DrawMigrationPeriodRequest>(context);
    const draw = drawOf(context.state, context.command.params['drawId']);
    if (draw.drawType === 'static') {
      refuse('invalidState', 'The static draw holds history: it has no balances.', {
        errors: [{ path: 'drawType', expected: 'a draw with balances', message: 'the draw is static' }],
      });
    }
    if (historyOf(context.state).drawPeriods.some(({ drawId }) => drawId === draw.id)) refuseSecond(`the draw ${draw.id}`);
    return statedDraw(context, readDrawPeriod(request, null, { id: context.env.newId('MP'), drawId: draw.id }));
  },
};

/** `PUT D/migration/period`. */
export const updateDrawMigrationPeriod: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'migration.updateDrawPeriod',
  place: { on: 'target' },
  decide(context) {
    const request = beginRecording<UpdateDrawMigrationPeriodRequest>(context);
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

/** Whether it agrees with the line's period and the obligation is asked when all draws have theirs: by the migration. */
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
  refuse('duplicate', `The migration period of ${whose} is recorded already: change it.`, {
    errors: [{ path: 'startDate', expected: 'a PUT', message: 'there is one already' }],
  });

const refuseNone = (of: 'line' | 'draw'): never => refuse('notFound', `No migration period of the ${of} was recorded.`);
