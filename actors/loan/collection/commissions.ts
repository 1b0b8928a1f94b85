import { addDays, type Cents, cents, type Day, dayAt, must } from '../../../engine/index.js';
import type { Applying } from '../applying.js';
import { todayOf } from '../context.js';
import type { ScheduledWork } from '../catch-up.js';
import type { LoanState } from '../state.js';
import { collectedBy } from './placements.js';

/** What an agency keeps of what it has collected, for the books. */
export interface CommissionFacts {
  /** The commission of an agency differs from what was recorded of it before: payments have come, have failed or were moved. */
  readonly CommissionChanged: CommissionChange;
}

interface CommissionChange {
  readonly agencyId: string;
  /** By how much it is higher; below zero: lower. */
  readonly amountCents: Cents;
  /** The business day on which it was recorded. */
  readonly recordedDay: Day;
}

export interface RecordedCommission extends CommissionChange {
  readonly recordedAt: number;
}

/** Applies the facts about commissions. */
export const APPLY_COMMISSIONS: {
  readonly [Type in keyof CommissionFacts]: (applying: Applying, body: CommissionFacts[Type]) => void;
} = {
  CommissionChanged({ state, fact }, body) {
    const { commissions = [] } = state.parties;
    state.parties = { ...state.parties, commissions: [...commissions, { ...body, recordedAt: fact.businessAt }] };
  },
};

/** By agency, what its commission differs from what was recorded. */
function changesOf(state: LoanState): ReadonlyMap<string, number> {
  const { placements, commissions = [] } = state.parties;
  const changes = new Map<string, number>();
  const add = (agencyId: string, by: number): void => void changes.set(agencyId, (changes.get(agencyId) ?? 0) + by);
  for (const placement of placements) add(placement.agencyId, collectedBy(state, placement).commissionCents);
  for (const { agencyId, amountCents } of commissions) add(agencyId, -amountCents);
  for (const [agencyId, by] of changes) if (by === 0) changes.delete(agencyId);
  return changes;
}

/** The day of the last payment or assignment from which commissions follow. */
function lastChangeOf({ record, parties: { placements }, transactions }: LoanState): Day {
  const since = placements.reduce<number>((first, { assignedOn }) => Math.min(first, assignedOn), Infinity);
  const placed = placements.flatMap(({ recordedAt, endedAt }) => [recordedAt, endedAt ?? recordedAt]);
  const paid = [...transactions.among(({ lastDay }) => lastDay >= since)].map(({ timestamps }) => timestamps.updatedAt);
  return dayAt(
    must(record, 'a placed loan').zone,
    [...placed, ...paid].reduce((last, at) => Math.max(last, at), 0),
  );
}

/**
 * Commissions are recorded on the day after what they follow from. After a release that records them first, what agencies have kept before
 * is recorded at once, on the day that is open then.
 */
export const commissionWork: ScheduledWork = {
  nextDay: (state) => (state.parties.placements.length === 0 || changesOf(state).size === 0 ? null : addDays(lastChangeOf(state), 1)),
  *due(state, _day, env) {
    const recordedDay = todayOf(env, state);
    for (const [agencyId, by] of changesOf(state)) {
      const body: CommissionChange = { agencyId, amountCents: cents(by), recordedDay };
      yield { type: 'CommissionChanged', body };
    }
  },
};
