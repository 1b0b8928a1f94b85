import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '../limits.js';

/** How work that can wait shares the thread with all others. */
export interface Share {
  /** Milliseconds that the others have to themselves; zero is one round of what waits. */
  readonly pauseMs: number;
  /** A slice lasts this part of what the others have taken, so that they keep theirs however long their rounds are. */
  readonly part: number;
  /** Longest slice, in milliseconds. */
  readonly longestMs: number;
}

/** The shortest slices, in turn with all others. */
const IN_TURN: Share = { pauseMs: 0, part: 0, longestMs: LIMITS.sliceMs };

/** Half of the thread beside others who always have something to do. */
export const HALF: Share = { pauseMs: 0, part: 1, longestMs: LIMITS.longSliceMs };

/**
 * Background work of one process: between two rounds of what waits one slice runs, however many have some. A worker of a cluster
 * has as many engines as units, and each of them may be doing mass work and storing it.
 */
export class Scheduler {
  #last: Promise<unknown> = Promise.resolve();
  #endedAtMs = performance.now();
  #lastAlone: Promise<void> = Promise.resolve();

  /** When the last slice of anybody ended, by `performance`. */
  get endedAtMs(): number {
    return this.#endedAtMs;
  }

  ended(atMs: number): void {
    this.#endedAtMs = Math.max(this.#endedAtMs, atMs);
  }

  next(): Promise<unknown> {
    this.#last = this.#last.then(() => nextRound());
    return this.#last;
  }

  /**
   * Runs what may find that it needs much memory: from where it asks to be alone until its end nothing else that has asked goes on. Side
   * by side they would keep the collector busier than they are themselves.
   */
  async mayBeAlone<T>(run: (alone: () => Promise<void>) => Promise<T>): Promise<T> {
    let end: () => void = () => undefined;
    try {
      return await run(() => {
        const before = this.#lastAlone;
        this.#lastAlone = new Promise((resolve) => (end = resolve));
        return before;
      });
    } finally {
      end();
    }
  }
}

/**
 * Measures work that can wait: when it has taken its share of the thread, others have their turn. What they take counts for one slice
 * alone, the next of whoever has `turns` in common: sixteen who each had their share of all would leave next to nothing.
 */
export class TimeBudget {
  #begun = performance.now();
  #until = this.#begun + LIMITS.sliceMs;

  constructor(
    private readonly shareNow: () => Share = () => IN_TURN,
    private readonly scheduler: Scheduler = new Scheduler(),
  ) {}

  get isSpent(): boolean {
    return performance.now() >= this.#until;
  }

  /** How long this slice may last, in milliseconds: `LIMITS.sliceMs` at least. */
  get lengthMs(): number {
    return this.#until - this.#begun;
  }

  async yieldToOthers(): Promise<void> {
    const { pauseMs, part, longestMs } = this.shareNow();
    this.scheduler.ended(Math.min(performance.now(), this.#begun + longestMs)); // it may have waited for a disk meanwhile
    if (pauseMs > 0) await pause(pauseMs);
    await this.scheduler.next();
    this.#begun = performance.now();
    this.#until = this.#begun + Math.min(longestMs, Math.max(LIMITS.sliceMs, part * (this.#begun - this.scheduler.endedAtMs)));
  }
}
