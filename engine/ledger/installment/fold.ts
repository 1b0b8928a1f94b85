import { assert } from '../../assert.js';
import { addDays, type Day } from '../../calendar/index.js';
import { ZERO, cents } from '../../money/index.js';
import { DEFAULT_PAYMENT_WATERFALL } from '../../waterfall.js';
import { setTimeOfFact, noteLastFact, sortsLast } from '../core/clock.js';
import type { LedgerWatcher } from '../core/entries.js';
import type { ChargeOff, DueDateDeferred, FeeCharged, LedgerFact, RatesChanged } from '../core/facts.js';
import { isFeeWaived, manualFee } from '../core/fees.js';
import { adoptSettingsOfDay } from '../core/obligations.js';
import { followOverdue } from '../core/overdue.js';
import { settingsOf } from '../core/rules.js';
import type { OrdersInForce } from '../core/state.js';
import { holdThresholds, mayMoveLedger, orderedBy, releaseThresholds, settlePayment } from '../core/status-moves.js';
import type { LedgerTerms } from '../core/terms.js';
import { advanceTo } from './advance.js';
import { type AppliedFact, type Arrangement, isAboutThePast, isLateChange, setsAmounts } from './arrange.js';
import { changeRates } from './change-rates.js';
import { changeSchedule } from './change-schedule.js';
import { settledPayment } from './copies.js';
import { addClosingRow, owedCents } from './due.js';
import { beginEntry, enter } from './entering.js';
import { chargeFee, noteWaivedFee } from './fees.js';
import { closeFulfilled } from './fulfil.js';
import { addedScheduledFallsDue, reamortizeScheduled } from './scheduled-interest/change-schedule.js';
import { chargeBack } from './scheduled-interest/charge-back.js';
import { scheduledPayoffCents, payScheduled } from './scheduled-interest/pay.js';
import { disburse, endFreeze, freeze, orderOfPaidOff, reimburse, reopen, unfreeze } from './one-step-facts.js';
import { isCovered, payFromOverpaid } from './paid-over.js';
import { allocate, applyPayment } from './pay.js';
import { followPlainCourse } from './plain-course.js';
import { beginTally, FORGIVEN, type Tally } from './tally.js';
import { applyRefund } from './refund.js';
import { startLedger } from './start.js';
import type { LedgerState, OpenRow } from './state.js';
import { accelerate, cancel, chargeOff, settleZeroBalance } from './status.js';

/**
 * Applies one more fact to a running ledger, with the same result as a replay. Only for facts for which `canApply` holds;
 * every other fact needs `computeLedger`.
 */
export function applyFact(state: LedgerState, fact: LedgerFact): void {
  assert(canApply(state, fact) && !isAboutThePast(fact), `fact ${fact.sequence} needs a replay`);
  applyAtItsTime(state, fact);
}

/** Whether a fact comes after the last fact of the ledger and does not change the past. */
export function canApply(state: LedgerState, fact: LedgerFact): boolean {
  return !isAboutThePast(fact) && !isLateChange(fact) && fact.effective.day >= state.day && sortsLast(state, fact);
}

/**
 * Moves the ledger to the time of a fact, adopts the settings of the day, which may close obligations within a higher tolerance, applies
 * the fact, and then all that follows from it on the same day: rows that fall due at once, fees that overpaid money pays, a small balance
 * that is forgiven, days overdue, a loan that is paid off, and a closing row.
 */
function applyAtItsTime(state: LedgerState, fact: AppliedFact): void {
  const { day } = fact.effective;
  assert(day >= state.terms.activation, 'a fact is effective on activation or later');
  advanceTo(state, day);
  adoptSettingsOfDay(state);
  setTimeOfFact(state, fact);
  apply(state, fact);
  addedScheduledFallsDue(state);
  payFromOverpaid(state);
  forgiveSmallBalance(state, fact);
  followOverdue(state, false);
  settleZeroBalance(state);
  addClosingRow(state);
  noteLastFact(state, fact);
}

