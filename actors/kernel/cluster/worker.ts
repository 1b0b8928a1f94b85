import { setTimeout as pause } from 'node:timers/promises';
import { fieldOf, must, ownJson } from '../../../engine/index.js';
import { traceOf } from '../../errors.js';
import { LIMITS } from '../limits.js';
import { type LeaseOwner, parseLease, parseWorker } from '../placement/index.js';
import type { Bus, ShardHead, SharedKeyValue } from '../ports.js';
import type { EngineState, EngineStatus } from '../shard/engine-status.js';
import type { Engine, EngineParts } from '../shard/engine.js';
import { type Unit, UNITS } from './units.js';
import { CLUSTER_LIMITS } from './published-watermark.js';
import { serveUnit } from './unit-server.js';

/** `recovering`: being opened. `stopped`: its last opening has failed. */
export interface UnitStatus extends Omit<EngineStatus, 'state'> {
  readonly unit: string;
  readonly state: EngineState | 'recovering' | 'stopped';
}

/** The status that a process reports. */
export interface ProcessStatus {
  readonly name: string;
  readonly pid: number;
  readonly upSeconds: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Since the last acknowledged beat of its leases; null for a process that needs no leases. */
  readonly beatAgeSeconds: number | null;
  readonly units: readonly UnitStatus[];
}

/** A unit with its owner, if it has one. */
export interface ShardsLine extends Omit<UnitStatus, 'state'> {
  /** The name of the owning process; null while no process owns the unit. */
  readonly owner: string | null;
  /** Grows with each change of owner; null in one process. */
  readonly epoch: number | null;
  /** `unowned`: no process owns it. `silent`: its owner does not answer. */
  readonly state: UnitStatus['state'] | 'unowned' | 'silent';
}

/** The status of all shards, and the processes that own them. */
export interface ShardsReport {
  readonly units: readonly ShardsLine[];
  readonly processes: readonly Omit<ProcessStatus, 'units'>[];
}

const NOTHING_KNOWN: Omit<UnitStatus, 'unit' | 'state' | 'reason' | 'shards'> = {
  unstoredRecords: 0,
  snapshotAgeSeconds: 0,
  loans: null,
  awake: 0,
  quarantined: 0,
  recoveredRecords: 0,
  recoverySeconds: 0,
  clockAheadSeconds: 0,
  dayClosingLateSeconds: 0,
  dayWorkWaiting: 0,
  massWorks: [],
};

/** Of a unit that is not served yet: the reason why its last opening failed, if it did. */
const openingStatus = (unit: string, trouble: string | null): UnitStatus => ({
  unit,
  ...NOTHING_KNOWN,
  state: trouble === null ? 'recovering' : 'stopped',
  reason: trouble,
  shards: (UNITS.find(({ name }) => name === unit)?.shards ?? []).map((shard) => ({ shard, journal: null, snapshot: null })),
});

/** The status of a process with the status of its units. */
export function processStatus(name: string, units: readonly UnitStatus[], beatAgeSeconds: number | null): ProcessStatus {
  const { rss, heapUsed } = process.memoryUsage();
  return { name, pid: process.pid, upSeconds: Math.round(process.uptime()), rssBytes: rss, heapBytes: heapUsed, beatAgeSeconds, units };
}

/** The report of one process that owns all units. */
export function reportOfProcess({ units, ...own }: ProcessStatus): ShardsReport {
  return { units: units.map((unit) => ({ ...unit, owner: own.name, epoch: null })), processes: [own] };
}

const addressOf = (worker: string): string => `status.${worker}`;

/** Answers requests for the status of a worker, at the name of its leases. */
export const serveStatus = (bus: Bus, worker: string, status: () => ProcessStatus): Promise<() => Promise<void>> =>
  bus.serve(addressOf(worker), () => Promise.resolve(Buffer.from(JSON.stringify(status()))));

/** Reads the owners from the records of leases, and asks each worker for its status. Throws errors of the store. */
export async function clusterReport(records: SharedKeyValue, bus: Bus): Promise<ShardsReport> {
  const entries = await records.list('');
  const below = (kind: string): typeof entries => entries.filter(({ key }) => key.startsWith(`${kind}.`));
  const names = new Map(below('workers').map(({ key, value }) => [key.slice('workers.'.length), parseWorker(value).address]));
  const leases = new Map(below('leases').map(({ value }) => [parseLease(value).unit, parseLease(value)]));
  const answers = await Promise.all([...names.keys()].map(async (worker) => [worker, await askStatus(bus, worker)] as const));
  const statuses = new Map(answers);
  const units = UNITS.map(({ name }): ShardsLine => {
    const lease = leases.get(name);
    const owner = lease?.worker ?? null;
    const common = { owner: owner === null ? null : (names.get(owner) ?? null), epoch: lease?.epoch ?? null };
    if (owner === null || !names.has(owner))
      return { ...openingStatus(name, null), ...common, state: 'unowned', reason: 'no worker owns it' };
    const status = statuses.get(owner);
    if (!status) return { ...openingStatus(name, null), ...common, state: 'silent', reason: 'its worker does not answer' };
    return { ...(status.units.find(({ unit }) => unit === name) ?? openingStatus(name, null)), ...common };
  });
  return { units, processes: answers.flatMap(([, status]) => (status ? [withoutUnits(status)] : [])) };
}

