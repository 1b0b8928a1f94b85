import type { CancelReason, FailureReason } from '../../borrower/index.js';
import type { Cents, Day, EffectiveTime } from '../../../engine/index.js';
import type { Agent } from '../../kernel/fact.js';
import type { MetaData } from '../../wire.js';
import type { LoanStatus } from '../machine.js';
import type { TransactionStatus } from './machine.js';

/**
 * A payment, a credit or money on its way back to the borrower: what was requested, and its state. The allocation of the money is not
 * stored: the ledger computes it.
 */
export interface TransactionRecord extends TransactionDetails {
  readonly id: string;
  readonly transactionType: TransactionType;
  readonly status: TransactionStatus;
  readonly instrument: UsedInstrument | null;
  readonly currency: string;
  readonly serviceCredit: ServiceCredit | null;
  readonly reimbursement: Reimbursement | null;
  /** Its number in the ledger, where it is named `transaction`; null while the ledger does not count it. */
  readonly payment: number | null;
  /** The time from which the ledger counts it, or will count it. */
  readonly effective: EffectiveTime;
  readonly originalEffectiveDay: Day;
  readonly scheduledDay: Day;
  readonly settlement: Settlement | null;
  readonly hold: Hold | null;
  /** Counter of the id of the fee for its return; null if no money can be returned. */
  readonly returnFeeCounter: number | null;
  /** The last day on which `payment.due.today` was published for an external payment. */
  readonly toldDueOn: Day | null;
  readonly createdBy: Agent;
  /** The loan's status at creation: a later status in which nothing is collected cancels the transaction while it is scheduled. */
  readonly createdWhile: LoanStatus;
  /** Machine time in microseconds: the order of lists. */
  readonly createdStamp: number;
  readonly updatedStamp: number;
  readonly timestamps: TransactionTimestamps;
}

/**
 * `reversal`, `reimbursement` and `chargeback` (a part of a payment that was charged back) are money on its way back to the borrower. Of
 * these, the ledger has a fact for `reimbursement` only. A `refund` follows from a refunded purchase: the ledger computes it.
 */
export type TransactionType = 'payment' | 'serviceCredit' | 'downPayment' | 'reversal' | 'reimbursement' | 'chargeback' | 'refund';

/** Fields that the caller of an external transaction may set, and references and texts of every transaction. */
export interface TransactionDetails {
  readonly externalId: string | null;
  readonly isExternal: boolean;
  readonly isVirtual: boolean;
  readonly scheduledCents: Cents;
  /** The amount that has moved; null before. */
  readonly actualCents: Cents | null;
  /** The split that the caller states of a transaction that the ledger does not count. */
  readonly toldSplit: Split | null;
  readonly enablePrepayments: boolean | null;
  /** The number of the draw of a line that it is directed to. */
  readonly draw: number | null;
  readonly evidenceDocumentId: string | null;
  readonly consentDocumentId: string | null;
  readonly caseId: string | null;
  readonly metaData: MetaData | null;
  readonly parentTransactionId: string | null;
  readonly reversedByTransactionId: string | null;
  readonly reversedByTransactionExternalId: string | null;
  /** For a reversal: the transaction that it reverses. */
  readonly reversedTransactionId: string | null;
  readonly autopayPlanId: string | null;
  readonly autopayPaymentIds: readonly string[] | null;
  /** The part that only lowers principal and does not count towards coming obligations. */
  readonly principalOnlyCents: Cents | null;
  /** For a re-presentment: its number, from 1. */
  readonly retryAttempt: number | null;
  readonly retryOriginalTransactionId: string | null;
  readonly processorTransactionId: string | null;
  readonly processorReversalId: string | null;
  readonly processorReconciliationId: string | null;
  readonly processingFeeCents: Cents | null;
  readonly processingFeeType: 'gross' | 'net' | null;
  readonly achReturnCode: string | null;
  readonly avsResult: string | null;
  readonly failureReason: FailureReason | null;
  readonly processorFailureReason: string | null;
  readonly processorFailureDetails: string | null;
  readonly cancelReason: CancelReason | null;
}