/** An order that the status does not allow has no effect: a replay may have changed the status. */
function apply(state: LedgerState, fact: AppliedFact): void {
  switch (fact.type) {
    case 'payment':
      applyPayment(state, fact);
      return;
    case 'paymentSettled':
      settlePayment(state, fact.transaction, (position, payment) => state.payments.replace(position, settledPayment(payment)));
      return;
    case 'paymentChargedBack':
      chargeBack(state, fact);
      return;
    case 'advance':
      disburse(state, fact);
      return;
    case 'refund':
      applyRefund(state, fact);
      return;
    case 'reimbursed':
      reimburse(state, fact);
      return;
    case 'freeze':
      if (mayMoveLedger(state.status, 'freeze')) freeze(state, orderedBy(fact));
      else if (state.status === 'paidOff') orderOfPaidOff(state, 'frozen');
      return;
    case 'unfreeze':
      if (mayMoveLedger(state.status, 'unfreeze')) unfreeze(state, fact, orderedBy(fact));
      else if (state.status === 'paidOff') orderOfPaidOff(state, 'active');
      return;
    case 'accelerate':
      if (mayMoveLedger(state.status, 'accelerate')) accelerate(state, orderedBy(fact));
      return;
    case 'chargeOff':
      orderChargeOff(state, fact);
      return;
    case 'thresholdsHeld':
      holdThresholds(state, fact);
      return;
    case 'thresholdsReleased':
      releaseThresholds(state, fact);
      return;
    case 'cancel':
      cancel(state, orderedBy(fact));
      return;
    case 'feeCharged':
      orderFee(state, fact);
      return;
    case 'ratesChanged':
      changeRates(state, fact);
      return;
    case 'scheduleChanged':
      if (state.status === 'active') changeSchedule(state, fact);
      return;
    case 'reamortized':
      if (state.status === 'active') reamortizeScheduled(state, fact);
      return;
    case 'dueDateDeferred':
      if (state.status === 'active') deferDueDate(state, fact);
      return;
  }
}

/** Moves a new ledger through its history, fact by fact, up to a day. The watcher receives everything. */
export function fold(terms: LedgerTerms, { facts, orders }: Arrangement, through: Day, watcher: LedgerWatcher | null): LedgerState {
  const passage = beginPassage(terms, orders, watcher);
  applyThrough(passage, facts, 0, through);
  return endPassage(passage, through);
}

/** A ledger that moves through a history. */
export interface Passage {
  readonly state: LedgerState;
  /** Rates are recorded for all days at once: rates that were recorded later replace them, even from an earlier day on. */
  newest: RatesChanged | null;
  /** Amounts that facts have set; null: not collected. */
  readonly amounts: SetAmounts[] | null;
}

/** The rows after a fact that may have changed their amounts. */
export interface SetAmounts {
  readonly fact: number;
  readonly rows: readonly OpenRow[];
}

export const beginPassage = (terms: LedgerTerms, orders: OrdersInForce, watcher: LedgerWatcher | null = null): Passage => ({
  state: startLedger(terms, { watcher, orders }),
  newest: null,
  amounts: null,
});

/** Applies the facts from a position on, up to a day. Returns the position of the first fact that is left. */
export function applyThrough(passage: Passage, facts: readonly AppliedFact[], first: number, through: Day): number {
  let at = followPlainCourse(passage.state, facts, first, through);
  for (let fact = facts[at]; fact !== undefined && fact.effective.day <= through; fact = facts[at]) {
    applyNext(passage, fact);
    at = followPlainCourse(passage.state, facts, at + 1, through);
  }
  return at;
}

/** Applies the next fact of a history. */
export function applyNext(passage: Passage, fact: AppliedFact): void {
  if (fact.type === 'ratesChanged') {
    if (passage.newest === null || passage.newest.sequence < fact.sequence) passage.newest = fact;
    applyAtItsTime(passage.state, fact === passage.newest ? fact : { ...fact, rates: passage.newest.rates });
  } else applyAtItsTime(passage.state, fact);
  if (passage.amounts !== null && setsAmounts(fact)) passage.amounts.push({ fact: fact.sequence, rows: passage.state.rows });
}

export function endPassage({ state }: Passage, through: Day): LedgerState {
  advanceTo(state, through);
  state.watcher = null;
  return state;
}

/** The same, stopping at the end of each day from `from` to `to`. */
export function foldByDay(
  terms: LedgerTerms,
  { facts, orders }: Arrangement,
  { from, to }: { readonly from: Day; readonly to: Day },
  see: (state: LedgerState) => void,
): void {
  const passage = beginPassage(terms, orders);
  let next = 0;
  for (let day = from; day <= to; day = addDays(day, 1)) {
    for (let fact = facts[next]; fact !== undefined && fact.effective.day <= day; fact = facts[next]) {
      applyNext(passage, fact);
      next += 1;
    }
    advanceTo(passage.state, day);
    see(passage.state);
  }
}

