import { type Cents, cents } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { lineOf } from '../line/ledger.js';
import { isCounted } from './machine.js';
import { type PurchaseRecord, raisesBalance } from './posting.js';

/** How the current ledger has split a refund on its draw. */
export interface RefundSplit {
  readonly nonDuePrincipalCents: Cents;
  /** The part that was allocated as a payment, to its own draw first. */
  readonly paymentCents: Cents;
}

/** Null for purchases that raise the balance or are not in the ledger. */
export function refundSplitOf(state: LoanState, env: EvolveEnv, purchase: PurchaseRecord): RefundSplit | null {
  const { kind, status, refundPayment, amountCents } = purchase;
  if (raisesBalance(kind) || !isCounted(status) || refundPayment === null || state.line === null) return null;
  const payment = lineOf(state, env).payments.findLast(({ transaction }) => transaction === refundPayment);
  const paymentCents = payment?.amountCents ?? 0;
  return { nonDuePrincipalCents: cents(amountCents - paymentCents), paymentCents: cents(paymentCents) };
}
