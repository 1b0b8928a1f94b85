import { OWNER_BYTES_LIMIT } from './key-slots.js';

/** The owners' bytes, which the index compares with. */
export interface OwnerBytes {
  /** The slot's owner begins here in `image`. */
  ownerAt(index: number): number;
  ownerLength(index: number): number;
  readonly image: Uint8Array;
}

const FIRST_BUCKETS = 1_024;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * The newest slot of each owner, as a hash table off the heap: eight to sixteen bytes an owner, while names stay in the file's image. A
 * start with a million persons adds all of them.
 */
export class OwnerIndex {
  /** Slot + 1 in the first free bucket at or behind the hash of its owner; 0 = free. */
  #buckets: Int32Array;
  #count = 0;
  readonly #asked = Buffer.alloc(OWNER_BYTES_LIMIT * 2);

  /** Starts with room for so many owners, and grows. */
  constructor(
    private slots: OwnerBytes,
    owners: number,
  ) {
    this.#buckets = new Int32Array(Math.max(FIRST_BUCKETS, 2 ** Math.ceil(Math.log2(owners * 2 + 1))));
  }

  /** The same slots were moved to another image. */
  readFrom(slots: OwnerBytes): void {
    this.slots = slots;
  }

  /** Owners that have a slot. */
  get count(): number {
    return this.#count;
  }

  find(owner: string): number | undefined {
    const length = this.#asked.write(owner);
    const slot = this.#buckets[this.#bucketOf(this.#asked, 0, length)] ?? 0;
    return slot === 0 ? undefined : slot - 1;
  }

  /** The newest slot of each owner, in no order. */
  *newest(): Iterable<number> {
    for (const slot of this.#buckets) if (slot !== 0) yield slot - 1;
  }

  /** Makes the slot the newest one of its owner. */
  put(index: number): void {
    if (this.#count * 2 >= this.#buckets.length) this.#grow();
    const bucket = this.#bucketOf(this.slots.image, this.slots.ownerAt(index), this.slots.ownerLength(index));
    if (this.#buckets[bucket] === 0) this.#count += 1;
    this.#buckets[bucket] = index + 1;
  }

  #grow(): void {
    const former = this.#buckets;
    this.#buckets = new Int32Array(former.length * 2);
    this.#count = 0;
    for (const slot of former) if (slot !== 0) this.put(slot - 1);
  }

  /** The bucket that holds the owner, or the free one where it belongs. */
  #bucketOf(bytes: Uint8Array, from: number, length: number): number {
    const mask = this.#buckets.length - 1;
    for (let bucket = hashOf(bytes, from, length) & mask; ; bucket = (bucket + 1) & mask) {
      const slot = this.#buckets[bucket] ?? 0;
      if (slot === 0 || this.#isOwner(slot - 1, bytes, from, length)) return bucket;
    }
  }

  #isOwner(index: number, bytes: Uint8Array, from: number, length: number): boolean {
    const { image } = this.slots;
    if (this.slots.ownerLength(index) !== length) return false;
    const at = this.slots.ownerAt(index);
    for (let offset = 0; offset < length; offset += 1) if (image[at + offset] !== bytes[from + offset]) return false;
    return true;
  }
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array, from: number, length: number): number {
  let hash = FNV_OFFSET;
  for (let at = from; at < from + length; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), FNV_PRIME);
  return hash ^ (hash >>> 15);
}
