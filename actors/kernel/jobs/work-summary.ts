import type { MassRunner } from './mass-runner.js';
import type { MassWorks } from './mass-works.js';
import { shareOf } from './share-views.js';

/** Mass work of one kind and state in one process. */
export interface MassSummary {
  readonly kind: string;
  readonly state: 'running' | 'paused' | 'succeeded' | 'failed';
  readonly count: number;
  /** Loans that are not computed yet. */
  readonly remaining: number;
  /** Loans a second while it is under way. */
  readonly perSecond: number;
}

/** All mass work that is known here, by kind and state. */
export function summaryOf(works: MassWorks, mass: MassRunner, nowMs: number): readonly MassSummary[] {
  const sums = new Map<string, MassSummary>();
  for (const work of works.all()) {
    const { kind, isPaused, isCanceled, finishedAt, failed, remaining, perSecond } = shareOf(work, mass.runOf(work), nowMs);
    const state =
      isCanceled || (finishedAt !== null && failed > 0) ? 'failed' : finishedAt !== null ? 'succeeded' : isPaused ? 'paused' : 'running';
    const isOver = finishedAt !== null || isCanceled;
    const sum = sums.get(`${kind} ${state}`) ?? { kind, state, count: 0, remaining: 0, perSecond: 0 };
    sums.set(`${kind} ${state}`, {
      ...sum,
      count: sum.count + 1,
      remaining: sum.remaining + (isOver ? 0 : (remaining ?? 0)),
      perSecond: sum.perSecond + (isOver || isPaused ? 0 : perSecond),
    });
  }
  return [...sums.values()];
}
