import { assert } from '../../assert.js';
import type { Day } from '../../calendar/index.js';
import { adoptDay, followOverdue } from '../installment/shared.js';
import { holdThresholds, releaseThresholds } from '../core/hold-thresholds.js';
import { settlePayment } from '../core/settle-payment.js';
import { sortsLast } from '../core/fact-order.js';
import { activateDraw } from './activate-draw.js';
import { advanceTo } from './advance.js';
import { type AppliedLineFact, isAboutThePast, isLateChange, type LineArrangement } from './arrange.js';
import { changeLimit, changeRates, closeDraw } from './change-draw.js';
import type { LineFact } from './facts.js';
import { chargeFee } from './charge-fee.js';
import { changeSchedule } from './move-rows.js';
import { withAsked, withIdleDays } from './hindsight.js';
import { applyOrder } from './orders.js';
import { meetWithPaidOver } from './paid-over.js';
import { applyPayment } from './pay.js';
import { takePastFeeBack } from './past-fees.js';
import { applyPurchase, owePrincipalAgain } from './purchase.js';
import { reimburse } from './reimburse.js';
import { seedLine } from './seed.js';
import { isPaidOff, settleZeroBalance, tellPaidOff } from './settle.js';
import { startLine } from './start.js';
import type { LineState } from './state.js';
import type { LineTerms } from './terms.js';
import type { LineWatcher } from './watcher.js';

/**
 * The ledger of a line through a day: a pure function of its terms and facts. Facts may come in any order; those that are
 * effective after `through` do not count.
 */
export function computeLine(terms: LineTerms, facts: readonly LineFact[], through: Day, watcher: LineWatcher | null = null): LineState {
  const fold = (arrangement: LineArrangement, until: Day): LineState => foldLine(terms, arrangement, until, null);
  const arrangement = withIdleDays(facts, fold);
  if (!arrangement.facts.some(isLateChange)) return foldLine(terms, arrangement, through, watcher);
  const state = fold(arrangement, through);
  const bounded = withAsked(facts, arrangement, state, fold);
  return bounded === null && watcher === null ? state : foldLine(terms, bounded ?? arrangement, through, watcher);
}

/** Moves a new ledger through its history, fact by fact, up to a day; whoever watched has then seen it all. */
function foldLine(terms: LineTerms, arrangement: LineArrangement, through: Day, watcher: LineWatcher | null): LineState {
  const state = startLine(terms, { watcher, orders: arrangement.orders });
  for (const fact of arrangement.facts) {
    if (fact.effective.day > through) break;
    takeIn(state, fact);
  }
  advanceTo(state, through);
  state.watcher = null;
  return state;
}

/**
 * Takes one more fact into a running ledger: the same as a replay with it. Only for facts for which `canApplyLine` holds;
 * every other one needs `computeLine`.
 */
export function applyLineFact(state: LineState, fact: LineFact): void {
  assert(canApplyLine(state, fact) && !isAboutThePast(fact), `fact ${fact.sequence} needs a replay`);
  takeIn(state, fact);
}

/** Whether a fact comes after all that the ledger has seen, and says nothing about what has been before. */
export const canApplyLine = (state: LineState, fact: LineFact): boolean =>
  !isAboutThePast(fact) && !isLateChange(fact) && fact.effective.day >= state.day && sortsLast(state, fact);

function takeIn(state: LineState, fact: AppliedLineFact): void {
  const { day, seconds } = fact.effective;
  assert(day >= state.terms.activation, 'a fact is effective on activation or later');
  advanceTo(state, day);
  adoptDay(state);
  state.seconds = seconds;
  state.source = { type: 'fact', sequence: fact.sequence };
  const paidOff = state.watcher === null ? null : state.draws.filter(isPaidOff);
  apply(state, fact);
  meetWithPaidOver(state);
  if (paidOff !== null) tellPaidOff(state, paidOff);
  followOverdue(state, false);
  settleZeroBalance(state);
  state.lastFactDay = day;
  state.lastFactSeconds = seconds;
  state.lastFactSequence = fact.sequence;
}

/** An order that the line's status, as now known, has no place for does nothing: a replay may have moved the status. */
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
      settlePayment(state, fact.transaction, (payment) => ({ ...payment, isProcessing: false }));
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
