import type { Day } from '../../../engine/index.js';
import type { Fault } from '../../errors.js';
import type { Agent, EffectiveTime } from '../../kernel/fact.js';
import type { LineHistory } from './line/history.js';
import type { MigrationStatus } from './machine.js';

/** What is known of a loan's way in from another system. Replaced, never changed. */
export interface Migration extends MigrationTerms {
  readonly status: MigrationStatus;
  /** What was recorded while in preparation, in that order; nothing any more once the loan is migrated. */
  readonly prepared: readonly PreparedActivity[];
  /** Of the last run that failed. */
  readonly errors: readonly Fault[];
  /** Milliseconds of the company's clock. */
  readonly failedAt: number | null;
  readonly migratedAt: number | null;
  /** What the last run gave beside what the caller had stated. */
  readonly reconciliation: Reconciliation | null;
  /** Of a line of credit for which something was recorded. */
  readonly line: LineHistory | null;
}

/** What the caller says of the migration. */
export interface MigrationTerms {
  /** When the other system had activated the loan; null only while it is not to be migrated. */
  readonly activatedDay: Day | null;
  readonly activatedSeconds: number | null;
  readonly creditReporting: MigratedCreditReporting | null;
  readonly statedTimes: StatedTimes;
  /** Of a line: how it stood at its cutoff; null: active. An installment loan's follows from the replay. */
  readonly statusAtCutoff: StatusAtCutoff | null;
}

export interface StatusAtCutoff {
  readonly status: 'accelerated' | 'chargedOff';
  readonly since: Day | null;
}

export const NO_TIMES: StatedTimes = { acceleratedAt: null, chargedOffAt: null, paidOffAt: null };

/** Of a loan that the service had from its first day. */
export const NOT_MIGRATED: Migration = {
  status: 'nonMigrated',
  activatedDay: null,
  activatedSeconds: null,
  creditReporting: null,
  statedTimes: NO_TIMES,
  statusAtCutoff: null,
  prepared: [],
  errors: [],
  failedAt: null,
  migratedAt: null,
  reconciliation: null,
  line: null,
};

/** Statuses that the replay computes, as the other system dates them: milliseconds. */
export interface StatedTimes {
  readonly acceleratedAt: number | null;
  readonly chargedOffAt: number | null;
  readonly paidOffAt: number | null;
}

export interface MigratedCreditReporting {
  readonly dateClosed: Day | null;
  readonly dateOfFirstDelinquency: Day | null;
  readonly purchasedFromName: string | null;
  readonly changeIndicator: string | null;
  readonly oldConsumerAccountNumber: string | null;
  /** Up to 24 months of earlier history, newest first. */
  readonly paymentHistoryProfile: string | null;
}

/** A fact about the loan that waits for the replay: exactly what would have been recorded about a live loan. */
export interface PreparedActivity {
  readonly type: string;
  readonly body: unknown;
  readonly effective: EffectiveTime | null;
  readonly at: number;
  readonly stamp: number;
  readonly by: Agent;
}

export interface Reconciliation {
  /** The end of this day was compared. */
  readonly day: Day;
  readonly rows: readonly ReconciledFigure[];
}

/** A figure as the caller states it and as the replay gives it: cents, days since 1970, plain numbers, or text. */
export interface ReconciledFigure {
  readonly field: string;
  readonly kind: 'amount' | 'date' | 'count' | 'text';
  readonly stated: number | string;
  readonly computed: number | string | null;
}
