import { setImmediate as othersTurn, setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from './limits.js';

/** Measures work that can wait: when it has taken its share of the thread, others have their turn. */
export class Slices {
  #until = performance.now() + LIMITS.sliceMs;

  /** `pauseMs` is how long the others have it to themselves; zero is one round of what waits. */
  constructor(private readonly pauseMs: () => number = () => 0) {}

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  async othersTurn(): Promise<void> {
    const pauseMs = this.pauseMs();
    await (pauseMs > 0 ? pause(pauseMs) : othersTurn());
    this.#until = performance.now() + LIMITS.sliceMs;
  }
}
