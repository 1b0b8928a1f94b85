import { addDays, type Day } from '../../calendar/index.js';
import { type Accrued, ACCRUED_ZERO, type Cents, ZERO } from '../../money/index.js';
import { accruedOf, centsOfInterest, type Interest, minus, roundedCents } from '../core/interest.js';
import type { FeeDueStatus, FeeState } from '../core/state.js';
import type { BalanceBlock, Balances, InterestAndFees, PaidBalances, Payoff } from '../core/views.js';
import { accrueTo } from './accrue.js';
import { advanceTo } from './advance.js';
import { copyState, copyTotals } from './copies.js';
import { cloneState } from './digest.js';
import { keptPayoff } from './kept/pay.js';
import type { LedgerState, LedgerTotals } from './state.js';

/** All blocks of balances on the state's day. */
export function balancesOf(state: LedgerState): Balances {
  const nonDue = blockOf(state.fees, 'nonDue', {
    principalCents: state.nonDuePrincipalCents,
    interest: state.nonDueInterest,
    originationCents: state.nonDueOriginationFeeCents,
  });
  const due = blockOf(state.fees, 'due', {
    principalCents: state.duePrincipalCents,
    interest: centsOfInterest(state.dueInterestCents),
    originationCents: state.dueOriginationFeeCents,
  });
  const overdue = blockOf(state.fees, 'overdue', {
    principalCents: state.overduePrincipalCents,
    interest: centsOfInterest(state.overdueInterestCents),
    originationCents: state.overdueOriginationFeeCents,
  });
  const chargedOff = blockOf(state.fees, 'chargedOff', {
    principalCents: state.chargedOffPrincipalCents,
    interest: centsOfInterest(state.chargedOffInterestCents),
    originationCents: state.chargedOffOriginationFeeCents,
  });
  return {
    outstanding: sumOfBlocks([nonDue, due, overdue]),
    nonDue,
    due,
    overdue,
    chargedOff,
    paid: paidOf(state.totals),
    interestAndFees: interestAndFeesOf(state.totals, { forgoneCap: state.totals.forgoneCap, dailyInterest: dailyInterestOf(state) }),
  };
}

export interface BlockParts {
  readonly principalCents: number;
  readonly interest: Interest;
  readonly originationCents: number;
}

export function blockOf(ofFees: readonly FeeState[], dueStatus: FeeDueStatus, parts: BlockParts): BalanceBlock {
  let late = 0;
  let modification = 0;
  let other = 0;
  for (const fee of ofFees) {
    if (fee.dueStatus !== dueStatus) continue;
    if (fee.kind === 'lateFee') late += fee.openCents;
    else if (fee.kind === 'modificationFee') modification += fee.openCents;
    else other += fee.openCents;
  }
  const fees = parts.originationCents + late + modification + other;
  const interestCents = roundedCents(parts.interest);
  return {
    totalCents: (parts.principalCents + interestCents + fees) as Cents,
    principalCents: parts.principalCents as Cents,
    interestCents: interestCents as Cents,
    feesCents: fees as Cents,
    originationFeesCents: parts.originationCents as Cents,
    lateFeesCents: late as Cents,
    modificationFeesCents: modification as Cents,
    dynamicFeesCents: other as Cents,
    unroundedInterest: accruedOf(parts.interest),
  };
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

type PaidTotals = Pick<
  LedgerTotals,
  'paymentsCents' | 'creditsCents' | 'paidPrincipalCents' | 'paidInterestCents' | 'paidFeesCents' | 'paidOverCents' | 'reimbursementCents'
>;

export function paidOf(totals: PaidTotals): PaidBalances {
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

type AccruedTotals = Pick<
  LedgerTotals,
  | 'interestAccrued'
  | 'interestDiscount'
  | 'forgoneRounding'
  | 'interestAccruedBeforeYear'
  | 'interestAccruedBeforePeriod'
  | 'capitalizedInterestCents'
  | 'feesChargedCents'
  | 'feesChargedBeforeYearCents'
  | 'paidInterestCents'
  | 'paidInterestBeforeYearCents'
>;

interface BesideTotals {
  readonly forgoneCap: Interest;
  readonly dailyInterest: Accrued;
}

export function interestAndFeesOf(totals: AccruedTotals, { forgoneCap, dailyInterest }: BesideTotals): InterestAndFees {
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

/** The interest of the state's day on its current balances. */
function dailyInterestOf(state: LedgerState): Accrued {
  // Accrual changes nothing that a shallow copy shares.
  const next = copyState(state);
  next.watcher = null;
  next.totals = copyTotals(state.totals);
  accrueTo(next, addDays(state.day, 1));
  return accruedOf(minus(next.totals.interestAccrued, state.totals.interestAccrued));
}

/**
 * The payment on `day` (the state's day or later) that leaves nothing, if there are no payments until then: the outstanding
 * balance with the interest of every day before it, truncated to the cent.
 */
export function payoffOf(state: LedgerState, day: Day): Payoff {
  const copy = cloneState(state);
  advanceTo(copy, day);
  const principal = copy.nonDuePrincipalCents + copy.duePrincipalCents + copy.overduePrincipalCents + copy.chargedOffPrincipalCents;
  const interest = copy.nonDueInterest.cents + copy.dueInterestCents + copy.overdueInterestCents + copy.chargedOffInterestCents;
  const origination =
    copy.nonDueOriginationFeeCents + copy.dueOriginationFeeCents + copy.overdueOriginationFeeCents + copy.chargedOffOriginationFeeCents;
  const fees = origination + copy.openFeesCents;
  const processing = processingCents(state);
  if (copy.scheduledFacts !== null) return payoffByInstallment(copy, processing as Cents);
  return {
    day,
    payoffCents: (principal + interest + fees) as Cents,
    principalCents: principal as Cents,
    interestCents: interest as Cents,
    feesCents: fees as Cents,
    dailyInterest: dailyInterestOf(copy),
    processingCents: processing as Cents,
  };
}

function payoffByInstallment(state: LedgerState, processingCents: Cents): Payoff {
  const { day } = state;
  const parts = keptPayoff(state, day);
  const payoffCents = (parts.principalCents + parts.interestCents + parts.feesCents) as Cents;
  return { day, payoffCents, ...parts, dailyInterest: dailyInterestOf(state), processingCents };
}

function processingCents({ payments, processingPayments }: LedgerState): number {
  if (processingPayments === 0) return 0;
  let sumCents = 0;
  for (const { isProcessing, amountCents } of payments) if (isProcessing) sumCents += amountCents;
  return sumCents;
}
