import { type Accrued, ACCRUED_ZERO, type Cents, ZERO } from '../../money/index.js';
import type { BalancesByDueStatus } from './balances.js';
import { accruedOf, centsOfInterest, type Interest, minus, NO_INTEREST, roundedCents } from './interest.js';
import type { FeeDueStatus, FeeState, Totals } from './state.js';
import type { BalanceBlock, InterestAndFees, PaidBalances } from './views.js';

/** The part of the fees of an origination in a block. */
interface BlockOf {
  readonly dueStatus: FeeDueStatus;
  readonly originationCents: number;
}

/** The block of one due status: of balances (null: of fees alone) and of their fees. */
export function blockOf(
  balances: BalancesByDueStatus | null,
  ofFees: readonly FeeState[],
  { dueStatus, originationCents }: BlockOf,
): BalanceBlock {
  let late = 0;
  let modification = 0;
  let other = 0;
  for (const fee of ofFees) {
    if (fee.dueStatus !== dueStatus) continue;
    if (fee.kind === 'lateFee') late += fee.openCents;
    else if (fee.kind === 'modificationFee') modification += fee.openCents;
    else other += fee.openCents;
  }
  const fees = originationCents + late + modification + other;
  const principalCents = balances === null ? 0 : principalOf(balances, dueStatus);
  const interest = balances === null ? NO_INTEREST : interestOf(balances, dueStatus);
  const interestCents = roundedCents(interest);
  return {
    totalCents: (principalCents + interestCents + fees) as Cents,
    principalCents: principalCents as Cents,
    interestCents: interestCents as Cents,
    feesCents: fees as Cents,
    originationFeesCents: originationCents as Cents,
    lateFeesCents: late as Cents,
    modificationFeesCents: modification as Cents,
    dynamicFeesCents: other as Cents,
    unroundedInterest: accruedOf(interest),
  };
}

function principalOf(balances: BalancesByDueStatus, dueStatus: FeeDueStatus): number {
  switch (dueStatus) {
    case 'nonDue':
      return balances.nonDuePrincipalCents;
    case 'due':
      return balances.duePrincipalCents;
    case 'overdue':
      return balances.overduePrincipalCents;
    case 'chargedOff':
      return balances.chargedOffPrincipalCents;
  }
}

function interestOf(balances: BalancesByDueStatus, dueStatus: FeeDueStatus): Interest {
  switch (dueStatus) {
    case 'nonDue':
      return balances.nonDueInterest;
    case 'due':
      return centsOfInterest(balances.dueInterestCents);
    case 'overdue':
      return centsOfInterest(balances.overdueInterestCents);
    case 'chargedOff':
      return centsOfInterest(balances.chargedOffInterestCents);
  }
}

/** Sums of rounded parts. */
export const sumOfBlocks = (blocks: readonly BalanceBlock[]): BalanceBlock => blocks.reduce(plusBlock, NO_BLOCK);

const plusBlock = (a: BalanceBlock, b: BalanceBlock): BalanceBlock => ({
  totalCents: (a.totalCents + b.totalCents) as Cents,
  principalCents: (a.principalCents + b.principalCents) as Cents,
  interestCents: (a.interestCents + b.interestCents) as Cents,
  feesCents: (a.feesCents + b.feesCents) as Cents,
  originationFeesCents: (a.originationFeesCents + b.originationFeesCents) as Cents,
  lateFeesCents: (a.lateFeesCents + b.lateFeesCents) as Cents,
  modificationFeesCents: (a.modificationFeesCents + b.modificationFeesCents) as Cents,
  dynamicFeesCents: (a.dynamicFeesCents + b.dynamicFeesCents) as Cents,
  unroundedInterest: (a.unroundedInterest + b.unroundedInterest) as Accrued,
});

/** The block of a loan that owes nothing. */
export const NO_BLOCK: BalanceBlock = {
  totalCents: ZERO,
  principalCents: ZERO,
  interestCents: ZERO,
  feesCents: ZERO,
  originationFeesCents: ZERO,
  lateFeesCents: ZERO,
  modificationFeesCents: ZERO,
  dynamicFeesCents: ZERO,
  unroundedInterest: ACCRUED_ZERO,
};

export function paidOf(totals: Totals): PaidBalances {
  return {
    totalCents: (totals.paymentsCents + totals.creditsCents) as Cents,
    paymentsCents: totals.paymentsCents as Cents,
    creditsCents: totals.creditsCents as Cents,
    principalCents: totals.paidPrincipalCents as Cents,
    interestCents: totals.paidInterestCents as Cents,
    feesCents: totals.paidFeesCents as Cents,
    overCents: totals.paidOverCents as Cents,
    reimbursementCents: totals.reimbursementCents as Cents,
  };
}

interface BesideTotals {
  readonly forgoneCap: Interest;
  readonly dailyInterest: Accrued;
}

export function interestAndFeesOf(totals: Totals, { forgoneCap, dailyInterest }: BesideTotals): InterestAndFees {
  return {
    interestAccrued: accruedOf(totals.interestAccrued),
    interestDiscount: accruedOf(totals.interestDiscount),
    forgoneInterestCap: accruedOf(forgoneCap),
    forgoneInterestRounding: accruedOf(totals.forgoneRounding),
    interestAccruedYearToDate: accruedOf(minus(totals.interestAccrued, totals.interestAccruedBeforeYear)),
    interestAccruedCurrentPeriod: accruedOf(minus(totals.interestAccrued, totals.interestAccruedBeforePeriod)),
    dailyInterest,
    capitalizedInterestCents: totals.capitalizedInterestCents as Cents,
    feesChargedCents: totals.feesChargedCents as Cents,
    feesChargedYearToDateCents: (totals.feesChargedCents - totals.feesChargedBeforeYearCents) as Cents,
    interestPaidYearToDateCents: (totals.paidInterestCents - totals.paidInterestBeforeYearCents) as Cents,
  };
}
