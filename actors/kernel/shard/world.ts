import { type Day, must } from '../../../engine/index.js';
import type { ActorDefinition, ActorModule, ActorPart, AgendaEntry, Emit, EvolveEnv, ReadPart } from '../actor.js';
import { definitionsOf } from '../actor.js';
import { madeWithAnotherKey } from '../journal/known-keys.js';
import { AtRest, fieldsOf, fieldsOfFact, fieldsOfPart, type OwnedFields, type OwnedState } from '../snapshots/at-rest.js';
import { Catalog } from '../lists/catalog.js';
import type { Ticket } from '../journal/committer.js';
import { destroysKey, type Fact, keyBelow, type Tenant, tenantKey } from '../fact.js';
import { COMPANY, ERASURE, PERSON } from '../known-names.js';
import type { Use } from '../journal/read-packed.js';
import { RecordShapes } from '../journal/record-shapes.js';
import type { Ids } from '../ids.js';
import { LIMITS, SHARED_SHARD } from '../limits.js';
import { isOfRuntime, MASS, MassWorks } from '../jobs/mass-works.js';
import { Locks } from '../jobs/mass-locks.js';
import { Answers } from '../policy.js';
import type { KeyStore, KeyValue } from '../ports.js';
import { JOURNAL } from '../journal/restore-cut.js';
import { RowFormat } from '../lists/row-format.js';
import { RowsLoading } from '../lists/rows-loading.js';
import { ACTOR_PREFIX, actorKey, RECORD_SHAPES_KEY, partKey, SHAPES_KEY } from '../snapshots/stored-keys.js';
import { StoredNames } from '../snapshots/stored-names.js';
import { RemoteCache, ActorCache } from './actor-cache.js';
import { Agenda } from './agenda.js';
import { Calendars } from './calendars.js';
import { ALL_SHARDS } from './cluster-part.js';
import { agendaOf, NOT_ASKED } from './pending.js';

/** An actor in memory: its state and the last fact in it. */
export interface CachedActor {
  readonly key: string;
  readonly kind: string;
  readonly id: string;
  readonly tenant: Tenant;
  readonly shard: number;
  readonly definition: ActorDefinition<unknown>;
  state: unknown;
  /** Sequence of the last fact in the state; facts up to it are not applied again. */
  lastSequence: number;
  /** What it has to do next, and the sequence of the last fact from which that was computed; see `agendaOf`. */
  agenda: AgendaEntry | null;
  agendaSequence: number;
  /** Number of the last event under its order key. */
  eventSequence: number;
  /** The batch that carries its newest facts: a read of them waits for it. */
  ticket: Ticket | null;
  /** The parts as they are stored in the snapshots; null when none is. */
  storedParts: readonly ActorPart[] | null;
  /** Whether it was used recently; see `ActorCache`. */
  isTouched: boolean;
}

export interface ShardPosition {
  sequence: number;
  idCounter: number;
}

/**
 * Everything in memory, all of it computed from the journal. Actors are loaded when they are needed, the list index and the agenda in time
 * slices after the start; the calendars are always here.
 */
export class World {
  readonly #definitions: ReadonlyMap<string, ActorDefinition<unknown>>;
  /** Answers of later domains to questions of earlier ones. */
  readonly answers: Answers;
  readonly actorCache: ActorCache;
  /** Seals and opens personal fields on their way to the disk and back. */
  readonly atRest: AtRest;
  readonly names: StoredNames;
  readonly rowFormat: RowFormat;
  /** Free texts in the data of events, by the type of the event. */
  readonly eventTexts: ReadonlyMap<string, readonly string[]>;
  /** Shapes of actors and their parts in the snapshots. */
  readonly recordShapes = new RecordShapes();
  readonly catalog = new Catalog((row) => this.rowFormat.lean(row));
  readonly agenda = new Agenda();
  readonly calendars = new Calendars();
  /** Known state of other units of the cluster. */
  readonly remoteCache = new RemoteCache();
  readonly massWorks = new MassWorks();
  /** Locks of actors that mass work has just computed. */
  readonly locks = new Locks();
  readonly shards: readonly ShardPosition[] = Array.from({ length: SHARED_SHARD + 1 }, () => ({ sequence: 0, idCounter: 0 }));
  /** Actors that changed since their last snapshot. */
  dirty = new Set<string>();
  /** Actors whose snapshot is being stored. */
  storing: ReadonlySet<string> = new Set();
  /** Tenants whose stored rows and actors the next snapshot removes, each with the stamp of its wiping. */
  readonly wiped = new Map<string, number>();
  /** Their persons, who may be in no snapshot. */
  readonly wipedPersons = new Set<string>();
  #lastStamp = 0;
  /** Called when sealed data of a person cannot be opened: once for each, up to a limit. */
  onUnreadable: (owner: string, cause: unknown) => void = () => undefined;
  readonly #unreadable = new Set<string>();
  /** Called after a test mode was emptied. */
  onWiped: (tenant: Tenant) => void = () => undefined;

