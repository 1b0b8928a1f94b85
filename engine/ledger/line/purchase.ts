import { must } from '../../assert.js';
import { divideRounded, RATE_ONE } from '../../money/index.js';
import { bookDrawFee } from './activate-draw.js';
import { amortizePurchase } from './amortized.js';
import { findDraw } from './draws.js';
import { raiseWhole } from './acceleration.js';
import { beginEntry, enter } from './entering.js';
import type { PrincipalRaised, Purchase, PurchaseKind } from './facts.js';
import { noteFulfilled } from './grace-standing.js';
import { beginTally, notePayment, pourMoney } from './pay.js';
import { reopen } from './settle.js';
import type { DrawState, LineState } from './state.js';
import { countFor } from './totals.js';

/** Which purchases give money back. */
const LOWERS: Readonly<Record<PurchaseKind, boolean>> = {
  regular: false,
  cashAdvance: false,
  balanceTransfer: false,
  refund: true,
  cashBack: true,
};

export const lowersBalance = (kind: PurchaseKind): boolean => LOWERS[kind];

/** A settled purchase. A canceled draw takes none: a replay may have brought the cancellation before it. */
export function applyPurchase(state: LineState, fact: Purchase): void {
  const draw = findDraw(state, fact.draw);
  if (draw === undefined || draw.isCanceled || state.status === 'canceled') return;
  const isLowering = lowersBalance(fact.kind);
  // A lost dispute posts its amount again on a line that was paid off meanwhile.
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
  bookShare(state, draw, fact);
  amortizePurchase(state, draw, fact.amountCents);
}

/** A draw fee that is a share of each purchase. */
function bookShare(state: LineState, draw: DrawState, { amountCents, recordedDay, isPostedAgain }: Purchase): void {
  const { percentageOfPrincipal } = draw.activation.fee;
  if (percentageOfPrincipal === 0 || isPostedAgain === true) return;
  const feeCents = Number(divideRounded(BigInt(amountCents) * BigInt(percentageOfPrincipal), BigInt(RATE_ONE), 'halfUp'));
  bookDrawFee(state, draw, feeCents, recordedDay > state.day ? recordedDay : state.day);
}

/** As a purchase, but that nothing was bought. */
export function owePrincipalAgain(state: LineState, { draw: number, amountCents }: PrincipalRaised): void {
  const draw = findDraw(state, number);
  if (draw === undefined || draw.isCanceled || state.status === 'canceled') return;
  if (state.status === 'paidOff') reopen(state);
  const before = beginEntry(state);
  raisePrincipal(state, draw, amountCents);
  enter(state, before, 'migration');
}

/** Principal stands where the line's status puts it. */
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
 * Non-due principal of the draw first; the rest is poured like a payment, the draw before all others; what is left then is
 * the borrower's.
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
  pourMoney(state, tally, draw.draw);
  notePayment(state, tally, { isProcessing: false, holdUntil: null });
}
