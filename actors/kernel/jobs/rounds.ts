import type { Tenant } from '../fact.js';
import type { SharedEngine } from './service-calls.js';

/** Work that a process looks for again and again, in one round at a time. */
export class Rounds {
  #timer: NodeJS.Timeout | null = null;
  #current: Promise<void> = Promise.resolve();
  #isIdle = true;
  #isClosed = false;

  /** `everyMs`: from the begin of one round to that of the next; one that takes longer delays it. */
  constructor(
    private readonly round: () => Promise<void>,
    private readonly everyMs: number,
  ) {}

  /** A round that goes on for long asks between its steps. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  start(): void {
    this.#timer = setInterval(() => void this.run(), this.everyMs);
    this.#timer.unref();
  }

  /** One round now; the one that is under way, if there is one. */
  run(): Promise<void> {
    if (!this.#isIdle) return this.#current;
    this.#isIdle = false;
    this.#current = this.round().finally(() => (this.#isIdle = true));
    return this.#current;
  }

  /** Begins no round any more, and resolves when the last one has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#current;
  }
}

/** On the machine's clock and on the company's, in milliseconds. A test clock stands still, and then moves by days at once. */
export interface Moment {
  readonly machineMs: number;
  readonly companyMs: number;
}

export const momentOf = (engine: Pick<SharedEngine, 'machineMs' | 'now'>, tenant: Tenant): Moment => ({
  machineMs: engine.machineMs(),
  companyMs: engine.now(tenant),
});

/** Whether so many milliseconds lie between two moments on one of the clocks: in live mode they are the same. */
export const isApart = (earlier: Moment, later: Moment, milliseconds: number): boolean =>
  later.machineMs - earlier.machineMs >= milliseconds || later.companyMs - earlier.companyMs >= milliseconds;
