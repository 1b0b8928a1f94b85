import type { tags } from 'typia';
import type { DateText, ExternalId, MetaData, PositiveAmount, RateValue, ShortText } from '../../wire.js';
import type { PageQuery } from '../../page.js';
import type { LimitAmount, MinPaymentRequest } from '../line/requests.js';
import type { DrawStatusValue } from './view-types.js';
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

/** Bodies of draws (loans.md 8). */

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

/** What is absent is the line's. */
export interface DrawOriginationRequest {
  readonly interestRates?: (readonly InterestRateRequest[] & tags.MinItems<1> & tags.MaxItems<100>) | null;
  readonly promoRates?: (readonly PromoRateRequest[] & tags.MaxItems<100>) | null;
  readonly aprNominal?: RateValue | null;
  readonly aprEffective?: RateValue | null;
  readonly creditLimitAmount?: LimitAmount | null;
  /** A limit as a share of the line's; not beside an amount. */
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
  /** Started on an earlier day. */
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
  /** The spelling of one client. */
  readonly serviceCapAmount?: LimitAmount | null;
}
