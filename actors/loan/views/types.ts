import type {
  Amount,
  DateText,
  DateTimeText,
  FreeJson,
  MetaData,
  RateValue,
  SignedRateValue,
  TimeOfDay,
  UnroundedText,
} from '../../wire.js';
import type { LoanStatus } from '../machine.js';
import type { MerchantDiscountNow } from '../origination/merchant-discount.js';
import type { MerchantReserveNow } from '../payouts/merchant-reserve.js';
import type { MigrationStatus } from '../migration/migration.js';
import type { MigrationView } from '../migration/types.js';
import type { LoanPersonView } from '../people/types.js';

/** A loan in replies. Absent values are null. */

export interface LoanView {
  readonly id: string;
  readonly object: 'installment' | 'lineOfCredit';
  readonly type: 'installment' | 'lineOfCredit';
  readonly displayId: string;
  readonly companyId: string;
  readonly externalId: string | null;
  readonly loanTypeId: string;
  readonly mainBorrowerId: string;
  readonly mainBorrowerExternalId: string | null;
  readonly assetType: string | null;
  readonly assetDisplayName: string | null;
  readonly status: LoanStatus;
  readonly servicedBy: string;
  readonly newDrawsAllowed: boolean;
  readonly nickname: string | null;
  readonly isClosed: boolean;
  readonly declineReason: DeclineReasonView | null;
  readonly chargedOffReason: string | null;
  readonly cancellationReason: string | null;
  readonly labels: readonly LabelView[];
  readonly additionalPeople: readonly LoanPersonView[];
  readonly additionalBorrowers?: readonly { readonly id: string; readonly relationType: string }[];
  readonly metaData: MetaData | null;
  readonly muteLoanNotices: boolean;
  readonly timestamps: TimestampsView;
  readonly endDate: DateText | null;
  readonly lockStatus: 'unlocked';
  readonly migrationStatus: MigrationStatus;
  readonly migration: MigrationView | null;
  readonly current: CurrentView;
  readonly atOrigination: OriginationView;
  readonly atActivation: ActivationView | null;
  readonly aprNominalAtActivation: RateValue | null;
  readonly aprEffectiveAtActivation: RateValue | null;
  readonly ratesValidation: RatesValidationView;
  readonly amountsValidation: AmountsValidationView | null;
}

export interface DeclineReasonView {
  readonly mainExternalReasonCode: string | null;
  readonly mainText: string | null;
  readonly mainScriptForRep: string | null;
  readonly subReasons: readonly {
    readonly externalReasonCode: string | null;
    readonly reasonText: string | null;
    readonly scriptForRep: string | null;
  }[];
}

export interface LabelView {
  readonly id: string;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
  readonly externalId: string | null;
  readonly name: string;
  readonly description: string | null;
}

export interface TimestampsView {
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
  readonly startedAt: DateTimeText | null;
  readonly originatedAt: DateTimeText | null;
  readonly activatedAt: DateTimeText | null;
  readonly frozenAt: DateTimeText | null;
  readonly lastAmortizedAt: DateTimeText | null;
  readonly acceleratedAt: DateTimeText | null;
  readonly chargedOffAt: DateTimeText | null;
  readonly paidOffAt: DateTimeText | null;
  readonly closedAt: DateTimeText | null;
  readonly canceledAt: DateTimeText | null;
  readonly migratedAt: DateTimeText | null;
}

/** Current values of the loan. */
export interface CurrentView {
  readonly periodicPayment: Amount | null;
  readonly autopayEnabled: boolean;
  readonly creditLimitAmount: Amount | null;
  readonly nextDueDate: DateText | null;
  readonly nextDueAmount: Amount | null;
  readonly isOverdue: boolean;
  readonly daysOverdue: number;
  readonly overdueAmount: Amount;
  readonly duration: number | null;
  readonly paymentFrequency: string;
  readonly specificDays: readonly string[] | null;
  readonly interestRate: RateValue | null;
  readonly activePaymentPlanId: string | null;
  readonly isScraActive: boolean;
  /** Null without an `mdr`. */
  readonly merchantDiscount: MerchantDiscountNow | null;
  /** What is held back of the money of the merchant; null: nothing was. */
  readonly merchantReserve: MerchantReserveNow | null;
}

