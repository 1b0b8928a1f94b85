import { Refusal } from '../actors/index.js';
import { LIMITS } from './limits.js';

const EVERYBODY = (): boolean => true;

/** What waits for its turn, by whose it is: one of each in turn, in the order in which they came. */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  /** Whether anything waits of somebody who `mayGo`. */
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

  /** The next one of somebody who `mayGo`; whose it is stands last in line from then on. */
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
 * Shares the one thread among those who ask. A caller whose requests have taken their part of this turn of the event loop waits for the
 * next one, behind one request of each other caller. After a heavy request its caller rests in proportion to it while others ask, so that
 * others meet few of them. A caller with few requests never waits behind all requests of a caller with many.
 */
export class FairScheduler {
  readonly #waiting = new FairQueue<() => void>();
  /** Milliseconds of the callers in this turn. */
  readonly #spent = new Map<string, number>();
  /** Until when callers rest after a heavy request. */
  readonly #resting = new Map<string, number>();
  readonly #newest = { caller: '', atMs: -Infinity, otherAtMs: -Infinity };
  #isDue = false;

  /** `nowMs`: milliseconds of a clock that only advances. */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Runs it at once, or when it is the caller's turn. Only what it does before it waits for anything counts. */
  run<T>(caller: string, work: () => T | Promise<T>): T | Promise<T> {
    const nowMs = this.nowMs();
    this.#note(caller, nowMs);
    const waiting = this.#waiting.sizeOf(caller);
    if (waiting === 0 && (this.#spent.get(caller) ?? 0) < LIMITS.turnMs && this.#mayGo(caller, nowMs))
      return this.#now(caller, work, nowMs);
    if (waiting >= LIMITS.waitingOfCaller)
      throw new Refusal('unavailable', 'Too many of your requests are waiting.', { retryAfterSeconds: 1 });
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

  /** A caller rests only while others ask. */
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
    if (isResting) setTimeout(() => this.#turn(), LIMITS.turnMs);
    else setImmediate(() => this.#turn());
  }

  /** One request of each who waits, for a while; between two turns the event loop takes in what has come. */
  #turn(): void {
    this.#isDue = false;
    this.#spent.clear();
    const untilMs = this.nowMs() + LIMITS.turnMs;
    for (let nowMs = this.nowMs(); nowMs < untilMs; nowMs = this.nowMs()) {
      const next = this.#waiting.shift((caller) => this.#mayGo(caller, nowMs));
      if (next === undefined) break;
      next();
    }
    if (this.#waiting.size > 0) this.#schedule(!this.#waiting.has((caller) => this.#mayGo(caller, this.nowMs())));
  }
}
