import type { CancelReason, FailureReason } from '../../borrower/index.js';
import type { tags } from 'typia';
import type {
  Amount,
  AnyId,
  DateText,
  DateTimeText,
  ExternalId,
  MetaData,
  PositiveAmount,
  ShortText,
  Text,
  TimeOfDay,
} from '../../wire.js';
import type { TransactionStatus } from './machine.js';
import type { InstrumentType, TransactionType } from './record.js';

/** Bodies of transaction commands. The gateway checks them against these types before a command is made. */

type ServiceCreditType =
  | 'settlementOfDebt'
  | 'settlementOfDebtNoLoss'
  | 'badDebt'
  | 'courtesy'
  | 'billingError'
  | 'interestAdjustment'
  | 'feeAdjustment'
  | 'principalAdjustment'
  | 'promotional'
  | 'merchantRefund'
  | 'regulatory'
  | 'fraud'
  | 'other';

type ServiceCreditSponsor = 'lender' | 'loanServicer' | 'serviceOperator' | 'merchant' | 'investor';

interface ServiceCreditRequest {
  readonly type: ServiceCreditType;
  /** Who bears the cost; only for the lender's accounting. */
  readonly sponsor?: ServiceCreditSponsor | null;
  readonly reason?: Text | null;
  readonly displayName?: ShortText | null;
}

/** Of operations that set the amount of a payment. */
export interface PaymentQuery {
  /** Accepted and ignored: the ledger is always updated within the request. */
  readonly sync?: boolean;
  /** Accepts a payment of more than twice what is owed. */
  readonly force?: boolean;
}

/** `POST L/transactions`, and its preview. */
export interface CreateTransactionRequest {
  readonly type: 'oneTime' | 'downPayment' | 'serviceCredit';
  readonly amount: PositiveAmount;
  readonly paymentInstrumentId?: AnyId | null;
  /** Record only: the service moves no money. */
  readonly isExternal?: boolean;
  readonly externalId?: ExternalId | null;
  /** External transactions only. */
  readonly status?: 'scheduled' | 'pending' | 'succeeded' | 'failed';
  /** Required with `status=failed`. */
  readonly failureReason?: FailureReason | null;
  /** Default: today. A later day schedules the transaction. */
  readonly scheduledDate?: DateText | null;
  /** Default: the scheduled date. Only an external payment can have a past date. */
  readonly effectiveDate?: DateText | null;
  /** 02:00:00 or later. */
  readonly effectiveTimeOfDay?: TimeOfDay | null;
  readonly holdDaysEndDate?: DateText | null;
  /** Lines of credit only. */
  readonly drawId?: AnyId | null;
  /** Money above what is due counts toward coming obligations. Absent: the product's setting. */
  readonly enablePrepayments?: boolean | null;
  readonly evidenceDocumentId?: AnyId | null;
  readonly consentDocumentId?: AnyId | null;
  readonly caseId?: AnyId | null;
  /** Required with `type=serviceCredit`. */
  readonly serviceCreditDetails?: ServiceCreditRequest | null;
  readonly sendNotice?: boolean;
  readonly metaData?: MetaData | null;
  readonly previewMode?: boolean;
}

/** `PUT L/transactions/{transactionId}`: absent fields stay as they are. */
export interface UpdateTransactionRequest {
  readonly externalId?: ExternalId | null;
  readonly isExternal?: boolean;
  readonly isVirtual?: boolean;
  readonly status?: 'scheduled' | 'initiated' | 'pending' | 'succeeded' | 'failed' | 'canceled' | 'inDispute' | 'chargeback';
  readonly timestamps?: TimestampsRequest | null;
  readonly actualAmount?: Amount;
  readonly scheduledAmount?: PositiveAmount;
  /** The four parts only while the transaction is not applied; they sum to `actualAmount`. */
  readonly paidPrincipalAmount?: Amount;
  readonly paidInterestAmount?: Amount;
  readonly paidFeesAmount?: Amount;
  readonly paidOverAmount?: Amount;
  readonly processingFeeAmount?: Amount | null;
  readonly processingFeeType?: 'gross' | 'net' | null;
  readonly processorTransactionId?: ShortText | null;
  readonly processorReversalId?: ShortText | null;
  readonly processorReconciliationId?: ShortText | null;
  readonly avsResult?: ShortText | null;
  readonly failureReason?: FailureReason | null;
  readonly processorFailureReason?: Text | null;
  readonly processorFailureDetails?: Text | null;
  readonly achReturnCode?: (string & tags.Pattern<'^R\\d{2}$'>) | null;
  readonly reversedByTransactionId?: AnyId | null;
  readonly reversedByTransactionExternalId?: ExternalId | null;
  readonly parentTransactionId?: AnyId | null;
  readonly autopayPlanId?: AnyId | null;
  readonly autopayPaymentIds?: (readonly AnyId[] & tags.MaxItems<100>) | null;
  readonly cancelReason?: CancelReason | null;
  readonly enablePrepayments?: boolean | null;
  readonly evidenceDocumentId?: AnyId | null;
  readonly consentDocumentId?: AnyId | null;
  readonly caseId?: AnyId | null;
  readonly metaData?: MetaData | null;
  readonly previewMode?: boolean;
}

