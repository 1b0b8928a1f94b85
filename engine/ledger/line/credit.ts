import type { Cents } from '../../money/index.js';
import { settingsOf } from '../core/settings.js';
import { drawOf } from './draws.js';
import { drawOwedCents, lineOwedCents } from './owed.js';
import type { DrawState, LinePaymentState, LineState } from './state.js';

export interface Credit {
  readonly limitCents: Cents;
  /** What is owed, the fraction of interest left out. */
  readonly utilizedCents: Cents;
  /** Credit of payments that is not free yet. */
  readonly heldCents: Cents;
  /** Paid principal that frees no credit: of a line that does not revolve. */
  readonly spentCents: Cents;
  /** Never below zero. */
  readonly availableCents: Cents;
  readonly overLimitCents: Cents;
}

/** Limit, use and rest of the line, or of a draw with a limit of its own: one without has the line's. */
export function creditOf(state: LineState, draw: number | null = null): Credit {
  const of = draw === null ? null : drawOf(state, draw);
  const limitCents = of?.limitCents ?? state.limitCents;
  const utilizedCents = of === null ? lineOwedCents(state) : drawOwedCents(of);
  const { heldCents, spentCents } = unfreedBy(state, draw);
  const left = limitCents - utilizedCents - heldCents - spentCents;
  return {
    limitCents: limitCents as Cents,
    utilizedCents: utilizedCents as Cents,
    heldCents: heldCents as Cents,
    spentCents: spentCents as Cents,
    availableCents: Math.max(0, left) as Cents,
    overLimitCents: Math.max(0, utilizedCents - limitCents) as Cents,
  };
}

/** What of a limit is not open. */
export const takenCents = ({ utilizedCents, heldCents, spentCents }: Credit): Cents => (utilizedCents + heldCents + spentCents) as Cents;

/** What a purchase may come to: the line's rest, and the draw's where it has a limit of its own. */
export function availableCredit(state: LineState, draw: number | null = null): Cents {
  const ofLine = creditOf(state).availableCents;
  if (draw === null || drawOf(state, draw).limitCents === null) return ofLine;
  const ofDraw = creditOf(state, draw).availableCents;
  return ofDraw < ofLine ? ofDraw : ofLine;
}

/** The line's limit less what is owed: below zero when it is exceeded. */
export const limitRoom = (state: LineState): number => state.limitCents - lineOwedCents(state);

export const overLimitOf = (draw: DrawState): number => (draw.limitCents === null ? 0 : Math.max(0, drawOwedCents(draw) - draw.limitCents));

/** Payments that may hold credit: days pass and holds end, so that those at the front are looked at once. */
function heldPayments(state: LineState): readonly LinePaymentState[] {
  const { payments, day } = state;
  const isOver = (payment: LinePaymentState | undefined): boolean =>
    payment !== undefined && (payment.holdUntil === null || payment.holdUntil < day);
  while (isOver(payments[state.firstHeldPayment])) state.firstHeldPayment += 1;
  return payments.slice(state.firstHeldPayment);
}

/** What payments have met without freeing credit: for the time of a hold, or principal for good. A purchase that is given back frees it. */
function unfreedBy(state: LineState, draw: number | null): { readonly heldCents: number; readonly spentCents: number } {
  const { isRevolving } = settingsOf(state);
  let heldCents = 0;
  let spentCents = 0;
  for (const { kind, holdUntil, splits } of isRevolving ? heldPayments(state) : state.payments) {
    const isHeld = holdUntil !== null && holdUntil >= state.day;
    const isSpent = !isRevolving && kind !== 'refund';
    if (!isHeld && !isSpent) continue;
    for (const split of splits) {
      if (draw !== null && split.draw !== draw) continue;
      if (isSpent) spentCents += split.principalCents;
      else heldCents += split.principalCents;
      if (isHeld) heldCents += split.interestCents + split.feesCents;
    }
  }
  return { heldCents, spentCents };
}
