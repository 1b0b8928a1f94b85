import { amount, dateText } from '../../../wire.js';
import { loanEvent } from '../../events.js';
import type { LoanState } from '../../state.js';
import type { Applying } from '../../tell.js';
import { type Migration, NOT_MIGRATED } from '../migration.js';
import {
  type DrawMigrationPeriodTerms,
  type LineHistory,
  type MigrationPeriodTerms,
  NO_HISTORY,
  type PastFeeTerms,
  type PastPeriodTerms,
  type PastTransactionStatus,
  type PastTransactionTerms,
} from './history.js';

/** Applies what is recorded of a line before its migration. No event tells of it. */
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
