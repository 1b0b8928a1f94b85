import { must } from '../../assert.js';
import type { Day } from '../../calendar/index.js';
import { shareOfCents, cents } from '../../money/index.js';
import { isZero } from '../core/interest.js';
import { holds } from '../core/rules.js';
import { mayMoveLedger, moveStatus } from '../core/status-moves.js';
import { raiseWhole } from './acceleration.js';
import { amortizePurchase } from './amortized.js';
import { countFor, findDraw, newDraw } from './credit.js';
import { beginEntry, enter } from './entering.js';
import type { DrawActivated, PrincipalRaised, Purchase, PurchaseKind } from './facts.js';
import { addFee } from './fees.js';
import { forgetAhead } from './fix-obligation.js';
import { noteFulfilled } from './grace-balances.js';
import { resumeRows } from './orders.js';
import { drawOwedCents, lineOwedCents } from './owed.js';
import { allocateMoney, beginTally, notePayment } from './pay.js';
import { catchUpPeriods } from './periods.js';
import type { DrawState, LineState } from './state.js';
import { truncateInterest } from './statement.js';

/** Activates a draw, with its fee. */
export function activateDraw(state: LineState, fact: DrawActivated): void {
  if (findDraw(state, fact.draw) !== undefined) return;
  const draw = newDraw(state, fact);
  state.draws.push(draw);
  addDrawFee(state, draw, state.orders.drawFeesCents.get(fact.draw) ?? fact.fee.amountCents);
}

/** Adds the draw fee by the configured option: due at once, or with coming due dates. */
function addDrawFee(state: LineState, draw: DrawState, amountCents: number, knownDay: Day = state.day): void {
  if (amountCents === 0) return;
  const { day, seconds } = state;
  const before = beginEntry(state);
  addFee(state, draw, {
    fee: null,
    obligation: null,
    feeTypeId: 'drawFee',
    kind: 'otherFee',
    chargeLogic: draw.activation.fee.logic === 'separate' ? 'immediate' : 'nextDueDate',
    chargeDay: day,
    chargeSeconds: seconds,
    knownDay,
    amountCents,
    origin: 'draw',
  });
  enter(state, before, 'drawFee');
  state.watcher?.happened({ type: 'drawFeeBooked', day, seconds, draw: draw.draw, amountCents: cents(amountCents) });
}

/**
 * A closed line with a balance of zero and no payment in processing is paid off. An open line stays active, and a charged-off
 * line keeps its status.
 */
export function settleZeroBalance(state: LineState): void {
  if (holds(state, 'fractionsForgone')) forgoFractions(state);
  if (!mayMoveLedger(state.status, 'payOff')) return;
  if (!state.isClosed || state.processingPayments > 0 || lineOwedCents(state) > 0) return;
  const before = beginEntry(state);
  for (const draw of state.draws) if (!isZero(draw.balances.nonDueInterest)) truncateInterest(state, draw);
  enter(state, before, 'forgoneInterest');
  forgetAhead(state);
  moveStatus(state, 'payOff', { type: 'balance' });
}

/** Drops the fractions of a cent that a payoff leaves on draws: together they could become a cent. */
function forgoFractions(state: LineState): void {
  const paid = state.draws.filter((draw) => !isZero(draw.balances.nonDueInterest) && drawOwedCents(draw) === 0);
  if (paid.length === 0) return;
  const before = beginEntry(state);
  for (const draw of paid) truncateInterest(state, draw);
  enter(state, before, 'forgoneInterest');
}

/** Reopens a paid-off line in its previous status, since something is owed again. Its rows were suspended meanwhile. */
export function reopen(state: LineState): void {
  catchUpPeriods(state);
  for (const draw of state.draws) resumeRows(state, draw, { shiftDueDates: true });
  moveStatus(state, 'owe', { type: 'balance' }, { isFrozen: state.isFrozen, isAccelerated: state.acceleratedSince !== null });
}

/** A closed draw on which nothing is owed. */
export const isPaidOff = (draw: LineState['draws'][number]): boolean => draw.isClosed && !draw.isCanceled && drawOwedCents(draw) === 0;

