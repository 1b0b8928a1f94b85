import { type Accrued, ACCRUED_ZERO, ZERO, cents, accruedUnits } from '../../money/index.js';
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
    totalCents: cents(principalCents + interestCents + fees),
    principalCents: cents(principalCents),
    interestCents: cents(interestCents),
    feesCents: cents(fees),
    originationFeesCents: cents(originationCents),
    lateFeesCents: cents(late),
    modificationFeesCents: cents(modification),
    dynamicFeesCents: cents(other),
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
  totalCents: cents(a.totalCents + b.totalCents),
  principalCents: cents(a.principalCents + b.principalCents),
  interestCents: cents(a.interestCents + b.interestCents),
  feesCents: cents(a.feesCents + b.feesCents),
  originationFeesCents: cents(a.originationFeesCents + b.originationFeesCents),
  lateFeesCents: cents(a.lateFeesCents + b.lateFeesCents),
  modificationFeesCents: cents(a.modificationFeesCents + b.modificationFeesCents),
  dynamicFeesCents: cents(a.dynamicFeesCents + b.dynamicFeesCents),
  unroundedInterest: accruedUnits(a.unroundedInterest + b.unroundedInterest),
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
    totalCents: cents(totals.paymentsCents + totals.creditsCents),
    paymentsCents: cents(totals.paymentsCents),
    creditsCents: cents(totals.creditsCents),
    principalCents: cents(totals.paidPrincipalCents),
    interestCents: cents(totals.paidInterestCents),
    feesCents: cents(totals.paidFeesCents),
    overCents: cents(totals.paidOverCents),
    reimbursementCents: cents(totals.reimbursementCents),
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
    capitalizedInterestCents: cents(totals.capitalizedInterestCents),
    feesChargedCents: cents(totals.feesChargedCents),
    feesChargedYearToDateCents: cents(totals.feesChargedCents - totals.feesChargedBeforeYearCents),
    interestPaidYearToDateCents: cents(totals.paidInterestCents - totals.paidInterestBeforeYearCents),
  };
}
