import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import type { OperationView, ReplayManyRequest } from '../../actors/index.js';
import { type Progress, showProgress } from '../progress.js';
import type { Operator } from './operator.js';

/** Milliseconds between two looks at the operation. */
const LOOK_MS = 200;

interface Shown {
  readonly done: string;
  readonly rate: number;
  readonly eta: string;
  readonly failed: number;
}

export interface ReplayRun {
  readonly order: ReplayManyRequest;
  /** Where the report of a dry run goes; null = nowhere. */
  readonly reportFile: string | null;
  readonly isQuiet: boolean;
}

/** Orders the replay, watches it to its end, and writes the report of a dry run. */
export async function runReplay(operator: Operator, { order, reportFile, isQuiet }: ReplayRun): Promise<OperationView> {
  const operationId = await operator.replay(order);
  const progress = isQuiet ? null : progressOf();
  try {
    for (;;) {
      const state = await operator.state(operationId);
      progress?.update(state.percent ?? 0, shownOf(state));
      if (state.status !== 'running') {
        if (reportFile !== null) await writeReport(operator, operationId, reportFile);
        return state;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    progress?.stop();
  }
}

async function writeReport(operator: Operator, operationId: string, file: string): Promise<void> {
  const out = createWriteStream(file);
  for await (const text of operator.report(operationId)) if (!out.write(text)) await once(out, 'drain');
  out.end();
  await once(out, 'close');
}

function progressOf(): Progress<Shown> {
  return showProgress<Shown>({
    total: 100,
    first: { done: '', rate: 0, eta: '', failed: 0 },
    format: '{bar} {percentage}% | {done} loans | {failed} failed | {rate} loans/s | {eta}',
    line: (percent, { done, rate, eta, failed }) => `${percent}%  ${done} loans  ${failed} failed  ${rate} loans/s  ${eta}`,
  });
}

const shownOf = ({ progress, counts, loansPerSecond, etaSeconds }: OperationView): Shown => ({
  done: progress === null ? 'counting' : `${progress.done.toLocaleString('en-US')} of ${progress.total.toLocaleString('en-US')}`,
  rate: loansPerSecond ?? 0,
  eta: etaSeconds === null ? '' : `${etaSeconds} s left`,
  failed: counts?.failed ?? 0,
});
