import { addDays, type Day } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { ClockAdvanced } from '../shard/calendars.js';
import { MOMENTS, momentsToday, type Tenant, tenantKey } from '../fact.js';
import { LIMITS } from '../limits.js';
import type { MassRunner } from './mass-runner.js';
import { isOf, type MassWork } from './mass-works.js';
import { MassBatch, type MassBatchHost } from './mass-batch.js';
import { HALF_OF_THREAD, TimeBudget, type Scheduler } from '../shard/scheduler.js';
import { readActorKey } from '../snapshots/stored-keys.js';
import type { World } from '../shard/world.js';

/** What the sweeper needs of the engine besides computing. */
export interface SweepWork extends MassBatchHost {
  machineMs(): number;
  recordShared(tenant: Tenant, type: string, body: unknown): void;
  settled(): Promise<void>;
  readonly scheduler: Scheduler | undefined;
  /** Resolves when the agenda is complete: after a start it is read with the list index. */
  listed(): Promise<void>;
  /** Whether this process closes days; in a cluster only the owner of the shared shard does. */
  closesDays(): boolean;
  /** Whether the other units of the cluster have done their share of mass work. True when this process is alone. */
  isDoneByOthers(work: MassWork): boolean | Promise<boolean>;
}

/**
 * Closes days. A day of a zone is over at the first instant of the next one. Closing it is one shared fact, after which the actors whose
 * day has come are brought up to date in time slices, between other commands. It is mass work: it can be watched and paused, and after a
 * crash the agenda says which actors are left.
 */
export class Sweeper {
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;
  /** Tenants whose days are being closed. */
  readonly #busy = new Map<string, Promise<void>>();
  #waking: Promise<unknown> = Promise.resolve();
  /** Test modes whose clock is moving, each until all of its work is done; the tick leaves them alone. */
  readonly #advancing = new Map<string, Promise<void>>();
  /** Closed days whose work is done in all units of the cluster. */
  readonly #doneEverywhere = new WeakSet<MassWork>();

  constructor(
    private readonly world: () => World,
    private readonly work: SweepWork,
    private readonly mass: MassRunner,
    private readonly onError: (cause: unknown) => void,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.tick(), LIMITS.clockTickMs);
    this.#timer.unref();
    if (this.work.closesDays()) this.tick();
    else for (const tenant of this.world().calendars.tenants()) void this.trigger(tenant);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await Promise.all(this.#busy.values());
    await this.#waking;
  }

