import { must } from '../assert.js';
import type { Accrued, Cents } from '../money/index.js';
import { accrueTo } from './accrue.js';
import { adoptSettings } from './settings.js';
import { cloneState } from './clone.js';
import { fallDue } from './due.js';
import type { LedgerState, ObligationState } from './state.js';
import { owedCents } from './owed.js';
import { exact, roundedCents } from './units.js';
import type { ScheduleRowView } from './views.js';

/**
 * The schedule in force: what has fallen due, then what is expected if everything is paid when it is due. The
 * recurring amount stays, the term shortens or grows, and the last row takes the rest (servicing-behaviour 13.7).
 */
export function scheduleOf(state: LedgerState): readonly ScheduleRowView[] {
  const booked = state.rows.slice(0, state.nextRow).map((_, ordinal) => bookedRow(state, ordinal));
  return [...booked, ...projectedRows(state)];
}

function bookedRow(state: LedgerState, ordinal: number): ScheduleRowView {
  const obligation = state.obligations.find((candidate) => candidate.ordinal === ordinal);
  const replaced = state.replaced.find((candidate) => candidate.ordinal === ordinal);
  if (replaced !== undefined) return rowOf(state, replaced, 'canceled');
  if (obligation === undefined) return canceledRow(state, ordinal);
  return rowOf(state, obligation, obligation.isFulfilled ? 'completed' : 'booked');
}

/** Missed while the loan was frozen, or nothing was left for it. */
function canceledRow(state: LedgerState, ordinal: number): ScheduleRowView {
  const row = must(state.rows[ordinal], 'a row has a position');
  const zero = 0 as Cents;
  const none = 0n as Accrued;
  return {
    ordinal,
    date: row.date,
    status: 'canceled',
    amountCents: zero,
    originalAmountCents: originalAmount(state, ordinal),
    principalCents: zero,
    interestCents: zero,
    interestBeforeDiscountCents: zero,
    feesCents: zero,
    unroundedPrincipal: none,
    unroundedInterest: none,
    unroundedInterestBeforeDiscount: none,
    isForcedAmount: row.isForced,
  };
}

function originalAmount(state: LedgerState, ordinal: number): Cents {
  return (state.terms.rows[ordinal]?.amountCents ?? 0) as Cents;
}

function rowOf(state: LedgerState, obligation: ObligationState, status: ScheduleRowView['status']): ScheduleRowView {
  const { ordinal } = obligation;
  const beforeDiscount = obligation.unroundedInterest + obligation.unroundedDiscount;
  const repaid = exact(obligation.principalCents + obligation.interestCents);
  return {
    ordinal,
    date: obligation.dueDay,
    status,
    amountCents: obligation.amountCents as Cents,
    originalAmountCents: originalAmount(state, ordinal),
    principalCents: obligation.principalCents as Cents,
    interestCents: obligation.interestCents as Cents,
    interestBeforeDiscountCents: roundedCents(beforeDiscount) as Cents,
    feesCents: obligation.feesCents as Cents,
    unroundedPrincipal: (repaid - obligation.unroundedInterest) as Accrued,
    unroundedInterest: obligation.unroundedInterest as Accrued,
    unroundedInterestBeforeDiscount: beforeDiscount as Accrued,
    isForcedAmount: state.rows[ordinal]?.isForced ?? false,
  };
}

/**
 * Rows still to come: the same computation as on their due dates, on a copy where everything due is paid at once
 * and each row on its date. Each row is computed when it is asked for.
 */
export function* projectedRows(state: LedgerState): Generator<ScheduleRowView, void> {
  if (state.status !== 'active' && state.status !== 'frozen') return;
  const copy = cloneState(state);
  copy.status = 'active';
  payWhatIsDue(copy);
  while (copy.nextRow < copy.rows.length && owedCents(copy) + roundedCents(copy.nonDueInterest) > 0) {
    const ordinal = copy.nextRow;
    const known = copy.obligations.length;
    accrueTo(copy, must(copy.rows[ordinal], 'a row follows').date);
    adoptSettings(copy);
    fallDue(copy);
    const obligation = copy.obligations[known];
    if (obligation !== undefined) yield rowOf(copy, obligation, ordinal === state.nextRow ? 'booked' : 'projected');
    payWhatIsDue(copy);
  }
}

function payWhatIsDue(copy: LedgerState): void {
  copy.duePrincipalCents = 0;
  copy.overduePrincipalCents = 0;
  copy.dueInterestCents = 0;
  copy.overdueInterestCents = 0;
  copy.dueOriginationFeeCents = 0;
  copy.overdueOriginationFeeCents = 0;
  for (const fee of copy.fees) {
    if (fee.standing === 'nonDue' || (fee.standing === 'due' && fee.carriedBy === null)) continue;
    copy.openFeesCents -= fee.openCents;
    fee.openCents = 0;
  }
}
