import type { Day } from '../../calendar/index.js';
import { ZERO } from '../../money/index.js';
import { type Bucket, DEFAULT_PAYMENT_WATERFALL } from '../../waterfall/index.js';
import { accrueTo } from './accrue.js';
import type { AppliedFact } from './arrange.js';
import { beginFact, beginStep, JOB_TIMES, noteLastFact } from '../core/clock.js';
import { nextSettingsDay } from './coming-days.js';
import { settledPayment } from './copies.js';
import { moveRowToDue } from './due.js';
import type { Payment } from '../core/facts.js';
import { cutFraction } from './fraction.js';
import { addObligation, advanceFirstOpen } from './fulfil.js';
import { lateFeeDays } from './late-fees.js';
import { passEnforced } from './overdue.js';
import { notePayment } from './note-payment.js';
import { settlePayment } from '../core/settle-payment.js';
import { settingsOf } from '../core/settings.js';
import type { LedgerState, OpenRow } from './state.js';
import type { ObligationState } from '../core/state.js';
import type { LedgerSettings } from '../core/terms.js';

/**
 * Follows the plain course of a loan for as long as it lasts, and tells the position of the first fact that it has left:
 *
 *   due date: the row falls due  ->  money of that day meets it, or comes in parts that do  ->  next due date ...
 *
 * All that fell due before is paid then, so that most of what a daily job and a payment ask for is known not to be there. It does what
 * `advanceTo` and `takeIn` do, which do the rest.
 */
export function followPlainCourse(state: LedgerState, facts: readonly AppliedFact[], first: number, through: Day): number {
  const settings = settingsOf(state);
  if (!isInPlainCourse(state, settings)) return first;
  const lastDay = Math.min(through, nextSettingsDay(state) - 1);
  let at = first;
  for (let row = comingRow(state); row !== null && row.date <= lastDay; row = comingRow(state)) {
    for (let fact = facts[at]; fact !== undefined && fact.effective.day < row.date; fact = facts[at]) {
      if (fact.type !== 'paymentSettled' || !isFarFromEnd(state, settings)) return at;
      accrueTo(state, fact.effective.day);
      settlePayment(state, fact.transaction, settledPayment);
      beginFact(state, fact);
      noteLastFact(state, fact);
      at += 1;
    }
    const obligation = fallDuePlainly(state, row);
    if (obligation === null) continue;
    for (let fact = facts[at]; fact !== undefined && meetsPlainly(state, obligation, fact); fact = facts[at]) {
      meetPlainly(state, obligation, fact);
      at += 1;
    }
    if (obligation.remainingCents > 0) return at;
  }
  return at;
}

/** All that fell due is paid, to the last cent, fees as well: what the tolerance has let pass would still become overdue. */
function isInPlainCourse(state: LedgerState, { lateFees }: LedgerSettings): boolean {
  if (state.firstOpenObligation < state.obligations.length || state.status !== 'active' || state.isOverdue) return false;
  if (state.watcher !== null || state.instalmentFacts !== null || state.openFeesCents > 0) return false;
  if (state.duePrincipalCents + state.dueInterestCents + state.dueOriginationFeeCents > 0) return false;
  if (state.overduePrincipalCents + state.overdueInterestCents + state.overdueOriginationFeeCents > 0) return false;
  for (const terms of lateFees) if (lateFeeDays(state, terms) === 0) return false;
  return true;
}

/** The next row, if another one follows it; null: what it does is not for here. */
function comingRow({ rows, nextRow, day }: LedgerState): OpenRow | null {
  const row = nextRow < rows.length - 1 ? rows[nextRow] : undefined;
  return row === undefined || row.isDeferred === true || row.date <= day ? null : row;
}

/** So much is left that nothing is forgiven and the loan is not paid off. */
const isFarFromEnd = ({ nonDuePrincipalCents }: LedgerState, { smallBalanceCents = ZERO }: LedgerSettings): boolean =>
  nonDuePrincipalCents > smallBalanceCents;

/** The daily job of a due date: null where the row asks for nothing. */
function fallDuePlainly(state: LedgerState, row: OpenRow): ObligationState | null {
  accrueTo(state, row.date);
  passEnforced(state);
  const obligation = moveRowToDue(state, row);
  if (obligation !== null) addObligation(state, obligation);
  beginStep(state, JOB_TIMES.lateFees);
  return obligation;
}

/**
 * Whether it is money of the due date for interest and principal of the obligation alone, and leaves nothing of it that the tolerance lets
 * pass.
 */
function meetsPlainly(state: LedgerState, obligation: ObligationState, fact: AppliedFact): fact is Payment {
  if (fact.type !== 'payment' || fact.kind === 'credit' || fact.effective.day !== state.day || obligation.isFulfilled) return false;
  const settings = settingsOf(state);
  const leftCents = obligation.remainingCents - fact.amountCents;
  if (leftCents < 0 || (leftCents > 0 && leftCents <= settings.overdueToleranceCents)) return false;
  // What late fees have taken of earlier money has met a part of the obligation as far as further late fees go.
  if (obligation.withoutLateFeesCents < fact.amountCents) return false;
  if (state.dueOriginationFeeCents + state.nonDueOriginationFeeCents + state.nonDueInterest.cents > 0) return false;
  return isFarFromEnd(state, settings) && isDueFirst(settings.paymentWaterfall);
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
  cutFraction(state);
  notePayment(state, fact, { principalCents, interestCents, feesCents: 0, leftCents: 0 });
  beginFact(state, fact);
  noteLastFact(state, fact);
}