export interface OriginationView {
  /** Null for a line of credit. */
  readonly amountFinanced: Amount | null;
  readonly principalAmount: Amount | null;
  readonly duration: number | null;
  readonly paymentFrequency: string;
  readonly specificDays: readonly string[] | null;
  readonly periodicPaymentAmount: Amount | null;
  readonly expectedPayments: readonly ExpectedPaymentView[] | null;
  readonly enforcedEndDate: DateText | null;
  readonly bufferToPushOutSchedule: number | null;
  readonly interestRates: readonly { readonly interestType: string; readonly days: number | null; readonly rate: SignedRateValue }[];
  readonly promoRates: readonly { readonly days: number | null; readonly rate: RateValue }[] | null;
  readonly rateCaps: readonly { readonly days: number | null; readonly maxRate: RateValue; readonly rateCapReason: string | null }[] | null;
  readonly aprNominal: RateValue | null;
  readonly aprEffective: RateValue | null;
  readonly totalInterestAmount: Amount | null;
  readonly totalDiscountAmount: Amount | null;
  readonly totalInterestCapAmount: Amount | null;
  readonly downPaymentAmount: Amount;
  readonly creditLimitAmount: Amount | null;
  readonly minPaymentCalculation: MinPaymentView | null;
  readonly fees: OriginationFeesView;
  readonly advanceSchedule: readonly AdvanceView[] | null;
  readonly personAddress: FreeJson | null;
  readonly personAddressId: string | null;
  readonly validAddress: boolean | null;
  readonly originationLicense: string;
  readonly originatingCreditorName: string;
  readonly investors: readonly OriginalOwnerView[] | null;
  readonly mdr: MerchantDiscountView | null;
  readonly merchantId: string | null;
  readonly isValidMerchantId: boolean;
  readonly itemsOrServicesFinanced: string | null;
  readonly discountProgramIds: readonly number[] | null;
  readonly skipCreditReporting: boolean;
  readonly promoPrograms: readonly PromoProgramView[] | null;
  readonly card: CardView | null;
}

export interface MinPaymentView {
  readonly percentageOfPrincipal: RateValue | null;
  readonly minAmount: Amount | null;
  readonly isIncludeOverLimitAmount: boolean | null;
}

export interface CardView {
  readonly issuerId: string | null;
  readonly type: string | null;
  readonly cardDetails: {
    readonly status: string | null;
    readonly usageType: string | null;
    readonly fulfillmentStatus: string | null;
    readonly cardNumberLastFour: string | null;
    readonly network: string | null;
  };
}

/** A row of a contractual schedule, as given or as computed. */
export interface ExpectedPaymentView {
  readonly date: DateText;
  readonly paymentType: string;
  readonly amount: Amount;
  readonly principalAmount: Amount | null;
  readonly interestAmount: Amount | null;
  readonly interestBeforeDiscountAmount: Amount | null;
  readonly unroundedPrincipalAmount: string | null;
  readonly unroundedInterestAmount: string | null;
  readonly unroundedInterestBeforeDiscountAmount: string | null;
  readonly isForcedAmount: boolean;
  readonly dynamicFeeDetails: {
    readonly chargeDate: DateText | null;
    readonly chargeTimeOfDay: TimeOfDay | null;
    readonly dynamicFeeTypeId: string | null;
  } | null;
}

export interface OriginationFeesView {
  readonly originationFeeAmount: Amount;
  readonly dynamicFees: readonly {
    readonly apiName: string | null;
    readonly dynamicFeeTypeId: string | null;
    readonly feeAmount: Amount | null;
    readonly feeCapAmount: Amount | null;
  }[];
  readonly serviceFeeAmount: Amount | null;
  readonly serviceFeeCapAmount: Amount | null;
  readonly totalOtherFeesAmount: Amount | null;
}

