import type { ActorModule } from '../actor.js';
import type { ClusterPart } from './cluster-part.js';
import type { Clock, Journal, KeyStore, ShardHead, Snapshots } from '../ports.js';
import type { Turns } from './scheduler.js';
import type { Services } from './system.js';

/** The parts that an engine is made of; `wiring/` and tests choose the implementations. */
export interface EngineParts {
  readonly clock: Clock;
  /** Opens the journal; called again after a failed flush, until it can be written, with the ends of what was acknowledged before. */
  openJournal(acknowledged: ReadonlyMap<number, ShardHead>): Promise<Journal>;
  readonly stores: Snapshots;
  readonly keys: KeyStore;
  /** Nothing says yet that the keys belong to this journal: all that is recorded is compared with them. */
  readonly keysAreUnmarked?: boolean;
  /** Key of the permutation of ids; lives as long as the data. */
  readonly idKey: Uint8Array;
  readonly modules: readonly ActorModule[];
  /** Actors kept awake after their snapshot is stored; absent: `LIMITS.residentActors`. The engines of a worker share its bound. */
  readonly residentActors?: (() => number) | undefined;
  /** Longest wait of a command for a loan that mass work is computing; absent: `LIMITS.lockWaitMs`. */
  readonly lockWaitMs?: number;
  /** Shared by the engines of one process; absent: each part of this one takes its own. */
  readonly turns?: Turns;
  /** Of a cluster; absent: every shard is here. */
  readonly part?: ClusterPart;
  /** What parts beside the engine answer for it. */
  readonly services?: Services;
  /** Told of what is done, for metrics. */
  readonly measure?: EngineMeasure;
  /** The time zone of a company, from its state. */
  companyZone(state: unknown): string;
  /** Told of what an operator should know: recoveries, failed flushes, bugs. */
  report(level: 'info' | 'warn' | 'error', message: string, details?: Readonly<Record<string, unknown>>): void;
}

/** What an engine tells to be counted. */
export interface EngineMeasure {
  /** A batch of so many records is durable. */
  flushed(records: number, seconds: number): void;
  /** So many events can be read from now on. */
  published(events: number): void;
  /** Data keys of so many persons are destroyed. */
  erased(persons: number): void;
}
