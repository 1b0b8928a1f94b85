import { assert, fieldOf } from '../../../engine/index.js';
import type { EvolveEnv } from '../actor.js';
import type { EventLog } from '../events/event-log.js';
import { resealed } from '../events/event-names.js';
import { destroysKey, type Tenant } from '../fact.js';
import { CAUGHT_UP } from '../known-names.js';
import { JournalShortened, KnownHeads } from './known-heads.js';
import { assertKnown } from './known-keys.js';
import { LIMITS, SHARED_SHARD } from '../limits.js';
import type { Journal, KeyStore, KeyValue, Snapshots, StoredBlock } from '../ports.js';
import { readRecord, unpack } from './records.js';
import type { Replies } from '../shard/replies.js';
import type { TimeBudget } from '../shard/scheduler.js';
import { type Marks, readMarks } from '../snapshots/stored-names.js';
import { CALENDAR_KEY, MASS_KEY } from '../snapshots/stored-keys.js';
import type { CachedActor, World } from '../shard/world.js';

export interface RecoveryReport {
  /** Records of the journal that were newer than a snapshot. */
  readonly records: number;
  /** Owners whose keys these records destroy, persons and files: it is done again, in case a crash or a restore has kept a key. */
  readonly erased: readonly string[];
}

/** How the recovered events are kept. */
export type EventsRecovered = Pick<EventLog, 'recover' | 'recovered' | 'storedThrough'>;

/** And the recovered replies. */
export type RepliesRecovered = Pick<Replies, 'durable' | 'unwritten'>;

/** What is recovered, and how. */
export interface RecoveryParts {
  readonly world: World;
  readonly journal: Journal;
  readonly stores: Snapshots;
  readonly events: EventsRecovered;
  readonly replies: RepliesRecovered;
  readonly envOf: (tenant: Tenant, shard: number) => EvolveEnv;
  readonly budget: TimeBudget;
  /** Resolves when a start with much to read may go on. */
  readonly alone?: () => Promise<void>;
  /** Must know all persons of the records; null for callers that check this themselves. */
  readonly keys?: Pick<KeyStore, 'knows'> | null;
}

/**
 * Brings memory to the end of the journal: marks from the snapshots, then the rest of the journal. Actors in that rest are loaded and
 * brought up to date; all others wait until they are needed, and rows until they are read. When the rest is long, it yields each time that
 * memory has changed so much that it should be stored before going on, and stores events when all are read. Between its time slices other
 * work runs, so that a worker that reads long journals keeps its leases. Throws `JournalShortened`, `JournalDiverged` and `KeysIncomplete`.
 */
