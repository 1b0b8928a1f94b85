import type { ActorPart, NamedPart } from '../actor.js';
import { type BatchSizes, BatchWriter } from '../journal/batch-writer.js';
import type { EventLog } from '../events/event-log.js';
import { packHeads } from '../journal/known-heads.js';
import { packOwners } from '../journal/known-keys.js';
import { LIMITS } from '../limits.js';
import { agendaOf } from '../shard/pending.js';
import type { Journal, KeyStore, KeyValue, ShardHead, Snapshots } from '../ports.js';
import { pack } from '../journal/records.js';
import type { Replies } from '../shard/replies.js';
import type { StoredExternal } from '../lists/rows-loading.js';
import { type Share, TimeBudget, type Scheduler } from '../shard/scheduler.js';
import { highest, type Marks, packMarks, readMarks, recordsBetween } from './stored-names.js';
import {
  ACTOR_PREFIX,
  CALENDAR_KEY,
  endOf,
  EXTERNAL_PREFIX,
  externalKey,
  RECORD_SHAPES_KEY,
  HEADS_KEY,
  KEYS_KEY,
  MARK_KEY,
  MASS_KEY,
  PART_PREFIX,
  partKey,
  ROW_PREFIX,
  SHAPES_KEY,
} from './stored-keys.js';
import type { CachedActor, World } from '../shard/world.js';

type Entry = readonly [string, Uint8Array | null];

export type Pace = 'atOnce' | 'inPassing';

/** Beside a service that must answer, while the next one is not due: work that is not done at once delays requests little. */
const CALM: Share = { pauseMs: LIMITS.snapshotPauseMs, part: 1 / 12, longestMs: LIMITS.snapshotSliceMs };
/** The same when it is late: a quarter of the time that others take, a fifth of the thread. */
const IN_PASSING: Share = { ...CALM, part: 1 / 4 };
/** For a snapshot that keeps up with a bulk load, or that a caller waits for. */
const IN_HURRY: Share = { pauseMs: 0, part: 1, longestMs: LIMITS.snapshotSliceMs };

/** An actor as it will be stored, and its stored parts. */
interface Packed {
  readonly actor: CachedActor;
  readonly entries: readonly Entry[];
  readonly stored: readonly ActorPart[];
  /** Those among the entries. */
  readonly written: readonly ActorPart[];
  /** How many entries of each list of named parts are among the entries. */
  readonly named: readonly (readonly [list: readonly NamedPart[], length: number])[];
}

/** Parts usually keep their order, and old actors have many of them. */
function isAmong(part: ActorPart, stored: readonly ActorPart[] | null, index: number): boolean {
  const isSame = ({ name, version }: ActorPart): boolean => part.name === name && part.version === version;
  const usual = stored?.[index];
  return usual !== undefined && isSame(usual) ? true : (stored?.some(isSame) ?? false);
}

/** Nothing more of this memory is stored: it no longer matches the journal. */
class Retired extends Error {
  override readonly name = 'Retired';
}

/** What a snapshot is taken of, and what it waits for. */
export interface SnapshotterParts {
  readonly world: World;
  readonly stores: Snapshots;
  readonly events: EventLog;
  readonly replies: Replies;
  /** Resolves when everything recorded up to now is durable. */
  soFar(): Promise<void>;
  readonly heads: Journal['heads'];
  journalMs(): number;
  readonly keys: Pick<KeyStore, 'durableOwners' | 'knows' | 'flush'>;
  readonly scheduler?: Scheduler | undefined;
}

/**
 * Stores what changed while the service goes on, in time slices and in transactions of limited size. An actor is packed as it is, with
 * facts that may not be durable yet, so no transaction is written before everything packed is durable. Each actor has the sequence of its
 * last fact, so that an interrupted snapshot does no harm; the mark up to which all of them are stored is written last.
 */
export class Snapshotter {
  #running: Promise<void> | null = null;
  #isRetired = false;
  #pace: Pace = 'atOnce';
  /** The marks and the time at which the last snapshot began. */
  #marks: Marks;
  #takenAt = performance.now();
  #endedAt = this.#takenAt;
  /** Records before these marks that a start found unstored. */
  #tail = 0;
  /** How many entries of a list of named parts are in the snapshots. */
  readonly #namesStored = new WeakMap<readonly NamedPart[], number>();
  /** How many shapes are stored beside what was packed with them. */
  #shapesStored = 0;

