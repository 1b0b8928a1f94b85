import type { MonotonicClock } from './lease-options.js';

/**
 * For how long this process has been able to hear others: a thread that was busy or stopped for seconds has heard nothing meanwhile,
 * however late its clock is when it goes on. Who is silent is counted by this.
 */
export class Listening {
  #missedMs = 0;
  /** When its next turn is due. */
  #dueAt = Infinity;

  /** Turns may be late by `lateMs`, which still counts as listened. */
  constructor(
    private readonly clock: MonotonicClock,
    private readonly lateMs: number,
  ) {}

  /** Milliseconds since some moment, without those in which nothing was heard. */
  now(): number {
    return this.clock.now() - this.#missedMs - this.#missing();
  }

  /** This process has its turn, and the next one in `periodMs`. */
  turn(periodMs: number): void {
    this.#missedMs += this.#missing();
    this.#dueAt = this.clock.now() + periodMs;
  }

  #missing(): number {
    return Math.max(0, this.clock.now() - this.#dueAt - this.lateMs);
  }
}
