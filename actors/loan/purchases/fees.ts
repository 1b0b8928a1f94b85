import { companyOf, type FeeType, feeTypesOf } from '../../company/index.js';
import type { CommandContext } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { effectiveNow, recordOf, todayOf } from '../context.js';
import type { FeeCanceledBody, FeeChargedBody } from '../fees/facts.js';
import { feeCents, automaticFeeChange, nextFeeNumber } from '../fees/quote.js';
import { lineOfCredit } from '../line/ledger.js';
import type { LoanState } from '../state.js';
import { isForeign } from './details.js';
import { drawNumbered } from './find.js';
import { type Caused, recording } from './recording.js';
import type { PurchaseRecord } from './purchase.js';

type Context = CommandContext<LoanState>;
type Bought = Pick<PurchaseRecord, 'id' | 'draw' | 'amountCents' | 'effective' | 'details'>;

/**
 * What the product charges for a settled purchase (loans.md 9.1): its purchase fees, and those for foreign transactions
 * where it was bought in another currency than the line's. All are booked on its draw, at its time.
 */
export function purchaseFees(context: Context, request: Caused, purchase: Bought): readonly FactDraft[] {
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
export function cancelFees(context: Context, request: Caused, purchaseId: string): readonly FactDraft[] {
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
