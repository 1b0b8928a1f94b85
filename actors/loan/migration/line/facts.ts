import type {
  DrawMigrationPeriodTerms,
  MigrationPeriodTerms,
  PastFeeTerms,
  PastPeriodTerms,
  PastTransactionStatus,
  PastTransactionTerms,
} from './history.js';

/** What is recorded of a line of credit before it is migrated. */
export interface LineHistoryFacts {
  readonly PastPeriodsRecorded: PastPeriodsRecorded;
  readonly PastPeriodChanged: PastPeriodChanged;
  readonly PastPeriodRemoved: PastPeriodRemoved;
  readonly MigrationPeriodStated: MigrationPeriodStated;
  readonly DrawMigrationPeriodStated: DrawMigrationPeriodStated;
  readonly PastTransactionRecorded: PastTransactionRecorded;
  readonly PastTransactionMoved: PastTransactionMoved;
  readonly PastTransactionReversed: PastTransactionReversed;
  readonly PastExternalIdCleared: PastExternalIdCleared;
  readonly PastFeeRecorded: PastFeeRecorded;
  readonly PastFeeCanceled: PastFeeCanceled;
}

export interface PastPeriodsRecorded {
  readonly periods: readonly PastPeriodTerms[];
}

/** The period as it is from now on. */
export interface PastPeriodChanged {
  readonly period: PastPeriodTerms;
}

export interface PastPeriodRemoved {
  readonly periodId: string;
}

/** The line's balances at the cutoff, all of them, as they are stated from now on. */
export interface MigrationPeriodStated {
  readonly period: MigrationPeriodTerms;
}

export interface DrawMigrationPeriodStated {
  readonly period: DrawMigrationPeriodTerms;
}

export interface PastTransactionRecorded {
  readonly transaction: PastTransactionTerms;
}

export interface PastTransactionMoved {
  readonly transactionId: string;
  readonly status: PastTransactionStatus;
  readonly failureReason: string | null;
}

/** The money went back by a transaction of its own. */
export interface PastTransactionReversed {
  readonly transactionId: string;
  readonly reversal: PastTransactionTerms;
}

/** The external id of a past transaction is free for another one. */
export interface PastExternalIdCleared {
  readonly transactionId: string;
  readonly caseId: string | null;
}

export interface PastFeeRecorded {
  readonly fee: PastFeeTerms;
}

export interface PastFeeCanceled {
  readonly feeId: string;
  readonly reason: string | null;
  readonly caseId: string | null;
}
