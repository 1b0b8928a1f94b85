import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Engine, Tenant } from '../../actors/index.js';
import { ALL_PERMISSIONS, LocalCaller } from '../../gateway/index.js';
import { RowBooking } from './book-row.js';
import type { Encoding } from './encoding.js';
import { ErrorReport } from './error-report.js';
import { LIMITS } from './limits.js';
import { compileMapping, type Mapping } from './mapping.js';
import { prepareClock, prepareLoanType } from './prepare.js';
import type { Progress } from './progress.js';
import { type FigureSummary, Reconciliation } from './reconciliation.js';
import { RowFile } from './rows.js';

export interface ImportOptions {
  readonly engine: Engine;
  readonly tenant: Tenant;
  readonly file: string;
  /** What the file is written in, where it has no byte order mark and is not UTF-8. */
  readonly encoding?: Encoding | null;
  readonly mapping: Mapping;
  /** Named in messages. */
  readonly mappingFile: string;
  readonly activates: boolean;
  /** The day on which a test mode stands while it is booked; null = today. */
  readonly asOf: string | null;
  readonly errorsFile: string;
  readonly progress: Progress;
  /** No row is begun once it is aborted; those under way are finished. */
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
  /** Each row of the file is booked, or named in the error file. */
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

/** Works on a bounded number of items at a time; false when it was stopped before the last. The first failure ends it. */
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
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
