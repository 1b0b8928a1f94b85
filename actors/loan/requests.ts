import type { tags } from 'typia';
import type { AccountStatusCode } from './credit-reporting/types.js';
import type { CardRequest, LimitAmount, MinPaymentRequest } from './line/requests.js';
import type {
  Amount,
  AnyId,
  DateText,
  ExternalId,
  MetaData,
  PositiveAmount,
  RateValue,
  ShortText,
  SignedRateValue,
  Text,
  TimeOfDay,
  Whole,
} from '../wire.js';
import type { LoanTimestampsRequest, MigrationRequest } from './migration/types.js';

/** Bodies of loan commands. The gateway checks them against these types before a command is made. */

export type FrequencyValue = 'weekly' | 'everyTwoWeeks' | 'twiceMonthly' | 'monthly' | 'singleTerm';
type ServicedBy = 'creditor' | 'thirdPartyServicer' | 'debtCollectionAgency';
export type CancellationReason =
  | 'technicalIssue'
  | 'borrowerRequest'
  | 'duplicate'
  | 'wrongTerms'
  | 'wrongBorrower'
  | 'fraud'
  | 'rescission'
  | 'fundsNotDisbursed'
  | 'other';
type OriginationLicense = 'nationalBank' | 'stateLicense' | 'stateBank' | 'federalCreditUnion' | 'none';
export type LoanRelationType = 'coBorrower' | 'coSigner' | 'guarantor' | 'authorizedUser' | 'applicant';
type ChargedOffReasonValue = 'term' | 'fraudulent' | 'bankruptcy' | 'legal';

/** Days of a band: at least one, or null for the rest of the loan. */
type BandDays = (number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<100000>) | null;

/** Days between activation and the first due date: ten years at most. */
type BufferDays = number & tags.Type<'uint32'> & tags.Maximum<3660>;

/** The amount of a loan: below a billion. */
export type LoanAmount = PositiveAmount & tags.Maximum<999999999.99>;

/** Annual rates of a loan: below 10,000 %. */
export type LoanRate = RateValue & tags.Maximum<99.99999999>;

/** Periods of a schedule; 30 years of weeks. */
export type Duration = number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<1566>;

export interface InterestRateRequest {
  readonly interestType?: 'absolute' | 'spread';
  readonly days?: BandDays;
  readonly rate: SignedRateValue & tags.Minimum<-99.99999999> & tags.Maximum<99.99999999>;
}

export interface PromoRateRequest {
  readonly days?: BandDays;
  readonly rate: LoanRate;
}

interface RateCapRequest {
  readonly days?: BandDays;
  readonly maxRate: LoanRate;
  readonly rateCapReason?: ShortText | null;
}

export interface OriginationPaymentRequest {
  readonly date: DateText;
  readonly paymentType?: 'periodicPayment';
  readonly amount: Amount & tags.Maximum<999999999.99>;
  readonly principalAmount?: Amount | null;
  readonly interestAmount?: Amount | null;
  readonly interestBeforeDiscountAmount?: Amount | null;
  readonly unroundedPrincipalAmount?: ShortText | null;
  readonly unroundedInterestAmount?: ShortText | null;
  readonly unroundedInterestBeforeDiscountAmount?: ShortText | null;
  readonly isForcedAmount?: boolean;
  /** A fee in a row of the lender's schedule. It is stored and shown, but not charged. */
  readonly dynamicFeeDetails?: {
    readonly chargeDate?: DateText | null;
    readonly chargeTimeOfDay?: TimeOfDay | null;
    readonly dynamicFeeTypeId?: AnyId | null;
  } | null;
}

export interface DynamicFeeRequest {
  readonly apiName?: ShortText | null;
  readonly dynamicFeeTypeId?: AnyId | null;
  readonly feeAmount?: Amount | null;
  readonly feeCapAmount?: Amount | null;
}

export interface OriginationFeesRequest {
  readonly originationFeeAmount?: (Amount & tags.Maximum<999999999.99>) | null;
  readonly dynamicFees?: readonly DynamicFeeRequest[] & tags.MaxItems<50>;
  readonly serviceFeeAmount?: Amount | null;
  readonly serviceFeeCapAmount?: Amount | null;
  readonly totalOtherFeesAmount?: Amount | null;
}

