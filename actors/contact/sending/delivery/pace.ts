import { setTimeout as pause } from 'node:timers/promises';

/** So many turns in a second, and so many at once. */
export class Pace {
  #free: number;
  #atMs = performance.now();

  constructor(private readonly perSecond: number) {
    this.#free = perSecond;
  }

  async turn(): Promise<void> {
    const nowMs = performance.now();
    this.#free = Math.min(this.perSecond, this.#free + ((nowMs - this.#atMs) * this.perSecond) / 1000) - 1;
    this.#atMs = nowMs;
    if (this.#free < 0) await pause((-this.#free * 1000) / this.perSecond);
  }
}
