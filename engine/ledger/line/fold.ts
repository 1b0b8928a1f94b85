import { assert } from '../../assert.js';
import type { Day } from '../../calendar/index.js';
import type { Bucket } from '../../waterfall.js';
import { idleDaysOf, withoutIdleDays } from '../core/accrual.js';
import { setTimeOfFact, noteLastFact, sortsLast } from '../core/clock.js';
import type { Reimbursed } from '../core/facts.js';
import { isFeeWaived, manualFee } from '../core/fees.js';
import { adoptSettingsOfDay } from '../core/obligations.js';
import { followOverdue } from '../core/overdue.js';
import { holds } from '../core/rules.js';
import { holdThresholds, releaseThresholds, settlePayment } from '../core/status-moves.js';
import { advanceTo } from './advance.js';
import { allocate, allocateChargedOff, allocateFees } from './allocate.js';
import { type AppliedLineFact, arrangeLine, isAboutThePast, isLateChange, type LateLineChange, type LineArrangement } from './arrange.js';
import { endMeeting, returnAllToNonDue } from './count-in-order.js';
import { countFor, findDraw, oldestDraw } from './credit.js';
import { beginEntry, enter } from './entering.js';
import type { DrawRatesChanged, LimitChanged, LineFact, LineFeeCharged, PastFeeCanceled } from './facts.js';
import { addFee, type NewLineFee, noteWaivedFee } from './fees.js';
import { applyOrder, changeSchedule } from './orders.js';
import { isCovered, payFromOverpaid } from './paid-over.js';
import { applyPayment, beginTally, type LineTally, notePayment } from './pay.js';
import { replacePayment } from './payments.js';
import {
  activateDraw,
  applyPurchase,
  emitPaidOff,
  isPaidOff,
  owePrincipalAgain,
  raisePrincipal,
  reopen,
  settleZeroBalance,
} from './purchase.js';
import { seedLine } from './seed.js';
import { startLine } from './start.js';
import type { DrawState, LineFee, LineObligation, LineState, LineWatcher } from './state.js';
import type { LineTerms } from './terms.js';

function changeLimit(state: LineState, { draw, limitCents }: LimitChanged): void {
  if (draw === null) {
    if (limitCents !== null) state.limitCents = limitCents;
    return;
  }
  const found = findDraw(state, draw);
  if (found !== undefined) found.limitCents = limitCents;
}

/** New rates from the state's day on. Earlier days have accrued at the old rates. */
function changeRates(state: LineState, { draw, rates }: DrawRatesChanged): void {
  const found = findDraw(state, draw);
  if (found !== undefined) found.rates = withoutIdleDays(rates, state.orders.idle);
}

function closeDraw(state: LineState, draw: number): void {
  const found = findDraw(state, draw);
  if (found !== undefined) found.isClosed = true;
}

/**
 * Charges a manual fee. A fee that was waived later is added as waived. The fee reopens a paid-off line, unless overpaid money covers it.
 */
function chargeFee(state: LineState, fact: LineFeeCharged): void {
  const draw = fact.draw === null ? null : findDraw(state, fact.draw);
  if (draw === undefined || state.status === 'canceled') return;
  const fee: NewLineFee = { ...manualFee(fact), origin: 'charged' };
  if (isFeeWaived(state.orders, fact)) {
    noteWaivedFee(state, draw, fee);
    return;
  }
  if (state.status === 'paidOff' && !isCovered(state, fact.amountCents)) reopen(state);
  const before = beginEntry(state);
  addFee(state, draw, fee);
  enter(state, before, 'fee');
}

type Fold = (arrangement: LineArrangement, through: Day) => LineState;

/** Arranges the facts, with the days on which nothing accrues although the line is active after the adjustment. */
function arrangedWithIdleDays(facts: readonly LineFact[], fold: Fold): LineArrangement {
  const idle = idleDaysOf(facts, (earlier, known, until) => fold(withOrders(arrangeLine(earlier), { idle: known }), until));
  return idle.length === 0 ? arrangeLine(facts) : withOrders(arrangeLine(facts), { idle });
}

const withOrders = ({ facts, orders }: LineArrangement, more: Partial<LineArrangement['orders']>): LineArrangement => ({
  facts,
  orders: { ...orders, ...more },
});

/**
 * The amounts of obligations whose due dates had passed when a fact that raises them was recorded. Null if there are none, as
 * nearly always: a purchase settles within days, not weeks.
 */