export interface AdvanceView {
  readonly advanceDate: DateText;
  readonly advanceTimeOfDay: TimeOfDay | null;
  readonly amount: Amount;
  readonly externalId: string | null;
  readonly metadata: MetaData | null;
  readonly status: string;
  readonly advanceDetails: FreeJson | null;
}

export interface OriginalOwnerView {
  readonly investorId: string;
  readonly share: RateValue;
  readonly effectiveDate: DateText | null;
  readonly metro2: { readonly reportK2Segment: boolean };
}

export interface MerchantDiscountView {
  readonly mdrRate: RateValue | null;
  readonly mdrAmount: Amount | null;
  readonly amortizationPeriod: number | null;
  readonly isAmortized: boolean | null;
}

export interface PromoProgramView {
  readonly externalId: string | null;
  readonly metaData: MetaData | null;
  readonly promoTypeId: string | null;
  readonly promoStartDate: DateText | null;
  readonly promoEndDate: DateText | null;
  readonly promoDurationDays: number | null;
  readonly promoGracePeriodDays: number | null;
  readonly disqualifyOverdueDays: number | null;
  readonly status: string;
}

/** The terms as activation fixed them. */
export interface ActivationView {
  readonly startDate: DateText;
  /** Null for a line of credit, as are the amounts. */
  readonly endDate: DateText | null;
  readonly duration: number | null;
  readonly principalAmount: Amount | null;
  readonly amountFinanced: Amount | null;
  readonly periodicPaymentAmount: Amount | null;
  readonly totalInterestAmount: Amount | null;
  readonly aprNominal: RateValue;
  readonly aprEffective: RateValue;
  readonly expectedPayments: readonly ExpectedPaymentView[];
}

export interface RatesValidationView {
  readonly interestRateAtOrigExceedsMax: boolean;
  readonly interestRateAtOrigBelowMin: boolean;
  readonly aprNominalAtOrigExceedsMax: boolean;
  readonly aprEffectiveAtOrigExceedsMax: boolean;
  readonly aprNominalAtActExceedsMax: boolean;
  readonly aprEffectiveAtActExceedsMax: boolean;
}

export interface AmountsValidationView {
  readonly principalMatch: boolean;
  readonly interestMatch: boolean;
  readonly feesMatch: boolean;
  readonly totalAdvancesMatch: boolean;
  readonly recurringAmountsMatch: boolean;
}

/** `fields=idsOnly`. */
export interface LoanIdsView {
  readonly id: string;
  readonly externalId: string | null;
  readonly loanTypeId: string;
  readonly mainBorrowerId: string;
  readonly mainBorrowerExternalId: string | null;
  readonly lockStatus: 'unlocked';
  readonly migrationStatus: MigrationStatus;
}

/** A row of the schedule. */
export interface ScheduleRowReply {
  readonly date: DateText;
  readonly periodId: string | null;
  readonly paymentType: 'periodicPayment' | 'downPayment' | 'dynamicFee';
  readonly status: string;
  readonly amount: Amount;
  readonly originalAmount: Amount;
  readonly principalAmount: Amount;
  readonly interestAmount: Amount;
  readonly interestBeforeDiscountAmount: Amount;
  readonly unroundedPrincipalAmount: UnroundedText;
  readonly unroundedInterestAmount: UnroundedText;
  readonly unroundedInterestBeforeDiscountAmount: UnroundedText;
  readonly isDeferred: boolean;
  readonly isForcedAmount: boolean;
  readonly dynamicFeeDetails: {
    readonly loanFeeId: string | null;
    readonly dynamicFeeTypeId: string | null;
    readonly apiName: string | null;
    readonly displayName: string | null;
    readonly transactionId: string | null;
  };
}

export interface ScheduleReply {
  readonly isLocked: boolean;
  readonly paymentFrequency: string;
  readonly specificDays: readonly string[] | null;
  readonly schedule: readonly ScheduleRowReply[];
}

export interface ActivationReply {
  readonly schedule: readonly ScheduleRowReply[];
  readonly ratesValidation: RatesValidationView;
  readonly amountsValidation: AmountsValidationView | null;
}