/** Emits draws that were paid off. */
export function emitPaidOff(state: LineState, before: readonly LineState['draws'][number][]): void {
  const { day, seconds } = state;
  for (const draw of state.draws) {
    if (isPaidOff(draw) && !before.includes(draw)) state.watcher?.happened({ type: 'drawPaidOff', day, seconds, draw: draw.draw });
  }
}

/** Which kinds of purchases lower the balance. */
const LOWERS: Readonly<Record<PurchaseKind, boolean>> = {
  regular: false,
  cashAdvance: false,
  balanceTransfer: false,
  refund: true,
  cashBack: true,
};

export const lowersBalance = (kind: PurchaseKind): boolean => LOWERS[kind];

/** Applies a settled purchase. A canceled draw takes none: in a replay the cancellation may come first. */
export function applyPurchase(state: LineState, fact: Purchase): void {
  const draw = findDraw(state, fact.draw);
  if (draw === undefined || draw.isCanceled || state.status === 'canceled') return;
  const isLowering = lowersBalance(fact.kind);
  // A lost dispute posts its amount again, maybe on a line that was paid off meanwhile.
  if (state.status === 'paidOff' && !isLowering) reopen(state);
  const before = beginEntry(state);
  if (isLowering) {
    giveBack(state, draw, fact);
    enter(state, before, 'purchaseRefund');
    return;
  }
  raisePrincipal(state, draw, fact.amountCents);
  draw.periodPurchasesCents += fact.amountCents;
  countFor(state, draw, (totals) => (totals.purchasesCents += fact.amountCents));
  enter(state, before, 'purchase');
  addShare(state, draw, fact);
  amortizePurchase(state, draw, fact.amountCents);
}

/** Adds the draw fee of a purchase, which is a share of it. */
function addShare(state: LineState, draw: DrawState, { amountCents, recordedDay, isPostedAgain }: Purchase): void {
  const { percentageOfPrincipal } = draw.activation.fee;
  if (percentageOfPrincipal === 0 || isPostedAgain === true) return;
  const feeCents = shareOfCents(amountCents, percentageOfPrincipal, 'halfUp');
  addDrawFee(state, draw, feeCents, recordedDay > state.day ? recordedDay : state.day);
}

/** Like a purchase, but nothing was bought. */
export function owePrincipalAgain(state: LineState, { draw: number, amountCents }: PrincipalRaised): void {
  const draw = findDraw(state, number);
  if (draw === undefined || draw.isCanceled || state.status === 'canceled') return;
  if (state.status === 'paidOff') reopen(state);
  const before = beginEntry(state);
  raisePrincipal(state, draw, amountCents);
  enter(state, before, 'migration');
}

/** Adds principal by the status of the line. */
export function raisePrincipal(state: LineState, draw: DrawState, amountCents: number): void {
  const { balances } = draw;
  switch (state.status) {
    case 'active':
    case 'frozen':
    case 'paidOff':
    case 'canceled':
      balances.nonDuePrincipalCents += amountCents;
      return;
    case 'accelerated':
    case 'chargedOff': {
      const obligation = raiseWhole(state, draw, amountCents);
      obligation.withoutLateFeesCents += amountCents;
      if (state.status === 'chargedOff') balances.chargedOffPrincipalCents += amountCents;
      else if (obligation.isEnforced) balances.overduePrincipalCents += amountCents;
      else balances.duePrincipalCents += amountCents;
    }
  }
}

/**
 * Applies a return: non-due principal of the draw first, then like a payment, this draw before all others. The rest is owed to
 * the borrower.
 */
function giveBack(state: LineState, draw: DrawState, fact: Purchase): void {
  const { balances } = draw;
  const principalCents = Math.min(balances.nonDuePrincipalCents, fact.amountCents);
  balances.nonDuePrincipalCents -= principalCents;
  noteFulfilled(state, draw.draw, principalCents);
  draw.periodPurchasesCents = Math.max(0, draw.periodPurchasesCents - principalCents);
  countFor(state, draw, (totals) => (totals.refundsCents += principalCents));
  const amountCents = fact.amountCents - principalCents;
  if (amountCents === 0) return;
  const transaction = must(fact.transaction, 'a purchase that gives money back names its payment');
  const tally = beginTally({ transaction, kind: 'refund', effective: fact.effective, amountCents });
  allocateMoney(state, tally, draw.draw);
  notePayment(state, tally, { isProcessing: false, holdUntil: null });
}
