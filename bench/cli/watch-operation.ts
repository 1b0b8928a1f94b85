import type { OperationView } from '../../actors/index.js';
import { ServiceFailure } from './commands/running-service.js';
import { type Progress, showProgress } from './progress.js';

/** Milliseconds between two looks at an operation, and how long the service may be away meanwhile. */
const LOOK_MS = 250;
const AWAY_MS = 60_000;

/**
 * Looks at an operation until it has ended, with a bar or lines of its progress unless it is to be quiet. A service that goes away
 * for a moment is waited for.
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
export function doneOf({ progress, kind }: Pick<OperationView, 'progress' | 'kind'>): string {
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
