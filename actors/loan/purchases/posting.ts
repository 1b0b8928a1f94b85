import { companyOf, type FeeType, feeTypesOf } from '../../company/index.js';
import type { CommandContext } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { effectiveNow, recordOf, todayOf } from '../context.js';
import type { LedgerChanged } from '../facts.js';
import type { FeeCanceledBody, FeeChargedBody } from '../fees/evolve.js';
import { automaticFeeChange, feeCents, nextFeeNumber } from '../fees/quote.js';
import { lineOfCredit } from '../line/ledger.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { isForeign } from './details.js';
import type { PurchasePosted, PurchaseUnposted } from './evolve.js';
import { drawNumbered } from './find.js';
import { type PurchaseRecord, raisesBalance } from './purchase.js';

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

type Bought = Pick<PurchaseRecord, 'id' | 'draw' | 'amountCents' | 'effective' | 'details'>;

/**
 * What the product charges for a settled purchase: its purchase fees, and those for foreign transactions
 * where it was bought in another currency than the line's. All are booked on its draw, at its time.
 */
function purchaseFees(context: Context, request: Caused, purchase: Bought): readonly FactDraft[] {
  const { state, env } = context;
  const { loanTypeId, currency } = recordOf(state);
  const isAbroad = isForeign(purchase.details, currency);
  const feeTypes = feeTypesOf(companyOf(env, state.tenant), loanTypeId).filter((feeType) => isCharged(feeType, isAbroad));
  const ledger = lineOfCredit.toRead(state, env, todayOf(env, state));
  const { atOrigination: ofDraw } = drawNumbered(state, purchase.draw);
  const drafts: FactDraft[] = [];
  for (const feeType of feeTypes) {
    const amountCents = feeCents(state, ledger, {
      feeType,
      baseCents: purchase.amountCents,
      day: purchase.effective.day,
      ofDraw,
    });
    if (amountCents === 0) continue;
    const change = automaticFeeChange(state, feeType, nextFeeNumber(state) + drafts.length, amountCents, purchase.draw);
    const details = {
      id: env.newId('LF'),
      externalId: null,
      category: feeType.feeType,
      customDisplayName: null,
      purchaseId: purchase.id,
      draw: purchase.draw,
    };
    const body: FeeChargedBody = { change, details, ...recording(context, request) };
    drafts.push({ type: 'FeeCharged', body, effective: purchase.effective });
  }
  return drafts;
}

const isCharged = ({ status, feeType, trigger }: FeeType, isAbroad: boolean): boolean =>
  status === 'active' &&
  ((feeType === 'purchaseFee' && trigger === 'purchaseSettled') ||
    (isAbroad && feeType === 'foreignTransactionFee' && trigger === 'foreignPurchase'));

/** A purchase that is taken back takes its fees with it. */
function cancelFees(context: Context, request: Caused, purchaseId: string): readonly FactDraft[] {
  const { state, env } = context;
  const brought = (state.line?.fees ?? []).filter((fee) => fee.purchaseId === purchaseId && fee.canceledAt === null);
  return brought.map(({ id, fee }): FactDraft => {
    const body: FeeCanceledBody = {
      change: { type: 'feeCanceled', fee: { type: 'charged', fee } },
      feeId: id,
      ...recording(context, request),
    };
    return { type: 'FeeCanceled', body, effective: effectiveNow(env, state) };
  });
}

export type Caused = Pick<ActionRequest, 'caseId'>;

/** What every fact of the ledger says beside what happens. */
const recording = (
  { state, env }: CommandContext<LoanState>,
  request: Caused,
): Pick<LedgerChanged, 'recordedDay' | 'caseId' | 'reason'> => ({
  recordedDay: todayOf(env, state),
  caseId: request.caseId ?? null,
  reason: null,
});
