import type { Cents, Day } from '../../../engine/index.js';
import { amount, dateText, dateTimeText, orNull, timeOfDay } from '../../wire.js';
import { statusOf } from '../context.js';
import type { LoanState } from '../state.js';
import { type MigratedCreditReporting, type Migration, NOT_MIGRATED, type ReconciledFigure, type Reconciliation } from './migration.js';
import { isMatch } from './reconcile.js';
import type { CreditReportingView, FigureView, MigrationReply, MigrationView, ReconciledFigureView, ReconciliationView } from './types.js';

export const migrationView = (migration: Migration): MigrationView => ({
  migrationStatus: migration.status,
  activatedDate: orNull(dateText, migration.activatedDay),
  activatedTimeOfDay: orNull(timeOfDay, migration.activatedSeconds),
  cutoffDate: orNull(dateText, migration.line?.period?.statementDay),
  statusAtMigration: migration.statusAtCutoff?.status ?? null,
  statusAtMigrationDate: orNull(dateText, migration.statusAtCutoff?.since),
  migratedAt: orNull(dateTimeText, migration.migratedAt),
  errors: migration.errors.map(({ path, message }) => ({ code: 'migrationValidation', message, field: path })),
  creditReporting: orNull(reportingView, migration.creditReporting),
});

const reportingView = (reporting: MigratedCreditReporting): CreditReportingView => ({
  dateClosed: orNull(dateText, reporting.dateClosed),
  dateOfFirstDelinquency: orNull(dateText, reporting.dateOfFirstDelinquency),
  k2Segment: { purchasedFromName: reporting.purchasedFromName },
  l1Segment: { changeIndicator: reporting.changeIndicator, oldConsumerAccountNumber: reporting.oldConsumerAccountNumber },
  paymentHistoryProfile: reporting.paymentHistoryProfile,
});

/** `GET L/migration`, and the outcome of a run. */
export function migrationReply(state: LoanState): MigrationReply {
  const migration = state.migration ?? NOT_MIGRATED;
  return {
    loanId: state.id,
    status: statusOf(state),
    ...migrationView(migration),
    failedAt: orNull(dateTimeText, migration.failedAt),
    preparedActivities: migration.prepared.length,
    reconciliation: orNull(reconciliationView, migration.reconciliation),
  };
}

export const reconciliationView = ({ day, rows }: Reconciliation): ReconciliationView => ({
  asOfDate: dateText(day),
  figures: rows.map(figureView),
  differences: rows.filter((row) => !isMatch(row)).length,
});

function figureView(row: ReconciledFigure): ReconciledFigureView {
  const { field, kind, stated, computed } = row;
  return {
    field,
    stated: printed(kind, stated),
    computed: orNull((value) => printed(kind, value), computed),
    difference: differenceOf(row),
    isMatch: isMatch(row),
  };
}

function differenceOf({ kind, stated, computed }: ReconciledFigure): ReconciledFigureView['difference'] {
  if (typeof stated !== 'number' || typeof computed !== 'number') return null;
  return kind === 'amount' ? amount((computed - stated) as Cents) : computed - stated;
}

function printed(kind: ReconciledFigure['kind'], value: number | string): FigureView {
  if (typeof value === 'string') return value;
  return kind === 'amount' ? amount(value as Cents) : kind === 'date' ? dateText(value as Day) : value;
}