export interface TimestampsRequest {
  readonly initiatedAt?: DateTimeText | null;
  readonly pendingAt?: DateTimeText | null;
  readonly succeededAt?: DateTimeText | null;
  readonly failedAt?: DateTimeText | null;
  readonly canceledAt?: DateTimeText | null;
  readonly inDisputeAt?: DateTimeText | null;
  readonly chargebackAt?: DateTimeText | null;
  readonly effectiveDate?: DateText;
  /** Only while it is scheduled. */
  readonly scheduledDate?: DateText;
}

export interface CancelTransactionRequest {
  readonly cancelReason?: CancelReason;
  /** Frees the external id for the corrected transaction. */
  readonly clearExternalId?: boolean;
  readonly caseId?: AnyId | null;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}

export interface CancelTransactionQuery {
  readonly cancelReason?: CancelReason;
  readonly clearExternalId?: boolean;
}

export interface ReverseTransactionRequest {
  readonly reason?: Text | null;
  readonly caseId?: AnyId | null;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}

export interface BackdateTransactionRequest {
  readonly effectiveDate: DateText;
  readonly effectiveTimeOfDay?: TimeOfDay | null;
  readonly caseId?: AnyId | null;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}

export interface RescheduleTransactionRequest {
  readonly scheduledDate: DateText;
  readonly amount?: PositiveAmount;
  readonly paymentInstrumentId?: AnyId;
  readonly caseId?: AnyId | null;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}

/** Types of the interface that do not occur yet: a list of them is empty. */
type UnmadeType = 'disbursement' | 'microDeposit' | 'settlement';

/** `GET L/transactions`. */
export interface ListTransactionsQuery {
  readonly status?: readonly TransactionStatus[];
  readonly transactionType?: readonly (TransactionType | UnmadeType)[];
  readonly paymentInstrumentId?: AnyId;
  readonly isExternal?: boolean;
  readonly isVirtual?: boolean;
  readonly fromEffectiveDate?: DateText;
  readonly toEffectiveDate?: DateText;
  readonly drawId?: AnyId;
  readonly sortBy?: readonly string[];
  readonly limit?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<100>;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
}

/** `GET /transactions`. */
export interface ListAllTransactionsQuery extends ListTransactionsQuery {
  readonly loanTypeId?: AnyId;
  readonly personId?: AnyId;
  readonly createdAtAfter?: DateTimeText;
  readonly createdAtBefore?: DateTimeText;
  readonly updatedAtAfter?: DateTimeText;
  readonly updatedAtBefore?: DateTimeText;
}

/** `POST L/reimburse`. */
export interface ReimburseRequest {
  /** At most what is owed to the borrower. */
  readonly reimbursementAmount: PositiveAmount;
  /** The lender moves the money itself. */
  readonly isExternal?: boolean;
  /** The caller's own id of the transaction. */
  readonly externalTransactionId?: ExternalId | null;
  readonly paymentInstrumentType?: InstrumentType | null;
  /** Required unless external. */
  readonly paymentInstrumentId?: AnyId | null;
  /** External reimbursements only. Default: `pending`. */
  readonly transactionStatus?: 'pending' | 'succeeded';
  /** The address that a check is mailed to. */
  readonly contactId?: AnyId | null;
  readonly caseId?: AnyId | null;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}

export interface ListReimbursementsQuery {
  readonly limit?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<100>;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
}
