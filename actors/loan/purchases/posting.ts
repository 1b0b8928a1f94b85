import type { CommandContext } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { effectiveNow } from '../context.js';
import type { LoanState } from '../state.js';
import type { PurchasePosted, PurchaseUnposted } from './facts.js';
import { cancelFees, purchaseFees } from './fees.js';
import { type PurchaseRecord, raisesBalance } from './purchase.js';
import { type Caused, recording } from './recording.js';

type Context = CommandContext<LoanState>;

/** What the ledger's fact is made of. */
export type Settling = Pick<PurchaseRecord, 'id' | 'purchase' | 'draw' | 'kind' | 'amountCents' | 'effective' | 'details'>;

/** What settling a purchase brings: the names that its record gets, and the facts that follow it. */
export interface Settlement {
  readonly linked: Partial<Pick<PurchaseRecord, 'refundPayment' | 'refundTransactionId'>>;
  readonly drafts: readonly FactDraft[];
}

export const NO_SETTLEMENT: Settlement = { linked: {}, drafts: [] };

/**
 * The ledger counts the purchase, and its fees with it. `ahead` facts of the ledger come before it in the same batch: money
 * that comes back is a payment, too, and is named after its place. What is posted again bears no fee.
 */
export function settlementOf(
  context: Context,
  request: Caused,
  purchase: Settling,
  ahead: number,
  fees: 'withFees' | 'withoutFees' = 'withFees',
): Settlement {
  const { state, env } = context;
  const isRaising = raisesBalance(purchase.kind);
  const transaction = isRaising ? null : (state.line?.facts.length ?? 0) + 1 + ahead;
  const body: PurchasePosted = {
    purchaseId: purchase.id,
    change: {
      type: 'purchase',
      purchase: purchase.purchase,
      draw: purchase.draw,
      kind: purchase.kind,
      amountCents: purchase.amountCents,
      transaction,
      ...(fees === 'withoutFees' ? { isPostedAgain: true as const } : {}),
    },
    ...recording(context, request),
  };
  const posted: FactDraft = { type: 'PurchasePosted', body, effective: purchase.effective };
  if (!isRaising) return { linked: { refundPayment: transaction, refundTransactionId: env.newId('TX') }, drafts: [posted] };
  return { linked: {}, drafts: [posted, ...(fees === 'withFees' ? purchaseFees(context, request, purchase) : [])] };
}

/** The ledger is computed again without the purchase, and without the fees that it has brought. */
export function unpostDrafts(context: Context, request: Caused, purchase: PurchaseRecord): readonly FactDraft[] {
  const body: PurchaseUnposted = {
    purchaseId: purchase.id,
    change: { type: 'purchaseVoided', purchase: purchase.purchase },
    ...recording(context, request),
  };
  const effective = effectiveNow(context.env, context.state);
  return [{ type: 'PurchaseUnposted', body, effective }, ...cancelFees(context, request, purchase.id)];
}