/** The amount of a transaction in the ledger (`amountCents` of its facts): what has moved, before that what is to move. */
export const movedCents = ({ actualCents, scheduledCents }: Pick<TransactionDetails, 'actualCents' | 'scheduledCents'>): Cents =>
  actualCents ?? scheduledCents;

export interface Split {
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
  readonly overCents: Cents;
}

/** The payment instrument at the time of its use. */
export interface UsedInstrument {
  readonly id: string;
  /** The borrower that it belongs to. */
  readonly personId: string;
  readonly instrumentType: InstrumentType;
  readonly cardType: 'debit' | 'credit' | null;
}

export type InstrumentType = 'bankAccount' | 'card' | 'check' | 'payroll' | 'paymentNetwork' | 'moneyOrder' | 'wire';

export interface ServiceCredit {
  readonly type: string;
  readonly sponsor: string | null;
  readonly reason: string | null;
  readonly displayName: string | null;
}

/** How the borrower is reimbursed if there is no instrument. */
interface Reimbursement {
  readonly instrumentType: InstrumentType | null;
  /** The address that a check is mailed to. */
  readonly contactId: string | null;
}

/** When money that the service moves is handed over and counts as settled; a return may still come later. */
export interface Settlement {
  readonly handOverDay: Day;
  readonly settleDay: Day;
  readonly lateReturn: { readonly day: Day; readonly returnCode: string } | null;
  /** Absent: the settlement port decides. */
  readonly ach?: AchSettlement;
  readonly card?: CardSettlement;
}

/** Money that a processor of cards moves. It is pending from its authorization on, and succeeds when it is captured. */
export interface CardSettlement {
  /** Null: none was active when the payment was initiated; it fails. */
  readonly processorId: string | null;
  /** The day of the processor's results that have it; null until the money has moved. */
  readonly resultDay: Day | null;
}

/** Money that the files of a payment processor move. It is pending from the upload of its file on. */
interface AchSettlement {
  readonly processorId: string;
  /** Null until a file that has it was uploaded. */
  readonly fileId: string | null;
  readonly isSameDay: boolean;
  /** On which the bank settles its entry; null until it is in a file. */
  readonly entryDay: Day | null;
}

export interface Hold {
  /** The last day of the hold. */
  readonly endDay: Day;
  readonly isOver: boolean;
}

/** Milliseconds of the company's clock. */
export interface TransactionTimestamps {
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly initiatedAt: number | null;
  readonly pendingAt: number | null;
  readonly succeededAt: number | null;
  readonly failedAt: number | null;
  readonly canceledAt: number | null;
  readonly inDisputeAt: number | null;
  readonly chargebackAt: number | null;
  readonly appliedAt: number | null;
}

/** The instrument without the last digits of its number, which an earlier release recorded. */
export function withoutDigits(used: UsedInstrument): UsedInstrument {
  if (!('lastFour' in used)) return used;
  const { id, personId, instrumentType, cardType } = used;
  return { id, personId, instrumentType, cardType };
}

/** Whether the ledger treats it as the borrower's money or as a credit. */
export const isCredit = (record: Pick<TransactionRecord, 'transactionType'>): boolean => record.transactionType === 'serviceCredit';

/** Money that the service moves itself. */
export const isInternalMoney = (record: Pick<TransactionRecord, 'transactionType' | 'isExternal'>): boolean =>
  !record.isExternal && !isCredit(record);

/** Whether a processor of cards has something to do for it. */
export const awaitsCard = ({ status, settlement }: Pick<TransactionRecord, 'status' | 'settlement'>): boolean =>
  (status === 'initiated' || status === 'pending') && settlement?.card?.processorId != null;

/** Whether a processor of cards has moved its money, and no results of the processor have had it yet. */
export const awaitsCardResult = ({
  settlement,
  processorReconciliationId,
}: Pick<TransactionRecord, 'settlement' | 'processorReconciliationId'>): boolean =>
  settlement?.card?.resultDay != null && processorReconciliationId === null;

/** Money on its way back to the borrower. */
export const isPaidToBorrower = (record: Pick<TransactionRecord, 'transactionType'>): boolean =>
  record.transactionType === 'reversal' || record.transactionType === 'reimbursement' || record.transactionType === 'chargeback';
