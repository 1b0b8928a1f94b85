import type { LedgerState, LedgerTotals } from './state.js';
import type { FeeState, ObligationState, PaymentState } from '../core/state.js';

/*
 * Copies field by field, in the order in which the originals are made. So a copy has the same hidden class as the original, which a copy by
 * spread has not, and code that reads states stays fast.
 */

export function copyState(state: LedgerState): LedgerState {
  return {
    terms: state.terms,
    watcher: state.watcher,
    orders: state.orders,
    seconds: state.seconds,
    source: state.source,
    day: state.day,
    lastFactDay: state.lastFactDay,
    lastFactSeconds: state.lastFactSeconds,
    lastFactSequence: state.lastFactSequence,
    status: state.status,
    statusSince: state.statusSince,
    chargeOffReason: state.chargeOffReason,
    acceleratedSince: state.acceleratedSince,
    chargedOffSince: state.chargedOffSince,
    thresholdHolders: state.thresholdHolders,
    rates: state.rates,
    rateIndex: state.rateIndex,
    unknownRates: state.unknownRates,
    isCapMissing: state.isCapMissing,
    rows: state.rows,
    dueDateRule: state.dueDateRule,
    nextRow: state.nextRow,
    periodStart: state.periodStart,
    settingsIndex: state.settingsIndex,
    nonDuePrincipalCents: state.nonDuePrincipalCents,
    duePrincipalCents: state.duePrincipalCents,
    overduePrincipalCents: state.overduePrincipalCents,
    chargedOffPrincipalCents: state.chargedOffPrincipalCents,
    nonDueInterest: state.nonDueInterest,
    dueInterestCents: state.dueInterestCents,
    overdueInterestCents: state.overdueInterestCents,
    chargedOffInterestCents: state.chargedOffInterestCents,
    nonDueOriginationFeeCents: state.nonDueOriginationFeeCents,
    dueOriginationFeeCents: state.dueOriginationFeeCents,
    overdueOriginationFeeCents: state.overdueOriginationFeeCents,
    chargedOffOriginationFeeCents: state.chargedOffOriginationFeeCents,
    originationShareCents: state.originationShareCents,
    originationAskedCents: state.originationAskedCents,
    fees: state.fees,
    openFeesCents: state.openFeesCents,
    obligations: state.obligations,
    replaced: state.replaced,
    firstOpenObligation: state.firstOpenObligation,
    firstUnenforced: state.firstUnenforced,
    prepaidCents: state.prepaidCents,
    lateFeeAheadCents: state.lateFeeAheadCents,
    unassignedCents: state.unassignedCents,
    isOverdue: state.isOverdue,
    frozenSteps: state.frozenSteps,
    scheduledFacts: state.scheduledFacts,
    payments: state.payments,
    processingPayments: state.processingPayments,
    totals: state.totals,
    digestedObligations: state.digestedObligations,
    digestedPayments: state.digestedPayments,
  };
}

export function copyTotals(totals: LedgerTotals): LedgerTotals {
  return {
    interestAccrued: totals.interestAccrued,
    interestDiscount: totals.interestDiscount,
    forgoneCap: totals.forgoneCap,
    forgoneRounding: totals.forgoneRounding,
    capitalizedInterestCents: totals.capitalizedInterestCents,
    advancedCents: totals.advancedCents,
    refundsCents: totals.refundsCents,
    reversedInterest: totals.reversedInterest,
    reversedFeesCents: totals.reversedFeesCents,
    returnedCents: totals.returnedCents,
    feesChargedCents: totals.feesChargedCents,
    paymentsCents: totals.paymentsCents,
    creditsCents: totals.creditsCents,
    paidPrincipalCents: totals.paidPrincipalCents,
    paidInterestCents: totals.paidInterestCents,
    paidFeesCents: totals.paidFeesCents,
    paidOverCents: totals.paidOverCents,
    reimbursementCents: totals.reimbursementCents,
    reimbursedCents: totals.reimbursedCents,
    owedAgainCents: totals.owedAgainCents,
    yearEnd: totals.yearEnd,
    interestAccruedBeforeYear: totals.interestAccruedBeforeYear,
    feesChargedBeforeYearCents: totals.feesChargedBeforeYearCents,
    paidInterestBeforeYearCents: totals.paidInterestBeforeYearCents,
    interestAccruedBeforePeriod: totals.interestAccruedBeforePeriod,
    interestDiscountBeforePeriod: totals.interestDiscountBeforePeriod,
  };
}

export function copyObligation(obligation: ObligationState): ObligationState {
  return {
    ordinal: obligation.ordinal,
    dueDay: obligation.dueDay,
    amountCents: obligation.amountCents,
    baseCents: obligation.baseCents,
    principalCents: obligation.principalCents,
    interestCents: obligation.interestCents,
    feesCents: obligation.feesCents,
    unroundedInterest: obligation.unroundedInterest,
    unroundedDiscount: obligation.unroundedDiscount,
    remainingCents: obligation.remainingCents,
    paymentsCents: obligation.paymentsCents,
    creditsCents: obligation.creditsCents,
    prepaidCents: obligation.prepaidCents,
    capitalizedCents: obligation.capitalizedCents,
    unassignedCents: obligation.unassignedCents,
    withoutLateFeesCents: obligation.withoutLateFeesCents,
    pausedDays: obligation.pausedDays,
    isFulfilled: obligation.isFulfilled,
    isEnforced: obligation.isEnforced,
    isLateFeeBlocked: obligation.isLateFeeBlocked,
  };
}

export function copyFee(fee: FeeState): FeeState {
  return {
    fee: fee.fee,
    obligation: fee.obligation,
    feeTypeId: fee.feeTypeId,
    kind: fee.kind,
    chargeLogic: fee.chargeLogic,
    chargeDay: fee.chargeDay,
    chargeSeconds: fee.chargeSeconds,
    knownDay: fee.knownDay,
    amountCents: fee.amountCents,
    openCents: fee.openCents,
    creditedCents: fee.creditedCents,
    dueStatus: fee.dueStatus,
    dueDay: fee.dueDay,
    carriedBy: fee.carriedBy,
    isCanceled: fee.isCanceled,
  };
}

export function settledPayment(payment: PaymentState): PaymentState {
  return {
    transaction: payment.transaction,
    kind: payment.kind,
    day: payment.day,
    seconds: payment.seconds,
    amountCents: payment.amountCents,
    principalCents: payment.principalCents,
    interestCents: payment.interestCents,
    feesCents: payment.feesCents,
    overCents: payment.overCents,
    isProcessing: false,
    ...(payment.chargedBack === undefined ? {} : { chargedBack: payment.chargedBack, chargebacks: payment.chargebacks ?? [] }),
  };
}
