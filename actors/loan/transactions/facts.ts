import type { Asked } from './details.js';
import type { TransactionMove } from './machine.js';
import type { TransactionDetails, TransactionRecord, TransactionTimestamps } from './record.js';

/**
 * What happens to transactions. A fact that changes what the ledger counts is followed by a ledger fact in the same
 * batch, so that both hold or neither.
 */
export interface TransactionFacts {
  readonly TransactionCreated: TransactionCreated;
  readonly TransactionMoved: TransactionMoved;
  readonly TransactionUpdated: TransactionUpdated;
}

export interface TransactionCreated {
  /** `schedule`, `initiate`, `post`, `succeed` or `fail`. */
  readonly move: TransactionMove;
  /** Status, times and author follow from the move and the envelope. */
  readonly transaction: NewTransaction;
  readonly caseId: string | null;
}

/** Details that are not there are left out. */
export type NewTransaction = Asked;

export interface TransactionMoved {
  readonly transactionId: string;
  readonly move: TransactionMove;
  readonly changes: TransactionChanges;
  readonly caseId: string | null;
}

export interface TransactionUpdated {
  readonly transactionId: string;
  readonly changes: TransactionChanges;
  readonly caseId: string | null;
}

/** The fields that change, with their new values; times that the caller set are among them. */
export type TransactionChanges = Partial<
  TransactionDetails &
    Pick<TransactionRecord, 'instrument' | 'payment' | 'effective' | 'scheduledDay' | 'settlement' | 'hold' | 'toldDueOn'>
> & { readonly times?: Partial<TransactionTimestamps> };
