import { Presets, SingleBar } from 'cli-progress';
import type { OperationView } from '../../actors/index.js';
import { ServiceFailure } from './commands/running-service.js';

/** Milliseconds between two lines where there is no terminal. */
const LINE_EVERY_MS = 10_000;

export interface Progress<Values extends object> {
  update(done: number, values: Values): void;
  stop(): void;
}

/** How it looks: `format` is that of cli-progress, `line` is what is written where there is no terminal. */
export interface ProgressLook<Values extends object> {
  readonly total: number;
  readonly first: Values;
  readonly format: string;
  /** `since`: the values of the line before, and how long ago it was written in milliseconds. */
  readonly line: (percent: number, values: Values, since: { readonly values: Values; readonly ms: number }) => string;
}

/** On stderr: a bar on a terminal, else a line every ten seconds. */
export function showProgress<Values extends object>(look: ProgressLook<Values>): Progress<Values> {
  return process.stderr.isTTY ? bar(look) : lines(look);
}

function bar<Values extends object>({ total, first, format }: ProgressLook<Values>): Progress<Values> {
  const shown = new SingleBar({ format, hideCursor: true, stream: process.stderr }, Presets.shades_classic);
  shown.start(total, 0, first);
  return { update: (done, values) => shown.update(done, values), stop: () => shown.stop() };
}

function lines<Values extends object>({ total, first, line }: ProgressLook<Values>): Progress<Values> {
  let last = { values: first, at: Date.now() };
  return {
    update(done, values) {
      const now = Date.now();
      if (now - last.at < LINE_EVERY_MS) return;
      process.stderr.write(`${line(Math.floor((done * 100) / total), values, { values: last.values, ms: now - last.at })}\n`);
      last = { values, at: now };
    },
    stop: () => undefined,
  };
}

/** Milliseconds between two requests for an operation, and how long the service may be away meanwhile. */
const LOOK_MS = 250;
const AWAY_MS = 60_000;

/**
 * Watches an operation until it has ended, with a bar or lines of its progress unless it is quiet. Waits while the service is away for a
 * moment.
 */
export async function watchOperation(
  state: () => Promise<OperationView>,
  { isQuiet }: { readonly isQuiet: boolean },
): Promise<OperationView> {
  const progress = isQuiet ? null : progressOf();
  let answeredAt = performance.now();
  try {
    for (;;) {
      const seen = await state().catch((cause: unknown) => {
        if (!(cause instanceof ServiceFailure && cause.mayPass) || performance.now() - answeredAt > AWAY_MS) throw cause;
        return null;
      });
      if (seen !== null) {
        answeredAt = performance.now();
        progress?.update(seen.percent ?? 0, shownOf(seen));
        if (seen.status !== 'running') return seen;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    progress?.stop();
  }
}

interface Shown {
  readonly done: string;
  readonly failed: string;
  readonly rate: string;
  readonly left: string;
}

const progressOf = (): Progress<Shown> =>
  showProgress<Shown>({
    total: 100,
    first: { done: 'counting', failed: '', rate: '', left: '' },
    format: '{bar} {percentage}% | {done}{failed}{rate}{left}',
    line: (percent, { done, failed, rate, left }) => `${percent}%  ${done}${failed}${rate}${left}`,
  });

const shownOf = (operation: OperationView): Shown => ({
  done: doneOf(operation),
  failed: operation.counts === null ? '' : `  ${count(operation.counts.failed)} failed`,
  rate: operation.loansPerSecond === null ? '' : `  ${count(operation.loansPerSecond)} loans/s`,
  left: operation.isPaused ? '  paused' : operation.etaSeconds === null ? '' : `  ${durationText(operation.etaSeconds)} left`,
});

/** `1,200 of 5,000`; an advance of a test clock counts days. */
function doneOf({ progress, kind }: Pick<OperationView, 'progress' | 'kind'>): string {
  if (progress === null) return 'counting';
  return `${count(progress.done)} of ${count(progress.total)}${kind === 'testClock.advance' ? ' days' : ''}`;
}

const count = (value: number): string => value.toLocaleString('en-US');

/** `42 s`, `3 min 5 s`, `2 h 4 min`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const OPERATION_HEAD = ['operation', 'kind', 'state', 'percent', 'done', 'changed', 'failed', 'loans/s', 'left', 'started'];

/** Its line in the list. */
export const operationLine = (operation: OperationView): readonly (string | number)[] => [
  operation.operationId,
  operation.kind,
  stateOf(operation),
  operation.percent === null ? '' : `${operation.percent}%`,
  operation.progress === null ? '' : doneOf(operation),
  operation.counts?.changed ?? '',
  operation.counts?.failed ?? '',
  operation.loansPerSecond ?? '',
  leftOf(operation),
  operation.startedAt,
];

function stateOf({ status, isPaused, isDryRun, errorType }: OperationView): string {
  const state = errorType === 'canceled' ? 'canceled' : status === 'running' && isPaused ? 'paused' : status;
  return isDryRun ? `${state}, dry run` : state;
}

const leftOf = ({ status, etaSeconds }: OperationView): string =>
  status === 'running' && etaSeconds !== null ? durationText(etaSeconds) : '';

/** All about one operation. */
export function operationText(operation: OperationView): string {
  const {
    operationId,
    kind,
    progress,
    percent,
    counts,
    failures,
    loansPerSecond,
    startedAt,
    finishedAt,
    resultObjectId,
    errorMessage,
    report,
  } = operation;
  const rows: (readonly [string, string])[] = [
    ['state', stateOf(operation)],
    ['started', startedAt],
  ];
  if (finishedAt !== null) rows.push(['ended', finishedAt]);
  if (progress !== null) rows.push(['done', `${doneOf(operation)}${percent === null ? '' : ` (${percent}%)`}`]);
  if (counts !== null)
    rows.push(...(['changed', 'unchanged', 'failed'] as const).map((name) => [name, counts[name].toLocaleString('en-US')] as const));
  if (loansPerSecond !== null && finishedAt === null) rows.push(['rate', `${loansPerSecond.toLocaleString('en-US')} loans/s`]);
  if (leftOf(operation) !== '') rows.push(['left', leftOf(operation)]);
  if (resultObjectId !== null) rows.push(['result', resultObjectId]);
  if (report !== null) rows.push(['report', `${report.rows.toLocaleString('en-US')} loans: GET /api/operations/${operationId}/report`]);
  return [
    `${operationId}  ${kind}`,
    ...rows.map(([name, value]) => `  ${name.padEnd(10)}${value}`),
    ...(failures ?? []).map(({ id, message }) => `    ${id}: ${message}`),
    ...(errorMessage === null ? [] : [errorMessage]),
    '',
  ].join('\n');
}
