import { fieldOf } from '../../../engine/index.js';
import { type Fault, Refusal } from '../../errors.js';
import { COMPANY, PERSON } from '../known-names.js';
import type { KeyStore, KeyValue, ShardHead, StoredBlock } from '../ports.js';
import type { World } from '../shard/world.js';
import { endOf, HEADS_KEY, KEYS_KEY, readActorKey, ROW_PREFIX } from '../snapshots/stored-keys.js';
import { pack, unpack } from './records.js';

/** The snapshots were computed from another journal than this one. */
abstract class OtherJournal extends Error {
  abstract readonly code: string;
  readonly helps = 'operator';
}

/** The journal lacks records that the snapshots have: it was restored from an older backup, or lost its end. */
export class JournalShortened extends OtherJournal {
  override readonly name = 'JournalShortened';
  readonly code = 'journalShortened';

  constructor(
    readonly shard: number,
    readonly snapshotSequence: number,
    readonly journalSequence: number,
  ) {
    super(
      `the journal ends at record ${journalSequence} of shard ${shard}, and the snapshots were taken at record ${snapshotSequence}. ` +
        'Put the newer journal back. If there is none, later records are lost; move the snapshots folder away to serve this journal',
    );
  }
}

/** The journal has other records than those from which the snapshots were computed: it lost its end and was continued. */
class JournalDiverged extends OtherJournal {
  override readonly name = 'JournalDiverged';
  readonly code = 'journalDiverged';

  constructor(
    readonly shard: number,
    readonly sequence: number,
  ) {
    super(
      `record ${sequence} of shard ${shard} differs between this journal and the one from which the snapshots were taken. ` +
        'Put the right journal back; if this is the right one, move the snapshots folder away to serve this journal',
    );
  }
}

type PackedHeads = readonly (readonly [shard: number, sequence: number, hash: Uint8Array])[];

/** The ends of the journal's chains, written with a snapshot: each is at or after the records that the snapshot holds. */
export function packHeads(heads: ReadonlyMap<number, ShardHead>): Uint8Array {
  const packed: PackedHeads = [...heads].map(([shard, { lastSequence, hash }]) => [shard, lastSequence, hash]);
  return pack(packed);
}

/**
 * Checks that the snapshots were computed from this journal, or from an earlier state of it. Each known end must still be the end, or a
 * block must follow it.
 */
export class KnownHeads {
  readonly #unmet = new Map<number, ShardHead>();

  constructor(store: KeyValue) {
    const bytes = store.get(HEADS_KEY);
    if (!bytes) return;
    for (const [shard, lastSequence, hash] of unpack<PackedHeads>(bytes))
      this.#unmet.set(shard, { lastSequence, hash: Uint8Array.from(hash) });
  }

  /** The present end of a shard's chain. Throws `JournalShortened`, or `JournalDiverged`. */
  endsAt(shard: number, now: ShardHead | undefined): void {
    const known = this.#unmet.get(shard);
    if (known === undefined) return;
    const lastSequence = now?.lastSequence ?? 0;
    if (lastSequence < known.lastSequence) throw new JournalShortened(shard, known.lastSequence, lastSequence);
    if (lastSequence === known.lastSequence) this.#meet(shard, known, now?.hash);
  }

  /** Checks a block that is read. Throws `JournalDiverged`. */
  pass({ shard, firstSequence, previousHash }: StoredBlock): void {
    const known = this.#unmet.get(shard);
    if (known?.lastSequence === firstSequence - 1) this.#meet(shard, known, previousHash);
  }

  /** Called when all wanted blocks of the shards have been read. Throws `JournalDiverged`. */
  assertMet(shards: Iterable<number>): void {
    for (const shard of shards) {
      const known = this.#unmet.get(shard);
      if (known !== undefined) throw new JournalDiverged(shard, known.lastSequence);
    }
  }

  #meet(shard: number, known: ShardHead, hash: Uint8Array | undefined): void {
    if (hash === undefined || Buffer.compare(known.hash, hash) !== 0) throw new JournalDiverged(shard, known.lastSequence);
    this.#unmet.delete(shard);
  }
}

