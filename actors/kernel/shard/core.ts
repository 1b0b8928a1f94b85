import { must } from '../../../engine/index.js';
import type { EvolveEnv } from '../actor.js';
import { EventLog } from '../events/event-log.js';
import { withNames } from '../events/event-names.js';
import type { Tenant } from '../fact.js';
import { PERSON } from '../known-names.js';
import { Ids } from '../ids.js';
import type { Operations } from '../jobs/operations.js';
import { Committer, unavailable } from '../journal/committer.js';
import { JournalTime } from '../journal/journal-time.js';
import { assertAllFit, assertOwnersKept } from '../journal/known-keys.js';
import { readRecord } from '../journal/records.js';
import { recover, type RecoveryReport } from '../journal/recovery.js';
import { LIMITS, SHARED_SHARD } from '../limits.js';
import { IndexReading } from '../lists/rows-loading.js';
import { environmentOf, type Journal, type ShardHead, type Snapshots, type StoredBlock } from '../ports.js';
import { Snapshotter } from '../snapshots/snapshotter.js';
import { readMarks } from '../snapshots/stored-names.js';
import type { EngineParts } from './engine.js';
import { Replies } from './replies.js';
import type { Runtime } from './runtime.js';
import { HALF_OF_THREAD, TimeBudget, Scheduler } from './scheduler.js';
import { locate, Scope } from './scope.js';
import { recordShared } from './shared-facts.js';
import { Wiping } from './wiping.js';
import { World } from './world.js';

/**
 * Everything that is computed from the journal, and the journal itself: created at start, and reloaded when the memory can no longer be
 * trusted.
 */
export class Core {
  readonly world: World;
  /** The time by which stored replies expire. */
  readonly time: JournalTime;
  readonly events: EventLog;
  readonly replies: Replies;
  readonly committer: Committer;
  readonly snapshotter: Snapshotter;
  readonly wiping: Wiping;
  readonly recovery: RecoveryReport;
  /** The list index is read in the background; lists wait for it. */
  readonly index: IndexReading;
  /** Time from opening until it could answer. */
  openedInMs = 0;
  #runtime: Runtime | null = null;

  /** A store that is damaged, or of another format, is rebuilt from the journal. */
  static async open(parts: EngineParts, listener: CoreListener, acknowledged: ReadonlyMap<number, ShardHead> = NOTHING_YET): Promise<Core> {
    const { stores } = parts;
    const begunMs = performance.now();
    const journal = await parts.openJournal(acknowledged);
    const rebuilt = new Set<string>();
    for (;;) {
      try {
        for (const name of ['actors', 'events', 'replies'] as const)
          if (readMarks(stores[name]) === null) await Core.rebuild(stores, name, listener);
        const core = await Core.#recover(parts, journal, listener);
        core.openedInMs = performance.now() - begunMs;
        return core;
      } catch (cause) {
        const environment = environmentOf(cause);
        if (environment === null || rebuilt.has(environment)) {
          await journal.close();
          throw cause;
        }
        rebuilt.add(environment);
        await Core.rebuild(stores, environment, listener);
      }
    }
  }

  /** Sets a damaged environment aside; null is none. */
  static async rebuild(stores: Snapshots, environment: string | null, listener: CoreListener): Promise<void> {
    if (environment === null) return;
    listener.rebuilding();
    await stores.rebuild(environment);
  }