function withAsked(recorded: readonly LineFact[], arrangement: LineArrangement, state: LineState, fold: Fold): LineArrangement | null {
  const late = lateChanges(arrangement);
  // `state` cannot decide about other obligations: it may be accelerated because of the amounts that must be bounded.
  if (!late.some((change) => [...state.replaced, ...state.obligations].some((obligation) => isBehind(change, obligation)))) return null;
  const asked = new Map<number, number>();
  for (const change of late) {
    // Arranged again, since facts that a late change has replaced were in force until it was recorded.
    const known = arrangeLine(
      recorded.filter(({ sequence }) => !late.some((other) => other.sequence === sequence && sequence >= change.sequence)),
    );
    const found = fold(withOrders(known, { idle: arrangement.orders.idle, askedCents: new Map(asked) }), change.recordedDay);
    for (const obligation of [...found.replaced, ...found.obligations]) {
      const { ordinal, baseCents } = obligation;
      if (isBehind(change, obligation)) asked.set(ordinal, Math.min(baseCents, asked.get(ordinal) ?? baseCents));
    }
  }
  return withOrders(arrangement, { askedCents: asked });
}

/** In the order of recording. */
const lateChanges = ({ facts }: LineArrangement): readonly LateLineChange[] =>
  facts.flatMap((fact) => (isLateChange(fact) ? [fact] : [])).sort((a, b) => a.sequence - b.sequence);

/** The statement was made after the change's effective time, and its due date had passed when the change was recorded. */
const isBehind = ({ effective, recordedDay }: LateLineChange, { period, dueDay }: LineObligation): boolean =>
  period.statementDate > effective.day && dueDay < recordedDay;

const DUE_STATUSES = ['overdue', 'due', 'nonDue', 'chargedOff'] as const;

const PRINCIPAL: readonly Bucket[] = ['nonDuePrincipal', 'duePrincipal', 'overduePrincipal'];

/** Unpaid fees of other systems are in the seeded balances: they are lowered first, then principal. */
function takePastFeeBack(state: LineState, fact: PastFeeCanceled): void {
  const draw = findDraw(state, fact.draw);
  if (draw === undefined || state.status === 'canceled') return;
  const before = beginEntry(state);
  const firstOpen = state.firstOpenObligation;
  const { transaction, effective, amountCents } = fact;
  const tally = beginTally({ transaction, kind: 'refund', effective, amountCents });
  for (const dueStatus of DUE_STATUSES) allocateFees(state, tally, draw, { dueStatus, bucket: `${dueStatus}Fees`, isWanted: isSeeded });
  allocatePrincipal(state, tally, draw);
  returnAllToNonDue(state);
  endMeeting(state, tally.toLateFeesCents, firstOpen);
  state.unassignedCents += state.status === 'active' ? tally.aheadCents : 0;
  notePayment(state, tally, { isProcessing: false, holdUntil: null });
  enter(state, before, 'migration');
}

/** A dynamic fee from before the cutoff: it is not a fee of this service. */
const isSeeded = ({ fee, obligation, origin }: LineFee): boolean => fee === null && obligation === null && origin === 'charged';

function allocatePrincipal(state: LineState, tally: LineTally, draw: DrawState): void {
  if (state.status === 'chargedOff') allocateChargedOff(state, tally, draw, 'principal');
  else for (const bucket of PRINCIPAL) allocate(state, tally, draw, bucket);
}

/**
 * Refunds overpaid money to the borrower. A part that was not overpaid after a retroactive adjustment becomes principal of the
 * oldest draw. If all draws are canceled, it lowers later overpaid money.
 */
function reimburse(state: LineState, { amountCents }: Reimbursed): void {
  const { totals } = state;
  const isLineCanceled = state.status === 'canceled';
  if (!isLineCanceled || holds(state, 'paidOnCanceledOwed')) totals.reimbursedCents += amountCents;
  if (isLineCanceled) return;
  const owedCents = totals.reimbursedCents - totals.reimbursementCents;
  const draw = oldestDraw(state) ?? state.draws.find(({ isCanceled }) => !isCanceled);
  if (owedCents <= 0 || draw === undefined) return;
  if (state.status === 'paidOff') reopen(state);
  const before = beginEntry(state);
  totals.reimbursementCents += owedCents;
  raisePrincipal(state, draw, owedCents);
  countFor(state, draw, (counted) => (counted.owedAgainCents += owedCents));
  enter(state, before, 'reimbursement');
}

