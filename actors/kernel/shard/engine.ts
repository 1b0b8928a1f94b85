import { must } from '../../../engine/index.js';
import { stateAs } from '../erased.js';
import { traceOf } from '../../errors.js';
import type { ActorModule, CommandRequest, CommandSpec, Outcome, QueryRequest, QuerySpec } from '../actor.js';
import type { EventLog } from '../events/event-log.js';
import { type Tenant, tenantOf } from '../fact.js';
import { lockPassed } from '../jobs/mass-locks.js';
import { type MassHost, MassRunner } from '../jobs/mass-runner.js';
import { type Operation, Operations } from '../jobs/operations.js';
import { Sweeper, type SweepWork } from '../jobs/sweeper.js';
import { unavailable } from '../journal/committer.js';
import type { RecoveryReport } from '../journal/recovery.js';
import { COMPANY } from '../known-names.js';
import { SHARED_SHARD } from '../limits.js';
import type { Clock, Journal, KeyStore, ShardHead, Snapshots } from '../ports.js';
import { Attempts } from './attempts.js';
import { withKeyedDigest } from './body-digest.js';
import { type ClusterPart, isDoneEverywhere } from './cluster-part.js';
import type { Core } from './core.js';
import { type EngineStatus, statusOf } from './engine-status.js';
import { answered, answerOf, type Executed, fetchReferred, runCommand } from './execution.js';
import { withinReadWait } from './read-wait.js';
import { type ReadResult, runQuery, systemRead } from './reading.js';
import { earlierReply } from './replies.js';
import type { Runtime } from './runtime.js';
import type { Scheduler } from './scheduler.js';
import { locate } from './scope.js';
import { SharedFacts } from './shared-facts.js';
import { Supervisor } from './supervisor.js';
import { type Services, type SystemCommand, systemCommands, systemQueries, type SystemQuery } from './system.js';
import { TestClocks } from './test-clocks.js';
import { Trial } from './trial.js';
import type { World } from './world.js';

/** The parts of an engine; `wiring/` and tests choose the implementations. */
export interface EngineParts {
  readonly clock: Clock;
  /** Opens the journal. Called again after a failed flush, until it can be written, with the ends that were acknowledged before. */
  openJournal(acknowledged: ReadonlyMap<number, ShardHead>): Promise<Journal>;
  readonly stores: Snapshots;
  readonly keys: KeyStore;
  /** The keys are not yet marked as those of this journal: they are compared with all its records. */
  readonly keysAreUnmarked?: boolean;
  /** Key of the permutation of ids; lives as long as the data. */
  readonly idKey: Uint8Array;
  /** With the tables of policies and reactions applied to their commands (`actors/modules.ts`). */
  readonly modules: readonly ActorModule[];
  /** Actors kept in memory after their snapshot is stored; absent: `LIMITS.cachedActors`. The engines of a worker share its limit. */
  readonly cachedActors?: (() => number) | undefined;
  /** Longest wait of a command for a loan that mass work is computing; absent: `LIMITS.lockWaitMs`. */
  readonly lockWaitMs?: number;
  /** Shared by the engines of one process; absent: each part of this one uses its own. */
  readonly scheduler?: Scheduler;
  /** The unit of a cluster; absent: every shard is here. */
  readonly part?: ClusterPart;
  /** Services beside the engine that answer queries and commands for it. */
  readonly services?: Services;
  /** Receives counts for metrics. */
  readonly measure?: EngineMeasure;
  /** The time zone of a company, from its state. */
  companyZone(state: unknown): string;
  /** Logs what an operator should know: recoveries, failed flushes, bugs. */
  readonly report: (level: 'info' | 'warn' | 'error', message: string, details?: Readonly<Record<string, unknown>>) => void;
}

/** The counts that an engine reports. */
export interface EngineMeasure {
  /** A batch of so many records is durable. */
  readonly flushed: (records: number, seconds: number) => void;
  /** So many events can be read from now on. */
  published(events: number): void;
  /** Data keys of so many persons are destroyed. */
  erased(persons: number): void;
}

/**
 * The engine of one process: all shards in one thread, one journal. Commands are decided one at a time in memory and answered when their
 * batch is durable; a query is answered when everything that it has read is durable.
 */