/** The key store lacks data keys of persons in the journal: it is an older copy, was truncated, or belongs to another installation. */
class KeysIncomplete extends Error {
  override readonly name = 'KeysIncomplete';
  readonly code = 'keysIncomplete';
  readonly helps = 'operator';

  constructor(what: string) {
    super(
      `the data keys of persons are not complete: ${what}. Put the newest copy back: keys/data-keys of the data folder, ` +
        'in a cluster the bucket CLUSTER-keys-UNIT; without it the data of these persons cannot be read',
    );
  }
}

type Counted = Pick<KeyStore, 'durableOwners' | 'knows'>;

/** Without the owner of the key of stored names, which the journal does not have: that key is created with the snapshots. */
const ownersOf = (keys: Counted, namesOwner: string): number => keys.durableOwners - (keys.knows(namesOwner) ? 1 : 0);

/** How many owners had a key when a snapshot was written: stored with it. */
export const packOwners = (keys: Counted, namesOwner: string): Uint8Array => pack(ownersOf(keys, namesOwner));

/** Throws `KeysIncomplete` when the store has fewer owners than at that time: key stores only grow. */
export function assertOwnersKept(store: KeyValue, keys: Counted, namesOwner: string): void {
  const bytes = store.get(KEYS_KEY);
  const had = bytes === undefined ? 0 : unpack<number>(bytes);
  const has = ownersOf(keys, namesOwner);
  if (has < had) throw new KeysIncomplete(`there are ${has}, and there were ${had} when the last snapshot was taken`);
}

/** For an actor that the end of the journal has changed, after all snapshots. */
export function assertKnown({ kind, id }: { readonly kind: string; readonly id: string }, keys: Pick<KeyStore, 'knows'>): void {
  if (kind === PERSON && !keys.knows(id)) throw new KeysIncomplete(`there is none of ${id}`);
}

/** For an id that names no shard: it was made with another key of ids. */
export const madeWithAnotherKey = (id: string): Error =>
  new KeysIncomplete(`${id} was not made with the key in id.key, which is of another data folder`);

/**
 * Compares the ids of all companies and persons with the key of ids, and all persons with their data keys, for keys that do not name their
 * owner. An id that was made with another key decodes to an arbitrary number, which is almost never an id that was given.
 */
export function assertAllFit(world: World, store: KeyValue, keys: Pick<KeyStore, 'knows'>): void {
  for (const { kind, id } of allActors(world, store)) {
    if (kind !== PERSON && kind !== COMPANY) continue;
    const made = world.ids.decode(id);
    if (made === undefined || made.shard >= world.shards.length || made.counter > world.position(made.shard).idCounter)
      throw madeWithAnotherKey(id);
    assertKnown({ kind, id }, keys);
  }
}

function* allActors(world: World, store: KeyValue): Iterable<{ readonly kind: string; readonly id: string }> {
  yield* world.actorCache.values();
  for (const [key] of store.range({ start: ROW_PREFIX, end: endOf(ROW_PREFIX) })) yield readActorKey(key.slice(ROW_PREFIX.length));
}

/** The codes of key stores for sealed data that cannot be opened. */
const UNREADABLE: ReadonlySet<unknown> = new Set(['dataKeyMissing', 'dataKeyBroken', 'sealBroken']);

export const isUnreadable = (cause: unknown): boolean => UNREADABLE.has(fieldOf(cause, 'code'));

/** The refusal when a client asks to record personal data of somebody whose data key is destroyed or lost. */
export const nothingPersonal = (owner: string, errors: readonly Fault[] = []): Refusal =>
  new Refusal('invalidState', `Personal data of ${owner} cannot be recorded: its data key was deleted.`, { errors });

export const unreadable = (owner: string, cause: unknown): Refusal =>
  new Refusal('unavailable', `The personal data of ${owner} cannot be read until the operator restores its data key.`, {
    retryAfterSeconds: 60,
    cause,
  });
