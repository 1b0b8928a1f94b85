import { must } from '../../../../../engine/index.js';
import type { CommandContext, CommandSpec } from '../../../../kernel/actor.js';
import { dayOfText } from '../../../../wire.js';
import type { LoanState } from '../../../state.js';
import { chainFaults, ownFaults, type PlacedPeriod, sharedFaults } from '../check-periods.js';
import type { PastPeriodChanged, PastPeriodRemoved, PastPeriodsRecorded } from '../evolve.js';
import { beginRecording, historyOf, refuseHistory } from '../find.js';
import type { LineHistory, PastPeriod, PeriodDays } from '../history.js';
import { readPastPeriod } from '../read.js';
import type { CreatePastPeriodsRequest, DeletePastPeriodRequest, PastPeriodQuery, UpdatePastPeriodRequest } from '../types.js';
import { pastPeriodView } from '../view.js';

/** `POST L/migration/past-periods`: with those that are known they follow one another without a gap. */
export const createPastPeriods: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'migration.createPastPeriods',
  place: { on: 'target' },
  decide(context) {
    const { pastPeriods } = beginRecording<CreatePastPeriodsRequest>(context);
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

/** `PUT L/migration/past-periods?dueDate=`: one at a time, so that a gap may be there until its neighbor is changed, too. */
export const updatePastPeriod: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'migration.updatePastPeriod',
  place: { on: 'target' },
  decide(context) {
    const request = beginRecording<UpdatePastPeriodRequest>(context);
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
export const removePastPeriod: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'migration.removePastPeriod',
  place: { on: 'target' },
  decide(context) {
    beginRecording<DeletePastPeriodRequest>(context);
    const known = periodAsked(context, historyOf(context.state));
    if (known === undefined) return { facts: [], reply: () => ({ data: null, message: 'No past period has this due date.' }) };
    const body: PastPeriodRemoved = { periodId: known.id };
    return { facts: [{ type: 'PastPeriodRemoved', body }], reply: () => ({ data: pastPeriodView(known) }) };
  },
};

function periodAsked({ command }: CommandContext<LoanState>, { pastPeriods }: LineHistory): PastPeriod | undefined {
  const day = dayOfText((command.query as PastPeriodQuery).dueDate);
  return pastPeriods.find(({ dueDay }) => dueDay === day);
}

const at = (period: PeriodDays, path: string): PlacedPeriod => ({ ...period, path });

/** What is there already, with the period of the cutoff at its end. */
export function knownPeriods({ pastPeriods, period }: LineHistory, but?: string): readonly PlacedPeriod[] {
  const past = pastPeriods.filter(({ id }) => id !== but).map((known) => at(known, `past period ${known.id}`));
  return period === null || period.id === but ? past : [...past, at(period, 'the migration period')];
}
