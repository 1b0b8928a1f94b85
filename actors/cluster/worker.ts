import { assert } from '../../engine/index.js';
import type { Engine } from '../runtime/engine.js';
import type { EngineParts } from '../runtime/engine-parts.js';
import type { Bus } from '../runtime/ports.js';
import type { Unit } from './units.js';
import { serveUnit } from './unit-server.js';

export interface WorkerOptions {
  readonly bus: Bus;
  /** Opens the engine of a unit, which fences whoever had it before. */
  open(unit: Unit): Promise<Engine>;
  /** Whether the unit is surely this worker's at this moment. */
  holds(unit: Unit): boolean;
  readonly report: EngineParts['report'];
}

interface Served {
  readonly engine: Engine;
  stop(): Promise<void>;
}

/** The units that one process owns, each with an engine that serves it over the bus. */
export class Worker {
  readonly #served = new Map<string, Served>();

  constructor(private readonly options: WorkerOptions) {}

  get units(): readonly string[] {
    return [...this.#served.keys()];
  }

  /** Whether all that is owned can be written. */
  get isWritable(): boolean {
    return [...this.#served.values()].every(({ engine }) => engine.isWritable);
  }

  /** Resolves when the unit is served. */
  async take(unit: Unit): Promise<void> {
    const { bus, open, holds, report } = this.options;
    assert(!this.#served.has(unit.name), `${unit.name} is served already`);
    const engine = await open(unit);
    const stop = await serveUnit({
      bus, unit, engine,
      holds: () => holds(unit),
      onFailure: (cause, where) => report('error', 'An ask failed.', { where, cause: String(cause instanceof Error ? cause.stack : cause) }),
    });
    this.#served.set(unit.name, { engine, stop });
    report('info', 'A unit is served.', { unit: unit.name });
  }

  /** Finishes what was accepted, and gives the unit away. Resolves when another may take it. */
  async release(unit: Unit): Promise<void> {
    const served = this.#served.get(unit.name);
    if (!served) return;
    this.#served.delete(unit.name);
    await served.stop();
    await served.engine.close();
    this.options.report('info', 'A unit is given away.', { unit: unit.name });
  }
}
