import { addDays, type Day } from '../../engine/index.js';
import type { ClockAdvanced } from './calendars.js';
import type { Tenant } from './fact.js';
import { tenantKey } from './fact.js';
import { LIMITS } from './limits.js';
import type { World } from './world.js';

/** What the sweeper asks of the engine: write a shared fact, bring one actor up to date. */
export interface SweepWork {
  machineMs(): number;
  recordShared(tenant: Tenant, type: string, body: unknown): void;
  /** A promise where it waits for another part of the cluster. */
  catchUp(actorKey: string): void | Promise<void>;
  settled(): Promise<void>;
  /** Resolves when the agenda is whole: after a start it comes with the list index. */
  listed(): Promise<void>;
  /** Whether days are closed here; in a cluster by the owner of the shared shard alone. */
  closesDays(): boolean;
  /** Whether more may be recorded without taking the room that commands need. */
  hasRoom(): boolean;
}

/**
 * Closes days. A day of a zone is over at the first instant of the next one; closing it is one shared fact a
 * shard, after which the actors whose day has come are brought up to date in slices, other commands between.
 */
export class Sweeper {
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;
  #busy: Promise<void> | null = null;
  #waking: Promise<unknown> = Promise.resolve();
  /** Test modes whose clock is moving; the tick leaves them alone. */
  readonly #advancing = new Set<string>();

  constructor(
    private readonly world: () => World,
    private readonly work: SweepWork,
    private readonly onError: (cause: unknown) => void,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.tick(), LIMITS.clockTickMs);
    this.#timer.unref();
    this.tick();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.#busy;
    await this.#waking;
  }

  /** Closes what the wall clock has left behind, for all tenants without a test clock. */
  tick(): void {
    if (this.#busy || !this.work.closesDays()) return;
    this.#busy = this.#closeAll()
      .catch(this.onError)
      .finally(() => {
        this.#busy = null;
      });
  }

  async #closeAll(): Promise<void> {
    for (const tenant of [...this.world().calendars.tenants()]) {
      const clock = this.world().calendars.clock(tenant);
      if (!clock) await this.advance(tenant, this.work.machineMs());
      else if (clock.goal !== null) await this.advanceClock(tenant, clock.goal);
    }
  }

  /** Closes every day of the tenant that is over at `until`, in the order of their ends. */
  async advance(tenant: Tenant, until: number, onClosed: (at: number) => void = () => undefined): Promise<void> {
    await this.sweepPending(tenant);
    for (;;) {
      const next = [...this.world().calendars.nextClosings(tenant)].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) return;
      await this.#room();
      onClosed(next.at);
      this.work.recordShared(tenant, 'DayClosed', { zone: next.zone, day: next.day });
      if (this.#stopped) return;
      await this.#sweep(tenant, next.zone, addDays(next.day, 1));
    }
  }

  /** Moves a test clock along the same path as real time. */
  async advanceClock(tenant: Tenant, goal: number, onProgress: (at: number) => void = () => undefined): Promise<void> {
    if (this.#advancing.has(tenantKey(tenant))) return;
    this.#advancing.add(tenantKey(tenant));
    try {
      await this.advance(tenant, goal, (at) => {
        this.work.recordShared(tenant, 'ClockAdvanced', { to: at, isUnderWay: true } satisfies ClockAdvanced);
        onProgress(at);
      });
      this.work.recordShared(tenant, 'ClockAdvanced', { to: goal } satisfies ClockAdvanced);
      await this.work.settled();
    } finally {
      this.#advancing.delete(tenantKey(tenant));
    }
  }

  /** Brings up to date what an interrupted sweep has left. */
  async sweepPending(tenant: Tenant): Promise<void> {
    for (const { zone, day } of [...this.world().calendars.nextClosings(tenant)]) await this.#sweep(tenant, zone, day);
  }

  /** Brings those up to date that a fact has woken, between other commands. */
  async wake(tenant: Tenant): Promise<void> {
    const waking = this.sweepPending(tenant).catch(this.onError);
    this.#waking = Promise.all([this.#waking, waking]);
    await waking;
  }

  /** A sweep waits while much is not durable yet or the disk is full: it never fails for want of room. */
  async #room(): Promise<void> {
    while (!this.#stopped && !this.work.hasRoom()) {
      await this.work.settled();
      if (!this.work.hasRoom()) await new Promise((resolve) => setTimeout(resolve, LIMITS.roomRetryMs));
    }
  }

  async #sweep(tenant: Tenant, zone: string, today: Day): Promise<void> {
    const zoneKey = `${tenantKey(tenant)}/${zone}`;
    for (;;) {
      await this.work.listed();
      const due = this.world().agenda.due(zoneKey, today, LIMITS.sweepSlice);
      if (due.length === 0 || this.#stopped) return;
      for (const key of due) {
        if (!this.work.hasRoom()) await this.#room();
        if (this.#stopped) return;
        const waiting = this.work.catchUp(key);
        if (waiting) await waiting;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
