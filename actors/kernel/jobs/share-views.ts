import { amountText } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import { LIMITS } from '../limits.js';
import { type MassRun } from './mass-run.js';
import type { MassFailure, MassWork } from './mass-works.js';

/**
 * The state of mass work in one process: plain data, so that the operation of a cluster is the sum of the answers of its workers.
 */
export interface OperationShare {
  readonly operationId: string;
  readonly kind: string;
  readonly resultObjectId: string | null;
  readonly isDryRun: boolean;
  readonly isPaused: boolean;
  readonly isCanceled: boolean;
  readonly startedAt: number;
  /** Null while an actor waits here. */
  readonly finishedAt: number | null;
  readonly changed: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly failures: readonly MassFailure[];
  /** Null while unknown: a start reads its list index first. */
  readonly remaining: number | null;
  readonly perSecond: number;
  /** Machine time of this answer in milliseconds. */
  readonly toldAt: number;
  readonly report: {
    readonly rows: number;
    readonly rowsLeftOut: number;
    readonly parts: number;
    readonly totals: readonly { readonly name: string; readonly beforeCents: number; readonly afterCents: number }[];
  } | null;
}

export function shareOf(work: MassWork, run: MassRun, toldAt: number): OperationShare {
  const { operationId, kind, resultObjectId, isDryRun, isPaused, canceledAt, orderedAt, shares } = work;
  const { report, counted, pace } = run;
  const sum = { changed: counted.changed, unchanged: counted.unchanged, failed: counted.failed };
  const failures = [...counted.failures];
  let lastAt = orderedAt;
  for (const share of shares.values()) {
    sum.changed += share.changed;
    sum.unchanged += share.unchanged;
    sum.failed += share.failed;
    failures.push(...share.failures);
    lastAt = Math.max(lastAt, share.advancedAt);
  }
  return {
    operationId,
    kind,
    resultObjectId,
    isDryRun,
    isPaused,
    isCanceled: canceledAt !== null,
    startedAt: orderedAt,
    finishedAt: canceledAt ?? (run.finishedAt === null ? null : isDryRun ? run.finishedAt : lastAt),
    ...sum,
    failures: failures.slice(0, LIMITS.namedFailures),
    remaining: run.remaining,
    perSecond: pace.ms > 0 ? (pace.done * 1000) / pace.ms : 0,
    toldAt,
    report: report && { rows: report.rows, rowsLeftOut: report.rowsLeftOut, parts: report.partCount, totals: report.totals },
  };
}

/** An operation as a client sees it. Counts are null when all was done with the reply. */
export interface OperationView {
  readonly operationId: string;
  readonly kind: string;
  readonly loanId: string | null;
  readonly status: 'running' | 'succeeded' | 'failed';
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly resultObjectId: string | null;
  readonly errorType: string | null;
  readonly errorMessage: string | null;
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** Of `progress`, 0 to 100. */
  readonly percent: number | null;
  readonly loansPerSecond: number | null;
  /** Seconds until the end at this rate; null while paused, and while unknown. */
  readonly etaSeconds: number | null;
  /** `unchanged` includes actors that were up to date already. */
  readonly counts: { readonly changed: number; readonly unchanged: number; readonly failed: number } | null;
  /** The first actors that could not be computed. They stay as they were. */
  readonly failures: readonly MassFailure[] | null;
  /** It waits for `resume`. */
  readonly isPaused: boolean;
  readonly isDryRun: boolean;
  /** Of a dry run: the size of `GET /operations/{operationId}/report`, and totals over everything that it has computed. */
  readonly report: ReportView | null;
}

interface ReportView {
  readonly rows: number;
  readonly rowsLeftOut: number;
  /** Amounts by the names of the report's columns, as texts with two decimals. */
  readonly totals: readonly { readonly name: string; readonly before: string; readonly after: string; readonly difference: string }[];
}

/**
 * The operations of all mass work, in the order of the first process, which orders it: the shares of each process. Days on which no actor
 * had anything to do are left out, and work that has ended too long ago.
 */
export function massOperations(parts: readonly (readonly OperationShare[])[]): readonly OperationView[] {
  const [first = [], ...others] = parts.map((shares) => new Map(shares.map((share) => [share.operationId, share])));
  return [...first.values()].flatMap((share) => {
    const shares = [share, ...others.map((known) => known.get(share.operationId) ?? shareNotBegun(share))];
    const view = sumOf(shares);
    return isOver(shares) || (view.kind === 'day.close' && view.progress?.total === 0) ? [] : [view];
  });
}

/** The share of a process that does not know of the work yet. */
export const shareNotBegun = (share: OperationShare): OperationShare => ({
  ...share,
  finishedAt: null,
  changed: 0,
  unchanged: 0,
  failed: 0,
  failures: [],
  remaining: null,
  perSecond: 0,
  report: null,
});

