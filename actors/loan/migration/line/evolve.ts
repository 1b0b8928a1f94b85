import { cents, type Cents, tableOf, ZERO } from '../../../../engine/index.js';
import { actorView } from '../../../kernel/actor-logic.js';
import { type Amount, amount, dateText, dateTimeText, orNull, timeOfDay } from '../../../wire.js';
import { loanEvent } from '../../events.js';
import type { LoanState } from '../../state.js';
import type { Applying } from '../../applying.js';
import { type Migration, NOT_MIGRATED } from '../migration.js';
import { partsCents } from './check.js';
import {
  DRAW_PARTS,
  type DrawMigrationPeriod,
  type DrawMigrationPeriodTerms,
  LINE_PARTS,
  type LineHistory,
  type MigratedBalances,
  type MigrationPeriod,
  type MigrationPeriodTerms,
  NO_HISTORY,
  type Part,
  type PastFeeTerms,
  type PastPeriod,
  type PastPeriodTerms,
  type PastSplit,
  type PastTransaction,
  type PastTransactionStatus,
  type PastTransactionTerms,
  type PeriodDays,
  type DueStatus,
} from './history.js';
import type {
  BalancesView,
  BalanceViews,
  DrawMigrationPeriodView,
  MigrationPeriodView,
  PastPeriodView,
  PastTransactionView,
} from './view-types.js';

/** Applies the facts of a line's history before its migration. They have no events. */
export const APPLY_LINE_HISTORY: {
  readonly [Type in keyof LineHistoryFacts]: (applying: Applying, body: LineHistoryFacts[Type]) => void;
} = {
  PastPeriodsRecorded({ state, fact: { businessAt } }, { periods }) {
    const made = periods.map((period) => ({ ...period, createdAt: businessAt, updatedAt: businessAt }));
    change(state, ({ pastPeriods }) => ({ pastPeriods: [...pastPeriods, ...made].sort((a, b) => a.startDay - b.startDay) }));
  },
  PastPeriodChanged({ state, fact: { businessAt } }, { period }) {
    change(state, ({ pastPeriods }) => ({
      pastPeriods: pastPeriods
        .map((known) => (known.id === period.id ? { ...period, createdAt: known.createdAt, updatedAt: businessAt } : known))
        .sort((a, b) => a.startDay - b.startDay),
    }));
  },
  PastPeriodRemoved({ state }, { periodId }) {
    change(state, ({ pastPeriods }) => ({ pastPeriods: pastPeriods.filter(({ id }) => id !== periodId) }));
  },
  MigrationPeriodStated({ state, fact: { businessAt } }, { period }) {
    change(state, ({ period: known }) => ({ period: { ...period, createdAt: known?.createdAt ?? businessAt, updatedAt: businessAt } }));
  },
  DrawMigrationPeriodStated({ state, fact: { businessAt } }, { period }) {
    change(state, ({ drawPeriods }) => {
      const known = drawPeriods.find(({ id }) => id === period.id);
      const stated = { ...period, createdAt: known?.createdAt ?? businessAt, updatedAt: businessAt };
      return {
        drawPeriods: known === undefined ? [...drawPeriods, stated] : drawPeriods.map((other) => (other === known ? stated : other)),
      };
    });
  },
  PastTransactionRecorded({ state, fact: { businessAt, by } }, { transaction }) {
    const made = { ...transaction, createdBy: by, createdAt: businessAt, updatedAt: businessAt };
    change(state, ({ pastTransactions }) => ({ pastTransactions: [...pastTransactions, made] }));
  },
  PastTransactionMoved({ state, fact: { businessAt } }, { transactionId, status, failureReason }) {
    change(state, ({ pastTransactions }) => ({
      pastTransactions: pastTransactions.map((known) =>
        known.id === transactionId ? { ...known, status, failureReason, updatedAt: businessAt } : known,
      ),
    }));
  },
  PastTransactionReversed({ state, fact: { businessAt, by } }, { transactionId, reversal }) {
    const made = { ...reversal, createdBy: by, createdAt: businessAt, updatedAt: businessAt };
    const reversed = { reversedByTransactionId: reversal.id, updatedAt: businessAt };
    change(state, ({ pastTransactions }) => ({
      pastTransactions: [...pastTransactions.map((known) => (known.id === transactionId ? { ...known, ...reversed } : known)), made],
    }));
  },
  PastExternalIdCleared({ state, fact: { businessAt } }, { transactionId }) {
    change(state, ({ pastTransactions }) => ({
      pastTransactions: pastTransactions.map((known) =>
        known.id === transactionId ? { ...known, externalId: null, updatedAt: businessAt } : known,
      ),
    }));
  },
  PastFeeRecorded({ state, fact: { businessAt, by } }, { fee }) {
    const made = { ...fee, createdAt: businessAt, createdBy: by, canceledAt: null, canceledBy: null };
    change(state, ({ pastFees }) => ({ pastFees: [...pastFees, made] }));
  },
  PastFeeCanceled({ state, fact: { businessAt, by }, emit }, { feeId, reason }) {
    change(state, ({ pastFees }) => ({
      pastFees: pastFees.map((known) => (known.id === feeId ? { ...known, canceledAt: businessAt, canceledBy: by } : known)),
    }));
    const fee = state.line === null ? undefined : state.migration?.line?.pastFees.find(({ id }) => id === feeId);
    if (fee === undefined) return;
    const { feeTypeId, amountCents, originalDrawId: drawId, chargeDay } = fee;
    emit?.(
      loanEvent(state, 'loan.fee.canceled', {
        feeId,
        feeTypeId,
        amount: amount(amountCents),
        effectiveDate: dateText(chargeDay),
        drawId,
        reason,
      }),
    );
  },
};

function change(state: LoanState, changes: (history: LineHistory) => Partial<LineHistory>): void {
  const migration: Migration = state.migration ?? NOT_MIGRATED;
  const history = migration.line ?? NO_HISTORY;
  state.migration = { ...migration, line: { ...history, ...changes(history) } };
}

/** Facts of a line's history, recorded before its migration. */
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

/** The period with its new values. */
export interface PastPeriodChanged {
  readonly period: PastPeriodTerms;
}

export interface PastPeriodRemoved {
  readonly periodId: string;
}

/** All balances of the line at the cutoff, with their new values. */
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

/** A transaction of its own reversed it. */
export interface PastTransactionReversed {
  readonly transactionId: string;
  readonly reversal: PastTransactionTerms;
}

/** The external id of a past transaction may be used again. */
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

/** The parts of a balance by their names in the interface, and their sum. */
function balancesView<Name extends Part>(balances: MigratedBalances<Name>, parts: readonly Name[]): BalancesView<Name> {
  const block = <At extends DueStatus>(at: At): BalanceViews<At, Name> =>
    tableOf<`${At}${Name}Amount` | `${At}TotalAmount`, Amount>(
      [...parts.map((part) => `${at}${part}Amount` as const), `${at}TotalAmount`],
      (_name, index) => {
        const part = parts[index];
        return amount(part === undefined ? cents(partsCents(balances[at], parts)) : (balances[at][part] ?? ZERO));
      },
    );
  return { nonDueBalances: block('nonDue'), dueBalances: block('due'), overdueBalances: block('overdue') };
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