  constructor(
    modules: readonly ActorModule[],
    private readonly snapshots: KeyValue,
    readonly ids: Ids,
    keys: Pick<KeyStore, 'create' | 'knows' | 'has' | 'seal' | 'open'>,
    cachedActors?: () => number,
    /** Of all other shards nothing is here, except what is on the shared one. */
    private readonly shardsHere: ReadonlySet<number> = ALL_SHARDS,
  ) {
    this.#definitions = definitionsOf(modules);
    this.eventTexts = new Map(modules.flatMap(({ definition: { personal } }) => Object.entries(personal?.eventTexts ?? {})));
    this.answers = new Answers(modules.flatMap(({ answers = [] }) => answers));
    this.actorCache = new ActorCache((actor) => this.#mayRest(actor), cachedActors);
    this.atRest = new AtRest(keys);
    this.names = new StoredNames(snapshots, keys, ids, (shard) => this.owns(shard));
    this.rowFormat = new RowFormat(this.atRest);
  }

  reportUnreadable(owner: string, cause: unknown): void {
    if (this.#unreadable.has(owner) || this.#unreadable.size >= LIMITS.reportedUnreadable) return;
    this.#unreadable.add(owner);
    this.onUnreadable(owner, cause);
  }

  /** Whether this process owns the shard. */
  owns(shard: number): boolean {
    return this.shardsHere.has(shard);
  }

  /** Whether every shard is here. */
  get isWhole(): boolean {
    return this.shardsHere === ALL_SHARDS;
  }

  /** Whether the id belongs to another unit of the cluster. */
  isRemote(id: string): boolean {
    return !this.isWhole && this.shardOf(id) !== undefined && !this.#isHere(id);
  }

  /** The actor with its state; undefined when it has no fact, or is on another worker. */
  find(tenant: Tenant, kind: string, id: string): CachedActor | undefined {
    if (!this.#isHere(id)) return undefined;
    return this.actorCache.find(tenant, kind, id) ?? this.#load(tenant, kind, id, 'kept');
  }

  /** The same without keeping the actor: for one of very many that are each looked at once, in this round of the event loop. */
  findInPassing(tenant: Tenant, kind: string, id: string): CachedActor | undefined {
    return this.#isHere(id) ? (this.actorCache.find(tenant, kind, id) ?? this.#load(tenant, kind, id, 'passing')) : undefined;
  }

  #load(tenant: Tenant, kind: string, id: string, use: Use): CachedActor | undefined {
    const key = actorKey(tenant, kind, id);
    if (this.wiped.size > 0 && kind !== COMPANY && this.wiped.has(tenantKey(tenant))) return undefined;
    const stored = this.recordShapes.storedIn<readonly [number, number, unknown]>(this.snapshots, ACTOR_PREFIX + key, use);
    if (stored === undefined) return undefined;
    const [lastSequence, eventSequence, state] = stored.value;
    const loaded = this.#actor(tenant, kind, id);
    const { definition } = loaded;
    const fields = fieldsOf(loaded, state);
    const read = this.#readerOf(loaded, fields, use);
    const opened = fields === null ? state : this.atRest.openedStored({ value: state, holdsBytes: stored.holdsBytes }, fields);
    loaded.state = (use === 'passing' ? definition.unpackInPassing?.(opened, read) : undefined) ?? definition.unpack(opened, read);
    Object.assign(loaded, { lastSequence, eventSequence });
    if (use === 'passing') return loaded;
    loaded.storedParts = definition.parts?.(loaded.state) ?? null;
    this.actorCache.set(loaded);
    return loaded;
  }

  /** Parts of an actor have been stored: memory may forget them. */
  evict(actor: CachedActor, parts: readonly ActorPart[]): void {
    if (parts.every(({ evict }) => evict === undefined)) return;
    const read = this.#readerOf(actor, fieldsOf(actor, actor.state), 'kept');
    for (const part of parts) part.evict?.(read);
  }

  /** Reads parts of an actor from the snapshots. Parts keep it: it refers to nothing large. */
  #readerOf({ key, id }: Pick<CachedActor, 'key' | 'id'>, fields: OwnedFields | null, use: Use): ReadPart {
    return (name) => {
      const stored = must(this.recordShapes.storedIn(this.snapshots, partKey(key, name), use), `${id} has no ${name}`);
      return fields === null ? stored.value : this.atRest.openedStored(stored, fieldsOfPart(fields, name));
    };
  }

  /** The actor of an id whose prefix names its kind. */
  findByPrefix(tenant: Tenant, id: string): CachedActor | undefined {
    for (const definition of this.#definitions.values()) {
      if (id.startsWith(definition.prefix)) return this.find(tenant, definition.kind, id);
    }
    return undefined;
  }

  /** A new actor before its first fact. It is kept only once a fact has been applied. */
  initial(tenant: Tenant, kind: string, id: string): CachedActor {
    const actor = this.#actor(tenant, kind, id);
    actor.state = actor.definition.initial(id, tenant);
    return actor;
  }

  /** Applies a fact to its actor and returns the actor; undefined when the state already has it. */
  apply(fact: Fact, emit: Emit | null, env: EvolveEnv, known?: CachedActor): CachedActor | undefined {
    this.saw(fact.stamp);
    if (fact.kind === 'calendar') {
      this.calendars.apply(fact);
      if (isOfRuntime(fact, 'DayClosed')) this.massWorks.dayClosed(fact, fact.body);
      if (fact.type === 'TestModeWiped') this.#wipe(fact);
      return undefined;
    }
    if (fact.kind === JOURNAL) return undefined;
    if (fact.kind === MASS) {
      if (isOfRuntime(fact, 'MassAdvanced')) this.massWorks.advanced(fact, fact.body);
      return undefined;
    }
    if (fact.kind !== COMPANY && fact.stamp < this.calendars.emptiedAt(fact.tenant)) {
      if (fact.kind === PERSON) this.wipedPersons.add(fact.id);
      return undefined;
    }
    const actor = known ?? this.find(fact.tenant, fact.kind, fact.id) ?? this.initial(fact.tenant, fact.kind, fact.id);
    const { definition } = actor;
    if (definition.isShared === true) this.massWorks.onFact(fact, definition);
    if (fact.sequence <= actor.lastSequence) return undefined;
    definition.evolve(actor.state, emit === null ? this.#opened(fact, actor) : fact, emit, env);
    actor.lastSequence = fact.sequence;
    this.actorCache.set(actor);
    this.dirty.add(actor.key);
    if (destroysKey(fact.type)) this.atRest.erase(fact.id);
    if (fact.type === ERASURE) this.#forget(fact.tenant, fact.id);
    return actor;
  }

  /** An actor, or a part of it, as it is to be stored: personal fields are sealed. */
  sealed(actor: OwnedState, value: unknown, part?: string): unknown {
    const fields = fieldsOf(actor, actor.state);
    return fields === null ? value : this.atRest.sealed(value, part === undefined ? fields : fieldsOfPart(fields, part));
  }

  /** A new fact as memory gets it, and its body for the journal. If the key is destroyed, neither has personal fields. */
  sealedFact(fact: Fact, actor: CachedActor): readonly [fact: Fact, stored: unknown] {
    const fields = fieldsOfFact(fact, actor);
    const stored = fields === null ? fact.body : this.atRest.sealed(fact.body, fields);
    const isLost = fields !== null && stored !== fact.body && this.atRest.isGone(fields.owner);
    return [isLost ? { ...fact, body: stored } : fact, stored];
  }

  /** A fact of the journal as it was recorded. */
  #opened(fact: Fact, actor: CachedActor): Fact {
    const fields = fieldsOfFact(fact, actor);
    const body = fields === null ? fact.body : this.atRest.opened(fact.body, fields);
    return body === fact.body ? fact : { ...fact, body };
  }

  /** Removes the personal fields of an erased person from memory: what stays is what the next start would read. */
  #forget(tenant: Tenant, personId: string): void {
    for (const actor of this.actorCache.values()) {
      const { personal } = actor.definition;
      if (personal?.ownerOf(actor.state) !== personId) continue;
      const reread = (value: unknown, part?: string): unknown =>
        this.recordShapes.unpack(this.recordShapes.pack(this.sealed(actor, value, part)));
      const packed = reread(actor.definition.pack(actor.state));
      const parts = new Map(actor.definition.parts?.(actor.state).map(({ name, value }) => [name, value]));
      actor.state = actor.definition.unpack(packed, (name) => reread(must(parts.get(name), `${actor.id} has no ${name}`), name));
      actor.storedParts = null;
      this.dirty.add(actor.key);
      this.index(actor);
    }
    for (const { kind, personal } of this.#definitions.values()) {
      if (personal === undefined) continue;
      for (const row of this.catalog.below(tenant, kind, personId)) {
        if (row.parentId !== personId) continue; // on another borrower's loan
        const fields = Object.fromEntries(
          Object.entries(row.fields).map(([name, value]) => [name, personal.names.has(name) ? null : value]),
        );
        this.catalog.put(tenant, kind, { ...row, externalId: null, parts: [], fields });
      }
    }
  }

