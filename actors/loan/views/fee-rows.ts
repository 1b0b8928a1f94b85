import { accruedOfCents, type CarriedFee, type ScheduleRowView, ZERO } from '../../../engine/index.js';
import { companyOf, feeTypeOf } from '../../company/index.js';
import { amount, dateText, unrounded } from '../../wire.js';
import { activationOf, recordOf } from '../context.js';
import { lateFeeId } from '../derived-ids.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from './loan.js';
import type { ScheduleRowReply } from './types.js';

/** Of rows that are no fees. */
export const NO_FEE: ScheduleRowReply['dynamicFeeDetails'] = {
  loanFeeId: null,
  dynamicFeeTypeId: null,
  apiName: null,
  displayName: null,
  transactionId: null,
};

/** Each fee that falls due with a row is a row of its own. */
export const feeRows = (row: ScheduleRowView, periodId: string, state: LoanState, env: ViewEnv): readonly ScheduleRowReply[] =>
  row.carriedFees.map((fee) => ({
    date: dateText(row.date),
    periodId,
    paymentType: 'dynamicFee',
    status: fee.isPaid ? 'completed' : row.status === 'completed' ? 'booked' : row.status,
    amount: amount(fee.amountCents),
    originalAmount: amount(fee.amountCents),
    principalAmount: amount(ZERO),
    interestAmount: amount(ZERO),
    interestBeforeDiscountAmount: amount(ZERO),
    unroundedPrincipalAmount: NOTHING,
    unroundedInterestAmount: NOTHING,
    unroundedInterestBeforeDiscountAmount: NOTHING,
    isDeferred: false,
    isForcedAmount: false,
    dynamicFeeDetails: detailsOf(fee, state, env),
  }));

function detailsOf(carried: CarriedFee, state: LoanState, env: ViewEnv): ScheduleRowReply['dynamicFeeDetails'] {
  const { fee, obligation, feeTypeId } = carried;
  const byHand = activationOf(state)?.fees.find((known) => known.fee === fee);
  const feeType = feeTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, feeTypeId);
  return {
    loanFeeId: byHand?.id ?? (obligation === null ? null : lateFeeId(env, state, feeTypeId, obligation)),
    dynamicFeeTypeId: feeType?.id ?? null,
    apiName: feeType?.name.apiName ?? null,
    displayName: byHand?.customDisplayName ?? feeType?.name.displayName ?? null,
    transactionId: byHand?.transactionId ?? null,
  };
}

const NOTHING = unrounded(accruedOfCents(ZERO));
