import type { tags } from 'typia';
import type { PageQuery } from '../../page.js';
import type { Amount, AnyId, DateText, PositiveAmount } from '../../wire.js';
import type { AutopayAmountType, AutopayCancelReason } from './plan.js';

/** Bodies and queries of autopay (money 6). */

type AutopayFrequency = 'weekly' | 'everyTwoWeeks' | 'twiceMonthly' | 'monthly';

/** `POST L/autopay`. */
export interface CreateAutopayRequest {
  /** Paid on the loan's due dates. Default: unless an own frequency is given. */
  readonly isAlignedToDueDates?: boolean;
  /** Required, with its days, for a schedule of its own. */
  readonly paymentFrequency?: AutopayFrequency | null;
  /** Weekdays 1 (Monday) to 7 or days of the month, 31 = the last; every two weeks with a start date, if wanted. */
  readonly specificDays?: (readonly (string | number)[] & tags.MinItems<1> & tags.MaxItems<2>) | null;
  /** Active, of the borrower or an additional borrower. */
  readonly paymentInstrumentId: AnyId;
  /** The signed authorization. */
  readonly agreementDocumentId?: AnyId | null;
  /** Added to each payment, for principal. */
  readonly extraAmount?: Amount | null;
  /** Default: `scheduledAmount`, of lines of credit `minimumDueAmount`, which `statementMinimumAmount` is another name of. */
  readonly amountType?: AutopayAmountType | 'statementMinimumAmount' | null;
  /** With `fixedAmount` alone: paid, or the minimum payment where that is more. */
  readonly fixedAmount?: PositiveAmount | null;
  readonly caseId?: AnyId | null;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}

/** `PUT L/autopay`: the instrument, and nothing else. */
export interface UpdateAutopayRequest {
  readonly paymentInstrumentId: AnyId;
  /** The authorization for it; absent: the one before. */
  readonly agreementDocumentId?: AnyId | null;
  readonly caseId?: AnyId | null;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}

/** `DELETE L/autopay`. */
export interface CancelAutopayQuery {
  /** Default `canceledByAgent`. */
  readonly cancelReason?: Extract<
    AutopayCancelReason,
    'canceledByBorrower' | 'canceledByAgent' | 'invalidPaymentMethod' | 'bankruptcy' | 'deceased' | 'scheduleChanged'
  >;
  readonly caseId?: AnyId;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}

export type ListAutopayPlansQuery = PageQuery;

export type AutopayPaymentStatus = 'booked' | 'processing' | 'paid' | 'canceled' | 'failed';

/** `GET L/autopay/expected-payments`: without `status` those that are booked or processing. */
export interface ListAutopayPaymentsQuery extends PageQuery {
  readonly status?: readonly AutopayPaymentStatus[];
}

export interface RescheduleAutopayPaymentRequest {
  /** After today, within the period of the payment and not after its due date; with a case it may lie later. */
  readonly date: DateText;
  readonly caseId?: AnyId | null;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}

export interface CancelAutopayPaymentRequest {
  readonly caseId?: AnyId | null;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}
