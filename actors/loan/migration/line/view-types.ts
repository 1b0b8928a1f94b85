import type { ActorView } from '../../../kernel/actor-logic.js';
import type { Amount, DateText, DateTimeText, MetaData, TimeOfDay } from '../../../wire.js';
import type { DrawPart, LinePart, Part, DueStatus } from './history.js';

interface Dates {
  readonly id: string;
  readonly startDate: DateText;
  readonly endDate: DateText;
  readonly statementDate: DateText;
  readonly dueDate: DateText;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
}

export interface PastPeriodView extends Dates {
  readonly object: 'migrationPastPeriod';
  readonly statementDocumentId: string | null;
  readonly statementBalanceAmount: Amount | null;
  readonly minPaymentAmount: Amount | null;
}

export type BalanceViews<At extends DueStatus, Name extends Part> = {
  readonly [Key in `${At}${Name}Amount` | `${At}TotalAmount`]: Amount;
};

export interface BalancesView<Name extends Part> {
  readonly nonDueBalances: BalanceViews<'nonDue', Name>;
  readonly dueBalances: BalanceViews<'due', Name>;
  readonly overdueBalances: BalanceViews<'overdue', Name>;
}

export interface MigrationPeriodView extends Dates, BalancesView<LinePart> {
  readonly object: 'migrationPeriod';
  readonly reimbursementAmount: Amount;
  readonly obligation: {
    readonly obligationAmount: Amount;
    readonly remainingAmount: Amount;
    readonly migratedOverdueAmount: Amount;
    readonly migratedOverdueRemainingAmount: Amount;
    readonly migratedDaysOverdue: number;
    readonly isGracePeriodEligible: boolean;
    readonly overdueObligations: readonly {
      readonly dueDate: DateText;
      readonly obligationAmount: Amount;
      readonly remainingAmount: Amount;
    }[];
  };
}

export interface DrawMigrationPeriodView extends Dates, BalancesView<DrawPart> {
  readonly object: 'migrationPeriod';
  readonly drawId: string;
  readonly isGracePeriodEligible: boolean;
  readonly fullBalanceAmount: Amount;
}

export interface PastTransactionView {
  readonly id: string;
  readonly object: 'pastTransaction';
  readonly externalId: string | null;
  readonly loanId: string;
  readonly transactionType: 'payment' | 'downPayment' | 'serviceCredit' | 'reversal';
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly isExternal: true;
  readonly actualAmount: Amount;
  readonly paidPrincipalAmount: Amount;
  readonly paidInterestAmount: Amount;
  readonly paidFeesAmount: Amount;
  readonly effectiveTimeOfDay: TimeOfDay;
  readonly paymentInstrumentType: string | null;
  readonly failureReason: string | null;
  readonly drawSplitDetails: readonly PastSplitView[];
  readonly parentTransactionId: string | null;
  readonly reversedByTransactionId: string | null;
  readonly createdBy: ActorView;
  readonly caseId: string | null;
  readonly metaData: MetaData | null;
  readonly timestamps: { readonly createdAt: DateTimeText; readonly updatedAt: DateTimeText; readonly effectiveDate: DateText };
}

interface PastSplitView {
  readonly drawId: string;
  readonly principalAmount: Amount;
  readonly interestAmount: Amount;
  readonly feesAmount: Amount;
  readonly totalAmount: Amount;
}