export interface AdvanceRequest {
  readonly advanceDate: DateText;
  readonly advanceTimeOfDay?: TimeOfDay | null;
  readonly amount: PositiveAmount;
  readonly externalId?: ExternalId | null;
  readonly metadata?: MetaData | null;
  readonly status?: ShortText | null;
  readonly advanceDetails?: {
    readonly categoryId?: ShortText | null;
    readonly description?: Text | null;
    readonly merchantId?: ShortText | null;
    readonly merchantName?: ShortText | null;
    readonly metadata?: MetaData | null;
    readonly pointOfSaleType?: ShortText | null;
  } | null;
}

interface AddressRequest {
  readonly POBox?: ShortText | null;
  readonly addressLine1?: ShortText | null;
  readonly addressLine2?: ShortText | null;
  readonly city?: ShortText | null;
  readonly country?: ShortText | null;
  readonly countyOrRegion?: ShortText | null;
  readonly postalCode?: ShortText | null;
  readonly state?: ShortText | null;
}

export interface InvestorRequest {
  readonly investorId: AnyId;
  readonly share: RateValue;
  readonly effectiveDate?: DateText | null;
  /** The old spelling of `effectiveDate`. */
  readonly dateEffective?: DateText | null;
  readonly metro2?: { readonly reportK2Segment?: boolean } | null;
}

/** What a merchant gives up of what is paid out for its goods. */
export interface MerchantDiscountRequest {
  /** Of each payout, at most 1. Not used beside an amount. */
  readonly mdrRate?: RateValue | null;
  /** The discount as a whole. */
  readonly mdrAmount?: Amount | null;
  /** Months over which it is earned; absent: it is earned at once. */
  readonly amortizationPeriod?: Whole | null;
  readonly isAmortized?: boolean | null;
}

/**
 * Older clients send an array of one. Unknown properties of a body are removed by name, so the index of such an array needs a property,
 * too.
 */
interface MerchantDiscountBody extends MerchantDiscountRequest {
  readonly 0?: MerchantDiscountRequest;
}

export interface PromoProgramRequest {
  readonly externalId?: ExternalId | null;
  readonly metaData?: MetaData | null;
  readonly promoTypeId?: AnyId | null;
  readonly promoStartDate?: DateText | null;
  readonly promoEndDate?: DateText | null;
  readonly promoDurationDays?: Whole | null;
  readonly promoGracePeriodDays?: Whole | null;
  readonly disqualifyOverdueDays?: Whole | null;
  readonly status?: 'pending' | 'active' | null;
}

/** The terms that decide a schedule; shared with the preview and the calculator. */
export interface ScheduleRequest {
  readonly duration?: Duration | null;
  readonly paymentFrequency: FrequencyValue;
  readonly specificDays?: (readonly (number | ShortText)[] & tags.MaxItems<2>) | null;
  readonly periodicPaymentAmount?: LoanAmount | null;
  readonly expectedPayments?: (readonly OriginationPaymentRequest[] & tags.MaxItems<1566>) | null;
  readonly enforcedEndDate?: DateText | null;
  readonly bufferToPushOutSchedule?: BufferDays | null;
  readonly interestRates: readonly InterestRateRequest[] & tags.MinItems<1> & tags.MaxItems<100>;
  readonly promoRates?: (readonly PromoRateRequest[] & tags.MaxItems<100>) | null;
  readonly rateCaps?: (readonly RateCapRequest[] & tags.MaxItems<100>) | null;
  readonly totalInterestCapAmount?: Amount | null;
}

