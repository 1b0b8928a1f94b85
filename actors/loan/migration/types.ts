import type { tags } from 'typia';
import type { Amount, AnyId, DateText, DateTimeText, ShortText, SignedAmount, TimeOfDay, Whole } from '../../wire.js';
import type { LoanStatus } from '../machine.js';
import type { MigrationStatus } from './migration.js';

/** `migration` of a loan. */
export interface MigrationRequest {
  /** When the other system activated the loan. If it is given, the loan is prepared for migration. */
  readonly activatedDate?: DateText | null;
  readonly activatedTimeOfDay?: TimeOfDay | null;
  readonly migrationStatus?: 'nonMigrated' | 'prepMigration' | null;
  /** The status of a line at its cutoff. Default: active. */
  readonly statusAtMigration?: 'active' | 'accelerated' | 'chargedOff' | null;
  /** The day since when it has that status. */
  readonly statusAtMigrationDate?: DateText | null;
  readonly creditReporting?: CreditReportingRequest | null;
}

export interface CreditReportingRequest {
  readonly dateClosed?: DateText | null;
  readonly dateOfFirstDelinquency?: DateText | null;
  readonly k2Segment?: { readonly purchasedFromName?: ShortText | null } | null;
  readonly l1Segment?: { readonly changeIndicator?: ShortText | null; readonly oldConsumerAccountNumber?: ShortText | null } | null;
  /** Newest month first; `B`: nothing earlier is known. */
  readonly paymentHistoryProfile?: (string & tags.MaxLength<24> & tags.Pattern<'^[0-6DEGHJKL]*B*$'>) | null;
}

/** `timestamps` of a new loan that is to be migrated; ignored for any other loan. */
export interface LoanTimestampsRequest {
  readonly createdAt?: DateTimeText | null;
  readonly startedAt?: DateTimeText | null;
  readonly originatedAt?: DateTimeText | null;
  readonly acceleratedAt?: DateTimeText | null;
  readonly chargedOffAt?: DateTimeText | null;
  readonly paidOffAt?: DateTimeText | null;
  readonly closedAt?: DateTimeText | null;
}

/** `POST L/migrate`. */
export interface MigrateLoanRequest {
  /** Figures of the other system. The report compares each with the replay's. */
  readonly stated?: StatedFigures | null;
  /** Whether the migration fails if a figure differs by more than the tolerance. Default: false. */
  readonly failOnDifference?: boolean;
  /** Default 0.00. */
  readonly toleranceAmount?: Amount | null;
  readonly caseId?: AnyId | null;
}

export interface MigrateLoanQuery {
  readonly sync?: boolean;
  /** A dry run: returns the report and changes nothing. */
  readonly validateOnly?: boolean;
}

export interface StatedFigures {
  /** The end of this day is compared. Default: today. */
  readonly asOfDate?: DateText | null;
  readonly status?: LoanStatus | null;
  readonly outstandingAmount?: Amount | null;
  readonly principalAmount?: Amount | null;
  readonly interestAmount?: Amount | null;
  readonly feesAmount?: Amount | null;
  readonly overdueAmount?: Amount | null;
  readonly daysOverdue?: Whole | null;
  readonly paidPrincipalAmount?: Amount | null;
  readonly paidInterestAmount?: Amount | null;
  readonly paidFeesAmount?: Amount | null;
  readonly reimbursementAmount?: Amount | null;
  readonly nextDueDate?: DateText | null;
  readonly nextDueAmount?: Amount | null;
  readonly endDate?: DateText | null;
  readonly transactions?: (readonly StatedTransaction[] & tags.MaxItems<1566>) | null;
}

/** How the other system split a payment. */
export interface StatedTransaction {
  readonly transactionId: AnyId;
  readonly paidPrincipalAmount?: Amount | null;
  readonly paidInterestAmount?: Amount | null;
  readonly paidFeesAmount?: Amount | null;
  readonly paidOverAmount?: Amount | null;
}

export interface RollBackMigrationRequest {
  readonly caseId?: AnyId | null;
}

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

/** The reply of `GET L/migration` and of a migration. */
export interface MigrationReply extends MigrationView {
  readonly loanId: string;
  readonly status: LoanStatus;
  readonly failedAt: DateTimeText | null;
  /** The number of recorded activities that wait for the migration. */
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
  /** Computed minus stated; null for figures that are not numbers. */
  readonly difference: SignedAmount | number | null;
  readonly isMatch: boolean;
}
