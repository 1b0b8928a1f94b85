import { type Tenant, tenantKey } from '../fact.js';
import { isForNow, type SharedEngine } from './service-calls.js';

/** Work that a process looks for again and again, in one round at a time. A long round asks `isClosed` between its steps. */
export abstract class RoundRunner {
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | null = null;
  #current: Promise<void> = Promise.resolve();
  #isIdle = true;
  #isClosed = false;

  /** `everyMs`: from the begin of one round to that of the next; one that takes longer delays it. */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Does all that is to be done at this moment. */
  protected abstract round(): Promise<void>;

  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Does a part of the round; null when it has failed, or after the end. What fails is reported, and tried again in the next round. What is
   * refused for now is only tried again: a part of the service is just starting.
   */
  protected async guarded<Result>(work: () => Promise<Result>, report: (cause: string) => void): Promise<Result | null> {
    if (this.#isClosed) return null;
    try {
      return await work();
    } catch (cause) {
      if (!isForNow(cause)) report(String(cause));
      return null;
    }
  }

  start(): this {
    this.#timer = setInterval(() => void this.run(), this.#everyMs);
    this.#timer.unref();
    return this;
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

/** How a process looks for work by company. */
interface CompanyRounds {
  /** Milliseconds between two looks at the companies. */
  readonly everyMs: number;
  /** Companies that are worked for at once. */
  readonly atOnce: number;
}

/** Work that a process looks for again and again for each company: a slow one does not delay the others. */
export abstract class CompanyRunner {
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  readonly #running = new Map<string, Promise<void>>();
  /** Machine time in milliseconds. */
  readonly #startedAt: number;

  constructor(
    protected readonly engine: SharedEngine,
    private readonly rounds: CompanyRounds,
  ) {
    this.#startedAt = engine.machineMs();
  }

  /** What there is to do for a company; null: nothing. `isForced`: whatever is at rest or not due is done as well. */
  protected abstract workFor(tenant: Tenant, isForced: boolean): Promise<void> | null;

  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The start on the clock of a company, in milliseconds. */
  protected startedAt(tenant: Tenant): number {
    return this.engine.now(tenant) - this.engine.machineMs() + this.#startedAt;
  }

  start(): this {
    this.#timer = setInterval(() => this.#round(false), this.rounds.everyMs);
    this.#timer.unref();
    return this;
  }

  /** Looks once at everything, however many companies, and resolves when it is done: for tests. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
    this.#round(true);
    await Promise.all(this.#running.values());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await Promise.all(this.#running.values());
  }

  #round(isForced: boolean): void {
    for (const tenant of this.engine.tenants()) {
      const key = tenantKey(tenant);
      if (this.#isClosed || this.#running.has(key) || (!isForced && this.#running.size >= this.rounds.atOnce)) continue;
      const work = this.workFor(tenant, isForced);
      if (work !== null)
        this.#running.set(
          key,
          work.finally(() => this.#running.delete(key)),
        );
    }
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