  constructor(private readonly parts: SnapshotterParts) {
    this.#marks = marksOf(parts.world);
  }

  /** Whether there is something to store, and the time or the records since the last snapshot require it. */
  get isDue(): boolean {
    if (this.#running || !this.#hasUnstored) return false;
    const records = this.#tail + this.#recordsSince;
    const isFull = this.parts.world.dirty.size >= LIMITS.dirtyInBackground / 2; // mass work would wait for it
    return isFull || performance.now() >= this.#restsUntil || records >= LIMITS.snapshotEveryRecords;
  }

  /** Actors that change all the time, as in mass work, are packed each time: a long snapshot is followed by a longer pause. */
  get #restsUntil(): number {
    const restMs = Math.min(LIMITS.snapshotRests * (this.#endedAt - this.#takenAt), LIMITS.snapshotRestMs);
    return Math.max(this.#takenAt + LIMITS.snapshotEveryMs, this.#endedAt + restMs);
  }

  /** When the last snapshot began, or the start, by `performance`. */
  get begunAtMs(): number {
    return this.#takenAt;
  }

  /** A start has read this many records that are in no snapshot. */
  noteTail(records: number): void {
    this.#marks = marksOf(this.parts.world);
    this.#tail = records;
  }

  /**
   * One snapshot at a time; a call during one waits for it and then takes its own. `inPassing` leaves most of the thread to others. The
   * three stores are written side by side: no store needs the data of another.
   */
  async take(pace: Pace = 'atOnce'): Promise<void> {
    this.#pace = pace;
    await this.#alone(async () => {
      const actors = this.#takeActors({ from: LIMITS.snapshotBatch, upTo: LIMITS.longSnapshotBatch });
      const marks = this.#marks;
      await allEnded([actors, this.#storeEvents(marks), this.#storeReplies(marks)]);
    });
  }

  /**
   * Stores what a start has read of a long journal so far: actors in large transactions, as no requests are served yet, and replies, whose
   * mark does not move: after a crash they are read again. Events are stored in their order, which is known only when the journal has been
   * read.
   */
  async takeSoFar(): Promise<void> {
    await this.#alone(async () => {
      await this.#takeActors({ from: LIMITS.recoveryBatch, upTo: LIMITS.recoveryBatch });
      await this.#writeReplies();
    });
  }

  /** Memory can no longer be trusted: nothing more is written, and the running write has ended when this resolves. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    await this.#running?.catch(() => undefined);
  }

  get #share(): Share {
    if (this.#pace === 'atOnce' || this.#isInHurry) return IN_HURRY;
    return this.#isLate ? IN_PASSING : CALM;
  }

  /** The next one is due, by its time or by the records that have come meanwhile. */
  get #isLate(): boolean {
    return performance.now() >= this.#takenAt + LIMITS.snapshotEveryMs || this.#recordsSince >= LIMITS.snapshotEveryRecords;
  }

  /** Records since the running snapshot began: a start would read them, and those before it. */
  get #recordsSince(): number {
    return recordsBetween(this.#marks, marksOf(this.parts.world));
  }

