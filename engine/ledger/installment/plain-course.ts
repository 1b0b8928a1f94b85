import type { Day } from '../../calendar/index.js';
import { ZERO } from '../../money/index.js';
import { type Bucket, DEFAULT_PAYMENT_WATERFALL } from '../../waterfall.js';
import { setTimeOfFact, beginStep, JOB_TIMES, noteLastFact } from '../core/clock.js';
import type { Payment } from '../core/facts.js';
import { lateFeeDays } from '../core/late-fees.js';
import { addObligation, advanceFirstOpen } from '../core/obligations.js';
import { passEnforced } from '../core/overdue.js';
import { nextSettingsDay, settingsOf } from '../core/rules.js';
import type { ObligationState } from '../core/state.js';
import { settlePayment } from '../core/status-moves.js';
import type { LedgerSettings } from '../core/terms.js';
import { accrueTo } from './accrue.js';
import type { AppliedFact } from './arrange.js';
import { settledPayment } from './copies.js';
import { cutFraction, moveRowToDue } from './due.js';
import type { LedgerState, OpenRow } from './state.js';
import { notePayment } from './tally.js';

/**
 * Applies facts as long as the loan is in its plain course. Returns the position of the first fact that is left:
 *
 *   due date: the row falls due  ->  money of that day pays it, at once or in parts  ->  next due date ...
 *
 * Then everything that fell due before is paid, so most steps of a daily job and of a payment can be skipped. The result is that of
 * `advanceTo` and `applyAtItsTime`, which do the rest.
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
      settlePayment(state, fact.transaction, (position, payment) => state.payments.replace(position, settledPayment(payment)));
      setTimeOfFact(state, fact);
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

/** Everything that fell due is paid to the last cent, including fees: a rest within the tolerance could still become overdue. */
function isInPlainCourse(state: LedgerState, { lateFees }: LedgerSettings): boolean {
  if (state.firstOpenObligation < state.obligations.length || state.status !== 'active' || state.isOverdue) return false;
  if (state.watcher !== null || state.scheduledFacts !== null || state.openFeesCents > 0) return false;
  if (state.duePrincipalCents + state.dueInterestCents + state.dueOriginationFeeCents > 0) return false;
  if (state.overduePrincipalCents + state.overdueInterestCents + state.overdueOriginationFeeCents > 0) return false;
  for (const terms of lateFees) if (lateFeeDays(state, terms) === 0) return false;
  return true;
}

/** The next row, if another row follows it; null: not a plain course. */
function comingRow({ rows, nextRow, day }: LedgerState): OpenRow | null {
  const row = nextRow < rows.length - 1 ? rows[nextRow] : undefined;
  return row === undefined || row.isDeferred === true || row.date <= day ? null : row;
}

/** The balance is so large that nothing is forgiven and the loan is not paid off. */
const isFarFromEnd = ({ nonDuePrincipalCents }: LedgerState, { smallBalanceCents = ZERO }: LedgerSettings): boolean =>
  nonDuePrincipalCents > smallBalanceCents;

/** The daily job of a due date; null if the row has no amount. */
function fallDuePlainly(state: LedgerState, row: OpenRow): ObligationState | null {
  accrueTo(state, row.date);
  passEnforced(state);
  const obligation = moveRowToDue(state, row);
  if (obligation !== null) addObligation(state, obligation);
  beginStep(state, JOB_TIMES.lateFees);
  return obligation;
}

/**
 * Whether a fact is money of the due date that only pays interest and principal of the obligation, and leaves no rest within the
 * tolerance.
 */
function meetsPlainly(state: LedgerState, obligation: ObligationState, fact: AppliedFact): fact is Payment {
  if (fact.type !== 'payment' || fact.kind === 'credit' || fact.effective.day !== state.day || obligation.isFulfilled) return false;
  const settings = settingsOf(state);
  const leftCents = obligation.remainingCents - fact.amountCents;
  if (leftCents < 0 || (leftCents > 0 && leftCents <= settings.overdueToleranceCents)) return false;
  // For further late fees, earlier money that went to late fees counts as paid for a part of the obligation.
  if (obligation.withoutLateFeesCents < fact.amountCents) return false;
  if (state.dueOriginationFeeCents + state.nonDueOriginationFeeCents + state.nonDueInterest.cents > 0) return false;
  return isFarFromEnd(state, settings) && isDueFirst(settings.paymentWaterfall);
}

/** Whether the waterfall pays due interest, then due principal, before principal that is not due. */
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
  setTimeOfFact(state, fact);
  noteLastFact(state, fact);
}
