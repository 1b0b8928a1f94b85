import type { CancelReason, FailureReason } from '../../borrower/index.js';
import type { Cents, Day, EffectiveTime } from '../../../engine/index.js';
import type { Agent } from '../../kernel/fact.js';
import type { MetaData } from '../../wire.js';
import type { LoanStatus } from '../machine.js';
import type { TransactionStatus } from './machine.js';

/**
 * A payment or credit of a loan, beside what the ledger knows of it: what was asked for, and what became of it.
 * How its money was spread is not here: the ledger computes that whenever it is asked.
 */
export interface TransactionRecord extends TransactionDetails {
  readonly id: string;
  readonly transactionType: TransactionType;
  readonly status: TransactionStatus;
  readonly instrument: UsedInstrument | null;
  readonly currency: string;
  readonly serviceCredit: ServiceCredit | null;
  readonly reimbursement: Reimbursement | null;
  /** The number under which the ledger counts it; null while it does not. */
  readonly payment: number | null;
  /** When the ledger counts it from, or is to. */
  readonly effective: EffectiveTime;
  readonly originalEffectiveDay: Day;
  readonly scheduledDay: Day;
  readonly settlement: Settlement | null;
  readonly hold: Hold | null;
  /** Counter of the id of the fee for its return; null when no money can be returned. */
  readonly returnFeeCounter: number | null;
  /** The last day on which the caller was told that the external payment is due. */
  readonly toldDueOn: Day | null;
  readonly createdBy: Agent;
  /** The loan's status then: a change to one that collects nothing ends what was scheduled before. */
  readonly createdWhile: LoanStatus;
  /** Machine time in microseconds: the order of lists. */
  readonly createdStamp: number;
  readonly updatedStamp: number;
  readonly timestamps: TransactionTimestamps;
}

/**
 * `reversal`, `reimbursement` and `chargeback` (a part of a payment that was charged back) are money on its way back to
 * the borrower: the ledger counts no money of them, and is told of a reimbursement. `refund` is made of a purchase that was refunded: it
 * follows from the ledger.
 */
export type TransactionType = 'payment' | 'serviceCredit' | 'downPayment' | 'reversal' | 'reimbursement' | 'chargeback' | 'refund';

/** What the caller of an external transaction may set, and what every transaction carries along. */
export interface TransactionDetails {
  readonly externalId: string | null;
  readonly isExternal: boolean;
  readonly isVirtual: boolean;
  readonly scheduledCents: Cents;
  /** What moved; null before it did. */
  readonly actualCents: Cents | null;
  /** The split that the caller told of a transaction that the ledger does not count. */
  readonly toldSplit: Split | null;
  readonly enablePrepayments: boolean | null;
  /** Of a line of credit: the number of the draw that it is directed to. */
  readonly draw: number | null;
  readonly evidenceDocumentId: string | null;
  readonly consentDocumentId: string | null;
  readonly caseId: string | null;
  readonly metaData: MetaData | null;
  readonly parentTransactionId: string | null;
  readonly reversedByTransactionId: string | null;
  readonly reversedByTransactionExternalId: string | null;
  /** Of a reversal: the transaction that it reverses. */
  readonly reversedTransactionId: string | null;
  readonly autopayPlanId: string | null;
  readonly autopayPaymentIds: readonly string[] | null;
  /** The part that lowers principal alone and meets no obligation to come. */
  readonly principalOnlyCents: Cents | null;
  /** Of a re-presentment: 1 for the first one. */
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

export interface Split {
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
  readonly overCents: Cents;
}

/** The payment instrument as it was when it was used. */
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

/** How money goes back where no instrument says it. */
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

/** What an earlier release recorded of an instrument, without the last digits of its number. */
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

/** Money on its way back to the borrower. */
export const isPaidToBorrower = (record: Pick<TransactionRecord, 'transactionType'>): boolean =>
  record.transactionType === 'reversal' || record.transactionType === 'reimbursement' || record.transactionType === 'chargeback';
