import {
  type ActorModule,
  BORROWER_UNITS,
  type Bus,
  type Clock,
  ClusterClient,
  clusterPart,
  Engine,
  type EngineParts,
  type Journal,
  type KeyStore,
  type OpenedUnit,
  SHARED_SHARD,
  SHARED_UNIT,
  type Tenant,
  type Unit,
  unitOf,
  Worker,
} from '../../../actors/index.js';
import { must } from '../../../engine/index.js';
import { LocalBus, MemoryKeyValue } from '../../../persistence/index.js';
import { MemoryStores } from './memory-stores.js';
import { MemoryStream } from './memory-stream.js';

export interface LocalClusterOptions {
  readonly clock: Clock;
  /** Serves all units; its creator closes it. */
  readonly keys: KeyStore;
  readonly idKey: Uint8Array;
  readonly modules: () => readonly ActorModule[];
  readonly companyZone: EngineParts['companyZone'];
  readonly report: EngineParts['report'];
  readonly lockWaitMs?: number;
  /** A layer between the engines and the stream. */
  readonly wrap?: (journal: Journal, unit: Unit) => Journal;
  /** Services of the shared unit. */
  readonly services?: EngineParts['services'];
}

/** The disks of a cluster. */
export class LocalDisks {
  readonly stream = new MemoryStream();
  readonly stamps = new MemoryKeyValue();
  readonly #stores = new Map<string, MemoryStores>();

  storesOf(name: string): MemoryStores {
    const known = this.#stores.get(name) ?? new MemoryStores();
    this.#stores.set(name, known);
    return known;
  }

  forgetSnapshots(): void {
    this.#stores.clear();
  }

  /** Everything on them, byte by byte. */
  written(): string {
    return [this.stream, ...this.#stores.values()].map((part) => part.written()).join('');
  }
}

/** A gateway as its process has it: an engine that owns nothing and knows companies, and the client of all units. */
export interface LocalGateway {
  readonly here: Engine;
  readonly client: ClusterClient;
}

/** A whole cluster in one process: each unit with an engine of its own behind the bus, two workers that have half of them each. */
export class LocalCluster {
  readonly #engines = new Map<string, Engine>();
  readonly #gateways: LocalGateway[] = [];
  readonly workers: readonly Worker[];
  /** Units whose owners do not know whether they still own them. */
  readonly lapsed = new Set<string>();

  private constructor(
    private readonly options: LocalClusterOptions,
    readonly disks: LocalDisks,
    readonly bus: Bus,
  ) {
    this.workers = [1, 2].map(
      () =>
        new Worker({
          bus,
          open: (unit) => this.#openUnit(unit),
          isHeld: (unit) => !this.lapsed.has(unit),
          report: options.report,
          claimsRestMs: 0,
        }),
    );
  }

  static async open(options: LocalClusterOptions, disks: LocalDisks, bus: Bus = new LocalBus()): Promise<LocalCluster> {
    const cluster = new LocalCluster(options, disks, bus);
    for (const [at, unit] of [SHARED_UNIT, ...BORROWER_UNITS].entries())
      await cluster.#take(must(cluster.workers[at % 2], 'two workers'), unit);
    return cluster;
  }

