import { type Day, formatDay } from '../../../engine/index.js';
import { type Fault, refuse } from '../../errors.js';
import { dayOfText, millisecondsOf, orNull, secondsOf } from '../../wire.js';
import type { CreateLoanRequest } from '../requests.js';
import type { LoanState, LoanTimestamps } from '../state.js';
import type { MigrationChanged } from './evolve.js';
import { mayMigrate } from './machine.js';
import {
  type MigratedCreditReporting,
  type MigrationTerms,
  NO_TIMES,
  NOT_MIGRATED,
  type StatedTimes,
  type StatusAtCutoff,
} from './migration.js';
import type { CreditReportingRequest, LoanTimestampsRequest, MigrationRequest } from './types.js';

/** Whether a new loan is to be migrated: it says so, or tells when it was activated. */
const isToBeMigrated = (request: MigrationRequest | null | undefined): boolean =>
  request?.migrationStatus === 'prepMigration' || (request?.activatedDate != null && request.migrationStatus == null);

/** What the body of a new loan forbids together. */
export function migrationFaults(
  request: MigrationRequest | null | undefined,
  { status, type }: Pick<CreateLoanRequest, 'status' | 'type'>,
): readonly Fault[] {
  const faults: Fault[] = [];
  if (type === 'installment' && request?.statusAtMigration != null) {
    faults.push({
      path: 'migration.statusAtMigration',
      expected: 'nothing',
      message: 'the status of an installment loan follows from the replay',
    });
  }
  if (!isToBeMigrated(request)) return faults;
  if (request?.activatedDate == null)
    faults.push({ path: 'migration.activatedDate', expected: 'the day of activation', message: 'missing' });
  if (status === 'declined') faults.push({ path: 'status', expected: 'pending or originated', message: 'a declined loan is not migrated' });
  return faults;
}

/** The preparation of a new loan; null for one that is not to be migrated and says nothing of it. */
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

/** What `PUT L` changes of the migration; null when nothing. 409 once the loan is migrated, but for what is reported to bureaus. */
export function changedMigration(
  { migration, record }: LoanState,
  request: MigrationRequest | null | undefined,
  today: Day,
): MigrationChanged | null {
  if (request == null) return null;
  if (request.statusAtMigration != null && record?.type === 'installment') {
    refuse('ruleViolation', 'The status of an installment loan follows from the replay.', {
      errors: [
        { path: 'migration.statusAtMigration', expected: 'nothing', message: 'the status of an installment loan follows from the replay' },
      ],
    });
  }
  const known = migration ?? NOT_MIGRATED;
  const terms = readTerms(request, known, known.statedTimes);
  const wanted = request.migrationStatus ?? known.status;
  if (wanted === known.status && sameTerms(known, terms) && sameReporting(known, terms)) return null;
  const move =
    wanted !== known.status ? (wanted === 'prepMigration' ? 'prepare' : 'withdraw') : sameTerms(known, terms) ? 'reportCredit' : 'change';
  if (!mayMigrate(known.status, move)) {
    refuse('invalidState', `The loan is ${known.status}: its migration cannot be changed.`, {
      errors: [{ path: 'migration', expected: 'the values that it has', message: `the loan is ${known.status}` }],
    });
  }
  if (move === 'withdraw' && known.prepared.length > 0) {
    refuse('invalidState', 'Activities were recorded for the migration: it cannot be withdrawn.', {
      errors: [{ path: 'migration.migrationStatus', expected: 'prepMigration', message: 'activities were recorded' }],
    });
  }
  if (wanted === 'prepMigration' && terms.activatedDay === null) {
    refuse('validationError', 'The day of activation is missing.', {
      errors: [{ path: 'migration.activatedDate', expected: 'the day of activation', message: 'missing' }],
    });
  }
  refuseLater(terms.activatedDay, today);
  return { move, terms };
}

function refuseLater(activatedDay: Day | null, today: Day): void {
  if (activatedDay === null || activatedDay <= today) return;
  refuse('ruleViolation', 'The activation of a migrated loan lies in the past.', {
    errors: [{ path: 'migration.activatedDate', expected: `${formatDay(today)} or earlier`, message: 'lies after today' }],
  });
}

/** Absent fields are untouched, null clears. */
function readTerms(request: MigrationRequest, known: MigrationTerms, times: StatedTimes): MigrationTerms {
  const { activatedDate, activatedTimeOfDay, creditReporting } = request;
  return {
    activatedDay: activatedDate === undefined ? known.activatedDay : orNull(dayOfText, activatedDate),
    activatedSeconds: activatedTimeOfDay === undefined ? known.activatedSeconds : orNull(secondsOf, activatedTimeOfDay),
    creditReporting: creditReporting === undefined ? known.creditReporting : orNull(readReporting, creditReporting),
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

const readReporting = (request: CreditReportingRequest): MigratedCreditReporting => ({
  dateClosed: orNull(dayOfText, request.dateClosed),
  dateOfFirstDelinquency: orNull(dayOfText, request.dateOfFirstDelinquency),
  purchasedFromName: request.k2Segment?.purchasedFromName ?? null,
  changeIndicator: request.l1Segment?.changeIndicator ?? null,
  oldConsumerAccountNumber: request.l1Segment?.oldConsumerAccountNumber ?? null,
  paymentHistoryProfile: request.paymentHistoryProfile ?? null,
});

const sameTerms = (known: MigrationTerms, terms: MigrationTerms): boolean =>
  known.activatedDay === terms.activatedDay &&
  known.activatedSeconds === terms.activatedSeconds &&
  JSON.stringify(known.statusAtCutoff) === JSON.stringify(terms.statusAtCutoff);

const sameReporting = (known: MigrationTerms, terms: MigrationTerms): boolean =>
  JSON.stringify(known.creditReporting) === JSON.stringify(terms.creditReporting);

/** The statuses that the replay computes itself are compared with it. */
const statedTimes = ({ acceleratedAt, chargedOffAt, paidOffAt }: LoanTimestampsRequest): StatedTimes => ({
  acceleratedAt: orNull(millisecondsOf, acceleratedAt),
  chargedOffAt: orNull(millisecondsOf, chargedOffAt),
  paidOffAt: orNull(millisecondsOf, paidOffAt),
});

/** What no replay computes holds as it is given. */
function recordedTimes(request: LoanTimestampsRequest): Partial<LoanTimestamps> {
  const times: { -readonly [Key in keyof LoanTimestamps]?: number } = {};
  for (const key of ['createdAt', 'originatedAt', 'closedAt'] as const) {
    const text = request[key];
    if (text != null) times[key] = millisecondsOf(text);
  }
  return times;
}
