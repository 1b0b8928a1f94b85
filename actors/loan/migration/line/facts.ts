import type { DrawMigrationPeriodTerms, MigrationPeriodTerms, PastPeriodTerms, PastTransactionStatus, PastTransactionTerms } from './history.js';

/** What is recorded of a line of credit before it is migrated. */
export interface LineHistoryFacts {
  readonly PastPeriodsRecorded: PastPeriodsRecorded;
  readonly PastPeriodChanged: PastPeriodChanged;
  readonly PastPeriodRemoved: PastPeriodRemoved;
  readonly MigrationPeriodStated: MigrationPeriodStated;
  readonly DrawMigrationPeriodStated: DrawMigrationPeriodStated;
  readonly PastTransactionRecorded: PastTransactionRecorded;
  readonly PastTransactionMoved: PastTransactionMoved;
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
