import type { Core } from './core.js';
import type { EngineParts } from './engine.js';
import { tenantKey } from '../fact.js';
import { SHARED_SHARD } from '../limits.js';
import type { MassRunner } from '../jobs/mass-runner.js';
import { type MassSummary, summaryOf } from '../jobs/work-summary.js';
import { LOAN } from '../known-names.js';
import { RowsMissing } from '../lists/rows-loading.js';
import { type Marks, readMarks, recordsBetween } from '../snapshots/stored-names.js';
import type { World } from './world.js';

/** `rebuilding`: a part of the snapshots is rebuilt. `over`: it serves nothing any more, though it is not closed. */
export type EngineState = 'serving' | 'readOnly' | 'rebuilding' | 'over' | 'closed';

/** The progress of one shard, by the sequence of its records; null while unknown. */
interface ShardStatus {
  readonly shard: number;
  readonly journal: number | null;
  /** A start reads nothing of the journal up to here. */
  readonly snapshot: number | null;
}

/** The status of an engine for its operator: numbers and names, no data of a company. */
export interface EngineStatus {
  readonly state: EngineState;
  /** Why it does not serve; null while it does. */
  readonly reason: string | null;
  /** Shards that are written here. */
  readonly shards: readonly ShardStatus[];
  /** Records of the journal that are in no snapshot. */
  readonly unstoredRecords: number;
  /** Since the last snapshot began, in seconds; 0 while there is nothing to store. */
  readonly snapshotAgeSeconds: number;
  /** Null while the list index is read. */
  readonly loans: number | null;
  /** Number of actors in memory. */
  readonly awake: number;
  /** Actors that are skipped since the start because computing them met a bug. */
  readonly quarantined: number;
  /** Records of the journal that the last start has read. */
  readonly recoveredRecords: number;
  /** Until the last start could answer, in seconds. */
  readonly recoverySeconds: number;
  /** How far the newest stamp is ahead of this machine's clock, in seconds. */
  readonly clockAheadSeconds: number;
  /** Time since the oldest unclosed day is over; 0 where another worker closes days. */
  readonly dayClosingLateSeconds: number;
  /** Actors whose day has come. */
  readonly dayWorkWaiting: number;
  readonly massWorks: readonly MassSummary[];
}

const REASONS: Readonly<Record<EngineState, string | null>> = {
  serving: null,
  readOnly: 'the journal cannot be written; reads go on',
  rebuilding: 'a damaged part of the snapshots is rebuilt from the journal',
  over: 'another worker has taken over, or the journal needs the operator: see the log',
  closed: 'the process is ending',
};

interface Asked {
  readonly core: Core;
  readonly mass: MassRunner;
  readonly parts: EngineParts;
  readonly quarantined: number;
  /** Why it is over. */
  readonly ending: string | null;
}

/** Called at most once in a few seconds: it reads the marks of the snapshots. */
export function statusOf({ core, mass, parts: { stores, clock }, quarantined, ending }: Asked, state: EngineState): EngineStatus {
  const { world, snapshotter, recovery, openedInMs } = core;
  const stored = lowestMarks([stores.actors, stores.events, stores.replies].map((store) => readMarks(store) ?? []));
  const shards = [...world.shards.entries()].filter(([shard]) => world.owns(shard));
  const unstoredRecords = recordsBetween(
    stored,
    world.shards.map(({ sequence, idCounter }, shard) => (world.owns(shard) ? [sequence, idCounter] : (stored[shard] ?? [0, 0]))),
  );
  return {
    state,
    reason: ending ?? REASONS[state],
    unstoredRecords,
    shards: shards.map(([shard, { sequence }]) => ({ shard, journal: sequence, snapshot: stored[shard]?.[0] ?? 0 })),
    snapshotAgeSeconds: unstoredRecords === 0 ? 0 : Math.round((performance.now() - snapshotter.begunAtMs) / 1000),
    loans: loansOf(world),
    awake: world.actorCache.size,
    quarantined,
    recoveredRecords: recovery.records,
    recoverySeconds: openedInMs / 1000,
    clockAheadSeconds: Math.max(0, world.lastStamp / 1e6 - clock.now() / 1000),
    dayClosingLateSeconds: world.owns(SHARED_SHARD) ? closingLateMs(world, clock.now()) / 1000 : 0,
    dayWorkWaiting: dayWorkOf(world),
    massWorks: summaryOf(world.massWorks, mass, clock.now()),
  };
}

const lowestMarks = ([first = [], ...others]: readonly Marks[]): Marks =>
  first.map(([sequence, idCounter], shard) => [Math.min(sequence, ...others.map((marks) => marks[shard]?.[0] ?? 0)), idCounter]);

function loansOf({ catalog }: World): number | null {
  try {
    return catalog.tenantsOf(LOAN).reduce((loans, tenant) => loans + catalog.count(tenant, LOAN), 0);
  } catch (cause) {
    if (cause instanceof RowsMissing) return null;
    throw cause;
  }
}

/** A test clock closes its own days. */
function closingLateMs({ calendars }: World, now: number): number {
  let late = 0;
  for (const tenant of calendars.tenants()) {
    if (calendars.clock(tenant)) continue;
    for (const { at } of calendars.nextClosings(tenant)) late = Math.max(late, now - at);
  }
  return late;
}

function dayWorkOf({ calendars, agenda }: World): number {
  let waiting = 0;
  for (const tenant of calendars.tenants()) {
    for (const { zone, day } of calendars.nextClosings(tenant)) waiting += agenda.countDue(`${tenantKey(tenant)}/${zone}`, day);
  }
  return waiting;
}
