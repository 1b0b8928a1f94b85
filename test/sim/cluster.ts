import {
  BORROWER_UNITS,
  type Bus,
  clusterPart,
  type ClusterPart,
  Engine,
  type Journal,
  LeaseHolder,
  type OpenedUnit,
  Refusal,
  type ShardHead,
  SHARED_SHARD,
  SHARED_UNIT,
  type SharedKeyValue,
  toJsonText,
  type Unit,
  UnitsClient,
  unitOf,
  Worker,
} from '../../actors/index.js';
import { companyZone } from '../../actors/company/index.js';
import { MemoryKeyValue, openJournalOn } from '../../persistence/index.js';
import { ID_KEY, type Connection } from './client.js';
import { isInjected, listen, mayFailSnapshot } from './engine-reports.js';
import type { Answer, Ask } from './network.js';
import { MODULES } from './one-process.js';
import type { Disturbance, Scenario, ScenarioParts } from './scenario.js';
import { SharedKeys } from './shared-keys.js';
import { SimulatedBus } from './simulated-bus.js';
import { recordsOver } from './simulated-records.js';
import { SnapshotDisk } from './simulated-snapshots.js';
import { SimulatedStream } from './simulated-stream.js';
import { SimProcess } from './virtual-time.js';
import { hold } from './witness.js';

/** Fewer than a real cluster has, so that more happens to each. */
const LOAN_UNITS = BORROWER_UNITS.slice(0, 3);
const UNITS: readonly Unit[] = [SHARED_UNIT, ...LOAN_UNITS];
const SHARDS = UNITS.flatMap(({ shards }) => shards);
const STREAM = { name: 'JOURNAL', subjects: 'journal' };
const MACHINES = 3;

const AWAY_MS = [1, 2_000] as const;
const SHORT_PAUSE_MS = [5, 500] as const;
const LONG_PAUSE_MS = [2_000, 5_000] as const;
const CUT_OFF_MS = [500, 6_000] as const;
const SERVER_AWAY_MS = [20, 4_000] as const;
/** Largest difference between the clocks of two machines. */
const SKEW_MS = 400;
const CLIENT_PATIENCE_MS = 3_000;
const LOOK_MS = 20;
const MOST_FORGOTTEN = 12;

/** Creates a world whose server comes back without records that it had acknowledged. */
export const LOSS = 'the server forgets what it has acknowledged';

interface Opening {
  readonly machine: Machine;
  readonly process: SimProcess;
  readonly isHeld: (unit: string) => boolean;
  readonly bus: Bus;
  readonly unit: Unit;
  readonly acknowledged: ReadonlyMap<number, ShardHead>;
}

interface Machine {
  readonly name: string;
  readonly skewMs: number;
  readonly snapshots: ReadonlyMap<string, SnapshotDisk>;
  process: SimProcess;
  /** Units that the process serves. */
  readonly engines: Map<string, Engine>;
  lives: number;
}

/** Workers that share a stream, a bus and leases, each unit's engine on one of them. */
export class Cluster implements Scenario {
  readonly eventSources = UNITS.map(({ name, shards }) => ({ name, shard: shards[0] ?? SHARED_SHARD }));
  readonly disturbances: readonly Disturbance[];
  /** Leaves time for a takeover now and then. */
  readonly calmMs = 2_000;
  readonly #stream: SimulatedStream;
  readonly #bus: SimulatedBus;
  readonly #records = new MemoryKeyValue();
  readonly #stamps = new MemoryKeyValue();
  readonly #keys: SharedKeys;
  readonly #machines: readonly Machine[];

