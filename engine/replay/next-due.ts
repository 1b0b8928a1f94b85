import type { Day } from '../calendar/index.js';
import type { Cents } from '../money/index.js';
import { projectedRows } from './read-schedule.js';
import type { LedgerState, ObligationState, OpenRow } from './state.js';

export interface NextDue {
  readonly day: Day;
  readonly remainingCents: Cents;
}

/** What can still be met in time: what is due today and unpaid, else the first row that money paid ahead does not meet whole. */
export function nextDueOf(state: LedgerState): NextDue | null {
  const due = dueToday(state);
  if (due !== undefined) return { day: due.dueDay, remainingCents: due.remainingCents as Cents };
  if (state.status !== 'active') return null;
  for (const { date, amountCents, prepaidCents } of projectedRows(state)) {
    if (amountCents > prepaidCents) return { day: date, remainingCents: (amountCents - prepaidCents) as Cents };
  }
  return null;
}

/** The day of `nextDueOf`. It projects only when the next row alone does not tell. */
export function nextDueDay(state: LedgerState): Day | null {
  const row = state.rows[state.nextRow];
  if (state.status === 'active' && row !== undefined && isNextDue(state, row)) return dueToday(state)?.dueDay ?? row.date;
  return nextDueOf(state)?.day ?? null;
}

/** Whether a row asks for more than money ahead has paid of it, as its amount shows and more principal than that amount. */
function isNextDue({ prepaidCents, nonDuePrincipalCents, instalmentFacts, unknownRates }: LedgerState, row: OpenRow): boolean {
  if (prepaidCents === 0) return row.amountCents > 0 && nonDuePrincipalCents > 0;
  if (instalmentFacts !== null || unknownRates !== null || row.isInterestOnly === true || row.isDeferred === true) return false;
  return row.amountCents > prepaidCents && nonDuePrincipalCents >= row.amountCents;
}

function dueToday({ status, obligations, firstOpenObligation }: LedgerState): ObligationState | undefined {
  if (status !== 'active' && status !== 'accelerated') return undefined;
  for (let at = firstOpenObligation; at < obligations.length; at += 1) {
    const obligation = obligations[at];
    if (obligation !== undefined && !obligation.isFulfilled && !obligation.isEnforced) return obligation;
  }
  return undefined;
}