/** A frozen loan is unfrozen first, without interest for the frozen days. */
function orderChargeOff(state: LedgerState, fact: ChargeOff): void {
  const cause = orderedBy(fact);
  if (state.status === 'frozen') endFreeze(state, cause);
  if (mayMoveLedger(state.status, 'chargeOff')) chargeOff(state, fact.reason, cause);
}

/**
 * Charges a manual fee. A fee that was waived later is added as waived. The fee reopens a paid-off loan in its previous status, unless
 * overpaid money covers it.
 */
function orderFee(state: LedgerState, fact: FeeCharged): void {
  if (state.status === 'canceled') return;
  if (isFeeWaived(state.orders, fact)) {
    noteWaivedFee(state, manualFee(fact));
    return;
  }
  if (state.status === 'paidOff' && !isCovered(state, fact.amountCents)) reopen(state);
  chargeFee(state, fact);
}

/**
 * The row of the due date becomes zero; its amount joins the row of the new date, or becomes a new row. The other rows keep
 * their amounts, so the last row takes the additional interest. Does nothing if a replay has moved the date, or if it has
 * fallen due.
 */
function deferDueDate(state: LedgerState, { dueDay, newDay }: DueDateDeferred): void {
  const at = state.rows.findIndex((row, position) => position >= state.nextRow && row.date === dueDay);
  const deferred = state.rows[at];
  if (deferred === undefined || deferred.isDeferred === true || newDay <= dueDay) return;
  const rows = state.rows.map((row, position) => (position === at ? emptied(row) : row));
  const target = rows.findIndex((row) => row.date >= newDay);
  const there = rows[target];
  if (there?.date === newDay) rows[target] = raised(there, deferred.amountCents);
  else rows.splice(there === undefined ? rows.length : target, 0, { date: newDay, amountCents: deferred.amountCents, isForced: false });
  state.rows = rows;
}

const emptied = ({ date }: OpenRow): OpenRow => ({ date, amountCents: ZERO, isForced: false, isDeferred: true });

/** Forced, so that a re-amortization does not spread the deferred amount. */
const raised = ({ date, amountCents }: OpenRow, byCents: number): OpenRow => ({
  date,
  amountCents: cents(amountCents + byCents),
  isForced: true,
});

const MONEY: ReadonlySet<AppliedFact['type']> = new Set(['payment', 'paymentSettled', 'refund']);

/**
 * Money has left a balance within the loan type's small balance: a credit of the lender pays the rest, so that the loan is
 * paid off. It is derived from the money and disappears if the money is voided.
 */
function forgiveSmallBalance(state: LedgerState, fact: AppliedFact): void {
  const { smallBalanceCents = 0 } = settingsOf(state);
  if (smallBalanceCents === 0 || !MONEY.has(fact.type) || state.processingPayments > 0) return;
  if (state.status !== 'active' && state.status !== 'accelerated' && state.status !== 'frozen') return;
  // Money does not pay a fee that was recorded later.
  if (state.fees.some(({ openCents, knownDay }) => openCents > 0 && knownDay > state.day)) return;
  const amountCents = state.scheduledFacts === null ? owedCents(state) : scheduledPayoffCents(state, state.day);
  if (amountCents === 0 || amountCents > smallBalanceCents) return;
  const before = beginEntry(state);
  const tally = beginTally(FORGIVEN, 'credit', { effective: fact.effective, amountCents });
  if (state.scheduledFacts === null) for (const bucket of DEFAULT_PAYMENT_WATERFALL) allocate(state, tally, bucket);
  else payScheduled(state, tally);
  closeFulfilled(state);
  countForgiven(state, tally);
  enter(state, before, 'smallBalanceForgiven');
}

function countForgiven({ totals }: LedgerState, { principalCents, interestCents, feesCents }: Tally): void {
  totals.creditsCents += principalCents + interestCents + feesCents;
  totals.paidPrincipalCents += principalCents;
  totals.paidInterestCents += interestCents;
  totals.paidFeesCents += feesCents;
}
