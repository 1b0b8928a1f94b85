import type { Cents, Day, Rate } from '../../../engine/index.js';

/**
 * The stored terms that were shown to the borrower (`atOrigination`): amounts in cents, rates in 1e-8, dates as days. Read-only once the
 * loan is originated. Absent values are null.
 */
export interface Origination {
  readonly amountFinancedCents: Cents;
  readonly principalCents: Cents;
  readonly duration: number | null;
  readonly paymentFrequency: PaymentFrequency;
  /** As in replies: always strings. */
  readonly specificDays: readonly string[] | null;
  readonly periodicPaymentCents: Cents | null;
  /** The contractual schedule, if the caller gives one. */
  readonly expectedPayments: readonly OriginationPayment[] | null;
  readonly enforcedEndDate: Day | null;
  /** Minimum days between activation and the first due date. */
  readonly bufferToPushOutSchedule: number | null;
  readonly interestRates: readonly InterestRateBand[];
  readonly promoRates: readonly PromoRateBand[] | null;
  readonly rateCaps: readonly RateCapBand[] | null;
  readonly aprNominal: Rate | null;
  readonly aprEffective: Rate | null;
  readonly totalInterestCents: Cents | null;
  readonly totalDiscountCents: Cents | null;
  readonly totalInterestCapCents: Cents | null;
  readonly downPaymentCents: Cents;
  readonly fees: OriginationFees;
  readonly advanceSchedule: readonly AdvancePlan[] | null;
  /** Sealed under the borrower's data key. */
  readonly personAddress: Uint8Array | null;
  /** Two or more letters of the address's state, for rules by state; stored apart from the encrypted address. */
  readonly addressState: string | null;
  readonly personAddressId: string | null;
  /** Whether the contact that `personAddressId` names was valid then; absent without a contact: the address is not verified. */
  readonly isAddressValid?: boolean;
  readonly originationLicense: string;
  readonly originatingCreditorName: string;
  readonly investors: readonly InvestorShare[] | null;
  readonly merchantDiscount: MerchantDiscount | null;
  readonly merchantId: string | null;
  readonly itemsOrServicesFinanced: string | null;
  readonly discountProgramIds: readonly number[] | null;
  readonly skipCreditReporting: boolean;
  readonly promoPrograms: readonly PromoProgramPlan[] | null;
  /** Only for a line of credit, which has no amount financed. */
  readonly credit?: CreditTerms;
}

/** Terms that only a line of credit has. */
interface CreditTerms {
  readonly limitCents: Cents;
  readonly minPayment: MinPaymentTerms | null;
  readonly card: CardTerms | null;
}

/** An absent part is the product's, for a draw the line's. */
export interface MinPaymentTerms {
  readonly percentageOfPrincipal: Rate | null;
  readonly minCents: Cents | null;
  readonly isOverLimitIncluded: boolean | null;
}

/** The parts of a card that replies may show; the whole card is stored encrypted. */
export interface CardTerms {
  readonly issuerId: string | null;
  readonly type: string | null;
  readonly status: string | null;
  readonly usageType: string | null;
  readonly fulfillmentStatus: string | null;
  /** Recorded by earlier releases; now part of the encrypted card. */
  readonly lastFour: string | null;
  readonly network: string | null;
  /** Sealed under the borrower's data key. */
  readonly sealed: Uint8Array;
}

export type PaymentFrequency = 'weekly' | 'everyTwoWeeks' | 'twiceMonthly' | 'monthly' | 'singleTerm';

/** Bands follow one another from activation; null days last until the end. */
export interface InterestRateBand {
  readonly interestType: 'absolute' | 'spread';
  readonly days: number | null;
  readonly rate: Rate;
}

export interface PromoRateBand {
  readonly days: number | null;
  readonly rate: Rate;
}

export interface RateCapBand {
  readonly days: number | null;
  readonly maxRate: Rate;
  readonly rateCapReason: string | null;
}

/** A row of the schedule that the caller gives. */
export interface OriginationPayment {
  readonly date: Day;
  readonly paymentType: string;
  readonly amountCents: Cents;
  readonly principalCents: Cents | null;
  readonly interestCents: Cents | null;
  readonly interestBeforeDiscountCents: Cents | null;
  readonly unroundedPrincipal: string | null;
  readonly unroundedInterest: string | null;
  readonly unroundedInterestBeforeDiscount: string | null;
  readonly isForced: boolean;
  /** As given; most rows have none. */
  readonly dynamicFee?: GivenDynamicFee;
}

export interface GivenDynamicFee {
  readonly chargeDay: Day | null;
  readonly chargeTimeOfDay: { readonly hour: number; readonly minute: number; readonly second: number } | null;
  readonly dynamicFeeTypeId: string | null;
}

export interface OriginationFees {
  readonly originationFeeCents: Cents;
  readonly dynamicFees: readonly DynamicFeeTerms[];
  readonly serviceFeeCents: Cents | null;
  readonly serviceFeeCapCents: Cents | null;
  readonly totalOtherFeesCents: Cents | null;
}

/** A loan's own amount and cap of a fee type. */
export interface DynamicFeeTerms {
  readonly apiName: string | null;
  readonly dynamicFeeTypeId: string | null;
  readonly feeCents: Cents | null;
  readonly feeCapCents: Cents | null;
}

export interface AdvancePlan {
  readonly advanceDate: Day;
  readonly advanceSeconds: number | null;
  readonly amountCents: Cents;
  readonly externalId: string | null;
  readonly status: string;
  readonly metaData: MetaData | null;
  readonly details: AdvanceDetails | null;
}

export interface AdvanceDetails {
  readonly categoryId: string | null;
  readonly description: string | null;
  readonly merchantId: string | null;
  readonly merchantName: string | null;
  readonly metaData: MetaData | null;
  readonly pointOfSaleType: string | null;
}

export interface InvestorShare {
  readonly investorId: string;
  readonly share: Rate;
  readonly effectiveDate: Day | null;
  readonly isK2SegmentReported: boolean;
}

/** Months of the longest loan. */
export const MOST_MONTHS = 600;

export interface MerchantDiscount {
  readonly mdrRate: Rate | null;
  readonly mdrCents: Cents | null;
  readonly amortizationPeriod: number | null;
  readonly isAmortized: boolean | null;
}

export interface PromoProgramPlan {
  readonly externalId: string | null;
  readonly metaData: MetaData | null;
  readonly promoTypeId: string | null;
  readonly promoStartDate: Day | null;
  readonly promoEndDate: Day | null;
  readonly promoDurationDays: number | null;
  readonly promoGracePeriodDays: number | null;
  readonly disqualifyOverdueDays: number | null;
  readonly status: string;
}

/** The caller's own key-value pairs, stored unchanged. */
export type MetaData = Readonly<Record<string, string | number | boolean | null>>;

/** The terms without the last digits of a card, which an earlier release recorded. */
export function withoutCardDigits(terms: Origination): Origination {
  const { credit } = terms;
  if (credit?.card?.lastFour == null) return terms;
  return { ...terms, credit: { ...credit, card: { ...credit.card, lastFour: null } } };
}