export async function* recover({
  world,
  journal,
  stores,
  events,
  replies,
  envOf,
  budget,
  alone = () => Promise.resolve(),
  keys = null,
}: RecoveryParts): AsyncGenerator<void, RecoveryReport> {
  const marksOf = (store: KeyValue): Marks => readMarks(store) ?? [];
  const actorMarks = marksOf(stores.actors);
  const eventMarks = marksOf(stores.events);
  const replyMarks = marksOf(stores.replies);
  const calendars = stores.actors.get(CALENDAR_KEY);
  if (calendars) world.calendars.unpack(unpack(calendars));
  const massWorks = stores.actors.get(MASS_KEY);
  if (massWorks) world.massWorks.unpack(unpack(massWorks));
  const known = new KnownHeads(stores.actors);
  const after = new Map<number, number>();
  for (const shard of world.shards.keys()) {
    if (shard !== SHARED_SHARD && !world.owns(shard)) continue;
    const marks = [actorMarks, eventMarks, replyMarks].map((each) => each[shard]?.[0] ?? 0);
    assertReaches(journal, shard, Math.max(...marks));
    known.endsAt(shard, journal.heads().get(shard));
    const heldByAll = Math.min(...marks);
    after.set(shard, heldByAll);
    // A snapshot on the way may claim only what was read, even where one store is ahead of another.
    Object.assign(world.position(shard), { sequence: heldByAll, idCounter: actorMarks[shard]?.[1] ?? 0 });
  }
  let records = 0;
  const erased: string[] = [];
  const touched = new Set<CachedActor>();
  const index = async (): Promise<void> => {
    for (const actor of touched) {
      if (keys) assertKnown(actor, keys);
      if (world.actorCache.has(actor.key)) world.index(actor);
      if (budget.isSpent) await budget.yieldToOthers();
    }
    touched.clear();
  };
  for await (const block of sharedFirst(journal, after)) {
    known.pass(block);
    const position = world.position(block.shard);
    for (const [at, bytes] of block.records.entries()) {
      const sequence = block.firstSequence + at;
      const isNew = (marks: Marks): boolean => sequence > (marks[block.shard]?.[0] ?? 0);
      const record = readRecord(bytes, sequence);
      records += 1;
      if (records === LIMITS.longTailRecords) await alone();
      if (record.type === 'event') {
        if (isNew(eventMarks) && world.owns(block.shard)) events.recover(block.shard, record.event, resealed(bytes, record.event, world));
        world.saw(record.event.stamp);
        if (isNew(actorMarks)) countEvent(world, record.event.tenant, record.event.orderKey, record.event.sequence);
      } else if (record.type === 'reply') {
        // Copies the bytes, which are a view of a whole segment.
        if (isNew(replyMarks) && world.owns(block.shard))
          replies.durable({ commandId: record.reply.commandId, at: record.reply.at, packed: bytes });
      } else if (isNew(actorMarks)) {
        const actor = world.apply(record.fact, null, envOf(record.fact.tenant, block.shard));
        if (actor) touched.add(actor);
        if (destroysKey(record.fact.type)) erased.push(record.fact.id);
        position.idCounter = Math.max(position.idCounter, record.idCounter);
        checkDigest(record.fact.type, record.fact.body, actor);
      }
      position.sequence = Math.max(position.sequence, sequence);
    }
    if (world.dirty.size >= LIMITS.recoveryActors || replies.unwritten >= LIMITS.recoveryReplies) {
      await index();
      yield;
    }
    if (budget.isSpent) await budget.yieldToOthers();
  }
  known.assertMet(after.keys());
  await events.recovered(budget);
  world.saw(events.storedThrough);
  // Ids of events come between those of facts: skip the ids that the last command may have used.
  for (const position of world.shards) if (position.sequence > 0) position.idCounter += RESERVED_AFTER_RECOVERY;
  await index();
  return { records, erased };
}

/** The shared shard before all others: in a batch and in a stream its blocks are in any order. */
async function* sharedFirst(journal: Journal, after: ReadonlyMap<number, number>): AsyncGenerator<StoredBlock> {
  const alone = new Map([...after].map(([shard, sequence]) => [shard, shard === SHARED_SHARD ? sequence : Infinity]));
  yield* journal.read(alone);
  yield* journal.read(new Map(after).set(SHARED_SHARD, Infinity));
}

function assertReaches(journal: Journal, shard: number, snapshotSequence: number): void {
  const journalSequence = journal.heads().get(shard)?.lastSequence ?? 0;
  if (journalSequence < snapshotSequence) throw new JournalShortened(shard, snapshotSequence, journalSequence);
}

/** Events of the last command take ids that no later fact has recorded: this many are skipped, so that none is given twice. */
const RESERVED_AFTER_RECOVERY = 1 << 16;

function countEvent(world: World, tenant: Tenant, orderKey: string, sequence: number): void {
  const owner = world.findByPrefix(tenant, orderKey);
  if (!owner || owner.eventSequence >= sequence) return;
  owner.eventSequence = sequence;
  world.dirty.add(owner.key);
}

function checkDigest(type: string, body: unknown, actor: CachedActor | undefined): void {
  if (type !== CAUGHT_UP || !actor) return;
  const recorded = fieldOf(body, 'digest');
  const computed = actor.definition.digest?.(actor.state);
  assert(
    recorded === undefined || recorded === computed,
    `${actor.id} was recorded with the digest ${String(recorded)} and computes ${String(computed)}: other money would be served`,
  );
}
