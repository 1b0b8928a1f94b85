import type { Journal, Snapshots } from '../../actors/index.js';
import type { StreamServer } from '../../persistence/index.js';
import type { Random } from '../random.js';
import type { Connection } from './client.js';
import type { Network } from './network.js';
import type { SimProcess, VirtualTime } from './virtual-time.js';
import type { Witness } from './witness.js';

/** A fault that a test builds in, to check that the simulator finds it. */
export interface Plant {
  readonly journal?: (journal: Journal) => Journal;
  readonly snapshots?: (snapshots: Snapshots) => Snapshots;
  readonly stream?: (server: StreamServer) => StreamServer;
  /** Workers answer even without their leases. */
  readonly ignoresLeases?: true;
  /** A taken unit is held until the records give it to others, however old the last beat is. */
  readonly leasesNeverEnd?: true;
}

/** The machine's clock as workers see it. */
export class MachineClock {
  #standsAt: number | null = null;
  #ahead = 0;

  constructor(
    private readonly begin: number,
    private readonly time: VirtualTime,
  ) {}

  now(): number {
    return this.#standsAt ?? Math.floor(this.begin + this.time.now + this.#ahead);
  }

  monotonicMs(): number {
    return this.time.now;
  }

  /** Of all machines together: they have one source of time. */
  jump(milliseconds: number): void {
    this.#ahead += milliseconds;
  }

  /** Stops the clock: no day ends any more. */
  stand(): void {
    this.#standsAt = this.now();
  }
}

export interface ScenarioParts {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly clock: MachineClock;
  readonly network: Network;
  readonly witness: Witness;
  readonly plant: Plant;
  /** A line about what happens, for the trace. */
  trace(line: string): void;
  /** Ends the run: a condition does not hold. */
  fail(cause: unknown): void;
}

/** A fault of the world; it happens as often as its weight says relative to the others. */
export interface Disturbance {
  readonly name: string;
  readonly weight: number;
  /** Data is lost for ever: it happens only in worlds that request it. */
  readonly isDisaster?: true;
  happen(): void;
}

/** A part of the world whose events are in one order: its name and one of its shards. */
export interface EventSource {
  readonly name: string;
  readonly shard: number;
}

/** The service as it is built for a run, and the faults that can happen to it. */
export interface Scenario {
  readonly eventSources: readonly EventSource[];
  readonly disturbances: readonly Disturbance[];
  /** Longest time between two of them, in milliseconds. */
  readonly calmMs: number;
  start(): void;
  /** The connection of an outside client to the service. */
  connect(process: SimProcess): Connection;
  /** Ends all faults; missing processes come back. */
  heal(): void;
  /** Ends in order, and begins again; `fromJournalAlone` without snapshots. */
  restart(how: 'withSnapshots' | 'fromJournalAlone'): Promise<void>;
  /** Checks the journal while nobody serves: every chain is complete. */
  verify(): Promise<void>;
}
