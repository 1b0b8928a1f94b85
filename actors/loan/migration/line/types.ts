import type { tags } from 'typia';
import type { FailureReason } from '../../../borrower/index.js';
import type { PageQuery } from '../../../list-order.js';
import type { Amount, AnyId, DateText, ExternalId, MetaData, PositiveAmount, TimeOfDay, Whole } from '../../../wire.js';
import type { InstrumentType } from '../../transactions/record.js';
import type { DrawPart, LinePart, Part, DueStatus } from './history.js';

/** Bodies of a line's history before its migration. Absent amounts are zero. */

interface PastPeriodRequest {
  readonly startDate: DateText;
  /** Inclusive. */
  readonly endDate: DateText;
  readonly statementDate: DateText;
  readonly dueDate: DateText;
  readonly statementDocumentId?: AnyId | null;
  readonly statementBalanceAmount?: Amount | null;
  readonly minPaymentAmount?: Amount | null;
}

export interface CreatePastPeriodsRequest {
  readonly pastPeriods: readonly PastPeriodRequest[] & tags.MinItems<1> & tags.MaxItems<600>;
  readonly caseId?: AnyId | null;
}

/** Absent fields are untouched, null clears. */
export interface UpdatePastPeriodRequest extends Partial<PastPeriodRequest> {
  readonly caseId?: AnyId | null;
}

export interface DeletePastPeriodRequest {
  readonly caseId?: AnyId | null;
}

/** The past period with this due date. */
export interface PastPeriodQuery {
  readonly dueDate: DateText;
}

export interface ListPastPeriodsQuery {
  readonly dueDate?: DateText;
}

/** `<bucket><Part>Amount`: `nonDuePrincipalAmount`. */
type BalanceAmounts<At extends DueStatus, Name extends Part> = { readonly [Key in Name as `${At}${Key}Amount`]?: Amount | null };

interface Balances<Name extends Part> {
  readonly nonDueBalances?: BalanceAmounts<'nonDue', Name> | null;
  readonly dueBalances?: BalanceAmounts<'due', Name> | null;
  readonly overdueBalances?: BalanceAmounts<'overdue', Name> | null;
}

interface Dates {
  readonly startDate: DateText;
  readonly endDate: DateText;
  readonly statementDate: DateText;
  readonly dueDate: DateText;
}

export interface MigrationPeriodRequest extends Dates, Balances<LinePart> {
  readonly reimbursementAmount?: Amount | null;
  readonly obligation?: MigratedObligationRequest | null;
  readonly caseId?: AnyId | null;
}

export interface MigratedObligationRequest {
  readonly obligationAmount?: Amount | null;
  readonly remainingAmount?: Amount | null;
  readonly migratedOverdueAmount?: Amount | null;
  readonly migratedOverdueRemainingAmount?: Amount | null;
  readonly migratedDaysOverdue?: Whole | null;
  readonly isGracePeriodEligible?: boolean | null;
  /** Overdue obligations by due date; without them, the whole overdue amount is one obligation. */
  readonly overdueObligations?: (readonly OverdueObligationRequest[] & tags.MaxItems<120>) | null;
}

export interface OverdueObligationRequest {
  readonly dueDate: DateText;
  /** Default: the remaining amount. */
  readonly obligationAmount?: Amount | null;
  readonly remainingAmount: PositiveAmount;
}

export interface DrawMigrationPeriodRequest extends Dates, Balances<DrawPart> {
  readonly isGracePeriodEligible?: boolean | null;
  readonly fullBalanceAmount?: Amount | null;
  readonly caseId?: AnyId | null;
}

export type UpdateMigrationPeriodRequest = Partial<MigrationPeriodRequest>;
export type UpdateDrawMigrationPeriodRequest = Partial<DrawMigrationPeriodRequest>;

/** A transaction of the other system before the cutoff. It is external. */
export interface PastTransactionRequest {
  readonly type?: 'oneTime' | 'downPayment' | 'serviceCredit';
  readonly amount: PositiveAmount;
  /** Default: succeeded. */
  readonly status?: 'pending' | 'succeeded' | 'failed';
  readonly failureReason?: FailureReason | null;
  readonly externalId?: ExternalId | null;
  readonly isExternal?: true;
  readonly effectiveDate: DateText;
  readonly effectiveTimeOfDay?: TimeOfDay | null;
  readonly paymentInstrumentType?: InstrumentType | null;
  readonly drawSplitDetails?: (readonly PastSplitRequest[] & tags.MaxItems<500>) | null;
  readonly caseId?: AnyId | null;
  readonly metaData?: MetaData | null;
}

export interface PastSplitRequest {
  readonly drawId: AnyId;
  readonly principalAmount?: Amount | null;
  readonly interestAmount?: Amount | null;
  readonly feesAmount?: Amount | null;
}

export interface MovePastTransactionRequest {
  readonly status: 'succeeded' | 'failed';
  readonly failureReason?: FailureReason | null;
  readonly caseId?: AnyId | null;
}

export type ListPastTransactionsQuery = PageQuery;
