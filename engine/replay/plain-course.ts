import type { Day } from '../calendar/index.js';
import { ZERO } from '../money/index.js';
import { type Bucket, DEFAULT_PAYMENT_WATERFALL } from '../waterfall/index.js';
import { accrueTo } from './accrue.js';
import type { AppliedFact } from './arrange.js';
import { beginFact, beginStep, JOB_TIMES, noteLastFact } from './clock.js';
import { nextSettingsDay } from './coming-days.js';
import { settledPayment } from './copies.js';
import { capped } from './demand.js';
import { beginPeriod, discountOfPeriod } from './due.js';
import type { Payment } from './facts.js';
import { countForgone } from './fraction.js';
import { addObligation, advanceFirstOpen } from './fulfil.js';
import { centsOfInterest, NO_INTEREST, roundedBy } from './interest.js';
import { lateFeeDays } from './late-fees.js';
import { passEnforced } from './overdue.js';
import { notePayment } from './pay.js';
import { settlePayment } from './settle-payment.js';
import { settingsOf } from './settings.js';
import type { LedgerState, ObligationState, OpenRow } from './state.js';
import type { LedgerSettings } from './terms.js';

/**
 * Follows the plain course of a loan for as long as it lasts, and tells the position of the first fact that it has left:
 *
 *   due date: the row falls due  ->  money of that day meets it, or comes in parts that do  ->  next due date ...
 *
 * Nothing is overdue then, no fee is open and nothing is paid ahead, so that most of what a daily job and a payment ask for is known
 * not to be there. It does what `advanceTo` and `takeIn` do, which do the rest.
 */
export function followPlainCourse(state: LedgerState, facts: readonly AppliedFact[], first: number, through: Day): number {
  const settings = settingsOf(state);
  if (!isInPlainCourse(state, settings)) return first;
  const lastDay = Math.min(through, nextSettingsDay(state) - 1);
  let at = first;
  for (let row = comingRow(state, settings); row !== null && row.date <= lastDay; row = comingRow(state, settings)) {
    for (let fact = facts[at]; fact !== undefined && fact.effective.day < row.date; fact = facts[at]) {
      if (fact.type !== 'paymentSettled') return at;
      accrueTo(state, fact.effective.day);
      settlePayment(state, fact.transaction, settledPayment);
      beginFact(state, fact);
      noteLastFact(state, fact);
      at += 1;
    }
    const obligation = fallDuePlainly(state, row, settings);
    if (obligation === null) continue;
    for (let fact = facts[at]; fact !== undefined && meetsPlainly(state, obligation, fact, settings); fact = facts[at]) {
      meetPlainly(state, obligation, fact);
      at += 1;
    }
    if (obligation.remainingCents > 0) return at;
  }
  return at;
}

/** Nothing is open, and nothing but interest and principal is to come. */
function isInPlainCourse(state: LedgerState, { lateFees }: LedgerSettings): boolean {
  if (state.firstOpenObligation < state.obligations.length || state.status !== 'active' || state.watcher !== null) return false;
  if (state.instalmentFacts !== null || state.terms.isFractionKept === true) return false;
  if (state.openFeesCents > 0 || state.prepaidCents > 0 || state.nonDueOriginationFeeCents > 0 || state.originationAskedCents > 0) return false;
  if (state.duePrincipalCents + state.dueInterestCents + state.dueOriginationFeeCents > 0) return false;
  if (state.overduePrincipalCents + state.overdueInterestCents + state.overdueOriginationFeeCents > 0 || state.isOverdue) return false;
  for (const terms of lateFees) if (lateFeeDays(terms) === 0) return false;
  return true;
}

/** The next row, if it asks for an amount that leaves something of the loan; null: it is none for here. */
function comingRow({ rows, nextRow, day, nonDuePrincipalCents }: LedgerState, { smallBalanceCents = ZERO }: LedgerSettings): OpenRow | null {
  const row = nextRow < rows.length - 1 ? rows[nextRow] : undefined;
  if (row === undefined || row.isDeferred === true || row.isInterestOnly === true || row.date <= day) return null;
  return row.amountCents + smallBalanceCents < nonDuePrincipalCents ? row : null;
}