  static async #recover(parts: EngineParts, journal: Journal, listener: CoreListener): Promise<Core> {
    const { stores, keys, clock, modules } = parts;
    const world = new World(modules, stores.actors, new Ids(parts.idKey), keys, parts.cachedActors, parts.part?.shards);
    const time = new JournalTime(() => clock.monotonicMs());
    const [events, replies] = [
      new EventLog(
        stores.events,
        world.ids,
        (event) => withNames(event, world),
        (tenant) => world.calendars.emptiedAt(tenant),
      ),
      new Replies(stores.replies, time),
    ];
    world.onUnreadable = (owner, cause) =>
      parts.report('error', 'The personal data of somebody cannot be read: restore the data keys.', { owner, cause: String(cause) });
    const committer = new Committer(journal, keys, (cause) => listener.flushFailed(cause), parts.measure?.flushed);
    const wiping = new Wiping(world, stores.actors, keys);
    const soFar = async (): Promise<void> => {
      await wiping.done(); // persons who are no longer stored cannot be found any more
      await committer.soFar();
    };
    const snapshotter = new Snapshotter({
      world,
      stores,
      events,
      replies,
      soFar,
      heads: () => journal.heads(),
      journalMs: () => time.now(),
      keys,
      scheduler: parts.scheduler,
    });
    assertOwnersKept(stores.actors, keys, world.names.owner);
    const loading = world.startLoading();
    const scope = (tenant: Tenant, shard: number): Scope =>
      new Scope({ world, keys, tenant, shard, now: world.calendars.now(tenant, clock.now()) });
    const report = await (parts.scheduler ?? new Scheduler()).mayBeAlone(async (alone) => {
      const budget = new TimeBudget(() => HALF_OF_THREAD, parts.scheduler);
      const recovering = recover({ world, journal, stores, events, replies, envOf: scope, budget, alone, keys });
      let step = await recovering.next();
      for (; step.done !== true; step = await recovering.next()) await snapshotter.takeSoFar();
      return step.value;
    });
    world.saw((await parts.part?.publishedStamp()) ?? 0); // events published here come after all that were published before
    if (time.now() < A_YEAR_MS) time.reached(clock.now()); // the journal has no reply yet
    if (parts.keysAreUnmarked) assertAllFit(world, stores.actors, keys);
    snapshotter.noteTail(report.records);
    for (const owner of report.erased) await keys.destroy(owner);
    const core = new Core(parts, journal, {
      world,
      time,
      events,
      replies,
      committer,
      snapshotter,
      wiping,
      recovery: report,
      index: new IndexReading(world, loading, parts.scheduler),
    });
    core.index.finished.catch((cause: unknown) => {
      if (!core.index.isStopped) listener.indexFailed(cause);
    });
    if (!world.owns(SHARED_SHARD)) core.#follow(listener);
    return core;
  }

  private constructor(
    private readonly parts: EngineParts,
    readonly journal: Journal,
    made: Pick<Core, 'world' | 'time' | 'events' | 'replies' | 'committer' | 'snapshotter' | 'wiping' | 'recovery' | 'index'>,
  ) {
    ({ world: this.world, time: this.time, events: this.events, replies: this.replies, committer: this.committer } = made);
    ({ snapshotter: this.snapshotter, wiping: this.wiping, recovery: this.recovery, index: this.index } = made);
  }

  #follow(listener: CoreListener): void {
    const { world, journal } = this;
    followShared(
      world,
      journal,
      (tenant) => this.scope(tenant, SHARED_SHARD),
      (tenants) => listener.sharedAdvanced(tenants),
    ).catch((cause: unknown) => {
      if (!this.index.isStopped) listener.flushFailed(cause);
    });
  }

  /** Logs how the start went. */
  logRecovery(): void {
    const {
      recovery: { records, erased },
      index,
      parts: { report },
    } = this;
    report('info', 'Recovered.', { records, erased: erased.length });
    index.finished.then(
      () => report('info', 'The list index is read.', { rows: index.rows }),
      () => undefined,
    ); // callers that wait for rows get the error
  }

  /** Destroys the data keys of persons, and of files whose time is over, for good. */
  async erase(owners: readonly string[]): Promise<void> {
    for (const owner of owners) await this.parts.keys.destroy(owner);
    const { prefix } = this.world.definition(PERSON);
    this.parts.measure?.erased(owners.filter((owner) => owner.startsWith(prefix)).length);
  }

  /** Stores nothing more and reads no rows: this memory is discarded. Resolves when the stores are no longer used. */
  async retire(): Promise<void> {
    this.index.stop();
    await this.snapshotter.retire();
  }

  /** Refuses when there is no room for more: changed actors stay in memory until they are stored, and a start reads them again. */
  assertRoom(): void {
    this.committer.assertRoom();
    if (this.#unstored >= LIMITS.dirty) throw unavailable('Too many changes are waiting to be stored. Try again in a second.');
  }

  /** Whether background work may go on: it leaves room to commands, and to snapshots so that they can keep up with it. */
  get hasRoomInBackground(): boolean {
    return this.committer.hasRoomInBackground() && this.#unstored < LIMITS.dirtyInBackground;
  }

  get #unstored(): number {
    return this.world.dirty.size + this.world.storing.size;
  }

  /** The time of a tenant in milliseconds. */
  now(tenant: Tenant): number {
    return this.world.calendars.now(tenant, this.parts.clock.now());
  }

  scope(tenant: Tenant, shard: number): Scope {
    return new Scope({ world: this.world, keys: this.parts.keys, tenant, shard, now: this.now(tenant) });
  }

  /** What commands and queries need of the engine: created once. */
  runtime(operations: Operations): Runtime {
    this.#runtime ??= this.#makeRuntime(operations);
    return this.#runtime;
  }

  #makeRuntime(operations: Operations): Runtime {
    this.world.onWiped = (tenant) => operations.empty(tenant);
    const runtime: Runtime = {
      world: this.world,
      keys: this.parts.keys,
      machineMs: () => this.parts.clock.now(),
      journalMs: () => this.time.now(),
      committer: this.committer,
      events: this.events,
      published: (count) => this.parts.measure?.published(count),
      replies: this.replies,
      operations,
      locate: (tenant, kind, target) => locate(this.world, tenant, kind, target),
      recordShared: (tenant, type, body) => recordShared(runtime, tenant, type, body),
      openZone: (tenant, zone, day) => recordShared(runtime, tenant, 'DayClosed', { zone, day }),
    };
    return runtime;
  }
}

