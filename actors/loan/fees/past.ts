import { type Cents, dayAt } from '../../../engine/index.js';
import { companyOf, feeTypeOf } from '../../company/index.js';
import { actorView } from '../../kernel/actor-view.js';
import { amount, dateText, dateTimeText, orNull } from '../../wire.js';
import { recordOf } from '../context.js';
import type { PastFee } from '../migration/line/history.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import type { FeeReply } from './types.js';

/** A fee that another system had charged, on the draw that holds its history: what is unpaid of it is in the balances of the cutoff. */
export function pastFeeReply(fee: PastFee, state: LoanState, env: ViewEnv): FeeReply {
  const { zone, loanTypeId } = recordOf(state);
  const feeType = feeTypeOf(companyOf(env, state.tenant), loanTypeId, fee.feeTypeId);
  const isCanceled = fee.canceledAt !== null;
  const charged = dateText(fee.chargeDay);
  return {
    id: fee.id,
    type: 'dynamicFee',
    amount: amount(isCanceled ? (0 as Cents) : fee.amountCents),
    originalAmount: amount(fee.amountCents),
    remainingAmount: amount(0 as Cents),
    status: isCanceled ? 'canceled' : 'booked',
    createdDate: dateText(dayAt(zone, fee.createdAt)),
    scheduledDate: charged,
    dueDate: null,
    feeTypeId: fee.feeTypeId,
    drawId: state.draws.find(({ drawType }) => drawType === 'static')?.id ?? null,
    migration: {
      originalDrawId: fee.originalDrawId,
      originalTransactionId: fee.originalTransactionId,
      originalPurchaseId: fee.originalPurchaseId,
    },
    dynamicFeeDetails: {
      loanFeeId: fee.id,
      loanFeeExternalId: fee.externalId,
      apiName: feeType?.name.apiName ?? null,
      displayName: fee.customDisplayName ?? feeType?.name.displayName ?? null,
      caseId: fee.caseId,
      createdBy: actorView(fee.createdBy),
      chargeDate: charged,
      canceledDate: orNull((at: number) => dateText(dayAt(zone, at)), fee.canceledAt),
      canceledBy: orNull(actorView, fee.canceledBy),
      transactionId: fee.originalTransactionId,
      purchaseId: fee.originalPurchaseId,
      capitalizedAmount: amount(0 as Cents),
      creditedAmount: amount(0 as Cents),
    },
    timestamps: { createdAt: dateTimeText(fee.createdAt) },
  };
}