/** Whether the operation is no longer kept. */
export const isOver = (shares: readonly OperationShare[]): boolean =>
  shares.every(({ finishedAt }) => finishedAt !== null) &&
  Math.max(...shares.map(({ toldAt }) => toldAt)) - endOfAll(shares) > LIMITS.operationMs;

const endOfAll = (shares: readonly OperationShare[]): number => Math.max(...shares.map(({ finishedAt }) => finishedAt ?? 0));

/** The operation that the shares of all processes add up to; the first share is that of the process which orders mass work. */
export function sumOf(shares: readonly OperationShare[]): OperationView {
  const [first] = shares;
  if (!first) throw new Error('an operation has at least one share');
  const total = (value: (share: OperationShare) => number): number => shares.reduce((sum, share) => sum + value(share), 0);
  const counts = {
    changed: total(({ changed }) => changed),
    unchanged: total(({ unchanged }) => unchanged),
    failed: total(({ failed }) => failed),
  };
  const done = counts.changed + counts.unchanged + counts.failed;
  const finished = shares.every(({ finishedAt }) => finishedAt !== null) ? endOfAll(shares) : null;
  const isKnown = shares.every(({ remaining, finishedAt }) => remaining !== null || finishedAt !== null);
  const remaining = finished === null ? total((share) => share.remaining ?? 0) : 0;
  const perSecond = total((share) => (finished !== null || share.finishedAt === null ? share.perSecond : 0));
  const all = done + (first.isCanceled ? total((share) => share.remaining ?? 0) : remaining);
  return {
    operationId: first.operationId,
    kind: first.kind,
    loanId: null,
    resultObjectId: first.resultObjectId,
    ...endOf(first, finished, counts.failed, all),
    startedAt: new Date(Math.min(...shares.map(({ startedAt }) => startedAt))).toISOString(),
    finishedAt: finished === null ? null : new Date(finished).toISOString(),
    progress: isKnown ? { done, total: all } : null,
    percent: !isKnown ? null : all === 0 ? 100 : Math.floor((done * 100) / all),
    loansPerSecond: Math.round(perSecond),
    etaSeconds: finished !== null ? 0 : !isKnown || first.isPaused ? null : secondsLeft(shares),
    counts,
    failures: shares.flatMap(({ failures }) => failures).slice(0, LIMITS.namedFailures),
    isPaused: first.isPaused && finished === null,
    isDryRun: first.isDryRun,
    report: reportOf(shares),
  };
}

/** The processes work side by side: seconds until the last of them is done. Null when one has not begun. */
function secondsLeft(shares: readonly OperationShare[]): number | null {
  const left = shares.filter(({ finishedAt, remaining }) => finishedAt === null && (remaining ?? 0) > 0);
  const seconds = Math.max(0, ...left.map(({ remaining, perSecond }) => (remaining ?? 0) / perSecond));
  return Number.isFinite(seconds) ? Math.ceil(seconds) : null;
}

type End = Pick<OperationView, 'status' | 'errorType' | 'errorMessage'>;

function endOf({ isCanceled }: OperationShare, finished: number | null, failed: number, total: number): End {
  if (isCanceled) return { status: 'failed', errorType: 'canceled', errorMessage: 'The operation was canceled.' };
  if (finished === null) return { status: 'running', errorType: null, errorMessage: null };
  if (failed === 0) return { status: 'succeeded', errorType: null, errorMessage: null };
  return {
    status: 'failed',
    errorType: 'operationFailed',
    errorMessage: `${failed} of ${total} could not be computed and stay as they were.`,
  };
}

/** Throws a refusal when the report of an operation cannot be read. */
export function assertReport({ report, finishedAt }: Pick<OperationView, 'report' | 'finishedAt'>): void {
  if (!report) throw new Refusal('notFound', 'The operation has no report: it is not a dry run.');
  if (finishedAt === null) throw new Refusal('invalidState', 'The dry run is not finished. Try again when it has succeeded.');
  if (report.rows === 0 && report.rowsLeftOut > 0)
    throw new Refusal('notFound', 'The report was removed for newer ones. Its totals are on the operation.');
}

function reportOf(shares: readonly OperationShare[]): ReportView | null {
  const reports = shares.flatMap(({ report }) => report ?? []);
  if (reports.length === 0) return null;
  const sums = new Map<string, { before: number; after: number }>();
  for (const { name, beforeCents, afterCents } of reports.flatMap(({ totals }) => totals)) {
    const sum = sums.get(name) ?? { before: 0, after: 0 };
    sums.set(name, { before: sum.before + beforeCents, after: sum.after + afterCents });
  }
  return {
    rows: reports.reduce((sum, { rows }) => sum + rows, 0),
    rowsLeftOut: reports.reduce((sum, { rowsLeftOut }) => sum + rowsLeftOut, 0),
    totals: [...sums].map(([name, { before, after }]) => ({
      name,
      before: amountText(before),
      after: amountText(after),
      difference: amountText(after - before),
    })),
  };
}
