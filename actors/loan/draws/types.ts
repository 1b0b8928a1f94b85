import type { tags } from 'typia';
import type { PageQuery } from '../../list-order.js';
import type { Amount, DateText, ExternalId, MetaData, PositiveAmount, RateValue, ShortText, SignedRateValue } from '../../wire.js';
import type { LimitAmount, MinPaymentRequest } from '../line/requests.js';
import type { LoanStatus } from '../machine.js';
import type { MerchantDiscountNow } from '../origination/merchant-discount.js';
import type { LoanPersonView } from '../people/types.js';
import type {
  ActionRequest,
  AdditionalPersonRequest,
  CancellationReason,
  DeclineReasonRequest,
  Duration,
  DynamicFeeRequest,
  InterestRateRequest,
  LabelReference,
  MerchantDiscountRequest,
  PromoRateRequest,
} from '../requests.js';
import type {
  AmountsValidationView,
  DeclineReasonView,
  LabelView,
  MerchantDiscountView,
  MinPaymentView,
  OriginationFeesView,
  RatesValidationView,
  TimestampsView,
} from '../views/types.js';

/** Bodies of draws. */

type ShareValue = RateValue & tags.Maximum<1>;

export interface AutoAmortizationRequest {
  readonly amortizationLogic: 'aggregatePurchasesInPeriod' | 'perPurchase' | 'none';
  readonly duration?: Duration | null;
  readonly periodicPaymentAmount?: PositiveAmount | null;
}

interface DrawFeesRequest {
  readonly drawFeeAmount?: LimitAmount | null;
  readonly drawFeePercentageOfPrincipal?: ShareValue | null;
  readonly dynamicFees?: readonly DynamicFeeRequest[] & tags.MaxItems<50>;
  readonly serviceFeeAmount?: LimitAmount | null;
  readonly serviceFeeCapAmount?: LimitAmount | null;
}

/** Absent fields are the line's. */
export interface DrawOriginationRequest {
  readonly interestRates?: (readonly InterestRateRequest[] & tags.MinItems<1> & tags.MaxItems<100>) | null;
  readonly promoRates?: (readonly PromoRateRequest[] & tags.MaxItems<100>) | null;
  readonly aprNominal?: RateValue | null;
  readonly aprEffective?: RateValue | null;
  readonly creditLimitAmount?: LimitAmount | null;
  /** A limit as a share of the line's limit; not together with an amount. */
  readonly creditLimitPercentage?: ShareValue | null;
  readonly fees?: DrawFeesRequest | null;
  readonly minPaymentCalculation?: MinPaymentRequest | null;
  readonly autoAmortization?: AutoAmortizationRequest | null;
  readonly gracePeriod?: {
    readonly isGracePeriodApplicable?: boolean | null;
    readonly numPeriodsToRestoreGrace?: (number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<120>) | null;
  } | null;
  readonly mdr?: MerchantDiscountRequest | null;
}

interface DrawFields extends ActionRequest {
  readonly externalId?: ExternalId | null;
  readonly nickname?: ShortText | null;
  readonly drawType?: 'regularPurchase' | 'cashAdvance' | 'balanceTransfer' | 'static';
  readonly declineReason?: DeclineReasonRequest | null;
  readonly labels?: (readonly LabelReference[] & tags.MaxItems<100>) | null;
  readonly additionalPeople?: (readonly AdditionalPersonRequest[] & tags.MaxItems<50>) | null;
  readonly metaData?: MetaData | null;
  readonly atOrigination?: DrawOriginationRequest | null;
}

/** `POST L/draws`. */
export interface CreateDrawRequest extends DrawFields {
  readonly status: 'pending' | 'originated' | 'declined';
}

/** `PUT D`: absent fields are untouched, null clears. */
export interface UpdateDrawRequest extends DrawFields {
  readonly status?: DrawStatusValue;
}

export interface CancelDrawRequest extends ActionRequest {
  readonly cancellationReason?: CancellationReason | null;
}

export interface CloseDrawRequest extends ActionRequest {
  readonly closeRequestedByBorrower?: boolean;
}

export interface ListDrawsQuery extends PageQuery {
  readonly statuses?: readonly string[];
  readonly isClosed?: boolean;
  readonly isAmortized?: boolean;
  /** Only draws that started before this day. */
  readonly startedBefore?: DateText;
}