export class Engine {
  readonly operations = new Operations();
  readonly sweeper: Sweeper;
  readonly mass: MassRunner;
  readonly #commands: ReadonlyMap<string, CommandSpec<unknown>>;
  readonly #queries: ReadonlyMap<string, QuerySpec<unknown>>;
  readonly #systemCommands: ReadonlyMap<string, SystemCommand>;
  readonly #systemQueries: ReadonlyMap<string, SystemQuery>;
  readonly #listeners = new Set<() => void>();
  /** Actors whose daily work met a bug: they wait for a person, all others go on. */
  readonly #quarantine = new Set<string>();
  readonly sharedFacts: SharedFacts;
  /** Runs a command or query again from its beginning once something that was missing has come. */
  readonly #attempts: Attempts;
  readonly #erase = (persons: readonly string[]): Promise<void> => this.#core.erase(persons);

  static async open(parts: EngineParts): Promise<Engine> {
    let engine: Engine | null = null;
    const supervisor = await Supervisor.open(parts, {
      reloaded: () => engine?.reloaded(),
      sharedAdvanced: (tenants) => engine?.sharedAdvanced(tenants),
    });
    engine = new Engine(parts, supervisor);
    engine.sweeper.start();
    engine.mass.trigger();
    return engine;
  }

  private constructor(
    private readonly parts: EngineParts,
    private readonly supervisor: Supervisor,
  ) {
    this.sharedFacts = new SharedFacts(parts.part, () => this.world.position(SHARED_SHARD).sequence);
    this.#attempts = new Attempts({
      part: parts.part,
      sharedFacts: this.sharedFacts,
      remoteCache: () => this.world.remoteCache,
      listed: () => this.listed(),
      assertWhole: (cause) => supervisor.assertWhole(cause),
    });
    this.#followEvents();
    this.#commands = new Map(parts.modules.flatMap((module) => module.commands).map((spec) => [spec.type, spec as CommandSpec<unknown>]));
    this.#queries = new Map(parts.modules.flatMap((module) => module.queries).map((spec) => [spec.type, spec as QuerySpec<unknown>]));
    const clocks = new TestClocks(this, () => parts.clock.now());
    this.#systemCommands = systemCommands(this, clocks, parts.services);
    this.#systemQueries = systemQueries(this, clocks, parts.services);
    const host = this.#massHost();
    this.mass = new MassRunner(host, (cause) => supervisor.bug(cause, 'mass work'));
    this.sweeper = new Sweeper(
      () => this.world,
      host,
      this.mass,
      (cause) => supervisor.bug(cause, 'closing days'),
    );
  }

  /** Decides, records and answers once durable. Throws `Refusal`; nothing is changed then. */
  execute(request: CommandRequest): Promise<Outcome> {
    const executed = this.#attempts.run(() => this.#execute(request), request.commandId);
    return executed instanceof Promise ? executed.then((later) => answerOf(later, this.#erase)) : answerOf(executed, this.#erase);
  }

  /** In this round of the event loop, if no actor is locked. */
  #execute(request: CommandRequest): Executed | Promise<Executed> {
    const keyed = withKeyedDigest(request, this.parts.idKey);
    const system = this.#systemCommands.get(request.type);
    if (system) return system(keyed, tenantOf(request.company, request.mode)).then(answered);
    const spec = must(this.#commands.get(request.type), `no command ${request.type}`);
    this.supervisor.assertReadable();
    const isKept = spec.kind === COMPANY; // what it answers outlives a test mode
    const emptiedAt = isKept ? 0 : this.world.calendars.emptiedAt(tenantOf(request.company, request.mode));
    const earlier = earlierReply({ replies: this.#core.replies, keys: this.parts.keys, emptiedAt }, keyed, this.#core.time.now());
    if (earlier) return answered(earlier);
    this.supervisor.assertWritable();
    return this.world.locks.isFree ? this.#runCommand(spec, keyed) : this.#runOnceUnlocked(spec, keyed);
  }

  /** A bug after the first fact fails this caller, and reloads memory (`guarded`). A fact of a shared actor may trigger mass work. */
  #runCommand(spec: CommandSpec<unknown>, request: CommandRequest): Executed {
    const executed = this.supervisor.guarded(request, (isSimulatedFirst) => runCommand(this.#runtime(), spec, request, isSimulatedFirst));
    if (this.world.definition(spec.kind).isShared) this.mass.trigger();
    return executed;
  }

  async #runOnceUnlocked(spec: CommandSpec<unknown>, request: CommandRequest): Promise<Executed> {
    await this.#core.replies.runningWhile(request.commandId, () => lockPassed(this.world, spec, request, this.parts.lockWaitMs));
    return this.#runCommand(spec, request);
  }

  /** Reads; answers when everything that it has read is durable. */
  async query(request: QueryRequest): Promise<unknown> {
    const { data, ticket } = await this.#attempts.run(() => this.#query(request), null);
    if (ticket && !ticket.isDurable)
      await withinReadWait(ticket.durable, unavailable('The data of this read is not stored yet. Try again in a second.'));
    return data;
  }

  #query(request: QueryRequest): ReadResult | Promise<ReadResult> {
    this.supervisor.assertReadable();
    const system = this.#systemQueries.get(request.type);
    if (system) return systemRead(system(request, tenantOf(request.company, request.mode)));
    const spec = must(this.#queries.get(request.type), `no query ${request.type}`);
    const { world } = this;
    return runQuery(this.#runtime(), spec, request, () => this.world === world);
  }

  /** Simulated commands that build on each other and change nothing; reads see what is recorded. For an engine with all shards. */
  trial(): Pick<Engine, 'execute' | 'query'> {
    const trial = new Trial({ runtime: () => this.#runtime(), command: (type) => must(this.#commands.get(type), `no command ${type}`) });
    return {
      execute: async (request) => {
        this.supervisor.assertReadable();
        return this.#attempts.run(() => trial.decide(request), null);
      },
      query: (request) => this.query(request),
    };
  }

  /** Whether one of the kinds of actors has the command. */
  has(type: string): boolean {
    return this.#commands.has(type);
  }

  /** The time of a tenant in milliseconds, and its test clock if it has one. */
  now(tenant: Tenant): number {
    return this.#core.now(tenant);
  }

  /** An id for a new company that the operator makes. */
  newSharedId(prefix: string): string {
    return this.world.newId(SHARED_SHARD, prefix);
  }

  /** Work of a command that ended with its reply, or of a service beside the engine; mass work has operations of its own. */
  operation(tenant: Tenant, operationId: string): Operation | undefined {
    return this.operations.get(tenant, operationId, this.parts.clock.now());
  }

  /** Machine time in milliseconds. */
  machineMs(): number {
    return this.parts.clock.now();
  }

  /** The time of the journal in milliseconds, which never jumps; see `JournalTime`. */
  journalMs(): number {
    return this.#core.time.now();
  }

  hasTestClock(tenant: Tenant): boolean {
    return this.world.calendars.clock(tenant) !== undefined;
  }

  /** The state of an actor, for parts of the same process; never to be changed. */
  stateOf<State>(tenant: Tenant, kind: string, id: string): State | undefined {
    return stateAs(this.world.find(tenant, kind, id)?.state);
  }

  /** All companies, each in its modes. */
  tenants(): Tenant[] {
    return this.world.catalog.tenantsOf(COMPANY);
  }

  /** The service id that an AnyId names; throws `notFound`. */
  locate(tenant: Tenant, kind: string, target: string): string {
    return locate(this.world, tenant, kind, target);
  }

  companyZone(tenant: Tenant): string {
    return this.parts.companyZone(this.stateOf(tenant, COMPANY, tenant.company));
  }

  get world(): World {
    return this.#core.world;
  }

  get events(): EventLog {
    return this.#core.events;
  }

  /** Calls back after new events, also after a reload of the core; returns the function that stops it. */
  onEvents(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #followEvents(): void {
    this.events.onAdvance(() => this.#listeners.forEach((listener) => listener()));
  }

  /** The newest record of each shard. */
  get positions(): readonly number[] {
    return Array.from({ length: SHARED_SHARD + 1 }, (_, shard) => this.world.position(shard).sequence);
  }

  get recovery(): RecoveryReport {
    return this.#core.recovery;
  }

  get isWritable(): boolean {
    return this.supervisor.isWritable;
  }

  /** Its status, for the operator. */
  get status(): EngineStatus {
    const {
      supervisor: { core, state, ending },
      mass,
      parts,
    } = this;
    return statusOf({ core, mass, parts, quarantined: this.#quarantine.size, ending: ending?.forOperator ?? null }, state);
  }

  /** It serves nothing any more: a later owner does, or the journal needs the operator. */
  get isOver(): boolean {
    return this.supervisor.ending !== null;
  }

  /** Records a fact of a calendar: a closed day, a moved clock. */
  recordShared(tenant: Tenant, type: string, body: unknown): void {
    this.supervisor.assertWritable();
    this.#runtime().recordShared(tenant, type, body);
  }

  /** A new id on the shard of another object. */
  newId(beside: string, prefix: string): string {
    return this.world.newId(must(this.world.shardOf(beside), `${beside} belongs to no shard`), prefix);
  }

  /** Resolves when the data keys of all persons in emptied test modes are destroyed. */
  wiped(): Promise<void> {
    return this.#core.wiping.done();
  }

  /** Resolves when the list index is in memory, also after a reload of the core. */
  listed(): Promise<void> {
    return this.supervisor.listed();
  }

  /** Resolves when everything that a reader has just read is durable; throws `unavailable` after the limit of a read. */
  seen(): Promise<void> {
    return withinReadWait(this.#core.committer.soFar(), unavailable('The data of this read is not stored yet. Try again in a second.'));
  }

  /** A stamp up to which all events can be read now; later events have higher ones. */
  async eventsThrough(): Promise<number> {
    this.supervisor.assertReadable();
    const stamp = this.world.nextStamp(this.parts.clock.now());
    await Promise.all([
      withinReadWait(this.#core.committer.soFar(), unavailable('The events are not stored yet. Try again in a second.')),
      this.parts.part?.mayPublish(stamp),
    ]);
    return stamp;
  }

  /** Resolves when everything recorded by now is durable: later records, as of mass work, are not waited for. */
  settled(): Promise<void> {
    return this.#core.committer.soFar();
  }

  snapshot(): Promise<void> {
    return this.#core.snapshotter.take();
  }

  /** Finishes accepted work, stores a last snapshot and closes the parts. */
  close(): Promise<void> {
    return this.supervisor.close(async () => void (await Promise.all([this.sweeper.stop(), this.mass.stop()])));
  }

  private sharedAdvanced(tenants: readonly Tenant[]): void {
    this.sharedFacts.advanced();
    for (const tenant of tenants) void this.sweeper.trigger(tenant);
    this.mass.trigger();
  }

  /** Memory was reloaded: its events are in another log. */
  private reloaded(): void {
    this.#followEvents();
    this.mass.trigger();
  }

  /** What background work on many actors needs of the engine. */
  #massHost(): MassHost & SweepWork {
    return {
      world: () => this.world,
      scheduler: this.parts.scheduler,
      machineMs: () => this.parts.clock.now(),
      runtime: () => this.#runtime(),
      scope: (tenant, shard) => this.#core.scope(tenant, shard),
      command: (type) => must(this.#commands.get(type), `no command ${type}`),
      quarantine: ({ key, id }, cause) => {
        this.#quarantine.add(key);
        this.parts.report('error', `A bug in the computation of ${id}: it stays as it was; all others go on.`, { cause: traceOf(cause) });
      },
      refused: ({ operationId }, { message }) =>
        this.parts.report('error', 'Mass work cannot be done: its filter is refused. It ends without a change.', { operationId, message }),
      isQuarantined: (key) => this.#quarantine.has(key),
      missing: (actor) =>
        this.world.isWhole
          ? null
          : this.#attempts.fetched(
              () => fetchReferred(actor, this.#core.scope(actor.tenant, actor.shard).asking()),
              () => this.isWritable,
            ),
      recordShared: (tenant, type, body) => this.recordShared(tenant, type, body),
      settled: () => this.settled(),
      passed: () => this.#core.committer.passed(),
      listed: () => this.listed(),
      closesDays: () => this.world.owns(SHARED_SHARD),
      isDoneByOthers: (work) => this.parts.part === undefined || isDoneEverywhere(this.parts.part, work),
      hasRoom: () => this.isWritable && this.#core.hasRoomInBackground,
    };
  }

  #runtime(): Runtime {
    return this.#core.runtime(this.operations);
  }

  get #core(): Core {
    return this.supervisor.core;
  }
}