  constructor(private readonly parts: ScenarioParts) {
    const { time, random, network } = parts;
    this.#stream = new SimulatedStream(time, random, (cause) => parts.fail(cause));
    this.#bus = new SimulatedBus(time, network);
    this.#keys = new SharedKeys(time);
    this.#machines = Array.from({ length: MACHINES }, (_, at) => ({
      name: `machine-${at + 1}`,
      skewMs: random.below(SKEW_MS),
      engines: new Map(),
      lives: 0,
      process: new SimProcess('nobody'),
      snapshots: new Map(UNITS.map(({ name }) => [name, new SnapshotDisk(time, random)])),
    }));
    this.disturbances = [
      { name: 'a worker is killed', weight: 5, happen: () => this.#kill(this.#anyMachine()) },
      { name: 'a worker is stopped and goes on', weight: 5, happen: () => this.#pause(this.#anyMachine()) },
      { name: 'a worker is cut off from the server', weight: 3, happen: () => this.#cutOff(this.#anyMachine()) },
      { name: 'the server is away', weight: 2, happen: () => this.#serverAway() },
      { name: 'the way to the server changes', weight: 4, happen: () => this.#changeWeather() },
      { name: 'a snapshot is taken', weight: 6, happen: () => this.#takeSnapshots(this.#anyMachine()) },
      {
        name: 'a record of the snapshots is damaged',
        weight: 1,
        happen: () => this.#anyMachine().snapshots.get(this.#anyUnit())?.damage(),
      },
      { name: LOSS, weight: 4, isDisaster: true, happen: () => this.#forget() },
      { name: 'the snapshots of a worker are lost', weight: 1, happen: () => this.#loseSnapshots(this.#anyMachine()) },
    ];
  }

  start(): void {
    for (const machine of this.#machines) this.#boot(machine);
  }

  connect(process: SimProcess): Connection {
    const client = new UnitsClient(this.#bus.connect(process, CLIENT_PATIENCE_MS));
    return { serves: (shard) => SHARDS.includes(shard), ask: (ask, shard) => askUnit(client, unitOf(shard) ?? SHARED_UNIT, ask) };
  }

  heal(): void {
    this.#stream.isAway = false;
    Object.assign(this.#stream.weather, { lostPercent: 0, doubledPercent: 0, latePercent: 0 });
    for (const { process } of this.#machines) {
      process.isCutOff = false;
      this.parts.time.resume(process);
    }
  }

  async restart(how: 'withSnapshots' | 'fromJournalAlone'): Promise<void> {
    for (const machine of this.#machines) {
      if (how === 'fromJournalAlone') this.#loseSnapshots(machine);
      else this.#kill(machine);
    }
    await this.#isServed();
  }

  /** Reads all chains from their beginning to their end, without writing. */
  async verify(): Promise<void> {
    const journal = await openJournalOn(this.#stream.connect('the examiner'), {
      stream: STREAM,
      shards: [],
      followed: SHARDS,
      owner: 'the examiner',
    });
    const ends = new Map<number, number>();
    for await (const { shard, firstSequence, records } of journal.read(new Map())) {
      hold(firstSequence === (ends.get(shard) ?? 0) + 1, () => `shard ${shard} goes on at ${firstSequence} behind ${ends.get(shard)}`);
      ends.set(shard, firstSequence + records.length - 1);
    }
    for (const [shard, { lastSequence }] of journal.heads())
      hold(ends.get(shard) === lastSequence, () => `shard ${shard} ends at ${ends.get(shard)}, not at ${lastSequence}`);
    await journal.close();
  }

  async #isServed(): Promise<void> {
    while (!UNITS.every(({ name }) => this.#machines.some(({ engines }) => engines.get(name)?.isWritable)))
      await this.parts.time.pause(LOOK_MS);
  }

  #boot(machine: Machine): void {
    const { time } = this.parts;
    machine.lives += 1;
    const process = new SimProcess(`${machine.name}-${machine.lives}`);
    machine.process = process;
    time
      .within(process, () => this.#live(machine, process))
      .catch((cause: unknown) => {
        this.parts.trace(`${process.name} ends: ${String(cause)}`);
        if (!isInjected(cause)) return this.parts.fail(cause);
        this.#kill(machine, process);
      });
  }

  /** Runs as `tenor worker` does; ends when the others count it as dead. */
  async #live(machine: Machine, process: SimProcess): Promise<void> {
    const { time, network, plant } = this.parts;
    const bus = this.#bus.connect(process);
    const report = listen(this.parts, process, () => undefined);
    const isHeld = (unit: string): boolean =>
      plant.ignoresLeases === true || (plant.leasesNeverEnd === true ? holder.leases.has(unit) : holder.isHeld(unit));
    const worker = new Worker({
      bus,
      isHeld,
      report,
      open: (unit, acknowledged) => this.#open({ machine, process, isHeld, bus, unit, acknowledged }),
    });
    const holder: LeaseHolder = await LeaseHolder.join({
      records: recordsOver(this.#records, time, network, process),
      worker: process.name,
      address: process.name,
      units: UNITS.map(({ name }) => name),
      report,
      owner:
        plant.ignoresLeases === true
          ? { taken: (leases) => worker.taken(leases), giveUp: async () => undefined, lost: () => undefined }
          : worker,
    });
    holder.run();
    while (!holder.isOver || plant.ignoresLeases === true) await time.pause(LOOK_MS);
    throw new Error('the others have taken it for dead: simulated');
  }

  async #open({ machine, process, isHeld, bus, unit, acknowledged: before }: Opening): Promise<OpenedUnit> {
    const { clock, plant } = this.parts;
    const disk = machine.snapshots.get(unit.name) ?? new SnapshotDisk(this.parts.time, this.parts.random);
    const server = this.#stream.connect(`${process.name} ${unit.name}`);
    const stores = disk.open();
    let newest: Journal | null = null as Journal | null;
    const engine = await Engine.open({
      clock: { now: () => clock.now() + machine.skewMs, monotonicMs: () => clock.now() },
      openJournal: async (acknowledged) => {
        const journal = await openJournalOn(plant.stream?.(server) ?? server, {
          stream: STREAM,
          shards: unit.shards,
          followed: unit.shards.includes(SHARED_SHARD) ? [] : [SHARED_SHARD],
          first: SHARED_SHARD,
          owner: process.name,
          isHeld: () => isHeld(unit.name),
          acknowledged: new Map([...before, ...acknowledged]),
        });
        newest = journal;
        return plant.journal?.(journal) ?? journal;
      },
      stores: plant.snapshots?.(stores) ?? stores,
      keys: this.#keys,
      idKey: ID_KEY,
      modules: MODULES,
      companyZone,
      part: partOf(bus, unit, recordsOver(this.#stamps, this.parts.time, this.parts.network, process)),
      report: (level, message, details) => listen(this.parts, process, () => undefined)(level, message, { ...details, unit: unit.name }),
    });
    machine.engines.set(unit.name, engine);
    return { engine, heads: () => newest?.heads() ?? before, release: async () => void machine.engines.delete(unit.name) };
  }

  #kill(machine: Machine, process = machine.process): void {
    const { time } = this.parts;
    if (process.isDead || process !== machine.process) return;
    time.kill(process);
    machine.engines.clear();
    time.after(time.between(...AWAY_MS), () => this.#boot(machine), null);
  }

  /** Pauses one at a time, for less than a moment or past its leases: the others take over meanwhile. */
  #pause({ process }: Machine): void {
    const { time, random } = this.parts;
    if (this.#machines.some((machine) => machine.process.isPaused && !machine.process.isDead)) return;
    time.stop(process);
    const [least, most] = random.below(3) === 0 ? SHORT_PAUSE_MS : LONG_PAUSE_MS;
    time.after(time.between(least, most), () => time.resume(process), null);
  }

  /** As in a network of servers that falls apart: workers on the same side still reach it, while the others take its units over. */
  #cutOff({ process }: Machine): void {
    const { time } = this.parts;
    if (this.#machines.some((machine) => machine.process.isCutOff && !machine.process.isDead)) return;
    process.isCutOff = true;
    time.after(
      time.between(...CUT_OFF_MS),
      () => {
        process.isCutOff = false;
      },
      null,
    );
  }

  #serverAway(): void {
    const { time } = this.parts;
    this.#stream.isAway = true;
    time.after(
      time.between(...SERVER_AWAY_MS),
      () => {
        this.#stream.isAway = false;
      },
      null,
    );
  }

  #changeWeather(): void {
    const { random } = this.parts;
    const { weather } = this.#stream;
    weather.lostPercent = random.below(2) * random.below(4);
    weather.doubledPercent = random.below(2) * random.below(20);
    weather.latePercent = random.below(2) * random.below(6);
  }

  #forget(): void {
    const { random, trace } = this.parts;
    if (this.#stream.forget(1 + random.below(MOST_FORGOTTEN))) trace('records are gone');
  }

  #takeSnapshots({ process, engines }: Machine): void {
    for (const engine of engines.values()) {
      this.parts.time
        .within(process, () => engine.snapshot())
        .catch((cause: unknown) => {
          if (!mayFailSnapshot(cause)) this.parts.fail(cause);
        });
    }
  }

  #loseSnapshots(machine: Machine): void {
    this.#kill(machine);
    for (const disk of machine.snapshots.values()) disk.lose();
  }

  #anyMachine(): Machine {
    const { random } = this.parts;
    return this.#machines[random.below(MACHINES)] ?? raise();
  }

  #anyUnit(): string {
    return UNITS[this.parts.random.below(UNITS.length)]?.name ?? raise();
  }
}

function raise(): never {
  throw new Error('there is one');
}

/** Of a cluster that has only these units. */
function partOf(bus: Bus, unit: Unit, stamps: SharedKeyValue): ClusterPart {
  const client = new UnitsClient(bus);
  return {
    ...clusterPart({ bus, unit, stamps, modules: MODULES, idKey: ID_KEY }),
    countOf: async (tenant, selection) =>
      (await client.askAll<'count'>(LOAN_UNITS, { type: 'count', tenant, selection })).reduce((sum, count) => sum + count, 0),
  };
}

async function askUnit(client: UnitsClient, unit: Unit, ask: Ask): Promise<Answer> {
  try {
    if (ask.type === 'query')
      return { type: 'done', text: textOf(await client.ask<'query'>(unit, { type: 'query', request: ask.request })), replayed: false };
    const { outcome, sharedSequence } = await client.ask<'execute'>(unit, { type: 'execute', command: ask.request });
    if (unit === SHARED_UNIT) await client.askAll<'awaitShared'>(UNITS, { type: 'awaitShared', sequence: sharedSequence });
    return { type: 'done', text: textOf(outcome.data), replayed: outcome.replayed };
  } catch (cause) {
    if (cause instanceof Refusal) return { type: 'refused', errorType: cause.errorType, message: cause.message };
    return { type: 'failed', message: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) };
  }
}

const textOf = (data: unknown): string => (data === undefined ? '{}' : toJsonText(data));