const withoutUnits = ({ units: _units, ...own }: ProcessStatus): Omit<ProcessStatus, 'units'> => own;

/** Null when no answer comes. */
async function askStatus(bus: Bus, worker: string): Promise<ProcessStatus | null> {
  try {
    return ownJson<ProcessStatus>(Buffer.from(await bus.ask(addressOf(worker), new Uint8Array(), CLUSTER_LIMITS.statusMs)).toString());
  } catch {
    return null;
  }
}

type Heads = ReadonlyMap<number, ShardHead>;

/** An engine of a unit, and what has to be released after it. */
export interface OpenedUnit {
  readonly engine: Engine;
  /** The end of the journal for each of its shards. */
  heads(): Heads;
  /** Stops the work beside serving the engine, before the engine is closed. */
  retire?(): Promise<void>;
  readonly release: () => Promise<void>;
}

/** A unit was lost while its engine was being opened. */
export class NotHeld extends Error {
  override readonly name = 'NotHeld';

  constructor(unit: string) {
    super(`${unit} belongs to another worker`);
  }
}

export interface WorkerOptions {
  readonly bus: Bus;
  /** Opens the engine of a unit, which fences the previous owner. The journal must have everything up to the given ends. */
  readonly open: (unit: Unit, acknowledged: Heads) => Promise<OpenedUnit>;
  /** Whether the unit is certainly owned by this worker now. */
  readonly isHeld: (unit: string) => boolean;
  readonly report: EngineParts['report'];
  /** For how long a newly taken unit grants no external ids; absent: as long as claims of the previous owner may last. */
  readonly claimsRestMs?: number;
}

interface Served extends OpenedUnit {
  stop(): Promise<void>;
}

/**
 * The units that one process owns, each with an engine that serves it over the bus. Events of one unit (taken, given up, lost) are handled
 * one after the other; different units are handled at the same time.
 */
export class Worker implements LeaseOwner {
  readonly #served = new Map<string, Served>();
  readonly #tasks = new Map<string, Promise<void>>();
  /** Units that are taken, and neither given up nor lost. */
  readonly #owned = new Set<string>();
  /** The end of the journal when a unit was last served here: no later owner can have made the journal shorter. */
  readonly #reached = new Map<string, Heads>();
  /** Why the last opening of a unit failed. */
  readonly #troubles = new Map<string, string>();

