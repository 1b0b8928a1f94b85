import type { Cents, Rate } from '../../engine/index.js';

/** A kind of dynamic fee of one loan type. */
export interface FeeType {
  readonly id: string;
  readonly loanTypeId: string;
  readonly status: 'active' | 'inactive';
  readonly name: { readonly displayName: string; readonly apiName: string };
  readonly feeType: FeeCategory;
  readonly amountLogic: AmountLogic;
  readonly amount: Cents | null;
  readonly percentage: Rate | null;
  readonly percentageBase: PercentageBase | null;
  /** Of `tiered`: the first tier whose bound is not below the base applies. */
  readonly tiers: readonly FeeTier[];
  /** Clips, never refuses; clipped to zero means no fee. */
  readonly minAmount: Cents | null;
  readonly maxAmount: Cents | null;
  readonly capPerLoanAmount: Cents | null;
  readonly capPerPeriodCount: number | null;
  readonly chargeLogic: 'immediate' | 'nextDueDate' | 'lastDueDate' | 'nonDue';
  readonly trigger: FeeTrigger;
  /** Late fee: days after the due date, charged on that day by the daily work. */
  readonly triggerDays: number;
  /** No late fee when no more than this remains. */
  readonly toleranceAmount: Cents;
  readonly isCancelOnReversal: boolean;
  /** By the borrower's state at origination. */
  readonly stateRules: readonly FeeStateRule[];
  readonly waiveDuringScra: boolean;
  readonly waiveWhileFrozen: boolean;
}

export type FeeCategory =
  | 'lateFee'
  | 'modificationFee'
  | 'purchaseFee'
  | 'nsfFee'
  | 'serviceFee'
  | 'membershipFee'
  | 'foreignTransactionFee'
  | 'adHoc';

export type AmountLogic = 'fixed' | 'percentage' | 'greaterOf' | 'lesserOf' | 'tiered';

export type PercentageBase = 'overdueAmount' | 'obligationAmount' | 'principal' | 'purchaseAmount' | 'paymentAmount';

export type FeeTrigger =
  | 'manual'
  | 'overdueDays'
  | 'paymentFailed'
  | 'purchaseSettled'
  | 'foreignPurchase'
  | 'periodStart'
  | 'anniversary'
  | 'scheduleChange';

interface FeeTier {
  /** Largest base of the tier; null = without bound. */
  readonly upToAmount: Cents | null;
  readonly amount: Cents | null;
  readonly percentage: Rate | null;
}

interface FeeStateRule {
  readonly state: string;
  readonly maxAmount: Cents | null;
  readonly graceDays: number | null;
}
