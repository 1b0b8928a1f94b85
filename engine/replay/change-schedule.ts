import { AmortizationError, amortize, type PaymentTerm, type Schedule } from '../amortization/index.js';
import type { Day } from '../calendar/index.js';
import { cents } from '../money/index.js';
import { firstRowAfter } from './due.js';
import type { ScheduleChanged } from './facts.js';
import { accruedOf } from './interest.js';
import { forced, roomCents } from './reamortize.js';
import type { LedgerState, OpenRow } from './state.js';

/**
 * New rows from a due date on; the ones before it keep their amounts. Terms that no longer pay the loan off, because
 * a replay has changed what they were made for, leave the schedule as it is.
 */
export function changeSchedule(state: LedgerState, fact: ScheduleChanged): void {
  const [from] = fact.dueDates;
  if (from === undefined || state.nonDuePrincipalCents === 0) return;
  const first = firstRowAfter(state);
  const kept = state.rows.slice(first).filter((row) => row.date < from);
  const schedule = attempt(() => spread(state, kept, fact.dueDates, fact.payment));
  if (schedule === null) return;
  const added = schedule.rows.slice(kept.length).map(({ date, amountCents }) => ({ date, amountCents, isForced: false }));
  state.rows = [...state.rows.slice(0, first), ...kept, ...added];
}

function spread(state: LedgerState, kept: readonly OpenRow[], dueDates: readonly Day[], payment: PaymentTerm): Schedule {
  const { terms, totals } = state;
  const capCents = terms.totalInterestCapCents;
  return amortize({
    start: state.day > terms.interestFrom ? state.day : terms.interestFrom,
    principalCents: cents(state.nonDuePrincipalCents),
    openingInterest: accruedOf(state.nonDueInterest),
    dueDates: [...kept.map((row) => row.date), ...dueDates],
    rowTerms: kept.map(forced),
    payment,
    rates: state.rates,
    dayCount: terms.dayCount,
    accrualMethod: terms.accrualMethod,
    rounding: terms.rounding,
    totalInterestCapCents: capCents === null ? null : roomCents(capCents, totals.interestAccrued),
  });
}

function attempt(make: () => Schedule): Schedule | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof AmortizationError) return null;
    throw error;
  }
}
