import { setTimeout as pause } from 'node:timers/promises';
import { must } from '../../../engine/index.js';
import { traceOf } from '../../errors.js';
import type { LeaseOwner } from '../placement/index.js';
import type { Engine } from '../shard/engine.js';
import type { EngineParts } from '../shard/engine-parts.js';
import { LIMITS } from '../limits.js';
import type { Bus, ShardHead } from '../ports.js';
import { CLUSTER_LIMITS } from './limits.js';
import { type Unit, UNITS } from './units.js';
import { serveUnit } from './unit-server.js';
import { openingStatus, type UnitStatus } from './cluster-status.js';

type Heads = ReadonlyMap<number, ShardHead>;

/** An engine of a unit, and what is to be let go of after it. */
export interface OpenedUnit {
  readonly engine: Engine;
  /** Where the journal of its shards ends. */
  heads(): Heads;
  /** Ends what is done with the engine beside serving it, before it is closed. */
  retire?(): Promise<void>;
  release(): Promise<void>;
}

/** A unit was lost while its engine was opened. */
export class NotHeld extends Error {
  override readonly name = 'NotHeld';

  constructor(unit: string) {
    super(`${unit} belongs to another worker`);
  }
}

export interface WorkerOptions {
  readonly bus: Bus;
  /** Opens the engine of a unit, which fences whoever had it before. Nothing up to the given ends may be missing of the journal. */
  open(unit: Unit, acknowledged: Heads): Promise<OpenedUnit>;
  /** Whether the unit is surely this worker's at this moment. */
  isHeld(unit: string): boolean;
  readonly report: EngineParts['report'];
  /** For how long a unit that was taken gives no external ids; absent: as long as claims of the owner before may last. */
  readonly claimsRestMs?: number;
}

interface Served extends OpenedUnit {
  stop(): Promise<void>;
}

/**
 * The units that one process owns, each with an engine that serves it over the bus. What is taken, given up and lost is done
 * one after the other for each unit, and side by side for several.
 */
export class Worker implements LeaseOwner {
  readonly #served = new Map<string, Served>();
  readonly #turns = new Map<string, Promise<void>>();
  /** What is taken, and neither given up nor lost. */
  readonly #owned = new Set<string>();
  /** Where the journal ended of what was served here before: no later owner can have made it shorter. */
  readonly #reached = new Map<string, Heads>();
  /** What went wrong when a unit was opened last. */
  readonly #troubles = new Map<string, string>();

  constructor(private readonly options: WorkerOptions) {
    setInterval(() => this.#reviveEnded(), CLUSTER_LIMITS.reviveMs).unref();
  }

  /** The names of the units that are served. */
  get units(): readonly string[] {
    return [...this.#served.keys()];
  }

  /** Whether all that is served can be written. */
  get isWritable(): boolean {
    return [...this.#served.values()].every(({ engine }) => engine.isWritable);
  }

  /** How each unit stands that this worker owns. */
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

  /** Resolves when what was begun is done. */
  async settled(): Promise<void> {
    await Promise.all(this.#turns.values());
  }

  #next(unit: string, run: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(unit) ?? Promise.resolve()).then(run).catch((cause: unknown) => {
      this.options.report('error', 'A unit cannot be served or given away.', { unit, cause: traceOf(cause) });
    });
    this.#turns.set(unit, turn);
    return turn;
  }

  /**
   * Tries until it can be opened, or is lost again: the server may be away for a moment, and with it the lease. What goes wrong is told
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
        pauseMs = isForOperator(cause) ? Math.min(2 * pauseMs, CLUSTER_LIMITS.reopenMostMs) : CLUSTER_LIMITS.reopenMs; // each try writes a fence
        await pause(pauseMs);
      }
    }
  }

  /** Engines that serve nothing any more, of units that are still this worker's: their journal may have been restored. */
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
      onFailure: (cause, where) => report('error', 'An ask failed.', { where, cause: traceOf(cause) }),
    }).catch(async (cause: unknown) => {
      await opened.engine.close(); // nobody asks it, and the next try opens another
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
    this.options.report('info', 'A unit is served no more.', { unit: name });
  }
}

const NOTHING: Heads = new Map();

/** Trying again helps only once a person has done something. */
const isForOperator = (cause: unknown): boolean => (cause as { readonly helps?: unknown } | null)?.helps === 'operator';