export interface OriginationRequest extends ScheduleRequest {
  /** Required for an installment loan. */
  readonly amountFinanced?: LoanAmount | null;
  readonly principalAmount?: LoanAmount | null;
  /** Required for a line of credit. */
  readonly creditLimitAmount?: LimitAmount | null;
  readonly minPaymentCalculation?: MinPaymentRequest | null;
  readonly card?: CardRequest | null;
  readonly aprNominal?: RateValue | null;
  readonly aprEffective?: RateValue | null;
  readonly totalInterestAmount?: Amount | null;
  readonly totalDiscountAmount?: Amount | null;
  readonly downPaymentAmount?: Amount | null;
  readonly fees?: OriginationFeesRequest | null;
  readonly advanceSchedule?: (readonly AdvanceRequest[] & tags.MaxItems<500>) | null;
  readonly personAddress?: AddressRequest | null;
  readonly personAddressId?: AnyId | null;
  readonly originationLicense: OriginationLicense;
  readonly originatingCreditorName: string & tags.MinLength<1> & tags.MaxLength<255>;
  readonly investors?: (readonly InvestorRequest[] & tags.MaxItems<100>) | null;
  readonly mdr?: MerchantDiscountBody | readonly MerchantDiscountRequest[] | null;
  readonly merchantId?: ShortText | null;
  readonly itemsOrServicesFinanced?: Text | null;
  /** Numbers of the lender's, by which its questions and campaigns select loans. */
  readonly discountProgramIds?: (readonly Whole[] & tags.MaxItems<100>) | null;
  readonly skipCreditReporting?: boolean;
  readonly promoPrograms?: (readonly PromoProgramRequest[] & tags.MaxItems<100>) | null;
}

export interface DeclineReasonRequest {
  readonly mainExternalReasonCode?: ShortText | null;
  readonly mainText?: Text | null;
  readonly mainScriptForRep?: Text | null;
  readonly subReasons?: readonly {
    readonly externalReasonCode?: ShortText | null;
    readonly reasonText?: Text | null;
    readonly scriptForRep?: Text | null;
  }[] &
    tags.MaxItems<50>;
}

export interface LabelReference {
  readonly id?: AnyId | null;
  readonly externalId?: ExternalId | null;
}

export interface AdditionalPersonRequest {
  readonly personId: AnyId;
  readonly loanRelationType: LoanRelationType;
}

/** `POST /people/{personId}/loans`. */
export interface CreateLoanRequest {
  readonly type: 'installment' | 'lineOfCredit';
  readonly loanTypeId: AnyId;
  readonly externalId?: ExternalId | null;
  readonly mainBorrowerId?: AnyId | null;
  readonly status: 'pending' | 'originated' | 'declined';
  readonly servicedBy: ServicedBy;
  readonly newDrawsAllowed: boolean;
  readonly nickname?: ShortText | null;
  readonly isClosed?: boolean;
  readonly declineReason?: DeclineReasonRequest | null;
  readonly labels?: readonly LabelReference[] & tags.MaxItems<100>;
  readonly additionalPeople?: readonly AdditionalPersonRequest[] & tags.MaxItems<50>;
  readonly metaData?: MetaData | null;
  readonly muteLoanNotices?: boolean;
  readonly migration?: MigrationRequest | null;
  /** Times of the other system, for a loan that is to be migrated; ignored for any other loan. */
  readonly timestamps?: LoanTimestampsRequest | null;
  readonly atOrigination: OriginationRequest;
}

/** `PUT L`: absent fields stay as they are, null clears a field. */
export interface UpdateLoanRequest extends ActionRequest {
  /** Immutable: another value is refused. */
  readonly type?: CreateLoanRequest['type'];
  /** The borrower of the path, for clients that send a whole loan back; another borrower is refused. */
  readonly mainBorrowerId?: AnyId | null;
  readonly status?: 'pending' | 'originated' | 'declined' | 'active' | 'frozen' | 'accelerated' | 'chargedOff' | 'paidOff' | 'canceled';
  readonly loanTypeId?: AnyId;
  readonly externalId?: ExternalId | null;
  readonly servicedBy?: ServicedBy;
  readonly newDrawsAllowed?: boolean;
  /** Only while the loan is pending; later, closing it is an action of its own. */
  readonly isClosed?: boolean;
  readonly nickname?: ShortText | null;
  readonly declineReason?: DeclineReasonRequest | null;
  readonly chargedOffReason?: ChargedOffReasonValue | null;
  readonly labels?: (readonly LabelReference[] & tags.MaxItems<100>) | null;
  readonly additionalPeople?: (readonly AdditionalPersonRequest[] & tags.MaxItems<50>) | null;
  readonly metaData?: MetaData | null;
  /** Another spelling of `metaData`. */
  readonly metadata?: MetaData | null;
  readonly muteLoanNotices?: boolean;
  readonly migration?: MigrationRequest | null;
  readonly atOrigination?: Partial<OriginationRequest>;
}

