import { setImmediate as othersTurn, setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from './limits.js';

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
export const IN_TURN: Share = { pauseMs: 0, part: 0, longestMs: LIMITS.sliceMs };

/** Half of the thread beside others who always have something to do. */
export const HALF: Share = { pauseMs: 0, part: 1, longestMs: LIMITS.longSliceMs };

/** Measures work that can wait: when it has taken its share of the thread, others have their turn. */
export class Slices {
  #until = performance.now() + LIMITS.sliceMs;

  constructor(private readonly shareNow: () => Share = () => IN_TURN) {}

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  async othersTurn(): Promise<void> {
    const { pauseMs, part, longestMs } = this.shareNow();
    const given = performance.now();
    await (pauseMs > 0 ? pause(pauseMs) : othersTurn());
    const now = performance.now();
    this.#until = now + Math.min(longestMs, Math.max(LIMITS.sliceMs, part * (now - given)));
  }
}
