import type { EngineParts } from '../shard/engine-parts.js';
import { EventLog } from '../events/event-log.js';
import type { Tenant } from '../fact.js';
import { Ids } from '../ids.js';
import { readWholeIndex } from '../lists/index-reading.js';
import type { Journal, KeyValue, Snapshots } from '../ports.js';
import { type EventsRecovered, recover, type RecoveryReport, type RepliesRecovered } from './recovery.js';
import { Scope } from '../shard/scope.js';
import { readMarks } from '../snapshots/snapshot-marks.js';
import { HALF, Slices } from '../shard/scheduler.js';
import { World } from '../shard/world.js';

/** Memory as a start of the service would find it, without an engine that goes on from there. */
export interface Recomputed {
  readonly world: World;
  readonly recovery: RecoveryReport;
  scope(tenant: Tenant, shard: number): Scope;
}

type Parts = Pick<EngineParts, 'clock' | 'keys' | 'idKey' | 'modules'>;

/**
 * Computes memory from snapshots and the journal's tail, or from the journal alone when `stores` is null: what
 * `tenor verify` compares. Nothing is written.
 */
export async function recompute({ clock, keys, idKey, modules }: Parts, journal: Journal, stores: Snapshots | null): Promise<Recomputed> {
  const from = stores === null ? NOTHING : readable(stores);
  const world = new World(modules, from.actors, new Ids(idKey), keys);
  const scope = (tenant: Tenant, shard: number): Scope => new Scope(world, keys, tenant, shard, world.calendars.now(tenant, clock.now()));
  const loading = world.startLoading();
  const recovering = recover(
    world,
    journal,
    from,
    notKept(new EventLog(from.events, world.ids)),
    NO_REPLIES,
    scope,
    new Slices(() => HALF),
  );
  let step = await recovering.next();
  while (step.done !== true) step = await recovering.next(); // nothing is stored on the way
  readWholeIndex(world, loading);
  return { world, recovery: step.value, scope };
}

/** Nobody reads events and replies here. */
const notKept = ({ storedThrough }: EventLog): EventsRecovered => ({
  recover: () => undefined,
  recovered: () => Promise.resolve(),
  storedThrough,
});
const NO_REPLIES: RepliesRecovered = { keep: () => undefined, unwritten: 0 };

const EMPTY: KeyValue = {
  get: () => undefined,
  range: () => [],
  write: () => Promise.reject(new Error('nothing is written while verifying')),
  close: () => Promise.resolve(),
};

/** What an earlier release has stored in another way says nothing: a start computes it again. */
const readable = ({ actors, events, replies, ...others }: Snapshots): Snapshots => ({
  ...others,
  actors: readMarks(actors) === null ? EMPTY : actors,
  events: readMarks(events) === null ? EMPTY : events,
  replies: readMarks(replies) === null ? EMPTY : replies,
});

const NOTHING: Snapshots = {
  actors: EMPTY,
  events: EMPTY,
  replies: EMPTY,
  rebuilt: [],
  rebuild: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