  /** So much has changed that unstored data grows faster than a snapshot beside other work can store it. */
  get #isInHurry(): boolean {
    const { dirty, storing } = this.parts.world;
    return dirty.size + storing.size > LIMITS.snapshotHurryActors || this.#recordsSince > LIMITS.snapshotHurryRecords;
  }

  get #hasUnstored(): boolean {
    return (
      this.parts.world.dirty.size > 0 ||
      this.parts.world.wiped.size > 0 ||
      this.parts.events.unwritten > 0 ||
      this.parts.replies.unwritten > 0
    );
  }

  async #alone(take: () => Promise<void>): Promise<void> {
    while (this.#running) await this.#running.catch(() => undefined); // its caller gets the error
    this.#running = take();
    try {
      await this.#running;
    } finally {
      this.#running = null;
      this.#endedAt = performance.now();
    }
  }

  async #takeActors(sizes: BatchSizes): Promise<void> {
    const { world } = this.parts;
    this.#marks = marksOf(world);
    this.#tail = 0;
    this.#takenAt = performance.now();
    const calendars = pack(world.calendars.pack());
    const massWorks = pack(world.massWorks.pack());
    const wiped = [...world.wiped];
    world.storing = world.dirty;
    world.dirty = new Set();
    try {
      for (const [tenant] of wiped) await this.#removeTenant(tenant);
      await this.#storeActors(world.storing, sizes);
      await this.parts.soFar(); // so that the journal has everything up to the marks
      await this.#write([
        [CALENDAR_KEY, calendars],
        [MASS_KEY, massWorks],
        [HEADS_KEY, packHeads(this.#knownHeads())],
        [KEYS_KEY, packOwners(this.parts.keys, world.names.owner)],
        markOf(this.parts.stores.actors, this.#marks),
      ]);
    } catch (cause) {
      for (const key of world.storing) world.dirty.add(key);
      throw cause;
    } finally {
      world.storing = new Set();
    }
    for (const [tenant, stamp] of wiped) if (world.wiped.get(tenant) === stamp) world.wiped.delete(tenant);
    world.actorCache.rest();
  }

  /** Of the shards that are written here; for other shards the end is known as of the start. */
  #knownHeads(): ReadonlyMap<number, ShardHead> {
    return new Map(
      [...this.parts.heads()].filter(
        ([shard, { lastSequence }]) => this.parts.world.owns(shard) && lastSequence >= (this.#marks[shard]?.[0] ?? 0),
      ),
    );
  }

  /** As with events. */
  async #storeReplies(marks: Marks): Promise<void> {
    await this.parts.soFar();
    await this.#writeReplies();
    await this.parts.stores.replies.write([markOf(this.parts.stores.replies, marks)]);
  }

  /** At least once, so that old replies are removed even if no new ones come. */
  async #writeReplies(): Promise<void> {
    const budget = new TimeBudget(() => this.#share, this.parts.scheduler);
    let left = this.parts.replies.unwritten;
    do {
      const count = Math.min(left, this.#countIn(budget, LIMITS.replySlice));
      await this.parts.stores.replies.write(this.parts.replies.entries(this.parts.journalMs(), count));
      this.parts.replies.stored(count);
      left -= count;
      if (left > 0) await budget.yieldToOthers();
    } while (left > 0);
  }

  async #storeActors(keys: ReadonlySet<string>, sizes: BatchSizes): Promise<void> {
    const budget = new TimeBudget(() => this.#share, this.parts.scheduler);
    const batches = new BatchWriter<Packed>(sizes, async (batch) => {
      const { recordShapes, rowFormat } = this.parts.world;
      const { count } = recordShapes;
      const newShapes: readonly Entry[] = count > this.#shapesStored ? [[RECORD_SHAPES_KEY, recordShapes.packShapes()]] : [];
      await this.#write([...batch.flatMap(({ entries }) => entries), ...newShapes, [SHAPES_KEY, rowFormat.packShapes()]]);
      this.#shapesStored = count;
      for (const { actor, stored, written, named } of batch) {
        if (stored.length > 0) actor.storedParts = stored;
        this.parts.world.evict(actor, written);
        for (const [list, length] of named) this.#namesStored.set(list, length);
      }
    });
    try {
      for (const key of keys) {
        const actor = this.parts.world.actorCache.get(key);
        if (!actor) continue;
        batches.add(this.#packed(actor));
        if (batches.isFull) await batches.handOver();
        if (budget.isSpent) await budget.yieldToOthers();
      }
      await batches.end();
    } finally {
      await batches.idle();
    }
  }

  /** The entries of an actor, which must be in one transaction. */
  #packed(actor: CachedActor): Packed {
    const { key, tenant, kind, id, definition, state, lastSequence, eventSequence } = actor;
    const row = definition.row(state);
    const { world } = this.parts;
    const entries: Entry[] = [
      [ACTOR_PREFIX + key, world.recordShapes.pack([lastSequence, eventSequence, world.sealed(actor, definition.pack(state))])],
      [ROW_PREFIX + key, row && world.rowFormat.pack(row, agendaOf(actor), definition.personal?.names)],
    ];
    const keyOf = (externalKind: string, externalId: string): string =>
      definition.personal === undefined
        ? externalKey(tenant, externalKind, externalId)
        : world.names.keyFor(tenant, externalKind, externalId);
    const name = ([externalKind, externalId, objectId]: NamedPart): void => {
      if (typeof externalId !== 'string') return; // it cannot be read
      const external: StoredExternal = [kind, id, objectId];
      const entry = [keyOf(externalKind, externalId), pack(external)] as const;
      if (!this.#isStored(entry)) entries.push(entry);
    };
    if (row !== null && row.externalId !== null) name([kind, row.externalId, id]);
    const lists = row?.parts ?? [];
    for (const list of lists) for (const part of list.slice(this.#namesStored.get(list) ?? 0)) name(part);
    const stored = actor.definition.parts?.(actor.state) ?? [];
    const written = stored.filter((part, index) => !isAmong(part, actor.storedParts, index));
    for (const { name: part, value } of written)
      entries.push([partKey(actor.key, part), world.recordShapes.pack(world.sealed(actor, value, part))]);
    return { actor, entries, stored, written, named: lists.map((list) => [list, list.length]) };
  }

  /** External ids seldom change, and each is on a page of its own. */
  #isStored([key, value]: readonly [string, Uint8Array]): boolean {
    const stored = this.parts.stores.actors.get(key);
    return stored !== undefined && Buffer.compare(stored, value) === 0;
  }

  /**
   * In time slices, since other work waits while one is packed; the mark comes last, when all its events are stored. Events recorded before
   * the mark are unwritten here as soon as they are durable.
   */
  async #storeEvents(marks: Marks): Promise<void> {
    await this.parts.soFar();
    const budget = new TimeBudget(() => this.#share, this.parts.scheduler);
    for (let left = this.parts.events.unwritten; left > 0; ) {
      const count = Math.min(left, this.#countIn(budget, LIMITS.eventSlice));
      await this.parts.stores.events.write(this.parts.events.entries(count));
      this.parts.events.stored(count);
      left -= count;
      if (left > 0) await budget.yieldToOthers();
    }
    await this.parts.stores.events.write([markOf(this.parts.stores.events, marks)]);
  }

  /**
   * How many go into one transaction, which takes about as long as the time slice may: where other work has long rounds, each transaction
   * waits for one.
   */
  #countIn({ lengthMs }: TimeBudget, least: number): number {
    if (this.#pace === 'atOnce') return LIMITS.longStoreSlice;
    return Math.floor((least * lengthMs) / LIMITS.sliceMs);
  }

  async #removeTenant(tenant: string): Promise<void> {
    for (const prefix of [ACTOR_PREFIX, PART_PREFIX, ROW_PREFIX, EXTERNAL_PREFIX]) {
      const kept = `${prefix}${tenant}/company/`;
      const end = endOf(`${prefix}${tenant}/`);
      for (let start = `${prefix}${tenant}/`; ; ) {
        const keys = [...this.parts.stores.actors.range({ start, end, limit: LIMITS.snapshotBatch })].map(([key]) => key);
        await this.#write(keys.filter((key) => !key.startsWith(kept)).map((key) => [key, null]));
        const last = keys.at(-1);
        if (last === undefined) break;
        start = `${last}\0`;
      }
    }
  }

  async #write(entries: readonly Entry[]): Promise<void> {
    await this.parts.soFar();
    if (this.#isRetired) throw new Retired('the memory that was being stored has been given up');
    const { unstored } = this.parts.world.names;
    if (unstored !== null) await this.parts.keys.flush(); // the key must be durable before the data that it seals
    await this.parts.stores.actors.write(unstored === null ? entries : [unstored, ...entries]);
    if (unstored !== null) this.parts.world.names.stored();
  }
}

/** Resolves when all have ended well; rejects with the first failure when all have ended. */
async function allEnded(works: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(works);
  await Promise.all(works);
}

/** While a start stores what it reads, this store may be ahead of the others: its mark never decreases. */
const markOf = (store: KeyValue, marks: Marks): Entry => [MARK_KEY, packMarks(highest(readMarks(store) ?? [], marks))];

const marksOf = (world: World): Marks => world.shards.map((shard) => [shard.sequence, shard.idCounter]);