  get engines(): readonly Engine[] {
    return [...this.#engines.values()];
  }

  /** The engine of the unit that has an object. */
  engineOf(id: string): Engine {
    const shard = this.engine(SHARED_UNIT).world.shardOf(id) ?? SHARED_SHARD;
    return this.engine(must(unitOf(shard), `${id} belongs to a unit`));
  }

  engine({ name }: Unit): Engine {
    return must(this.#engines.get(name), `${name} is open`);
  }

  async gateway(): Promise<LocalGateway> {
    const name = `gateway-${this.#gateways.length}`;
    const here = await Engine.open(this.#parts({ name, shards: [] }));
    const client = new ClusterClient({
      bus: this.bus,
      modules: this.options.modules(),
      idKey: this.options.idKey,
      sharedKnown: (sequence) => here.sharedFacts.known(sequence),
    });
    this.#gateways.push({ here, client });
    return { here, client };
  }

  /** The worker dies without notice, and the other takes the unit over. */
  async takeOver(unit: Unit): Promise<void> {
    const from = await this.leave(unit);
    await this.#take(
      must(
        this.workers.find((worker) => worker !== from),
        'another worker',
      ),
      unit,
    );
  }

  /** No worker has the unit from then on. */
  async leave(unit: Unit): Promise<Worker> {
    const from = must(
      this.workers.find(({ units }) => units.includes(unit.name)),
      `${unit.name} has an owner`,
    );
    await from.giveUp([unit.name]);
    return from;
  }

  async come(unit: Unit): Promise<void> {
    await this.#take(must(this.workers[0], 'a worker'), unit);
  }

  /** Closes the days that are over, and runs what is due by then. */
  async advance(tenant: Tenant, until: number): Promise<void> {
    await this.engine(SHARED_UNIT).sweeper.advance(tenant, until);
    await this.settled();
    for (const engine of this.#engines.values()) await engine.sweeper.sweepPending(tenant);
    await this.settled();
  }

  /** Resolves when ordered mass work can do nothing more now. */
  async massIdle(): Promise<void> {
    await this.settled();
    for (const engine of this.#engines.values()) await engine.mass.idle();
    await this.settled();
  }

  /** Resolves when all units have the shared facts, and everything accepted is durable. */
  async settled(): Promise<void> {
    const home = this.engine(SHARED_UNIT);
    await home.settled();
    const { sequence } = home.world.position(SHARED_SHARD);
    for (const engine of [...this.#engines.values(), ...this.#gateways.map(({ here }) => here)]) {
      await engine.sharedFacts.known(sequence);
      await engine.settled();
    }
  }

  async snapshot(): Promise<void> {
    for (const engine of this.#engines.values()) await engine.snapshot();
  }

  async close(): Promise<void> {
    for (const { here } of this.#gateways) await here.close();
    for (const worker of this.workers) await worker.giveUp(worker.units);
    await this.bus.close();
  }

  async #take(worker: Worker, { name }: Unit): Promise<void> {
    worker.taken([{ unit: name }]);
    await worker.settled();
  }

  async #openUnit(unit: Unit): Promise<OpenedUnit> {
    const engine = await Engine.open(this.#parts(unit));
    this.#engines.set(unit.name, engine);
    return { engine, heads: () => new Map(), release: async () => undefined };
  }

  #parts(unit: Unit): EngineParts {
    const { clock, keys, idKey, modules, companyZone, report, services, lockWaitMs, wrap = (journal) => journal } = this.options;
    const own = modules();
    const followed = unit.shards.includes(SHARED_SHARD) ? [] : [SHARED_SHARD];
    return {
      clock,
      idKey,
      companyZone,
      keys: sharedBy(keys),
      modules: own,
      openJournal: async () => wrap(this.disks.stream.open({ shards: unit.shards, followed }), unit),
      ...(lockWaitMs === undefined ? {} : { lockWaitMs }),
      stores: this.disks.storesOf(unit.name),
      ...(unit.name === SHARED_UNIT.name && services !== undefined ? { services } : {}),
      part: clusterPart({ bus: this.bus, unit, stamps: this.disks.stamps, modules: own, idKey }),
      report: (level, message, details) => report(level, message, { ...details, unit: unit.name }),
    };
  }
}

/** The store of all units: an engine that ends leaves it open to the others. */
function sharedBy(keys: KeyStore): KeyStore {
  return new Proxy(keys, {
    get(store, name) {
      if (name === 'close') return async () => undefined;
      const member: unknown = Reflect.get(store, name);
      return typeof member === 'function' ? member.bind(store) : member;
    },
  });
}