  constructor(private readonly options: WorkerOptions) {
    setInterval(() => this.#reviveEnded(), CLUSTER_LIMITS.reviveMs).unref();
  }

  /** The names of the units that are served. */
  get units(): readonly string[] {
    return [...this.#served.keys()];
  }

  /** Whether all served units can be written. */
  get isWritable(): boolean {
    return [...this.#served.values()].every(({ engine }) => engine.isWritable);
  }

  /** The status of each unit that this worker owns. */
  status(): readonly UnitStatus[] {
    return [...this.#owned].map((unit) => {
      const served = this.#served.get(unit);
      return served ? { unit, ...served.engine.status } : openingStatus(unit, this.#troubles.get(unit) ?? null);
    });
  }

  taken(leases: readonly { readonly unit: string }[]): void {
    for (const { unit } of leases) {
      this.#owned.add(unit);
      void this.#next(unit, () => this.#serve(unit));
    }
  }

  async giveUp(units: readonly string[]): Promise<void> {
    await Promise.all(units.map((unit) => this.#leave(unit)));
  }

  lost(units: readonly string[]): void {
    for (const unit of units) void this.#leave(unit);
  }

  #leave(unit: string): Promise<void> {
    this.#owned.delete(unit);
    return this.#next(unit, () => this.#end(unit));
  }

  /** Resolves when the work begun so far is done. */
  async settled(): Promise<void> {
    await Promise.all(this.#tasks.values());
  }

  #next(unit: string, run: () => Promise<void>): Promise<void> {
    const task = (this.#tasks.get(unit) ?? Promise.resolve()).then(run).catch((cause: unknown) => {
      this.options.report('error', 'A unit cannot be served or given away.', { unit, cause: traceOf(cause) });
    });
    this.#tasks.set(unit, task);
    return task;
  }

  /**
   * Tries until the unit is opened, or lost again: the server may be away for a moment, and the lease with it. The same failure is reported
   * once.
   */
  async #serve(name: string): Promise<void> {
    let pauseMs: number = CLUSTER_LIMITS.reopenMs;
    while (this.#owned.has(name) && !this.#served.has(name)) {
      try {
        await this.#open(name);
        this.#troubles.delete(name);
      } catch (cause) {
        const trouble = cause instanceof Error ? cause.message : String(cause);
        if (this.#troubles.get(name) !== trouble)
          this.options.report('error', 'A unit cannot be opened yet.', { unit: name, cause: traceOf(cause) });
        this.#troubles.set(name, trouble);
        // Each attempt writes a fence: wait longer when an operator has to act first.
        pauseMs = isForOperator(cause) ? Math.min(2 * pauseMs, CLUSTER_LIMITS.reopenMostMs) : CLUSTER_LIMITS.reopenMs;
        await pause(pauseMs);
      }
    }
  }

  /** Opens units of this worker again whose engine has stopped serving: their journal may have been restored. */
  #reviveEnded(): void {
    for (const [unit, { engine }] of this.#served) {
      if (!engine.isOver || !this.options.isHeld(unit)) continue;
      void this.#next(unit, () => this.#end(unit));
      void this.#next(unit, () => this.#serve(unit));
    }
  }

  async #open(name: string): Promise<void> {
    const { bus, open, isHeld, report, claimsRestMs = LIMITS.claimMs } = this.options;
    const unit = must(
      UNITS.find((one) => one.name === name),
      `the unit ${name}`,
    );
    const begunMs = performance.now();
    const opened = await open(unit, this.#reached.get(name) ?? NOTHING);
    const stop = await serveUnit({
      bus,
      unit,
      engine: opened.engine,
      claimsRestMs,
      holds: () => isHeld(name),
      onFailure: (cause, where) => report('error', 'A request to this worker failed.', { where, cause: traceOf(cause) }),
    }).catch(async (cause: unknown) => {
      await opened.engine.close(); // it serves no requests, and the next attempt opens another one
      await opened.release();
      throw cause;
    });
    this.#served.set(name, { ...opened, stop });
    report('info', 'A unit is served.', { unit: name, tookMs: Math.round(performance.now() - begunMs) });
  }

  async #end(name: string): Promise<void> {
    const served = this.#served.get(name);
    if (!served) return;
    this.#served.delete(name);
    await served.stop();
    await served.retire?.();
    await served.engine.close();
    this.#reached.set(name, served.heads());
    await served.release();
    this.options.report('info', 'A unit is no longer served.', { unit: name });
  }
}

const NOTHING: Heads = new Map();

/** Another attempt helps only after an operator has acted. */
const isForOperator = (cause: unknown): boolean => fieldOf(cause, 'helps') === 'operator';

/** The result of reading the records of leases. */
export interface SeenOwners {
  readonly workers: number;
  /** Units that no live worker owns. */
  readonly unowned: number;
}

/**
 * Reads now and then who owns what, from outside. A worker is alive when its record has been written again since the last look, or within
 * the time that a beat may take.
 */
export class OwnersLook {
  readonly #beats = new Map<string, { readonly revision: number; readonly seenAt: number }>();

  constructor(
    private readonly records: SharedKeyValue,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Null while the records cannot be read. */
  async look(): Promise<SeenOwners | null> {
    const entries = await this.records.list('').catch(() => null); // the store is away, which the store's client reports
    if (entries === null) return null;
    const now = this.now();
    const living = new Set<string>();
    for (const { key, revision } of entries) {
      if (!key.startsWith('workers.')) continue;
      const worker = key.slice('workers.'.length);
      const known = this.#beats.get(worker);
      const seenAt = known?.revision === revision ? known.seenAt : now;
      this.#beats.set(worker, { revision, seenAt });
      if (now - seenAt <= LIMITS.leaseTtlMs) living.add(worker);
    }
    const owned = new Set(
      entries
        .filter(({ key }) => key.startsWith('leases.'))
        .flatMap(({ value }) => {
          const { unit, worker } = parseLease(value);
          return worker !== null && living.has(worker) ? [unit] : [];
        }),
    );
    return { workers: living.size, unowned: UNITS.filter(({ name }) => !owned.has(name)).length };
  }
}
