import { type Cents, cents } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { lineOf } from '../line/ledger.js';
import { isCounted } from './machine.js';
import { type PurchaseRecord, raisesBalance } from './posting.js';

/** How the ledger, as it is known now, has given a refund to its draw. */
export interface RefundSplit {
  readonly nonDuePrincipalCents: Cents;
  /** What was poured through the waterfall, the draw first. */
  readonly paymentCents: Cents;
}

/** Null for what raises the balance, and for what the ledger does not count. */
export function refundSplitOf(state: LoanState, env: EvolveEnv, purchase: PurchaseRecord): RefundSplit | null {
  const { kind, status, refundPayment, amountCents } = purchase;
  if (raisesBalance(kind) || !isCounted(status) || refundPayment === null || state.line === null) return null;
  const payment = lineOf(state, env).payments.findLast(({ transaction }) => transaction === refundPayment);
  const paymentCents = payment?.amountCents ?? 0;
  return { nonDuePrincipalCents: cents(amountCents - paymentCents), paymentCents: cents(paymentCents) };
}
