import type { Amount, DateText, DateTimeText, SignedAmount, TimeOfDay } from '../../wire.js';
import type { LoanStatus } from '../machine.js';
import type { MigrationStatus } from './machine.js';

/** `migration` of a loan's reply. */
export interface MigrationView {
  readonly migrationStatus: MigrationStatus;
  readonly activatedDate: DateText | null;
  readonly activatedTimeOfDay: TimeOfDay | null;
  /** Of lines of credit. */
  readonly cutoffDate: DateText | null;
  readonly statusAtMigration: 'active' | 'accelerated' | 'chargedOff' | null;
  readonly statusAtMigrationDate: DateText | null;
  readonly migratedAt: DateTimeText | null;
  readonly errors: readonly MigrationErrorView[];
  readonly creditReporting: CreditReportingView | null;
}

interface MigrationErrorView {
  readonly code: string;
  readonly message: string;
  readonly field: string;
}

export interface CreditReportingView {
  readonly dateClosed: DateText | null;
  readonly dateOfFirstDelinquency: DateText | null;
  readonly k2Segment: { readonly purchasedFromName: string | null };
  readonly l1Segment: { readonly changeIndicator: string | null; readonly oldConsumerAccountNumber: string | null };
  readonly paymentHistoryProfile: string | null;
}

/** `GET L/migration`, and what a run of the migration answers. */
export interface MigrationReply extends MigrationView {
  readonly loanId: string;
  readonly status: LoanStatus;
  readonly failedAt: DateTimeText | null;
  /** What was recorded in preparation and waits for the run. */
  readonly preparedActivities: number;
  readonly reconciliation: ReconciliationView | null;
}

export interface ReconciliationView {
  readonly asOfDate: DateText;
  readonly figures: readonly ReconciledFigureView[];
  readonly differences: number;
}

/** An amount, a date, a number of days or a status. */
export type FigureView = Amount | DateText | string | number;

export interface ReconciledFigureView {
  readonly field: string;
  readonly stated: FigureView;
  readonly computed: FigureView | null;
  /** Computed less stated; null where there is nothing to subtract. */
  readonly difference: SignedAmount | number | null;
  readonly isMatch: boolean;
}