/** Fields of every action on a loan's ledger. */
export interface ActionRequest {
  readonly caseId?: AnyId | null;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}

export interface ActivateLoanRequest extends ActionRequest {
  readonly amortizationAtActivation?: 'useAtOrigination' | 'reAmortize';
  /** Only in test mode and for a migration. A past date causes a replay up to today. */
  readonly activationDate?: DateText | null;
}

export interface CancelLoanRequest {
  readonly cancellationReason?: CancellationReason | null;
  readonly sendCancellationNotice?: boolean;
  readonly caseId?: AnyId | null;
  /** Required of a loan that was reported to a credit agency. */
  readonly metro2AccountStatus?: AccountStatusCode | null;
  readonly previewMode?: boolean;
}

export interface CloseLoanRequest extends ActionRequest {
  readonly closeReason?: 'borrowerRequest' | 'inactivity' | 'creditRisk' | 'fraud' | 'expired' | 'other' | null;
  /** The notice may quote it. */
  readonly closeReasonDescription: Text & tags.MinLength<1>;
  readonly closeRequestedByBorrower?: boolean;
}

export interface AttachLabelsRequest extends ActionRequest {
  readonly labelIds: readonly AnyId[] & tags.MinItems<1> & tags.MaxItems<100>;
}

export interface UnfreezeLoanRequest extends ActionRequest {
  readonly retroactivelyAccrueInterest?: boolean;
  readonly shiftDueDates?: boolean;
}

export interface AccelerateLoanRequest extends ActionRequest {
  readonly effectiveDate?: DateText | null;
}

export interface ChargeOffLoanRequest extends ActionRequest {
  readonly chargedOffReason: ChargedOffReasonValue;
  readonly effectiveDate?: DateText | null;
}

export interface ReplayLoanRequest extends ActionRequest {
  readonly fromDate?: DateText | null;
  readonly reason?: Text | null;
}

export interface ReamortizeLoanRequest extends ActionRequest {
  readonly effectiveDate: DateText;
  readonly duration?: Duration | null;
  readonly amount?: PositiveAmount | null;
  readonly keepAmount?: boolean;
}

/** Any part of `atOrigination`; absent fields are the loan's own. */
export interface SchedulePreviewRequest extends Partial<OriginationRequest> {
  readonly startDate?: DateText | null;
}

export interface PayoffLetterRequest {
  /** Default: today. At most 30 days ahead. */
  readonly payoffDate?: DateText | null;
  readonly channels?: readonly ('email' | 'mail')[] & tags.MaxItems<2>;
  readonly contactId?: AnyId | null;
  readonly caseId?: AnyId | null;
}

/** `POST /utilities/amortize`: by a loan type, or by the settings in the body; absent ones have their defaults. */
export interface AmortizeRequest extends ScheduleRequest {
  readonly loanTypeId?: AnyId | null;
  readonly interestAccrualMethod?: 'daily365' | 'daily360' | 'actualActual' | 'monthly30360';
  readonly amountFinanced: LoanAmount;
  readonly principalAmount?: LoanAmount | null;
  readonly startDate?: DateText | null;
  readonly firstDueDate?: DateText | null;
  readonly downPaymentAmount?: Amount | null;
  readonly advanceSchedule?: (readonly AdvanceRequest[] & tags.MaxItems<500>) | null;
  readonly fees?: {
    readonly originationFeeAmount?: (Amount & tags.Maximum<999999999.99>) | null;
    readonly originationFeeLogic?: 'firstPayment' | 'spread' | 'separate';
    readonly serviceFeeAmount?: (Amount & tags.Maximum<999999999.99>) | null;
  } | null;
}