/** The daily job of a due date: null where the row asks for nothing. */
function fallDuePlainly(state: LedgerState, row: OpenRow, { overdueToleranceCents }: LedgerSettings): ObligationState | null {
  accrueTo(state, row.date);
  passEnforced(state);
  const unrounded = state.nonDueInterest;
  const interestCents = roundedBy(unrounded, state.terms.rounding.interest);
  if (unrounded.parts !== 0) countForgone(state, interestCents);
  const amountCents = capped(state, row, row.amountCents, state.nonDuePrincipalCents + interestCents);
  const movedInterestCents = Math.min(interestCents, amountCents);
  const isWhole = movedInterestCents === interestCents;
  state.nonDueInterest = isWhole ? NO_INTEREST : centsOfInterest(interestCents - movedInterestCents);
  let obligation: ObligationState | null = null;
  if (amountCents > 0) {
    const movedPrincipalCents = amountCents - movedInterestCents;
    state.nonDuePrincipalCents -= movedPrincipalCents;
    state.dueInterestCents = movedInterestCents;
    state.duePrincipalCents = movedPrincipalCents;
    obligation = {
      ordinal: state.nextRow,
      dueDay: row.date,
      amountCents,
      baseCents: amountCents,
      principalCents: movedPrincipalCents,
      interestCents: movedInterestCents,
      feesCents: 0,
      unroundedInterest: isWhole ? unrounded : centsOfInterest(movedInterestCents),
      unroundedDiscount: discountOfPeriod(state),
      remainingCents: amountCents,
      paymentsCents: 0,
      creditsCents: 0,
      prepaidCents: 0,
      capitalizedCents: 0,
      unassignedCents: state.unassignedCents,
      withoutLateFeesCents: amountCents,
      pausedDays: 0,
      isFulfilled: amountCents <= overdueToleranceCents,
      isEnforced: false,
      isLateFeeBlocked: false,
    };
    addObligation(state, obligation);
  }
  state.nextRow += 1;
  beginPeriod(state);
  beginStep(state, JOB_TIMES.lateFees);
  return obligation;
}

/** Whether money of the due date is for the obligation alone, and leaves nothing of it that the tolerance lets pass. */
function meetsPlainly(state: LedgerState, obligation: ObligationState, fact: AppliedFact, settings: LedgerSettings): fact is Payment {
  if (fact.type !== 'payment' || fact.kind === 'credit' || fact.effective.day !== state.day) return false;
  const leftCents = obligation.remainingCents - fact.amountCents;
  if (leftCents < 0 || (leftCents > 0 && leftCents <= settings.overdueToleranceCents) || obligation.isFulfilled) return false;
  return state.nonDueInterest.cents === 0 && isDueFirst(settings.paymentWaterfall);
}

/** Whether money meets interest that is due, then principal that is, before it lowers principal that is not. */
function isDueFirst(waterfall: readonly Bucket[]): boolean {
  if (waterfall === DEFAULT_PAYMENT_WATERFALL) return true;
  const interest = waterfall.indexOf('dueInterest');
  const principal = waterfall.indexOf('duePrincipal');
  const ahead = waterfall.indexOf('nonDuePrincipal');
  return interest !== -1 && interest < principal && (ahead === -1 || principal < ahead);
}

function meetPlainly(state: LedgerState, obligation: ObligationState, fact: Payment): void {
  const { amountCents } = fact;
  const interestCents = Math.min(amountCents, state.dueInterestCents);
  const principalCents = amountCents - interestCents;
  state.dueInterestCents -= interestCents;
  state.duePrincipalCents -= principalCents;
  obligation.remainingCents -= amountCents;
  obligation.paymentsCents += amountCents;
  obligation.withoutLateFeesCents -= amountCents;
  if (obligation.remainingCents === 0) {
    obligation.isFulfilled = true;
    advanceFirstOpen(state);
  }
  notePayment(state, fact, { principalCents, interestCents, feesCents: 0, leftCents: 0 });
  beginFact(state, fact);
  noteLastFact(state, fact);
}
