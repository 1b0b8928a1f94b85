import { EventLog } from '../events/event-log.js';
import type { Tenant } from '../fact.js';
import { COMPANY, PERSON } from '../known-names.js';
import { Ids } from '../ids.js';
import { readWholeIndex } from '../lists/rows-loading.js';
import type { Journal, KeyValue, ShardBlock, Snapshots } from '../ports.js';
import type { EngineParts } from '../shard/engine.js';
import { HALF_OF_THREAD, TimeBudget } from '../shard/scheduler.js';
import { Scope } from '../shard/scope.js';
import { World } from '../shard/world.js';
import { readMarks } from '../snapshots/stored-names.js';
import { readRecord } from './records.js';
import { type EventsRecovered, recover, type RecoveryReport, type RepliesRecovered } from './recovery.js';

/** Memory as a start of the service would compute it, without an engine that continues from there. */
export interface Recomputed {
  readonly world: World;
  readonly recovery: RecoveryReport;
  readonly scope: (tenant: Tenant, shard: number) => Scope;
}

type Parts = Pick<EngineParts, 'clock' | 'keys' | 'idKey' | 'modules'>;

/**
 * Computes memory from snapshots and the end of the journal, or from the journal alone when `stores` is null: what `tenor verify` compares.
 * Nothing is written.
 */
export async function recompute({ clock, keys, idKey, modules }: Parts, journal: Journal, stores: Snapshots | null): Promise<Recomputed> {
  const from = stores === null ? NOTHING : readable(stores);
  const world = new World(modules, from.actors, new Ids(idKey), keys);
  const scope = (tenant: Tenant, shard: number): Scope =>
    new Scope({ world, keys, tenant, shard, now: world.calendars.now(tenant, clock.now()) });
  const loading = world.startLoading();
  const recovering = recover({
    world,
    journal,
    stores: from,
    events: notKept(new EventLog(from.events, world.ids)),
    replies: NO_REPLIES,
    envOf: scope,
    budget: new TimeBudget(() => HALF_OF_THREAD),
  });
  let step = await recovering.next();
  while (step.done !== true) step = await recovering.next(); // stores nothing on the way
  readWholeIndex(world, loading);
  return { world, recovery: step.value, scope };
}

/** Events and replies are not needed here. */
const notKept = ({ storedThrough }: EventLog): EventsRecovered => ({
  recover: () => undefined,
  recovered: () => Promise.resolve(),
  storedThrough,
});

const NO_REPLIES: RepliesRecovered = { durable: () => undefined, unwritten: 0 };

const EMPTY: KeyValue = {
  get: () => undefined,
  look: () => undefined,
  range: () => [],
  write: () => Promise.reject(new Error('nothing is written while verifying')),
  close: () => Promise.resolve(),
};

/** Drops what an earlier release has stored in another format: a start computes it again. */
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

/** The owners of data keys in a journal. */
export class KeyOwners {
  /** Borrowers, each with a key from its first fact on. */
  readonly persons = new Set<string>();
  /**
   * Companies, webhooks, campaigns and investors with secrets, settlements, runs of campaigns, and messages of unknown senders. Everything
   * else is sealed with the key of its borrower.
   */
  readonly others = new Set<string>();

  add({ firstSequence, records }: ShardBlock): void {
    for (const [at, bytes] of records.entries()) {
      const record = readRecord(bytes, firstSequence + at);
      if (record.type !== 'fact') continue;
      const { kind, id, type, body } = record.fact;
      if (kind === PERSON) this.persons.add(id);
      else if (kind === COMPANY) for (const owner of sealedBeside(body, id)) this.others.add(OF_THE_COMPANY.has(type) ? id : owner);
      else if (type === 'CampaignRunOrdered' || type === 'SettlementOrdered') this.others.add(id);
      else if (type === 'InteractionRecorded' && isOfNobody(body)) this.others.add(id);
    }
  }
}

/** Facts whose secrets are sealed with the key of the company; secrets of other facts are sealed with the key of the object. */
const OF_THE_COMPANY: ReadonlySet<string> = new Set(['TokenKeyMade', 'SignInRecorded']);

const isOfNobody = (body: unknown): boolean => typeof body !== 'object' || body === null || !('personId' in body) || body.personId == null;

/** The nearest id of each sealed value. */
function* sealedBeside(value: unknown, owner: string): Iterable<string> {
  if (value instanceof Uint8Array) yield owner;
  else if (typeof value === 'object' && value !== null) {
    const { id } = value as { readonly id?: unknown };
    for (const part of Object.values(value)) yield* sealedBeside(part, typeof id === 'string' ? id : owner);
  }
}
