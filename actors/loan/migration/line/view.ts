import { type Cents, cents } from '../../../../engine/index.js';
import { actorView } from '../../../kernel/actor-view.js';
import { amount, dateText, dateTimeText, orNull, timeOfDay } from '../../../wire.js';
import type { LoanState } from '../../state.js';
import { partsCents } from './check-balances.js';
import {
  DRAW_PARTS,
  type DrawMigrationPeriod,
  LINE_PARTS,
  type MigratedBalances,
  type MigrationPeriod,
  type Part,
  type PastPeriod,
  type PastSplit,
  type PastTransaction,
  type PeriodDays,
  STANDINGS,
} from './history.js';
import type { BalancesView, DrawMigrationPeriodView, MigrationPeriodView, PastPeriodView, PastTransactionView } from './view-types.js';

interface Shown extends PeriodDays {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const dates = ({
  id,
  startDay,
  endDay,
  statementDay,
  dueDay,
  createdAt,
  updatedAt,
}: Shown): Omit<PastPeriodView, 'object' | 'statementDocumentId' | 'statementBalanceAmount' | 'minPaymentAmount'> => ({
  id,
  startDate: dateText(startDay),
  endDate: dateText(endDay),
  statementDate: dateText(statementDay),
  dueDate: dateText(dueDay),
  createdAt: dateTimeText(createdAt),
  updatedAt: dateTimeText(updatedAt),
  deletedAt: null,
});

export const pastPeriodView = (period: PastPeriod): PastPeriodView => ({
  ...dates(period),
  object: 'migrationPastPeriod',
  statementDocumentId: period.statementDocumentId,
  statementBalanceAmount: orNull(amount, period.statementBalanceCents),
  minPaymentAmount: orNull(amount, period.minPaymentCents),
});

export const migrationPeriodView = (period: MigrationPeriod): MigrationPeriodView => ({
  ...dates(period),
  object: 'migrationPeriod',
  ...balancesView(period.balances, LINE_PARTS),
  reimbursementAmount: amount(period.reimbursementCents),
  obligation: {
    obligationAmount: amount(period.obligation.obligationCents),
    remainingAmount: amount(period.obligation.remainingCents),
    migratedOverdueAmount: amount(period.obligation.overdueCents),
    migratedOverdueRemainingAmount: amount(period.obligation.overdueRemainingCents),
    migratedDaysOverdue: period.obligation.daysOverdue,
    isGracePeriodEligible: period.obligation.isGracePeriodEligible,
    overdueObligations: period.obligation.overdue.map(({ dueDay, obligationCents, remainingCents }) => ({
      dueDate: dateText(dueDay),
      obligationAmount: amount(obligationCents),
      remainingAmount: amount(remainingCents),
    })),
  },
});

export const drawPeriodView = (period: DrawMigrationPeriod): DrawMigrationPeriodView => ({
  ...dates(period),
  object: 'migrationPeriod',
  drawId: period.drawId,
  ...balancesView(period.balances, DRAW_PARTS),
  isGracePeriodEligible: period.isGracePeriodEligible,
  fullBalanceAmount: amount(period.fullBalanceCents),
});

/** Each part by its name in the interface, and their sum. */
function balancesView<Name extends Part>(balances: MigratedBalances<Name>, parts: readonly Name[]): BalancesView<Name> {
  const blocks = STANDINGS.map((at) => {
    const shown = parts.map((part) => [`${at}${part}Amount`, amount(balances[at][part] ?? (0 as Cents))]);
    return [`${at}Balances`, { ...Object.fromEntries(shown), [`${at}TotalAmount`]: amount(cents(partsCents(balances[at], parts))) }];
  });
  return Object.fromEntries(blocks) as BalancesView<Name>;
}

export function pastTransactionView(state: LoanState, past: PastTransaction): PastTransactionView {
  const isGone = past.status === 'failed' || past.reversedByTransactionId !== null;
  const paid = (part: (split: PastSplit) => number): Cents => cents(isGone ? 0 : past.splits.reduce((sum, split) => sum + part(split), 0));
  return {
    id: past.id,
    object: 'pastTransaction',
    externalId: past.externalId,
    loanId: state.id,
    transactionType: past.transactionType,
    status: past.status,
    isExternal: true,
    actualAmount: amount(past.amountCents),
    paidPrincipalAmount: amount(paid(({ principalCents }) => principalCents)),
    paidInterestAmount: amount(paid(({ interestCents }) => interestCents)),
    paidFeesAmount: amount(paid(({ feesCents }) => feesCents)),
    effectiveTimeOfDay: timeOfDay(past.effectiveSeconds),
    paymentInstrumentType: past.instrumentType,
    failureReason: past.failureReason,
    drawSplitDetails: past.splits.map(({ drawId, principalCents, interestCents, feesCents }) => ({
      drawId,
      principalAmount: amount(principalCents),
      interestAmount: amount(interestCents),
      feesAmount: amount(feesCents),
      totalAmount: amount(cents(principalCents + interestCents + feesCents)),
    })),
    parentTransactionId: past.parentTransactionId,
    reversedByTransactionId: past.reversedByTransactionId,
    createdBy: actorView(past.createdBy),
    caseId: past.caseId,
    metaData: past.metaData,
    timestamps: {
      createdAt: dateTimeText(past.createdAt),
      updatedAt: dateTimeText(past.updatedAt),
      effectiveDate: dateText(past.effectiveDay),
    },
  };
}
