import type { tags } from 'typia';
import type { PageQuery } from '../../list-order.js';
import type { Amount, AnyId, DateText, DateTimeText, PositiveAmount, SignedAmount } from '../../wire.js';
import type { AutopayStatus } from './evolve.js';
import type { AutopayAmountType, AutopayCancelReason } from './plan.js';

/** Bodies and queries of autopay. */

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

/** A plan in replies. */
export interface AutopayView {
  readonly object: 'autopay';
  readonly id: string;
  readonly loanId: string;
  readonly isLocked: boolean;
  readonly status: AutopayStatus;
  readonly isAlignedToDueDates: boolean;
  readonly paymentFrequency: string;
  readonly specificDays: readonly string[] | null;
  readonly paymentInstrumentId: string;
  readonly agreementDocumentId: string | null;
  readonly type: 'alignedToDueDates' | 'ownSchedule';
  readonly amountType: string;
  readonly extraAmount: Amount;
  readonly fixedAmount: Amount | null;
  /** Payments that were made, then coming ones if nothing else happens. */
  readonly schedule: readonly AutopayPaymentView[];
  readonly deltaTerms: DeltaTermsView | null;
  readonly caseId: string | null;
  readonly cancelReason: AutopayCancelReason | null;
  readonly canceledAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
}

/** The plan compared with the loan's present schedule. Savings of the borrower are negative. */
export interface DeltaTermsView {
  readonly deltaInterestAmount: SignedAmount;
  readonly deltaFeeAmount: SignedAmount;
  readonly deltaDurationDays: number;
  readonly deltaDueDatesNumber: number;
}

export interface AutopayPaymentView {
  readonly id: string;
  readonly date: DateText;
  /** The plan's date, before the payment was rescheduled. */
  readonly originalDate: DateText;
  readonly periodId: string | null;
  readonly paymentType: 'periodicPayment' | 'final';
  readonly status: AutopayPaymentStatus;
  readonly amount: Amount;
  readonly originalAmount: Amount;
  readonly principalAmount: Amount;
  readonly interestAmount: Amount;
  readonly interestBeforeDiscountAmount: Amount;
  readonly isDeferred: boolean;
  readonly dynamicFeeDetails: {
    readonly loanFeeId: string | null;
    readonly dynamicFeeTypeId: string | null;
    readonly apiName: string | null;
    readonly displayName: string | null;
  };
  readonly transactionId: string | null;
}
