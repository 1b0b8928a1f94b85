import type { Journal, Snapshots } from '../../actors/index.js';
import type { StreamServer } from '../../persistence/index.js';
import type { Random } from '../random.js';
import type { Connection } from './client.js';
import type { Network } from './network.js';
import type { SimProcess, VirtualTime } from './virtual-time.js';
import type { Witness } from './witness.js';

/** A fault that a test builds in, to see that the simulator finds it. */
export interface Plant {
  readonly journal?: (journal: Journal) => Journal;
  readonly snapshots?: (snapshots: Snapshots) => Snapshots;
  readonly stream?: (server: StreamServer) => StreamServer;
  /** Workers answer whether they hold their leases or not. */
  readonly ignoresLeases?: true;
  /** What was taken is held until the records say that others have it, however old the last beat is. */
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

  /** No day ends any more. */
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
  /** A line of what happens, for whoever follows. */
  trace(line: string): void;
  /** Ends the run: something does not hold. */
  fail(cause: unknown): void;
}

/** Something that goes wrong in the world, as often as its weight says beside the others. */
export interface Disturbance {
  readonly name: string;
  readonly weight: number;
  /** Something is lost for ever: it happens in worlds that are asked for it alone. */
  readonly isDisaster?: true;
  happen(): void;
}

/** Part of the world whose events lie in one order: its name and one of its shards. */
export interface EventSource {
  readonly name: string;
  readonly shard: number;
}

/** The service as it is built for a run, and what can happen to it. */
export interface Scenario {
  readonly eventSources: readonly EventSource[];
  readonly disturbances: readonly Disturbance[];
  /** Milliseconds between two of them at most. */
  readonly calmMs: number;
  start(): void;
  /** The way of somebody outside to the service. */
  connect(process: SimProcess): Connection;
  /** All faults are over, and whoever is missing comes back. */
  heal(): void;
  /** Ends orderly, and begins again; `fromJournalAlone` without anything else. */
  restart(how: 'withSnapshots' | 'fromJournalAlone'): Promise<void>;
  /** Looks at what lies in the journal while nobody serves: every chain is whole. */
  verify(): Promise<void>;
}
