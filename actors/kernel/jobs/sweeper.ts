import { addDays, type Day } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { ClockAdvanced } from '../shard/calendars.js';
import { MOMENTS, momentsToday, type Tenant, tenantKey } from '../fact.js';
import { LIMITS } from '../limits.js';
import type { MassRunner } from './mass-runner.js';
import type { MassWork } from './mass-works.js';
import { Slice, type SliceHost } from './mass-slice.js';
import { HALF, Slices, type Turns } from '../shard/scheduler.js';
import { readActorKey } from '../snapshots/stored-keys.js';
import type { World } from '../shard/world.js';

/** What the sweeper asks of the engine beside computing. */
export interface SweepWork extends SliceHost {
  machineMs(): number;
  recordShared(tenant: Tenant, type: string, body: unknown): void;
  settled(): Promise<void>;
  readonly turns: Turns | undefined;
  /** Resolves when the agenda is whole: after a start it comes with the list index. */
  listed(): Promise<void>;
  /** Whether days are closed here; in a cluster by the owner of the shared shard alone. */
  closesDays(): boolean;
  /** Whether the other parts of the cluster have done their share of mass work. Of none, if this process is alone. */
  isDoneElsewhere(work: MassWork): boolean | Promise<boolean>;
}

/**
 * Closes days. A day of a zone is over at the first instant of the next one; closing it is one shared fact, after which the
 * actors whose day has come are brought up to date in slices, other commands between. It is mass work: it can be watched and
 * paused, and the agenda knows after a crash who is left.
 */
export class Sweeper {
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;
  /** Tenants whose days are being closed. */
  readonly #busy = new Map<string, Promise<void>>();
  #waking: Promise<unknown> = Promise.resolve();
  /** Test modes whose clock is moving, each until all of it is done; the tick leaves them alone. */
  readonly #advancing = new Map<string, Promise<void>>();
  /** Closed days whose work is done in all parts of the cluster. */
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
    else for (const tenant of this.world().calendars.tenants()) void this.wake(tenant);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await Promise.all(this.#busy.values());
    await this.#waking;
  }

  /** Closes what the wall clock has left behind, for all tenants without a test clock. One that is paused holds up no other. */
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
      await this.#sweepMoments(tenant);
    }
  }

  /**
   * Moves a test clock along the same path as real time, to the goal that was recorded. A clock counts as ready once it stands there, while
   * the last of the work before may still be under way: that is waited for.
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

  /** What is refused because the engine ends is no bug. */
  #failed(cause: unknown): void {
    if (!(this.#stopped && cause instanceof Refusal)) this.onError(cause);
  }

  /** Brings up to date what an interrupted sweep has left. */
  async sweepPending(tenant: Tenant): Promise<void> {
    for (const { zone, day } of [...this.world().calendars.nextClosings(tenant)]) await this.#sweep(tenant, zone, day);
    await this.#sweepMoments(tenant);
  }

  /** Those whose deadline has come. */
  #sweepMoments(tenant: Tenant): Promise<void> {
    return this.#sweep(tenant, MOMENTS, momentsToday(this.world().calendars.now(tenant, this.work.machineMs())));
  }

  /** Memory that was made anew knows of closed days, and not whether their work is done. */
  async #sweepUnfinished(tenant: Tenant): Promise<void> {
    const { calendars, massWorks } = this.world();
    for (const { zone, day } of [...calendars.nextClosings(tenant)]) {
      const closing = massWorks.closingOf(tenant, zone);
      if (closing && this.mass.runOf(closing).finishedAt === null) await this.#sweep(tenant, zone, day);
    }
    await this.#sweepMoments(tenant);
  }

  /** A day was closed elsewhere: its work is done here between other commands. */
  async wake(tenant: Tenant): Promise<void> {
    const waking = this.sweepPending(tenant).catch((cause: unknown) => this.#failed(cause));
    this.#waking = Promise.all([this.#waking, waking]);
    await waking;
  }

  async #sweep(tenant: Tenant, zone: string, today: Day): Promise<void> {
    await this.work.listed();
    const zoneKey = `${tenantKey(tenant)}/${zone}`;
    const closing = this.world().massWorks.closingOf(tenant, zone) ?? null;
    const run = closing && this.mass.runOf(closing);
    const slices = new Slices(() => HALF, this.work.turns);
    for (;;) {
      const { agenda } = this.world();
      const due = agenda.due(zoneKey, today, LIMITS.sweepLook);
      run?.expect(agenda.countDue(zoneKey, today));
      if (due.length === 0 || this.#stopped) break;
      const begun = performance.now();
      for (const [shard, keys] of this.#byShard(due)) await this.#sweepShard({ tenant, shard, today, closing, slices }, keys);
      if (run) run.pace.ms += performance.now() - begun;
      if (this.#stopped) return;
      await slices.othersTurn(); // also between days that are done at once
      await this.work.listed(); // memory may have been made anew
    }
    if (run && run.finishedAt === null) run.finishedAt = this.work.machineMs();
    if (closing && this.work.closesDays()) await this.#doneElsewhere(closing);
  }

  /**
   * The next day is closed when all have done the work of this one. Real time waits within a bound for a part of the cluster that
   * nobody serves: it takes in what it has missed when it is back.
   */
  async #doneElsewhere(closing: MassWork): Promise<void> {
    if (this.#doneEverywhere.has(closing)) return;
    const untilMs = this.world().calendars.clock(closing.tenant) ? Infinity : performance.now() + LIMITS.closedWaitMs;
    for (
      let pauseMs: number = LIMITS.closedLookMs;
      !this.#stopped && (closing.isPaused || performance.now() < untilMs);
      pauseMs = Math.min(2 * pauseMs, LIMITS.closedLongestLookMs)
    ) {
      if (await this.work.isDoneElsewhere(closing)) {
        this.#doneEverywhere.add(closing);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async #sweepShard({ tenant, shard, today, closing, slices }: ShardOfDay, keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; ) {
      await this.mass.room();
      await this.#resumed(closing);
      if (this.#stopped) return;
      const world = this.world();
      const slice = new Slice(this.work, closing, tenant, shard);
      let waiting: Promise<void> | null = null;
      for (; at < keys.length && slice.count < LIMITS.massSlice && (slice.count === 0 || !slices.isOver); at++) {
        const key = keys[at] ?? '';
        if (!world.agenda.isDue(key, today)) continue; // another sweep was here
        const { kind, id } = readActorKey(key);
        const actor = this.work.isQuarantined(key) ? undefined : world.find(tenant, kind, id);
        waiting = actor ? this.work.missing(actor) : null;
        if (waiting) break;
        if (actor) slice.take(actor, 0);
        else world.agenda.set(key, null);
      }
      const committed = slice.commit(false);
      if (closing) {
        this.mass.runOf(closing).pace.done += slice.count;
        if (committed) world.locks.hold(committed.actors, closing, this.work.machineMs(), committed.ticket.durable);
      }
      await waiting;
      if (slices.isOver) await slices.othersTurn();
    }
  }

  /** Whose closing is paused waits; days that come meanwhile wait behind it. */
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
  /** Null where no closed day is known: what was pending at a start. */
  readonly closing: MassWork | null;
  readonly slices: Slices;
}
