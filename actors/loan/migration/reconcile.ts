import { type Cents, cents, type Day, day as dayFrom, dayAt, namesOf } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { amount, centsOf, dateText, dateTimeText, dayOfText, orNull, timeOfDay } from '../../wire.js';
import { recordOf, statusOf } from '../context.js';
import { balancesIn, computedThrough, isLine, overdueIn, type RunningLedger, runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { findTransaction } from '../transactions/check.js';
import {
  type MigratedCreditReporting,
  type Migration,
  type MigrationStatus,
  NOT_MIGRATED,
  type ReconciledFigure,
  type Reconciliation,
} from './migration.js';
import type {
  CreditReportingView,
  FigureView,
  MigrationReply,
  MigrationView,
  ReconciledFigureView,
  ReconciliationView,
  StatedFigures,
  StatedTransaction,
} from './types.js';

type Field = Exclude<keyof StatedFigures, 'asOfDate' | 'transactions'>;
type Kind = ReconciledFigure['kind'];

interface Position {
  readonly ledger: RunningLedger;
  readonly status: string;
}

const principal = ({ ledger }: Position): Cents => totals(ledger, 'principalCents');
const interest = ({ ledger }: Position): Cents => totals(ledger, 'interestCents');
const fees = ({ ledger }: Position): Cents => totals(ledger, 'feesCents');

/** Figures that the caller may state, and how the replay computes each. */
const FIGURES: { readonly [Name in Field]: readonly [Kind, (position: Position) => number | string | null] } = {
  status: ['text', ({ status }) => status],
  outstandingAmount: ['amount', ({ ledger }) => totals(ledger, 'totalCents')],
  principalAmount: ['amount', principal],
  interestAmount: ['amount', interest],
  feesAmount: ['amount', fees],
  overdueAmount: ['amount', ({ ledger }) => overdueIn(ledger).overdueCents],
  daysOverdue: ['count', ({ ledger }) => overdueIn(ledger).daysOverdue],
  paidPrincipalAmount: ['amount', ({ ledger }) => balancesIn(ledger).paid.principalCents],
  paidInterestAmount: ['amount', ({ ledger }) => balancesIn(ledger).paid.interestCents],
  paidFeesAmount: ['amount', ({ ledger }) => balancesIn(ledger).paid.feesCents],
  reimbursementAmount: ['amount', ({ ledger }) => balancesIn(ledger).paid.reimbursementCents],
  nextDueDate: ['date', ({ ledger }) => overdueIn(ledger).nextDueDate],
  nextDueAmount: ['amount', ({ ledger }) => overdueIn(ledger).nextDueCents],
  endDate: ['date', ({ ledger }) => (isLine(ledger) ? null : (ledger.rows.at(-1)?.date ?? null))],
};

/** A total of what is owed, including charged-off amounts. */
function totals(ledger: RunningLedger, part: 'totalCents' | 'principalCents' | 'interestCents' | 'feesCents'): Cents {
  const { outstanding, chargedOff } = balancesIn(ledger);
  return cents(outstanding[part] + chargedOff[part]);
}

/** Compares the stated figures with those of the migrated loan at the end of a day. */
export function reconcile(loan: LoanState, env: EvolveEnv, stated: StatedFigures, today: Day): Reconciliation {
  const day = stated.asOfDate == null ? today : dayOfText(stated.asOfDate);
  const ledger = day < today ? computedThrough(loan, env, day) : runningOf(loan, env);
  const position: Position = { ledger, status: day < today ? ledger.status : statusOf(loan) };
  const rows: ReconciledFigure[] = [...termFigures(loan), ...timeFigures(loan)];
  for (const field of namesOf(FIGURES)) {
    const [kind, computed] = FIGURES[field];
    const value = stated[field];
    if (value != null) rows.push({ field, kind, stated: plain(kind, value), computed: computed(position) });
  }
  for (const transaction of stated.transactions ?? []) rows.push(...transactionFigures(loan, runningOf(loan, env), transaction));
  return { day, rows };
}

function plain(kind: Kind, value: number | string): number | string {
  if (kind === 'amount' && typeof value === 'number') return centsOf(value);
  return kind === 'date' && typeof value === 'string' ? dayOfText(value) : value;
}

/** Figures of the schedule that the terms at origination state. */
function termFigures(loan: LoanState): readonly ReconciledFigure[] {
  if (loan.servicing === null) return [];
  const { contract } = loan.servicing;
  const { totalInterestCents, periodicPaymentCents } = recordOf(loan).atOrigination;
  const rows: ReconciledFigure[] = [];
  const row = (field: string, stated: Cents | null, computed: Cents): void => {
    if (stated !== null) rows.push({ field, kind: 'amount', stated, computed });
  };
  row('atOrigination.totalInterestAmount', totalInterestCents, contract.totalInterestCents);
  row('atOrigination.periodicPaymentAmount', periodicPaymentCents, contract.periodicPaymentCents);
  return rows;
}

/** The stated days of statuses that the replay computes. */
function timeFigures({ migration, record }: LoanState): readonly ReconciledFigure[] {
  if (migration === null || record === null) return [];
  const { statedTimes, creditReporting } = migration;
  const dayOf = (at: number | null): Day | null => (at === null ? null : dayAt(record.zone, at));
  const row = (field: string, stated: Day | null, computed: number | null): readonly ReconciledFigure[] =>
    stated === null ? [] : [{ field, kind: 'date', stated, computed: dayOf(computed) }];
  const { timestamps } = record;
  return [
    ...(['acceleratedAt', 'chargedOffAt', 'paidOffAt'] as const).flatMap((key) =>
      row(`timestamps.${key}`, dayOf(statedTimes[key]), timestamps[key]),
    ),
    ...row('creditReporting.dateClosed', creditReporting?.dateClosed ?? null, timestamps.paidOffAt),
  ];
}

const PARTS = [
  ['paidPrincipalAmount', 'principalCents'],
  ['paidInterestAmount', 'interestCents'],
  ['paidFeesAmount', 'feesCents'],
  ['paidOverAmount', 'overCents'],
] as const;

function transactionFigures(loan: LoanState, ledger: RunningLedger, stated: StatedTransaction): readonly ReconciledFigure[] {
  const record = findTransaction(loan, stated.transactionId);
  const split = ledger.payments.find(({ transaction }) => transaction === record?.payment);
  return PARTS.flatMap(([name, part]): readonly ReconciledFigure[] => {
    const value = stated[name];
    if (value == null) return [];
    const field = `transactions.${stated.transactionId}.${name}`;
    return [{ field, kind: 'amount', stated: centsOf(value), computed: split === undefined ? null : split[part] }];
  });
}

/** Whether the computed figure equals the stated one; amounts may differ by the tolerance. */
export function isMatch({ kind, stated, computed }: ReconciledFigure, toleranceCents = 0): boolean {
  if (kind !== 'amount') return stated === computed;
  return typeof stated === 'number' && typeof computed === 'number' && Math.abs(computed - stated) <= toleranceCents;
}

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

/** The reply of `GET L/migration` and of a migration. */
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
  return kind === 'amount' ? amount(cents(computed - stated)) : computed - stated;
}

function printed(kind: ReconciledFigure['kind'], value: number | string): FigureView {
  if (typeof value === 'string') return value;
  return kind === 'amount' ? amount(cents(value)) : kind === 'date' ? dateText(dayFrom(value)) : value;
}

export const migrationStatus = ({ migration }: Pick<LoanState, 'migration'>): MigrationStatus => migration?.status ?? 'nonMigrated';
