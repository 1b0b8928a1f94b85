import type { KeyValue, ShardHead, StoredBlock } from '../ports.js';
import { HEADS_KEY } from '../snapshots/stored-keys.js';
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