  /** Brings the list index and the agenda in line with the actor's state. */
  index(actor: CachedActor): void {
    const row = actor.definition.row(actor.state);
    if (row) this.catalog.put(actor.tenant, actor.kind, row);
    else this.catalog.remove(actor.tenant, actor.kind, actor.id);
    const agenda = this.owns(actor.shard) ? agendaOf(actor) : null; // what is followed has its work done where it lies
    this.agenda.set(actor.key, agenda && this.#agendaDay(actor.tenant, agenda));
  }

  /** Begins to read the stored rows into memory; `step` of the returned object goes on with it. */
  startLoading(): RowsLoading {
    const shapes = this.snapshots.get(SHAPES_KEY);
    if (shapes) this.rowFormat.unpackShapes(shapes);
    const ofObjects = this.snapshots.get(RECORD_SHAPES_KEY);
    if (ofObjects) this.recordShapes.unpackShapes(ofObjects);
    this.names.load();
    const loading = new RowsLoading(
      this.snapshots,
      this.rowFormat,
      {
        holds: (tenant, kind, id) => !this.#isHere(id) || this.catalog.holds(tenant, kind, id),
        restore: (tenant, kind, { row, agenda }) => {
          this.catalog.restore(tenant, kind, row);
          if (agenda) this.agenda.set(actorKey(tenant, kind, row.id), this.#agendaDay(tenant, agenda));
        },
      },
      this.names,
    );
    this.catalog.startLoading(loading);
    loading.takeCompanies();
    return loading;
  }

  /** Stamps given from now on are higher, even if the clock was set back meanwhile. */
  saw(stamp: number): void {
    if (stamp > this.#lastStamp) this.#lastStamp = stamp;
  }

  get lastStamp(): number {
    return this.#lastStamp;
  }

  /** The order of everything: microseconds, strictly rising. */
  nextStamp(machineMs: number): number {
    this.#lastStamp = Math.max(this.#lastStamp + 1, machineMs * 1000);
    return this.#lastStamp;
  }

  newId(shard: number, prefix: string): string {
    const position = this.position(shard);
    position.idCounter += 1;
    return this.ids.encode(prefix, shard, position.idCounter);
  }

  shardOf(id: string): number | undefined {
    const shard = this.ids.shardOf(id);
    return shard !== undefined && shard <= SHARED_SHARD ? shard : undefined;
  }

  position(shard: number): ShardPosition {
    return must(this.shards[shard], `no shard ${shard}`);
  }

  definition(kind: string): ActorDefinition<unknown> {
    return must(this.#definitions.get(kind), `no actor of the kind ${kind}`);
  }

  /** State from before another worker took its shard over may still be stored: it is ignored. */
  #isHere(id: string): boolean {
    if (this.isWhole) return true;
    const shard = this.shardOf(id);
    return shard === SHARED_SHARD || (shard !== undefined && this.shardsHere.has(shard));
  }

  #actor(tenant: Tenant, kind: string, id: string): CachedActor {
    const shard = this.shardOf(id);
    if (shard === undefined) throw madeWithAnotherKey(id);
    const definition = this.definition(kind);
    const key = actorKey(tenant, kind, id);
    return {
      key,
      kind,
      id,
      tenant,
      shard,
      definition,
      state: undefined,
      lastSequence: 0,
      agenda: null,
      agendaSequence: NOT_ASKED,
      eventSequence: 0,
      ticket: null,
      storedParts: null,
      isTouched: false,
    };
  }

  #agendaDay(tenant: Tenant, { zone, nextDay }: AgendaEntry): { readonly zoneKey: string; readonly day: Day } {
    return { zoneKey: keyBelow(tenant, zone), day: nextDay };
  }

  #mayRest({ key, kind }: CachedActor): boolean {
    return kind !== COMPANY && !this.dirty.has(key) && !this.storing.has(key);
  }

  /** Empties a test mode: borrowers, loans and everything below them are removed, the company's configuration stays. */
  #wipe(fact: Fact): void {
    const tenant = tenantKey(fact.tenant);
    this.wiped.set(tenant, fact.stamp);
    const company = this.catalog.get(fact.tenant, COMPANY, fact.tenant.company);
    this.catalog.dropTenant(fact.tenant);
    this.massWorks.dropTenant(fact.tenant);
    if (company) this.catalog.put(fact.tenant, COMPANY, company);
    for (const actor of this.actorCache.values()) {
      const { key } = actor;
      if (tenantKey(actor.tenant) !== tenant || actor.kind === COMPANY) continue;
      if (actor.kind === PERSON) this.wipedPersons.add(actor.id);
      this.actorCache.delete(key);
      this.dirty.delete(key);
      this.agenda.set(key, null);
    }
    this.agenda.dropPrefix(`${tenant}/`);
    this.onWiped(fact.tenant);
  }
}