/** Receives what goes wrong in the background. */
export interface CoreListener {
  flushFailed(cause: unknown): void;
  /** An environment of the snapshots is set aside: data read from it before must not be served any more. */
  rebuilding(): void;
  /** The list index cannot be read. */
  indexFailed(cause: unknown): void;
  /** Facts of the shared shard have come from its owner. */
  sharedAdvanced(tenants: readonly Tenant[]): void;
}

/**
 * Applies the records of the owner of the shared shard as they become durable, and reports the tenants whose calendar or configuration
 * changed. Their events and replies are the owner's to publish. Ends with the journal.
 */
async function followShared(
  world: World,
  journal: Journal,
  envOf: (tenant: Tenant) => EvolveEnv,
  onAdvance: (tenants: readonly Tenant[]) => void,
): Promise<void> {
  const follow = must(journal.follow?.bind(journal), 'the journal of a cluster can be followed');
  for await (const block of follow(SHARED_SHARD)) onAdvance([...applyBlock(world, block, envOf)]);
}

function applyBlock(world: World, { firstSequence, records }: StoredBlock, envOf: (tenant: Tenant) => EvolveEnv): Set<Tenant> {
  const position = world.position(SHARED_SHARD);
  const tenants = new Set<Tenant>();
  for (const [at, bytes] of records.entries()) {
    const sequence = firstSequence + at;
    const record = readRecord(bytes, sequence);
    position.sequence = sequence;
    if (record.type !== 'fact') continue;
    const { fact, idCounter } = record;
    position.idCounter = Math.max(position.idCounter, idCounter);
    const actor = world.apply(fact, null, envOf(fact.tenant));
    if (actor) world.index(actor);
    tenants.add(fact.tenant);
  }
  return tenants;
}

/** No journal began before this time. */
const A_YEAR_MS = 366 * 24 * 3_600_000;

const NOTHING_YET: ReadonlyMap<number, ShardHead> = new Map();
