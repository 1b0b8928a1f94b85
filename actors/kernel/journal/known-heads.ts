import type { KeyValue, ShardHead, StoredBlock } from '../ports.js';
import { pack, unpack } from './records.js';
import { HEADS_KEY } from '../snapshots/stored-keys.js';

/** What the snapshots know of the journal that they were computed from is not in this one. */
abstract class OtherJournal extends Error {
  abstract readonly code: string;
  readonly helps = 'operator';
}

/** The journal does not have all records that the snapshots know: it was restored from an older backup, or lost its end. */
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
        'Put the newer journal back; if there is none, what came later is lost: move the snapshots folder away to serve what the journal has',
    );
  }
}

/** The journal has other records than those that the snapshots were computed from: it lost its end and was written on. */
class JournalDiverged extends OtherJournal {
  override readonly name = 'JournalDiverged';
  readonly code = 'journalDiverged';

  constructor(
    readonly shard: number,
    readonly sequence: number,
  ) {
    super(
      `record ${sequence} of shard ${shard} is another one in the journal than in that from which the snapshots were taken. ` +
        'Put the right journal back; if this is the right one, move the snapshots folder away to serve what the journal has',
    );
  }
}

type PackedHeads = readonly (readonly [shard: number, sequence: number, hash: Uint8Array])[];

/** The ends of the journal's chains, written with a snapshot: none of them lies before what the snapshot holds. */
export function packHeads(heads: ReadonlyMap<number, ShardHead>): Uint8Array {
  const packed: PackedHeads = [...heads].map(([shard, { lastSequence, hash }]) => [shard, lastSequence, hash]);
  return pack(packed);
}

/**
 * Whether a journal is the one that the snapshots were computed from, or has gone on from it. Each end that was known must be its end
 * still, or a block must follow on it.
 */
export class KnownHeads {
  readonly #unmet = new Map<number, ShardHead>();

  constructor(store: KeyValue) {
    const bytes = store.get(HEADS_KEY);
    if (!bytes) return;
    for (const [shard, lastSequence, hash] of unpack(bytes) as PackedHeads)
      this.#unmet.set(shard, { lastSequence, hash: Uint8Array.from(hash) });
  }

  /** Where a shard's chain ends now. Throws `JournalShortened`, or `JournalDiverged`. */
  endsAt(shard: number, now: ShardHead | undefined): void {
    const known = this.#unmet.get(shard);
    if (known === undefined) return;
    const lastSequence = now?.lastSequence ?? 0;
    if (lastSequence < known.lastSequence) throw new JournalShortened(shard, known.lastSequence, lastSequence);
    if (lastSequence === known.lastSequence) this.#meet(shard, known, now?.hash);
  }

  /** A block that is read. Throws `JournalDiverged`. */
  pass({ shard, firstSequence, previousHash }: StoredBlock): void {
    const known = this.#unmet.get(shard);
    if (known?.lastSequence === firstSequence - 1) this.#meet(shard, known, previousHash);
  }

  /** All wanted blocks of the shards have been read. Throws `JournalDiverged`. */
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
