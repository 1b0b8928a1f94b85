import { setup } from 'xstate';
import { type Day, formatDay } from '../../../engine/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { Agent, EffectiveTime } from '../../kernel/fact.js';
import { Chart, STAYS, moves } from '../../statechart.js';
import { dayOfText, millisecondsOf, orNull, secondsOf } from '../../wire.js';
import type { CreateLoanRequest } from '../requests.js';
import type { LoanState, LoanTimestamps } from '../state.js';
import type { MigrationChanged } from './evolve.js';
import type { LineHistory } from './line/history.js';
import type { CreditReportingRequest, LoanTimestampsRequest, MigrationRequest } from './types.js';

/** Statuses of a loan's migration from another system. */
const MIGRATION_STATUSES = ['nonMigrated', 'prepMigration', 'migrated', 'failed'] as const;

export type MigrationStatus = (typeof MIGRATION_STATUSES)[number];

/** The migration of a loan from another system. The migration itself is one step, without an intermediate status. */
export const migrationMachine = setup({
  types: moves<MigrationMove>(),
}).createMachine({
  id: 'migration',
  initial: 'nonMigrated',
  states: {
    nonMigrated: { on: { prepare: 'prepMigration', change: STAYS, reportCredit: STAYS } },
    prepMigration: {
      on: { withdraw: 'nonMigrated', record: STAYS, change: STAYS, reportCredit: STAYS, succeed: 'migrated', fail: 'failed' },
    },
    failed: { on: { rollBack: 'prepMigration', reportCredit: STAYS } },
    migrated: { on: { reportCredit: STAYS } },
  },
});

export type MigrationMove = 'prepare' | 'withdraw' | 'record' | 'change' | 'reportCredit' | 'succeed' | 'fail' | 'rollBack';

export const migrationChart = new Chart<MigrationStatus, MigrationMove>(migrationMachine);

export const mayMigrate = (status: MigrationStatus, move: MigrationMove): boolean => migrationChart.allows(status, move);

/** The status after a move that the status allows. */
export const migrationAfter = (status: MigrationStatus, move: MigrationMove): MigrationStatus => migrationChart.after(status, move);

/** The migration of a loan from another system. Replaced, never changed. */
export interface Migration extends MigrationTerms {
  readonly status: MigrationStatus;
  /** Activity that was recorded during the preparation, in that order; empty once the loan is migrated. */
  readonly prepared: readonly PreparedActivity[];
  /** Faults of the last migration that failed. */
  readonly errors: readonly Fault[];
  /** Milliseconds of the company's clock. */
  readonly failedAt: number | null;
  readonly migratedAt: number | null;
  /** The comparison of the last migration with the stated figures. */
  readonly reconciliation: Reconciliation | null;
  /** The history of a line of credit, if any was recorded. */
  readonly line: LineHistory | null;
}

/** The terms of the migration, as the caller states them. */
export interface MigrationTerms {
  /** When the other system activated the loan; null only while it is not to be migrated. */
  readonly activatedDay: Day | null;
  readonly activatedSeconds: number | null;
  readonly creditReporting: MigratedCreditReporting | null;
  readonly statedTimes: StatedTimes;
  /** The status of a line at its cutoff; null: active. An installment loan's status follows from the replay. */
  readonly statusAtCutoff: StatusAtCutoff | null;
}

interface StatusAtCutoff {
  readonly status: 'accelerated' | 'chargedOff';
  readonly since: Day | null;
}

const NO_TIMES: StatedTimes = { acceleratedAt: null, chargedOffAt: null, paidOffAt: null };

/** A loan that was made here. */
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

