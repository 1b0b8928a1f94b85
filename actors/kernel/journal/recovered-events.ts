/** Bytes of one piece of memory that holds records. */
const PIECE_BYTES = 256 * 1024;

/**
 * The events that a recovery reads, shard by shard, until all are read and their order is known. They are kept outside of the heap as the
 * journal has them: as objects, the events of a million loans would keep the garbage collector busy for seconds at a time, in which a
 * worker cannot renew its leases.
 */
export class RecoveredEvents {
  readonly #shards = new Map<number, EventsOfShard>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Copies the bytes. */
  add(shard: number, stamp: number, packed: Uint8Array): void {
    const known = this.#shards.get(shard);
    const events = known ?? new EventsOfShard();
    if (!known) this.#shards.set(shard, events);
    events.add(stamp, packed);
    this.#length += 1;
  }

  /** The records of all shards in the order of their stamps. */
  *inOrder(): Iterable<Uint8Array> {
    const heads = [...this.#shards.values()].map((events) => ({ events, indexes: events.indexes(), at: 0 }));
    for (let left = this.#length; left > 0; left--) {
      let first = heads[0];
      let firstStamp = Infinity;
      for (const head of heads) {
        const stamp = head.events.stampAt(head.indexes[head.at]);
        if (stamp >= firstStamp) continue;
        first = head;
        firstStamp = stamp;
      }
      if (first === undefined) return;
      yield first.events.recordAt(first.indexes[first.at] ?? 0);
      first.at += 1;
    }
  }
}

class EventsOfShard {
  readonly #pieces: Buffer[] = [];
  /** Of the newest piece. */
  #used = 0;
  readonly #stamps: number[] = [];
  readonly #pieceOf: number[] = [];
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  #isInOrder = true;

  add(stamp: number, packed: Uint8Array): void {
    if (this.#used + packed.length > (this.#pieces.at(-1)?.length ?? 0)) {
      this.#pieces.push(Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, packed.length)));
      this.#used = 0;
    }
    this.#pieces.at(-1)?.set(packed, this.#used);
    this.#isInOrder &&= stamp >= (this.#stamps.at(-1) ?? 0);
    this.#stamps.push(stamp);
    this.#pieceOf.push(this.#pieces.length - 1);
    this.#starts.push(this.#used);
    this.#lengths.push(packed.length);
    this.#used += packed.length;
  }

  /** The indexes of its events, the earliest first: a shard records them in the order of their stamps. */
  indexes(): Uint32Array {
    const indexes = Uint32Array.from({ length: this.#stamps.length }, (_, index) => index);
    return this.#isInOrder ? indexes : indexes.sort((one, other) => this.stampAt(one) - this.stampAt(other));
  }

  /** After all others when there is none. */
  stampAt(index: number | undefined): number {
    return (index === undefined ? undefined : this.#stamps[index]) ?? Infinity;
  }

  recordAt(index: number): Uint8Array {
    const start = this.#starts[index] ?? 0;
    return this.#pieces[this.#pieceOf[index] ?? 0]?.subarray(start, start + (this.#lengths[index] ?? 0)) ?? NOTHING;
  }
}

const NOTHING = new Uint8Array(0);
