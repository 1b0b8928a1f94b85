import { setImmediate as othersTurn } from 'node:timers/promises';
import { LIMITS } from './limits.js';

/** Measures work that can wait: when it has taken its share of the thread, others have their turn. */
export class Slices {
  #until = performance.now() + LIMITS.sliceMs;

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  async othersTurn(): Promise<void> {
    await othersTurn();
    this.#until = performance.now() + LIMITS.sliceMs;
  }
}