export interface ForceQuery {
  readonly force?: boolean;
}

/** `PUT D`: `validate` is accepted; a draw has no address. */
export interface UpdateDrawQuery extends ForceQuery {
  readonly validate?: boolean;
}

/** `POST D/amortize`: one of both. */
export interface AmortizeDrawRequest extends ActionRequest {
  readonly duration?: Duration | null;
  readonly recurringAmount?: PositiveAmount | null;
}

/** `POST L/amortize-preview`. */
export interface PreviewDrawRequest extends AmortizeDrawRequest {
  readonly purchaseAmount: PositiveAmount & tags.Maximum<999999999.99>;
  readonly startDate?: DateText | null;
  readonly drawFee?: LimitAmount | null;
  readonly serviceFeeAmount?: LimitAmount | null;
  readonly serviceFeeCapAmount?: LimitAmount | null;
  /** Another spelling of `serviceFeeCapAmount`. */
  readonly serviceCapAmount?: LimitAmount | null;
}

type DrawStatusValue = LoanStatus;

/** A draw in replies. Absent values are null. */
export interface DrawView {
  readonly id: string;
  readonly object: 'draw';
  readonly type: 'draw';
  readonly drawType: 'regularPurchase' | 'cashAdvance' | 'balanceTransfer' | 'static';
  readonly displayId: string;
  readonly companyId: string;
  readonly externalId: string | null;
  readonly lineOfCreditId: string;
  readonly loanTypeId: string;
  readonly mainBorrowerId: string;
  readonly mainBorrowerExternalId: string | null;
  readonly assetType: string | null;
  readonly assetDisplayName: string | null;
  readonly servicedBy: string;
  readonly status: LoanStatus;
  readonly nickname: string;
  readonly isClosed: boolean;
  readonly declineReason: DeclineReasonView | null;
  /** Why its line was charged off. */
  readonly chargedOffReason: string | null;
  readonly cancellationReason: string | null;
  readonly labels: readonly LabelView[];
  readonly additionalPeople: readonly LoanPersonView[];
  readonly additionalBorrowers: readonly { readonly id: string; readonly relationType: string }[];
  readonly metaData: MetaData | null;
  readonly timestamps: TimestampsView;
  /** The last due date of an amortized draw. */
  readonly endDate: DateText | null;
  readonly lockStatus: 'unlocked';
  readonly current: {
    readonly creditLimitAmount: Amount | null;
    /** The draw's part of the next due amount. */
    readonly periodicPayment: Amount | null;
    readonly interestRate: RateValue | null;
    readonly isAmortized: boolean;
    readonly balanceAmount: Amount;
    /** Null without an `mdr` of the draw or its line. */
    readonly merchantDiscount: MerchantDiscountNow | null;
  };
  readonly atOrigination: DrawOriginationView;
  readonly ratesValidation: RatesValidationView;
  readonly amountsValidation: AmountsValidationView | null;
}

export interface DrawOriginationView {
  readonly interestRates: readonly { readonly interestType: string; readonly days: number | null; readonly rate: SignedRateValue }[] | null;
  readonly promoRates: readonly { readonly days: number | null; readonly rate: RateValue }[] | null;
  readonly aprNominal: RateValue | null;
  readonly aprEffective: RateValue | null;
  readonly creditLimitAmount: Amount | null;
  readonly creditLimitPercentage: RateValue | null;
  readonly fees: {
    readonly drawFeeAmount: Amount;
    readonly drawFeePercentageOfPrincipal: RateValue;
    readonly dynamicFees: OriginationFeesView['dynamicFees'];
    readonly serviceFeeAmount: Amount | null;
    readonly serviceFeeCapAmount: Amount | null;
  };
  readonly minPaymentCalculation: MinPaymentView | null;
  readonly autoAmortization: {
    readonly amortizationLogic: 'aggregatePurchasesInPeriod' | 'perPurchase';
    readonly duration: number | null;
    readonly periodicPaymentAmount: Amount | null;
  } | null;
  readonly gracePeriod: { readonly isGracePeriodApplicable: boolean | null; readonly numPeriodsToRestoreGrace: number | null } | null;
  readonly mdr: MerchantDiscountView | null;
}
