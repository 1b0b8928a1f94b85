import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { type CompanyState, type Engine, type Fault, Refusal, type Tenant } from '../../actors/index.js';
import { csvLine, must, parseDay, recordsIn, textIn } from '../../engine/index.js';
import { ALL_PERMISSIONS, LocalCaller } from '../../gateway/index.js';
import { UsageError } from '../cli/lookups.js';
import { showProgress } from '../cli/operation-views.js';
import { type FigureSummary, LIMITS, Reconciliation, RowBooking } from './row-booking.js';
import type { Encoding } from './encoding.js';
import { compileMapping, type Mapping } from './mapping.js';
import { RowFile } from './rows.js';

/** The rows that were not booked: one line of CSV for every fault. The file is created with the first of them. */
class ErrorReport {
  #file: number | null = null;

  constructor(readonly path: string) {}

  get isEmpty(): boolean {
    return this.#file === null;
  }

  add(line: number, id: string, faults: readonly Fault[]): void {
    if (this.#file === null) {
      this.#file = openSync(this.path, 'w');
      writeSync(this.#file, 'line,id,path,message,expected\n');
    }
    const lines = faults.map(({ path, message, expected }) => csvLine([String(line), id, path, message, expected]));
    writeSync(this.#file, `${lines.join('\n')}\n`);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }
}

const REQUEST = 'import';

/**
 * The day on which the loans are booked. An empty test mode gets a test clock that starts on that day, so
 * that loans of the past are activated as of their own day and none of their days has passed unpaid. A mode that is on that day already
 * needs no change.
 */
async function prepareClock(engine: Engine, local: LocalCaller, tenant: Tenant, asOf: string | null): Promise<void> {
  if (asOf === null) return;
  if (parseDay(asOf) === undefined) throw new ImportRefused(`--as-of ${asOf} is no date YYYY-MM-DD.`);
  if (tenant.mode !== 'test') throw new ImportRefused('--as-of moves the clock of a test mode; live mode keeps real time.');
  const today = await todayOf(local);
  if (today === asOf) return;
  if (today !== undefined)
    throw new ImportRefused(
      `The test clock of ${tenant.company} stands at ${today}, not at ${asOf}. Delete it to empty the test mode, or advance it.`,
    );
  await engine.listed();
  if (engine.world.catalog.count(tenant, 'person') > 0) {
    throw new ImportRefused(`The test mode of ${tenant.company} is not empty: a test clock cannot start on ${asOf}.`);
  }
  await local.call('createTestClock', { body: { startDate: asOf, name: 'import' }, requestId: REQUEST });
}

/** The day of the test clock; undefined where there is none. */
async function todayOf(local: LocalCaller): Promise<string | undefined> {
  const { data } = await local.call('listTestClocks', { requestId: REQUEST });
  return textIn(recordsIn(data, 'items')[0], 'today');
}

/** The loan type that the mapping names, created when there is none of its name. Returns its id. */
async function prepareLoanType(engine: Engine, local: LocalCaller, tenant: Tenant, { loanType }: Mapping): Promise<string> {
  const { company } = tenant;
  const { loanTypes } = must(engine.stateOf<CompanyState>(tenant, 'company', company), 'the company has a state');
  if (!('name' in loanType)) {
    if (loanTypes.has(loanType.id)) return loanType.id;
    throw new ImportRefused(`There is no loan type ${loanType.id}.`);
  }
  for (const known of loanTypes.values()) if (known.name === loanType.name && known.status === 'active') return known.id;
  try {
    const { data } = await local.call('createLoanType', { params: { companyId: company }, body: loanType, requestId: REQUEST });
    return must(textIn(data, 'id'), 'a loan type has its id');
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.errorType === 'unavailable') throw cause;
    const faults = cause.errors.map(({ path, message, expected }) => `\n  loanType.${path}: ${message} (expected ${expected})`);
    throw new ImportRefused(`The loan type of the mapping is refused: ${cause.message}${faults.join('')}`);
  }
}

/** A fault that stops an import before its first row. */
class ImportRefused extends UsageError {}

export interface Progress {
  update(bytes: number, rows: number, refused: number): void;
  stop(): void;
}

export const noProgress: Progress = { update: () => undefined, stop: () => undefined };

/** The progress of booking a file. */
export function progressOf(totalBytes: number): Progress {
  const startedAt = Date.now();
  const shown = showProgress({
    total: totalBytes,
    first: { rows: 0, refused: 0, rate: 0 },
    format: '{bar} {percentage}% | {rows} rows | {refused} refused | {rate} rows/s | {eta_formatted} left',
    line: (percent, { rows, refused }, { values, ms }) =>
      `${percent}%  ${rows} rows  ${refused} refused  ${Math.round(((rows - values.rows) * 1000) / ms)} rows/s`,
  });
  return {
    update: (bytes, rows, refused) =>
      shown.update(bytes, { rows, refused, rate: Math.round((rows * 1000) / Math.max(1, Date.now() - startedAt)) }),
    stop: () => shown.stop(),
  };
}

export interface ImportOptions {
  readonly engine: Engine;
  readonly tenant: Tenant;
  readonly file: string;
  /** Encoding of a file that has no byte order mark and is not UTF-8. */
  readonly encoding?: Encoding | null;
  readonly mapping: Mapping;
  /** Named in messages. */
  readonly mappingFile: string;
  readonly activates: boolean;
  /** The day of the test mode during the import; null = today. */
  readonly asOf: string | null;
  readonly errorsFile: string;
  readonly progress: Progress;
  /** After an abort no row is begun; those under way are finished. */
  readonly stop: AbortSignal;
}

export interface ImportSummary {
  readonly file: string;
  readonly company: string;
  readonly mode: string;
  readonly rows: number;
  readonly booked: number;
  readonly alreadyBooked: number;
  readonly refused: number;
  /** The CSV with every fault of every refused row; null when there is none. */
  readonly errorsFile: string | null;
  readonly encoding: Encoding;
  /** Whether each row of the file is booked, or named in the error file. */
  readonly isComplete: boolean;
  /** Null when it is complete. */
  readonly whyIncomplete: string | null;
  readonly seconds: number;
  readonly loansPerSecond: number;
  readonly reconciliation: readonly FigureSummary[];
}

const INTERRUPTED = 'It was interrupted. Run the same command again: it goes on where it stopped.';
const CHANGED = 'The file was changed while it was read. Run the same command again: what is booked already is not booked twice.';

/** Books a whole file. Throws `MappingError` before the first row when the mapping does not fit. */
export async function importFile(options: ImportOptions): Promise<ImportSummary> {
  const { engine, tenant, file, progress } = options;
  const rows = await RowFile.open(file, options.encoding ?? null);
  const plan = compileMapping(options.mapping, options.mappingFile, rows.header);
  const digest = await digestOfFile(file);
  const fileId = digest.slice(0, 12);
  const local = new LocalCaller(engine, {
    ...tenant,
    keyId: null,
    userId: 'import',
    permissions: ALL_PERMISSIONS,
    address: '127.0.0.1',
  });
  await prepareClock(engine, local, tenant, options.asOf);
  const loanTypeId = await prepareLoanType(engine, local, tenant, options.mapping);
  const reconciliation = new Reconciliation(plan.figures);
  const booking = new RowBooking({ engine, local, tenant, plan, loanTypeId, activates: options.activates, fileId, reconciliation });
  const errors = new ErrorReport(options.errorsFile);
  const counts = { rows: 0, booked: 0, alreadyBooked: 0, refused: 0 };
  const startedAt = performance.now();
  const isWhole = await inFlight(rows.rows(), options.stop, async (row) => {
    const result = await booking.book(row);
    counts.rows += 1;
    counts[result.type] += 1;
    if (result.type === 'refused') errors.add(row.line, result.externalId, result.faults);
    progress.update(row.bytes, counts.rows, counts.refused);
  });
  errors.close();
  progress.stop();
  const seconds = (performance.now() - startedAt) / 1000;
  const whyIncomplete = isWhole ? (rows.digest() === digest ? null : CHANGED) : INTERRUPTED;
  return {
    file,
    ...tenant,
    ...counts,
    errorsFile: errors.isEmpty ? null : errors.path,
    encoding: rows.encoding,
    isComplete: whyIncomplete === null,
    whyIncomplete,
    seconds: Number(seconds.toFixed(2)),
    loansPerSecond: Math.round(counts.booked / Math.max(seconds, 0.001)),
    reconciliation: reconciliation.summary(),
  };
}

/** Works on a bounded number of items at a time; returns false when it was stopped before the last. The first failure ends it. */
async function inFlight<Item>(items: AsyncIterable<Item>, stop: AbortSignal, work: (item: Item) => Promise<void>): Promise<boolean> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let isComplete = true;
  for await (const item of items) {
    if (stop.aborted || failures.length > 0) {
      isComplete = false;
      break;
    }
    const one: Promise<void> = work(item)
      .catch((cause: unknown) => void failures.push(cause))
      .finally(() => running.delete(one));
    running.add(one);
    if (running.size >= LIMITS.rowsInFlight) await Promise.race(running);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  return isComplete;
}

async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const chunks: AsyncIterable<Buffer> = createReadStream(path);
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
