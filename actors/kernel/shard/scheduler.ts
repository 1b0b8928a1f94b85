import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '../limits.js';

/** How work that can wait shares the thread with other work. */
export interface Share {
  /** Milliseconds left to other work between two time slices; zero is one round of the event loop. */
  readonly pauseMs: number;
  /** A time slice lasts this part of the time that the others have taken, so that they keep theirs however long their rounds are. */
  readonly part: number;
  /** Longest time slice, in milliseconds. */
  readonly longestMs: number;
}

/** The shortest time slices, alternating with other work. */
const SHORTEST: Share = { pauseMs: 0, part: 0, longestMs: LIMITS.sliceMs };

/** Half of the thread beside other work that is always busy. */
export const HALF_OF_THREAD: Share = { pauseMs: 0, part: 1, longestMs: LIMITS.longSliceMs };

/**
 * Background work of one process: between two rounds of the event loop one time slice runs, however many tasks wait. A worker of a cluster
 * has as many engines as units, and each of them may be doing mass work and storing it.
 */
export class Scheduler {
  #last: Promise<unknown> = Promise.resolve();
  #endedAtMs = performance.now();
  #lastAlone: Promise<void> = Promise.resolve();
  /** Units that are being opened, and what waits for them. */
  #opening = 0;
  #opened: Promise<void> = Promise.resolve();
  #endOpening: () => void = () => undefined;
  /** Until when others wait for units that are being opened, by `performance`. */
  #waitsUntilMs = -Infinity;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** When the last time slice of any task ended, by `performance`. */
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

  /** Opens a unit, which requests wait for: work that can wait until all units of a takeover serve asks `allOpened`. */
  async opening<T>(open: () => Promise<T>): Promise<T> {
    const now = this.nowMs();
    if (now >= this.#waitsUntilMs + LIMITS.openingWaitMs) this.#waitsUntilMs = now + LIMITS.openingWaitMs;
    if (this.#opening === 0) this.#opened = new Promise((resolve) => (this.#endOpening = resolve));
    this.#opening += 1;
    try {
      return await open();
    } finally {
      this.#opening -= 1;
      if (this.#opening === 0) this.#endOpening();
    }
  }

  /**
   * Resolves when no unit is being opened, or after `LIMITS.openingWaitMs`, and waits no longer than it does not wait: a unit that cannot
   * be opened, and is tried again and again, must not stop the others.
   */
  async allOpened(): Promise<void> {
    const leftMs = this.#waitsUntilMs - this.nowMs();
    if (this.#opening === 0 || leftMs <= 0) return;
    await Promise.race([this.#opened, pause(leftMs, undefined, { ref: false })]);
  }

  /**
   * Runs a task that may find that it needs much memory: once it asks to be alone, no other task that has asked goes on until it ends. Side
   * by side such tasks would keep the garbage collector busier than they are themselves.
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
 * Measures work that can wait: when it has used its share of the thread, it yields to other work. The time of the others counts for a
 * single time slice, the next one of all tasks with the same scheduler: if each of sixteen tasks had its share of all, next to nothing
 * would be left.
 */
export class TimeBudget {
  #begun = performance.now();
  #until = this.#begun + LIMITS.sliceMs;

  constructor(
    private readonly shareNow: () => Share = () => SHORTEST,
    private readonly scheduler: Scheduler = new Scheduler(),
  ) {}

  get isSpent(): boolean {
    return performance.now() >= this.#until;
  }

  /** How long this time slice may last, in milliseconds: `LIMITS.sliceMs` at least. */
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