  /** Closes the days that the wall clock has passed, for all tenants without a test clock. A paused tenant delays no other. */
  tick(): void {
    for (const tenant of this.world().calendars.tenants()) {
      const key = tenantKey(tenant);
      if (this.#busy.has(key)) continue;
      this.#busy.set(
        key,
        this.#close(tenant)
          .catch((cause: unknown) => this.#failed(cause))
          .finally(() => this.#busy.delete(key)),
      );
    }
  }

  async #close(tenant: Tenant): Promise<void> {
    if (!this.work.closesDays()) return this.#sweepUnfinished(tenant);
    const clock = this.world().calendars.clock(tenant);
    if (!clock) await this.advance(tenant, this.work.machineMs());
    else if (clock.goal !== null && !this.#advancing.has(tenantKey(tenant))) await this.advanceClock(tenant, clock.goal);
  }

  /** Closes every day of the tenant that is over at `until`, in the order of their ends. */
  async advance(tenant: Tenant, until: number, onClosed: (at: number) => void = () => undefined): Promise<void> {
    await this.sweepPending(tenant);
    for (;;) {
      const next = [...this.world().calendars.nextClosings(tenant)].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) return;
      await this.mass.room();
      if (this.#stopped) return;
      onClosed(next.at);
      this.work.recordShared(tenant, 'DayClosed', { zone: next.zone, day: next.day });
      if (this.#stopped) return;
      await this.#sweep(tenant, next.zone, addDays(next.day, 1));
      await this.#ordersOfDay(tenant);
      await this.#sweepMoments(tenant);
    }
  }

  /**
   * Moves a test clock along the same path as real time, to the recorded goal. A clock counts as ready once it has reached the goal, while
   * the last of the work may still be running: that is waited for.
   */
  async advanceClock(tenant: Tenant, goal: number, onProgress: (at: number) => void = () => undefined): Promise<void> {
    const key = tenantKey(tenant);
    for (let before = this.#advancing.get(key); before !== undefined; before = this.#advancing.get(key)) await before;
    if (this.world().calendars.clock(tenant)?.goal !== goal) return; // the tick was faster
    const moved = this.#moveClock(tenant, goal, onProgress).finally(() => this.#advancing.delete(key));
    this.#advancing.set(
      key,
      moved.catch(() => undefined), // the caller gets the error
    );
    await moved;
  }

  async #moveClock(tenant: Tenant, goal: number, onProgress: (at: number) => void): Promise<void> {
    await this.advance(tenant, goal, (at) => {
      this.work.recordShared(tenant, 'ClockAdvanced', { to: at, isUnderWay: true } satisfies ClockAdvanced);
      onProgress(at);
    });
    if (this.#stopped)
      throw new Refusal('unavailable', 'The service is shutting down. The advance goes on after the next start.', { retryAfterSeconds: 1 });
    this.work.recordShared(tenant, 'ClockAdvanced', { to: goal } satisfies ClockAdvanced);
    await this.#sweepMoments(tenant);
    await this.work.settled();
  }

  /** A refusal because the engine ends is no bug. */
  #failed(cause: unknown): void {
    if (!(this.#stopped && cause instanceof Refusal)) this.onError(cause);
  }

  /** Brings up to date the actors that an interrupted sweep has left. */
  async sweepPending(tenant: Tenant): Promise<void> {
    for (const { zone, day } of [...this.world().calendars.nextClosings(tenant)]) await this.#sweep(tenant, zone, day);
    await this.#sweepMoments(tenant);
  }

  /** Actors whose deadline has come. */
  #sweepMoments(tenant: Tenant): Promise<void> {
    return this.#sweep(tenant, MOMENTS, momentsToday(this.world().calendars.now(tenant, this.work.machineMs())));
  }

  /** Reloaded memory knows the closed days, and not whether their work is done. */
  async #sweepUnfinished(tenant: Tenant): Promise<void> {
    const { calendars, massWorks } = this.world();
    for (const { zone, day } of [...calendars.nextClosings(tenant)]) {
      const closing = massWorks.closingOf(tenant, zone);
      if (closing && this.mass.runOf(closing).finishedAt === null) await this.#sweep(tenant, zone, day);
    }
    await this.#sweepMoments(tenant);
  }

  /** A day was closed by another worker: its work on the shards of this one is done between other commands. */
  async trigger(tenant: Tenant): Promise<void> {
    const waking = this.sweepPending(tenant).catch((cause: unknown) => this.#failed(cause));
    this.#waking = Promise.all([this.#waking, waking]);
    await waking;
  }

  async #sweep(tenant: Tenant, zone: string, today: Day): Promise<void> {
    await this.work.listed();
    const zoneKey = `${tenantKey(tenant)}/${zone}`;
    const closing = this.world().massWorks.closingOf(tenant, zone) ?? null;
    const run = closing && this.mass.runOf(closing);
    const budget = new TimeBudget(() => HALF_OF_THREAD, this.work.scheduler);
    for (;;) {
      const { agenda } = this.world();
      const due = agenda.due(zoneKey, today, LIMITS.sweepLook);
      run?.expect(agenda.countDue(zoneKey, today));
      if (due.length === 0 || this.#stopped) break;
      const begun = performance.now();
      for (const [shard, keys] of this.#byShard(due)) await this.#sweepShard({ tenant, shard, today, closing, budget }, keys);
      if (run) run.pace.ms += performance.now() - begun;
      if (this.#stopped) return;
      await budget.yieldToOthers(); // also between days that are done at once
      await this.work.listed(); // memory may have been reloaded
    }
    if (run && run.finishedAt === null) run.finishedAt = this.work.machineMs();
    if (closing && this.work.closesDays()) await this.#untilOthersAreDone(closing);
  }

  /** What the company itself has ordered with the day: done by all before the next one is closed. */
  async #ordersOfDay(tenant: Tenant): Promise<void> {
    const works = [...this.world().massWorks.all()].filter(
      (work) => work.isOfDay === true && isOf(work, tenant) && !this.#doneEverywhere.has(work),
    );
    if (works.length === 0) return;
    this.mass.trigger();
    for (const work of works) {
      await this.mass.ended(work);
      if (this.work.closesDays()) await this.#untilOthersAreDone(work);
    }
  }

  /**
   * The next day is closed when all units have done the work of this one. Real time waits, up to a limit, for a unit of the cluster that no
   * worker serves: that unit catches up when it is back.
   */
  async #untilOthersAreDone(closing: MassWork): Promise<void> {
    if (this.#doneEverywhere.has(closing)) return;
    const untilMs = this.world().calendars.clock(closing.tenant) ? Infinity : performance.now() + LIMITS.closedWaitMs;
    for (
      let pauseMs: number = LIMITS.closedLookMs;
      !this.#stopped && (closing.isPaused || performance.now() < untilMs);
      pauseMs = Math.min(2 * pauseMs, LIMITS.closedLongestLookMs)
    ) {
      if (await this.work.isDoneByOthers(closing)) {
        this.#doneEverywhere.add(closing);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async #sweepShard({ tenant, shard, today, closing, budget }: ShardOfDay, keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; ) {
      await this.mass.room();
      await this.#resumed(closing);
      if (this.#stopped) return;
      const world = this.world();
      const batch = new MassBatch(this.work, closing, tenant, shard);
      let waiting: Promise<void> | null = null;
      for (; at < keys.length && batch.count < LIMITS.massBatch && (batch.count === 0 || !budget.isSpent); at++) {
        const key = keys[at] ?? '';
        if (!world.agenda.isDue(key, today)) continue; // another sweep was here
        const { kind, id } = readActorKey(key);
        const actor = this.work.isQuarantined(key) ? undefined : world.find(tenant, kind, id);
        waiting = actor ? this.work.missing(actor) : null;
        if (waiting) break;
        if (actor) batch.take(actor, 0);
        else world.agenda.set(key, null);
      }
      const committed = batch.commit(false);
      if (closing) {
        this.mass.runOf(closing).pace.done += batch.count;
        if (committed) world.locks.hold(committed.actors, closing, this.work.machineMs(), committed.ticket.durable);
      }
      await waiting;
      if (budget.isSpent) await budget.yieldToOthers();
    }
  }

  /** Waits while the closing is paused; later days wait too. */
  async #resumed(closing: MassWork | null): Promise<void> {
    while (closing?.isPaused && !this.#stopped) await new Promise((resolve) => setTimeout(resolve, LIMITS.pauseLookMs));
  }

  #byShard(keys: readonly string[]): Map<number, string[]> {
    const byShard = new Map<number, string[]>();
    for (const key of keys) {
      const shard = this.world().shardOf(readActorKey(key).id) ?? 0;
      const those = byShard.get(shard);
      if (those) those.push(key);
      else byShard.set(shard, [key]);
    }
    return byShard;
  }
}

interface ShardOfDay {
  readonly tenant: Tenant;
  readonly shard: number;
  readonly today: Day;
  /** Null when no closed day is known: work that was pending at a start. */
  readonly closing: MassWork | null;
  readonly budget: TimeBudget;
}
