import type { Amount, DateText, DateTimeText, MetaData } from '../../wire.js';
import type { ChargebackView } from './chargebacks/record.js';
import type { TransactionStatus } from './machine.js';
import type { InstrumentType, TransactionType } from './record.js';

/** The part of a payment that was allocated to one draw of a line. If the draw is null: to the line's own fees. */
export interface DrawSplitView {
  readonly drawId: string | null;
  readonly principalAmount: Amount;
  readonly interestAmount: Amount;
  readonly feesAmount: Amount;
  readonly totalAmount: Amount;
}

export interface TransactionView {
  readonly object: 'transaction';
  readonly id: string;
  readonly externalId: string | null;
  readonly companyId: string;
  readonly loanId: string;
  readonly drawId: string | null;
  readonly mainBorrowerId: string;
  readonly transactionType: TransactionType;
  readonly status: TransactionStatus;
  readonly isExternal: boolean;
  readonly isVirtual: boolean;
  readonly scheduledAmount: Amount;
  /** The amount that has moved; zero before. */
  readonly actualAmount: Amount;
  /** The four parts add up to `actualAmount` once applied; a replay may change them. */
  readonly paidPrincipalAmount: Amount;
  readonly paidInterestAmount: Amount;
  readonly paidFeesAmount: Amount;
  readonly paidOverAmount: Amount;
  readonly currency: string;
  readonly paymentDetails: PaymentDetailsView;
  readonly serviceCreditDetails: ServiceCreditView;
  readonly chargebackDetails: { readonly amount: Amount; readonly chargebacks: readonly ChargebackView[] };
  /** Lines of credit only. */
  readonly drawSplitDetails: readonly DrawSplitView[];
  readonly autopayPlanId: string | null;
  readonly autopayPaymentIds: readonly string[] | null;
  readonly parentTransactionId: string | null;
  readonly reversedByTransactionId: string | null;
  readonly reversedByTransactionExternalId: string | null;
  readonly reversedTransactionId: string | null;
  readonly reversedTransactionStatus: TransactionStatus | null;
  readonly reversingTransactionStatus: TransactionStatus | null;
  readonly retryAttempt: number | null;
  readonly retryOriginalTransactionId: string | null;
  readonly processorTransactionId: string | null;
  readonly processorReversalId: string | null;
  readonly processorReconciliationId: string | null;
  readonly processorMerchantId: null;
  readonly processingFeeAmount: Amount | null;
  readonly processingFeeType: 'gross' | 'net' | null;
  readonly achSameDay: boolean;
  readonly achProcessedSameDay: boolean;
  readonly achConfirmed: boolean;
  readonly achReturnCode: string | null;
  readonly avsResult: string | null;
  readonly failureReason: string | null;
  readonly failureDescriptionShort: string | null;
  readonly failureDescriptionLong: string | null;
  readonly processorFailureReason: string | null;
  readonly processorFailureDetails: string | null;
  readonly cancelReason: string | null;
  readonly cancelShortDescription: string | null;
  readonly cancelLongDescription: string | null;
  /** Null: the product's setting. */
  readonly enablePrepayments: boolean | null;
  readonly evidenceDocumentId: string | null;
  readonly consentDocumentId: string | null;
  readonly holdDaysEndDate: DateText | null;
  readonly createdBy: { readonly id: string; readonly name: string | null };
  readonly timestamps: TransactionTimestampsView;
  readonly caseId: string | null;
  readonly metaData: MetaData | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
}

export interface PaymentDetailsView {
  readonly type: 'ach' | 'debitCard' | 'creditCard' | 'check' | 'payroll' | 'paymentNetwork' | 'moneyOrder' | 'wire' | 'internal';
  readonly reason:
    | 'oneTimePayment'
    | 'autopay'
    | 'retry'
    | 'downPayment'
    | 'serviceCredit'
    | 'reversal'
    | 'chargeback'
    | 'reimbursement'
    | 'refund';
  readonly fromInstrumentId: string | null;
  readonly fromInstrument: InstrumentSummaryView | null;
  readonly toInstrumentId: string | null;
  readonly toInstrument: InstrumentSummaryView | null;
}

export interface InstrumentSummaryView {
  readonly instrumentType: InstrumentType;
  readonly accountNumberLastFour: string | null;
}

/** All fields are null for payments. */
export interface ServiceCreditView {
  readonly type: string | null;
  readonly sponsor: string | null;
  readonly reason: string | null;
  readonly displayName: string | null;
}

export interface TransactionTimestampsView {
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
  readonly initiatedAt: DateTimeText | null;
  readonly pendingAt: DateTimeText | null;
  readonly succeededAt: DateTimeText | null;
  readonly failedAt: DateTimeText | null;
  readonly canceledAt: DateTimeText | null;
  readonly inDisputeAt: DateTimeText | null;
  readonly chargebackAt: DateTimeText | null;
  readonly appliedAt: DateTimeText | null;
  readonly effectiveDate: DateText;
  readonly originalEffectiveDate: DateText;
  readonly scheduledDate: DateText;
  /** The date to show to a borrower: the scheduled date while it is scheduled, then the effective date. */
  readonly displayDate: DateText;
}

/** `GET L/transactions/{transactionId}/allocation`: the allocation of the money, in the waterfall's order. */
export interface AllocationRowView {
  readonly bucket: string;
  readonly obligationId: string | null;
  readonly dueDate: DateText | null;
  readonly drawId: string | null;
  readonly amount: Amount;
}

export interface AllocationView {
  readonly transactionId: string;
  readonly appliedAmount: Amount;
  readonly principalAmount: Amount;
  readonly interestAmount: Amount;
  readonly feesAmount: Amount;
  readonly overAmount: Amount;
  readonly rows: readonly AllocationRowView[];
}

/** `POST L/transactions/preview`. */
export interface TransactionPreviewView {
  readonly transaction: TransactionView;
  readonly allocation: AllocationView;
  /** Balances after the payment, on its effective date. */
  readonly balances: ResultingBalancesView;
  readonly obligations: readonly TouchedObligationView[];
}

export interface ResultingBalancesView {
  readonly effectiveDate: DateText;
  readonly loanStatus: string;
  readonly outstandingTotalAmount: Amount;
  readonly outstandingPrincipalAmount: Amount;
  readonly outstandingInterestAmount: Amount;
  readonly outstandingFeesAmount: Amount;
  readonly dueTotalAmount: Amount;
  readonly overdueTotalAmount: Amount;
  readonly chargedOffTotalAmount: Amount;
  readonly reimbursementAmount: Amount;
}

export interface TouchedObligationView {
  readonly obligationId: string;
  readonly dueDate: DateText;
  readonly obligationAmount: Amount;
  readonly fulfilledAmount: Amount;
  readonly remainingAmount: Amount;
  readonly isFulfilled: boolean;
}
