import { Refusal } from '../actors/index.js';
import { LIMITS } from './limits.js';

const EVERYBODY = (): boolean => true;

/** Resolves after the event loop has read what arrived meanwhile. */
export const yieldToOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A queue by owners: it gives out one item of each owner after the other, those of one owner in the order in which they came. */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  /** Whether an owner who `mayGo` has a waiting item. */
  has(mayGo: (owner: string) => boolean): boolean {
    for (const owner of this.#lines.keys()) if (mayGo(owner)) return true;
    return false;
  }

  push(owner: string, item: Item): void {
    const line = this.#lines.get(owner);
    if (line) line.push(item);
    else this.#lines.set(owner, [item]);
    this.#size += 1;
  }

  /** The next item of an owner who `mayGo`. Its owner becomes the last in line. */
  shift(mayGo: (owner: string) => boolean = EVERYBODY): Item | undefined {
    for (const [owner, line] of this.#lines) {
      if (!mayGo(owner)) continue;
      const item = line.shift();
      this.#lines.delete(owner);
      if (line.length > 0) this.#lines.set(owner, line);
      this.#size -= 1;
      return item;
    }
    return undefined;
  }
}

/**
 * Shares the one thread among callers. A caller whose requests have used up the time slice of this round waits for the next round, behind
 * one request of each other caller. After a heavy request its caller rests in proportion to it while others send requests, so that others
 * seldom wait for one. A caller with few requests never waits behind all requests of a caller with many.
 */
export class FairScheduler {
  readonly #waiting = new FairQueue<() => void>();
  /** Milliseconds that callers have used in this round. */
  readonly #spent = new Map<string, number>();
  /** When the rest of callers after a heavy request ends. */
  readonly #resting = new Map<string, number>();
  readonly #newest = { caller: '', atMs: -Infinity, otherAtMs: -Infinity };
  #isDue = false;

  /** `nowMs`: milliseconds of a clock that only advances. */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Runs the work at once, or when the caller is next. Only its time up to the first wait counts. */
  run<T>(caller: string, work: () => T | Promise<T>): T | Promise<T> {
    const nowMs = this.nowMs();
    this.#note(caller, nowMs);
    const waiting = this.#waiting.sizeOf(caller);
    if (waiting === 0 && (this.#spent.get(caller) ?? 0) < LIMITS.timeSliceMs && this.#mayGo(caller, nowMs))
      return this.#now(caller, work, nowMs);
    if (waiting >= LIMITS.waitingOfCaller)
      throw new Refusal('unavailable', 'Too many of your requests are waiting. Send fewer at once.', { retryAfterSeconds: 1 });
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(caller, () => {
        try {
          resolve(this.#now(caller, work, this.nowMs()));
        } catch (cause) {
          reject(cause);
        }
      });
      this.#schedule();
    });
  }

  #now<T>(caller: string, work: () => T, begunMs: number): T {
    try {
      return work();
    } finally {
      const endedMs = this.nowMs();
      const tookMs = endedMs - begunMs;
      this.#spent.set(caller, (this.#spent.get(caller) ?? 0) + tookMs);
      if (tookMs > LIMITS.heavyMs) this.#resting.set(caller, endedMs + tookMs * LIMITS.heavyRests);
      this.#schedule();
    }
  }

  #note(caller: string, nowMs: number): void {
    if (caller !== this.#newest.caller) {
      this.#newest.otherAtMs = this.#newest.atMs;
      this.#newest.caller = caller;
    }
    this.#newest.atMs = nowMs;
  }

  /** A caller rests only while others send requests. */
  #mayGo(caller: string, nowMs: number): boolean {
    const restsUntilMs = this.#resting.get(caller);
    if (restsUntilMs === undefined) return true;
    if (restsUntilMs <= nowMs) {
      this.#resting.delete(caller);
      return true;
    }
    const { caller: newest, atMs, otherAtMs } = this.#newest;
    return nowMs - (newest === caller ? otherAtMs : atMs) > LIMITS.othersAskMs;
  }

  #schedule(isResting = false): void {
    if (this.#isDue) return;
    this.#isDue = true;
    if (isResting) setTimeout(() => this.#runWaiting(), LIMITS.timeSliceMs);
    else setImmediate(() => this.#runWaiting());
  }

  /** Runs one request of each waiting caller, for one time slice. Between two rounds the event loop reads what has arrived. */
  #runWaiting(): void {
    this.#isDue = false;
    this.#spent.clear();
    const untilMs = this.nowMs() + LIMITS.timeSliceMs;
    for (let nowMs = this.nowMs(); nowMs < untilMs; nowMs = this.nowMs()) {
      const next = this.#waiting.shift((caller) => this.#mayGo(caller, nowMs));
      if (next === undefined) break;
      next();
    }
    if (this.#waiting.size > 0) this.#schedule(!this.#waiting.has((caller) => this.#mayGo(caller, this.nowMs())));
  }
}
