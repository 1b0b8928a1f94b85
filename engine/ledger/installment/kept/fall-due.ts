import { must } from '../../../assert.js';
import { type Instalment, sumOf } from '../../scheduled/index.js';
import { beginPeriod } from '../period.js';
import { beginEntry, enter } from '../entering.js';
import { addObligation, obligationChanged } from '../fulfil.js';
import { centsOfInterest, NO_INTEREST } from '../../core/interest.js';
import { settingsOf } from '../../core/settings.js';
import type { LedgerState } from '../state.js';
import type { ObligationState } from '../../core/state.js';
import { bookOf, settle } from './book.js';

/** 00:30 of a due date: the instalment becomes an obligation, less what was paid in advance. */
export function instalmentFallsDue(state: LedgerState): void {
  const before = beginEntry(state);
  const instalment = must(bookOf(state).instalments[state.nextRow], 'a row has an instalment');
  const obligation = obligationOf(state, instalment, state.nextRow);
  state.nextRow += 1;
  beginPeriod(state);
  if (obligation.amountCents > 0) addObligation(state, obligation);
  settle(state);
  enter(state, before, 'movedToDue');
  if (obligation.amountCents > 0) obligationChanged(state, obligation);
}

/** A row that a fact or a late fee of the day has added, from the last due date on, is due at once. */
export function addedFallsDue(state: LedgerState): void {
  if (state.instalmentFacts === null || state.status !== 'active') return;
  if (state.rows[state.nextRow]?.date === state.day) instalmentFallsDue(state);
}

/** What an instalment is as an obligation, as of the state's day. */
export function obligationOf(state: LedgerState, { dueDay, due, paid }: Instalment, ordinal: number): ObligationState {
  const amountCents = sumOf(due);
  const remainingCents = amountCents - sumOf(paid);
  return {
    ordinal,
    dueDay,
    amountCents,
    baseCents: due.principal + due.interest,
    principalCents: due.principal,
    interestCents: due.interest,
    feesCents: due.fees + due.penalties,
    unroundedInterest: centsOfInterest(due.interest),
    unroundedDiscount: NO_INTEREST,
    remainingCents,
    paymentsCents: 0,
    creditsCents: 0,
    prepaidCents: sumOf(paid),
    capitalizedCents: 0,
    unassignedCents: 0,
    withoutLateFeesCents: Math.max(0, remainingCents - (due.penalties - paid.penalties)),
    pausedDays: 0,
    isFulfilled: remainingCents <= settingsOf(state).overdueToleranceCents,
    isEnforced: false,
    isLateFeeBlocked: false,
  };
}