/** The other system's times of statuses that the replay computes, in milliseconds. */
interface StatedTimes {
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

/** A fact about the loan that waits for the replay, the same as it would be for a live loan. */
export interface PreparedActivity {
  readonly type: string;
  readonly body: unknown;
  readonly effective: EffectiveTime | null;
  readonly at: number;
  readonly stamp: number;
  readonly by: Agent;
}

export interface Reconciliation {
  /** The day at whose end the figures were compared. */
  readonly day: Day;
  readonly rows: readonly ReconciledFigure[];
}

/** A figure as stated by the caller and as computed by the replay: cents, days since 1970, plain numbers, or text. */
export interface ReconciledFigure {
  readonly field: string;
  readonly kind: 'amount' | 'date' | 'count' | 'text';
  readonly stated: number | string;
  readonly computed: number | string | null;
}

/** Whether a new loan is to be migrated: the body says so, or names the day of activation. */
const isToBeMigrated = (request: MigrationRequest | null | undefined): boolean =>
  request?.migrationStatus === 'prepMigration' || (request?.activatedDate != null && request.migrationStatus == null);

/** Faults of contradictions in the body of a new loan. */
export function migrationFaults(
  request: MigrationRequest | null | undefined,
  { status, type }: Pick<CreateLoanRequest, 'status' | 'type'>,
): readonly Fault[] {
  const faults: Fault[] = [...numberFaults(request?.creditReporting, null)];
  if (type === 'installment' && request?.statusAtMigration != null) {
    faults.push({
      path: 'migration.statusAtMigration',
      expected: 'nothing',
      message: 'cannot be set on an installment loan: its status follows from the replay',
    });
  }
  if (!isToBeMigrated(request)) return faults;
  if (request?.activatedDate == null)
    faults.push({ path: 'migration.activatedDate', expected: 'the day of activation', message: 'is missing' });
  if (status === 'declined')
    faults.push({ path: 'status', expected: 'pending or originated', message: 'a declined loan cannot be migrated' });
  return faults;
}

/** A changed account number is announced with the number before. Changes of the identification number are the service's own. */
function numberFaults(request: CreditReportingRequest | null | undefined, known: MigratedCreditReporting | null): readonly Fault[] {
  if (request?.l1Segment == null) return [];
  const { changeIndicator, oldConsumerAccountNumber } = readReporting(request, known);
  const path = 'migration.creditReporting.l1Segment';
  if (changeIndicator !== null && changeIndicator !== ACCOUNT_NUMBER_CHANGED)
    return [
      {
        path: `${path}.changeIndicator`,
        expected: `${ACCOUNT_NUMBER_CHANGED}: the account number has changed`,
        message: 'changes of the identification number are found and announced by the service',
      },
    ];
  if (changeIndicator === null || oldConsumerAccountNumber !== null) return [];
  const message = 'is missing: the change is announced under the number before';
  return [{ path: `${path}.oldConsumerAccountNumber`, expected: 'the account number in the other system', message }];
}

/** The only change of a segment L1 that a migration brings about. */
const ACCOUNT_NUMBER_CHANGED = '1';

/** The preparation of a new loan; null if the body does not mention a migration. */
export function firstMigration(
  request: MigrationRequest | null | undefined,
  timestamps: LoanTimestampsRequest | null | undefined,
  today: Day,
): MigrationChanged | null {
  if (!isToBeMigrated(request)) {
    return request?.creditReporting == null ? null : { move: 'reportCredit', terms: readTerms(request, NOT_MIGRATED, NO_TIMES) };
  }
  const terms = readTerms(request ?? {}, NOT_MIGRATED, statedTimes(timestamps ?? {}));
  refuseLater(terms.activatedDay, today);
  return { move: 'prepare', terms, times: recordedTimes(timestamps ?? {}) };
}

/** The changes of the migration by `PUT L`; null if none. Once the loan is migrated: 409, except for values reported to bureaus. */
export function changedMigration(
  { migration, record }: LoanState,
  request: MigrationRequest | null | undefined,
  today: Day,
): MigrationChanged | null {
  if (request == null) return null;
  if (request.statusAtMigration != null && record?.type === 'installment') {
    refuse('ruleViolation', '`migration.statusAtMigration` cannot be set on an installment loan. Its status follows from the replay.', {
      errors: [
        {
          path: 'migration.statusAtMigration',
          expected: 'nothing',
          message: 'cannot be set on an installment loan: its status follows from the replay',
        },
      ],
    });
  }
  const known = migration ?? NOT_MIGRATED;
  const errors = numberFaults(request.creditReporting, known.creditReporting);
  if (errors.length > 0) refuse('validationError', 'The segment L1 cannot be reported: see `errors`.', { errors });
  const terms = readTerms(request, known, known.statedTimes);
  const wanted = request.migrationStatus ?? known.status;
  if (wanted === known.status && sameTerms(known, terms) && sameReporting(known, terms)) return null;
  const move =
    wanted !== known.status ? (wanted === 'prepMigration' ? 'prepare' : 'withdraw') : sameTerms(known, terms) ? 'reportCredit' : 'change';
  if (!mayMigrate(known.status, move)) {
    refuse('invalidState', `The migration cannot be changed: the loan is ${known.status}.`, {
      errors: [{ path: 'migration', expected: 'the values that it has', message: `the loan is ${known.status}` }],
    });
  }
  if (move === 'withdraw' && known.prepared.length > 0) {
    refuse('invalidState', 'The migration cannot be withdrawn: activities were recorded for it.', {
      errors: [{ path: 'migration.migrationStatus', expected: 'prepMigration', message: 'activities were recorded' }],
    });
  }
  if (wanted === 'prepMigration' && terms.activatedDay === null) {
    refuse('validationError', '`migration.activatedDate` is required.', {
      errors: [{ path: 'migration.activatedDate', expected: 'the day of activation', message: 'is missing' }],
    });
  }
  refuseLater(terms.activatedDay, today);
  return { move, terms };
}

function refuseLater(activatedDay: Day | null, today: Day): void {
  if (activatedDay === null || activatedDay <= today) return;
  refuse('ruleViolation', '`migration.activatedDate` must not be after today.', {
    errors: [{ path: 'migration.activatedDate', expected: `${formatDay(today)} or earlier`, message: 'is after today' }],
  });
}

/** The terms with the fields of the body: absent fields stay, null clears a field. */
function readTerms(request: MigrationRequest, known: MigrationTerms, times: StatedTimes): MigrationTerms {
  const { activatedDate, activatedTimeOfDay, creditReporting } = request;
  return {
    activatedDay: activatedDate === undefined ? known.activatedDay : orNull(dayOfText, activatedDate),
    activatedSeconds: activatedTimeOfDay === undefined ? known.activatedSeconds : orNull(secondsOf, activatedTimeOfDay),
    creditReporting:
      creditReporting === undefined ? known.creditReporting : orNull((sent) => readReporting(sent, known.creditReporting), creditReporting),
    statedTimes: times,
    statusAtCutoff: readStatus(request, known.statusAtCutoff),
  };
}

function readStatus(
  { statusAtMigration: status, statusAtMigrationDate: date }: MigrationRequest,
  known: StatusAtCutoff | null,
): StatusAtCutoff | null {
  if (status === undefined) return known === null || date === undefined ? known : { ...known, since: orNull(dayOfText, date) };
  return status === null || status === 'active' ? null : { status, since: orNull(dayOfText, date) };
}

/** Only fields of the body: absent fields stay, null clears a field. */
function readReporting(request: CreditReportingRequest, known: MigratedCreditReporting | null): MigratedCreditReporting {
  const { dateClosed, dateOfFirstDelinquency, k2Segment, l1Segment, paymentHistoryProfile } = request;
  const sent = {
    ...(dateClosed === undefined ? {} : { dateClosed: orNull(dayOfText, dateClosed) }),
    ...(dateOfFirstDelinquency === undefined ? {} : { dateOfFirstDelinquency: orNull(dayOfText, dateOfFirstDelinquency) }),
    ...(k2Segment === undefined ? {} : { purchasedFromName: k2Segment?.purchasedFromName ?? null }),
    ...(l1Segment?.changeIndicator === undefined && l1Segment !== null ? {} : { changeIndicator: l1Segment?.changeIndicator ?? null }),
    ...(l1Segment?.oldConsumerAccountNumber === undefined && l1Segment !== null
      ? {}
      : { oldConsumerAccountNumber: l1Segment?.oldConsumerAccountNumber ?? null }),
    ...(paymentHistoryProfile === undefined ? {} : { paymentHistoryProfile }),
  };
  return { ...(known ?? NO_REPORTING), ...sent };
}

const NO_REPORTING: MigratedCreditReporting = {
  dateClosed: null,
  dateOfFirstDelinquency: null,
  purchasedFromName: null,
  changeIndicator: null,
  oldConsumerAccountNumber: null,
  paymentHistoryProfile: null,
};

const sameTerms = (known: MigrationTerms, terms: MigrationTerms): boolean =>
  known.activatedDay === terms.activatedDay &&
  known.activatedSeconds === terms.activatedSeconds &&
  JSON.stringify(known.statusAtCutoff) === JSON.stringify(terms.statusAtCutoff);

const sameReporting = (known: MigrationTerms, terms: MigrationTerms): boolean =>
  JSON.stringify(known.creditReporting) === JSON.stringify(terms.creditReporting);

/** The stated times of statuses that the replay computes: they are compared. */
const statedTimes = ({ acceleratedAt, chargedOffAt, paidOffAt }: LoanTimestampsRequest): StatedTimes => ({
  acceleratedAt: orNull(millisecondsOf, acceleratedAt),
  chargedOffAt: orNull(millisecondsOf, chargedOffAt),
  paidOffAt: orNull(millisecondsOf, paidOffAt),
});

/** The stated times that no replay computes: they are recorded. */
function recordedTimes(request: LoanTimestampsRequest): Partial<LoanTimestamps> {
  const times: { -readonly [Key in keyof LoanTimestamps]?: number } = {};
  for (const key of ['createdAt', 'originatedAt', 'closedAt'] as const) {
    const text = request[key];
    if (text != null) times[key] = millisecondsOf(text);
  }
  return times;
}
