import { setTimeout as pause } from 'node:timers/promises';

/** Lets so many calls of `wait` a second through, after as many at once. */
export class SendRate {
  #free: number;
  #atMs = performance.now();

  constructor(private readonly perSecond: number) {
    this.#free = perSecond;
  }

  async wait(): Promise<void> {
    const nowMs = performance.now();
    this.#free = Math.min(this.perSecond, this.#free + ((nowMs - this.#atMs) * this.perSecond) / 1000) - 1;
    this.#atMs = nowMs;
    if (this.#free < 0) await pause((-this.#free * 1000) / this.perSecond);
  }
}
