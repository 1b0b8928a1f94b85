import type { Day } from '../../calendar/index.js';
import { type Cents, cents } from '../../money/index.js';
import { isLastRow } from './demand.js';
import { projectedRows } from './read-schedule.js';
import type { LedgerState, OpenRow } from './state.js';
import type { ObligationState } from '../core/state.js';

export interface NextDue {
  readonly day: Day;
  readonly remainingCents: Cents;
}

/** What can still be met in time: what is due today and unpaid, else the first row that money paid ahead does not meet whole. */
export function nextDueOf(state: LedgerState): NextDue | null {
  const due = dueToday(state);
  if (due !== undefined) return { day: due.dueDay, remainingCents: cents(due.remainingCents) };
  if (state.status !== 'active') return null;
  const row = state.rows[state.nextRow];
  if (row !== undefined && isAsScheduled(state, row)) return { day: row.date, remainingCents: cents(row.amountCents - state.prepaidCents) };
  for (const { date, amountCents, prepaidCents } of projectedRows(state)) {
    if (amountCents > prepaidCents) return { day: date, remainingCents: cents(amountCents - prepaidCents) };
  }
  return null;
}

/** The day of `nextDueOf`. It projects only when the next row alone does not tell. */
export function nextDueDay(state: LedgerState): Day | null {
  const row = state.rows[state.nextRow];
  const isPlain = row !== undefined && row.amountCents > 0 && state.prepaidCents === 0 && state.nonDuePrincipalCents > 0;
  if (state.status === 'active' && isPlain && asksForPrincipal(row)) return dueToday(state)?.dueDay ?? row.date;
  return nextDueOf(state)?.day ?? null;
}

/** Other rows ask for interest alone, which may be nothing, or for nothing. */
const asksForPrincipal = ({ isInterestOnly, isDeferred }: OpenRow): boolean => isInterestOnly !== true && isDeferred !== true;

/**
 * Whether the next row asks for just its amount, and for more than money ahead has met: on nearly every loan, so that none of its rows need
 * be projected. Less principal than that would lower it, fees and the last row raise it, and rates that were not known then may cap it.
 */
function isAsScheduled(state: LedgerState, row: OpenRow): boolean {
  if (state.instalmentFacts !== null || state.unknownRates !== null || state.openFeesCents > 0 || isLastRow(state)) return false;
  if (!asksForPrincipal(row) || state.originationAskedCents + state.nonDueOriginationFeeCents > 0) return false;
  return row.amountCents > state.prepaidCents && state.nonDuePrincipalCents >= row.amountCents;
}

function dueToday({ status, obligations, firstOpenObligation }: LedgerState): ObligationState | undefined {
  if (status !== 'active' && status !== 'accelerated') return undefined;
  for (let at = firstOpenObligation; at < obligations.length; at += 1) {
    const obligation = obligations[at];
    if (obligation !== undefined && !obligation.isFulfilled && !obligation.isEnforced) return obligation;
  }
  return undefined;
}
