import { setImmediate as othersTurn, setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from './limits.js';

/** Measures work that can wait: when it has taken its share of the thread, others have their turn. */
export class Slices {
  #until = performance.now() + LIMITS.sliceMs;

  /**
   * `pauseMs` is how long the others have it to themselves; zero is one round of what waits, after which a slice lasts as long as
   * theirs did, up to `longestMs`: beside others who always have something to do, work in a hurry keeps up to half of the thread.
   */
  constructor(
    private readonly pauseMs: () => number = () => 0,
    private readonly longestMs: number = LIMITS.sliceMs,
  ) {}

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  async othersTurn(): Promise<void> {
    const pauseMs = this.pauseMs();
    const given = performance.now();
    await (pauseMs > 0 ? pause(pauseMs) : othersTurn());
    const now = performance.now();
    this.#until = now + (pauseMs > 0 ? LIMITS.sliceMs : Math.min(this.longestMs, Math.max(LIMITS.sliceMs, now - given)));
  }
}