/**
 * The ledger of a line through a day: a pure function of its terms and facts. Facts may come in any order; facts that are
 * effective after `through` have no effect.
 */
export function computeLine(terms: LineTerms, facts: readonly LineFact[], through: Day, watcher: LineWatcher | null = null): LineState {
  const fold = (arrangement: LineArrangement, until: Day): LineState => foldLine(terms, arrangement, until, null);
  const arrangement = arrangedWithIdleDays(facts, fold);
  if (!arrangement.facts.some(isLateChange)) return foldLine(terms, arrangement, through, watcher);
  const state = fold(arrangement, through);
  const bounded = withAsked(facts, arrangement, state, fold);
  return bounded === null && watcher === null ? state : foldLine(terms, bounded ?? arrangement, through, watcher);
}

/** Moves a new ledger through its history, fact by fact, up to a day. The watcher receives everything. */
function foldLine(terms: LineTerms, arrangement: LineArrangement, through: Day, watcher: LineWatcher | null): LineState {
  const state = startLine(terms, { watcher, orders: arrangement.orders });
  for (const fact of arrangement.facts) {
    if (fact.effective.day > through) break;
    applyAtItsTime(state, fact);
  }
  advanceTo(state, through);
  state.watcher = null;
  return state;
}

/**
 * Applies one more fact to a running ledger, with the same result as a replay. Only for facts for which `canApplyLine` holds;
 * every other fact needs `computeLine`.
 */
export function applyLineFact(state: LineState, fact: LineFact): void {
  assert(canApplyLine(state, fact) && !isAboutThePast(fact), `fact ${fact.sequence} needs a replay`);
  applyAtItsTime(state, fact);
}

/** Whether a fact comes after the last fact of the ledger and does not change the past. */
export const canApplyLine = (state: LineState, fact: LineFact): boolean =>
  !isAboutThePast(fact) && !isLateChange(fact) && fact.effective.day >= state.day && sortsLast(state, fact);

function applyAtItsTime(state: LineState, fact: AppliedLineFact): void {
  const { day } = fact.effective;
  assert(day >= state.terms.activation, 'a fact is effective on activation or later');
  advanceTo(state, day);
  adoptSettingsOfDay(state);
  setTimeOfFact(state, fact);
  const paidOff = state.watcher === null ? null : state.draws.filter(isPaidOff);
  apply(state, fact);
  payFromOverpaid(state);
  if (paidOff !== null) emitPaidOff(state, paidOff);
  followOverdue(state, false);
  settleZeroBalance(state);
  noteLastFact(state, fact);
}

/** An order that the status does not allow has no effect: a replay may have changed the status. */
function apply(state: LineState, fact: AppliedLineFact): void {
  switch (fact.type) {
    case 'drawActivated':
      activateDraw(state, fact);
      return;
    case 'purchase':
      applyPurchase(state, fact);
      return;
    case 'principalRaised':
      owePrincipalAgain(state, fact);
      return;
    case 'pastFeeCanceled':
      takePastFeeBack(state, fact);
      return;
    case 'payment':
      applyPayment(state, fact);
      return;
    case 'reimbursed':
      reimburse(state, fact);
      return;
    case 'paymentSettled':
      settlePayment(state, fact.transaction, (at, payment) => replacePayment(state, at, { ...payment, isProcessing: false }));
      return;
    case 'feeCharged':
      chargeFee(state, fact);
      return;
    case 'limitChanged':
      changeLimit(state, fact);
      return;
    case 'drawRatesChanged':
      changeRates(state, fact);
      return;
    case 'lineSeeded':
      seedLine(state, fact);
      return;
    case 'drawClosed':
      closeDraw(state, fact.draw);
      return;
    case 'lineClosed':
      state.isClosed = true;
      return;
    case 'thresholdsHeld':
      holdThresholds(state, fact);
      return;
    case 'thresholdsReleased':
      releaseThresholds(state, fact);
      return;
    case 'lineScheduleChanged':
      changeSchedule(state, fact.schedule);
      return;
    case 'accelerate':
    case 'balancesDeferred':
    case 'cancel':
    case 'chargeOff':
    case 'drawAmortized':
    case 'drawCanceled':
    case 'freeze':
    case 'unfreeze':
      applyOrder(state, fact);
  }
}
