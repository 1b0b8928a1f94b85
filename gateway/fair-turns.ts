import { Refusal } from '../actors/index.js';
import { FairQueue } from './fair-queue.js';
import { LIMITS } from './limits.js';

/**
 * Shares the one thread among those who ask. A caller whose requests have taken their part of this turn of the event loop waits for the next one, behind one
 * request of each other caller: whoever asks little is never behind all that somebody asks who asks much.
 */
export class FairTurns {
  readonly #waiting = new FairQueue<() => void>();
  /** Milliseconds of the callers in this turn. */
  readonly #spent = new Map<string, number>();
  #isDue = false;

  /** Runs it at once, or when it is the caller's turn. Only what it does before it waits for anything counts. */
  run<T>(caller: string, work: () => T | Promise<T>): T | Promise<T> {
    const waiting = this.#waiting.sizeOf(caller);
    if (waiting === 0 && (this.#spent.get(caller) ?? 0) < LIMITS.turnMs) return this.#now(caller, work);
    if (waiting >= LIMITS.waitingOfCaller)
      throw new Refusal('unavailable', 'Too many of your requests are waiting.', { retryAfterSeconds: 1 });
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(caller, () => {
        try {
          resolve(this.#now(caller, work));
        } catch (cause) {
          reject(cause);
        }
      });
      this.#schedule();
    });
  }

  #now<T>(caller: string, work: () => T): T {
    const begunMs = performance.now();
    try {
      return work();
    } finally {
      this.#spent.set(caller, (this.#spent.get(caller) ?? 0) + performance.now() - begunMs);
      this.#schedule();
    }
  }

  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#turn());
  }

  /** One request of each who waits, for a while; between two turns the event loop takes in what has come. */
  #turn(): void {
    this.#isDue = false;
    this.#spent.clear();
    const untilMs = performance.now() + LIMITS.turnMs;
    while (performance.now() < untilMs) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next();
    }
    if (this.#waiting.size > 0) this.#schedule();
  }
}
