import { assert, must } from '../../engine/index.js';
import type { CatalogRow, EvolveEnv } from './actor.js';
import type { EventLog } from './event-log.js';
import { ERASURE, type Mode, type Tenant } from './fact.js';
import { LIMITS } from './limits.js';
import type { Journal, KeyValue, Snapshots } from './ports.js';
import { readRecord, unpack } from './records.js';
import type { Replies } from './replies.js';
import { CALENDAR_KEY, MARK_KEY } from './snapshotter.js';
import { ROW_PREFIX, type Resident, type World } from './world.js';

export interface RecoveryReport {
  /** Rows of the list index that were read back. */
  readonly rows: number;
  /** Records of the journal that were newer than a snapshot. */
  readonly records: number;
  /** Persons that were erased in these records: their keys go, should a crash or a restore have kept them. */
  readonly erased: readonly string[];
}

/** The snapshots know records that the journal does not have: it was restored from an older backup, or lost its end. */
export class JournalShortened extends Error {
  override readonly name = 'JournalShortened';
  readonly code = 'journalShortened';
  readonly helps = 'operator';

  constructor(
    readonly shard: number,
    readonly snapshotSequence: number,
    readonly journalSequence: number,
  ) {
    super(
      `the journal ends at record ${journalSequence} of shard ${shard}, and the snapshots were taken at record ${snapshotSequence}. ` +
        'Put the newer journal back; if there is none, what came later is lost: move the snapshots folder away to serve what the journal has',
    );
  }
}

/**
 * Brings memory to where the journal stands: rows and marks from the snapshots, then the tail of the journal.
 * Actors of the tail are loaded and brought up to date; all others wait until they are touched.
 * Throws `JournalShortened`.
 */
export function recover(
  world: World,
  journal: Journal,
  stores: Snapshots,
  events: EventLog,
  replies: Replies,
  envOf: (tenant: Tenant, shard: number) => EvolveEnv,
): RecoveryReport {
  const rows = restoreRows(world, stores.actors);
  const actorMarks = readMarks(stores.actors);
  const eventMarks = readMarks(stores.events);
  const replyMarks = readMarks(stores.replies);
  const calendars = stores.actors.get(CALENDAR_KEY);
  if (calendars) world.calendars.unpack(unpack(calendars));
  const after = new Map<number, number>();
  for (let shard = 0; shard < LIMITS.shards; shard++) {
    const marks = [actorMarks, eventMarks, replyMarks].map((each) => each[shard]?.[0] ?? 0);
    assertReaches(journal, shard, Math.max(...marks));
    after.set(shard, Math.min(...marks));
    const position = world.position(shard);
    [position.sequence, position.idCounter] = actorMarks[shard] ?? [0, 0];
  }
  let records = 0;
  const erased: string[] = [];
  const touched = new Set<Resident>();
  for (const block of journal.read(after)) {
    const position = world.position(block.shard);
    const env = envOf;
    for (const [index, bytes] of block.records.entries()) {
      const sequence = block.firstSequence + index;
      const isNew = (marks: Marks): boolean => sequence > (marks[block.shard]?.[0] ?? 0);
      const record = readRecord(bytes, sequence);
      records += 1;
      if (record.type === 'event') {
        if (isNew(eventMarks)) events.recover(record.event, bytes);
        world.saw(record.event.stamp);
        countEvent(world, record.event.tenant, record.event.orderKey, record.event.sequence);
      } else if (record.type === 'reply') {
        // A copy of the bytes, which are a view of a whole segment.
        if (isNew(replyMarks)) replies.keep({ commandId: record.reply.commandId, at: record.reply.at, packed: Uint8Array.from(bytes) });
      } else if (isNew(actorMarks)) {
        const resident = world.apply(record.fact, null, env(record.fact.tenant, block.shard));
        if (resident) touched.add(resident);
        if (record.fact.type === ERASURE) erased.push(record.fact.id);
        position.idCounter = Math.max(position.idCounter, record.idCounter);
        checkDigest(record.fact.type, record.fact.body, resident);
      }
      position.sequence = Math.max(position.sequence, sequence);
    }
  }
  events.recovered();
  world.saw(events.storedThrough);
  // Ids of events lie between those of facts: step over what the last command may have taken.
  for (const position of world.shards) if (position.sequence > 0) position.idCounter += RESERVED_AFTER_RECOVERY;
  for (const resident of touched) if (world.residents.has(resident.key)) world.index(resident);
  return { rows, records, erased };
}

function assertReaches(journal: Journal, shard: number, snapshotSequence: number): void {
  const journalSequence = journal.heads().get(shard)?.lastSequence ?? 0;
  if (journalSequence < snapshotSequence) throw new JournalShortened(shard, snapshotSequence, journalSequence);
}

/** Events of the last command take ids that no later fact has recorded; this many can never be given twice. */
const RESERVED_AFTER_RECOVERY = 1 << 16;

type Marks = readonly (readonly [number, number])[];

function readMarks(store: KeyValue): Marks {
  const bytes = store.get(MARK_KEY);
  return bytes ? (unpack(bytes) as Marks) : [];
}

function restoreRows(world: World, store: KeyValue): number {
  let rows = 0;
  for (const [key, bytes] of store.range({ start: ROW_PREFIX, end: `${ROW_PREFIX}~` })) {
    const [company, mode, kind] = key.slice(ROW_PREFIX.length).split('/');
    const [row, agenda] = unpack(bytes) as [CatalogRow, { zone: string; nextDay: number } | null];
    world.restoreRow({ company: must(company, key), mode: must(mode, key) as Mode }, must(kind, key), row, agenda);
    rows += 1;
  }
  return rows;
}

function countEvent(world: World, tenant: Tenant, orderKey: string, sequence: number): void {
  const owner = world.findByPrefix(tenant, orderKey);
  if (!owner || owner.eventSequence >= sequence) return;
  owner.eventSequence = sequence;
  world.dirty.add(owner.key);
}

function checkDigest(type: string, body: unknown, resident: Resident | undefined): void {
  if (type !== 'CaughtUp' || !resident) return;
  const recorded = (body as { readonly digest?: unknown }).digest;
  const computed = resident.definition.digest?.(resident.state);
  assert(recorded === undefined || recorded === computed,
    `${resident.id} was recorded with the digest ${String(recorded)} and computes ${String(computed)}: other money would be served`);
}
