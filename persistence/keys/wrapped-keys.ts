import { assert } from '../../engine/index.js';
import { SEALED_KEY_BYTES } from './data-keys.js';
import { OWNER_BYTES_LIMIT } from './key-slots.js';
import { type OwnerBytes, OwnerIndex } from './owner-index.js';

/** The value of a data key in a bucket: generation of the key that wraps it 4 | key id 4 | wrapped key 60. */
const VALUE_BYTES = 8 + SEALED_KEY_BYTES;

/** In the first byte of an entry, beside the length of its owner: the key was destroyed. */
const DESTROYED = 0x80;
const FIRST_BYTES = 16 * 1024;

export interface WrappedKey {
  readonly generation: number;
  readonly id: number;
  readonly wrapped: Uint8Array;
}

export function encodeKey({ generation, id, wrapped }: WrappedKey): Buffer {
  const value = Buffer.alloc(VALUE_BYTES);
  value.writeUInt32LE(generation, 0);
  value.writeUInt32LE(id, 4);
  value.set(wrapped, 8);
  return value;
}

function decodeKey(value: Uint8Array): WrappedKey {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return { generation: bytes.readUInt32LE(0), id: bytes.readUInt32LE(4), wrapped: bytes.subarray(8) };
}

/**
 * The wrapped keys of many owners, off the heap. An entry is the same here and in a chunk of an image: owner length 1 (with the highest
 * bit: destroyed) | owner | value 68, which is absent where the key was destroyed before the entry was written. A takeover adopts whole
 * chunks, and makes nothing for each key.
 */
export class WrappedKeys implements OwnerBytes {
  /** Entries, one behind the other; the index knows each by its first byte. */
  image: Buffer;
  readonly #index: OwnerIndex;
  #used = 0;
  #destroyed = 0;

  /** Starts with room for entries of so many bytes, and grows. */
  constructor(bytes = 0) {
    this.image = Buffer.alloc(Math.max(FIRST_BYTES, bytes));
    this.#index = new OwnerIndex(this, Math.ceil(bytes / (1 + VALUE_BYTES))); // at least as many as there are
  }

  get counts(): { readonly keys: number; readonly destroyed: number } {
    return { keys: this.#index.count - this.#destroyed, destroyed: this.#destroyed };
  }

  ownerAt(entry: number): number {
    return entry + 1;
  }

  ownerLength(entry: number): number {
    return (this.image[entry] ?? 0) & ~DESTROYED;
  }

  /** Undefined for an owner that never had one. */
  get(owner: string): WrappedKey | 'destroyed' | undefined {
    const entry = this.#index.find(owner);
    if (entry === undefined) return undefined;
    return this.#isDestroyed(entry) ? 'destroyed' : decodeKey(this.#value(entry));
  }

  /** The value as it is in the bucket; null for a key that was destroyed or never created. */
  valueOf(owner: string): Uint8Array | null {
    const entry = this.#index.find(owner);
    return entry === undefined || this.#isDestroyed(entry) ? null : this.#value(entry);
  }

  *owners(): Iterable<string> {
    for (const entry of this.#index.newest())
      yield this.image.toString('utf8', this.ownerAt(entry), this.ownerAt(entry) + this.ownerLength(entry));
  }

  put(owner: string, value: Uint8Array): void {
    const known = this.#index.find(owner);
    if (known !== undefined && !this.#isDestroyed(known)) {
      this.#value(known).set(value);
      return;
    }
    if (known !== undefined) this.#destroyed -= 1;
    this.#add(encodeEntry(owner, value));
  }

  destroy(owner: string): void {
    const entry = this.#index.find(owner);
    if (entry !== undefined && this.#isDestroyed(entry)) return;
    this.#destroyed += 1;
    if (entry === undefined) {
      this.#add(encodeEntry(owner, null));
      return;
    }
    this.#value(entry).fill(0);
    this.image[entry] = this.ownerLength(entry) | DESTROYED;
  }

  /** Takes the entries of a chunk whose checksum was right. Each owner comes once in an image, and nothing was put before. */
  adopt(chunk: Buffer): void {
    const end = this.#used + chunk.length;
    for (let entry = this.#append(chunk); entry < end; entry += this.#lengthOf(entry)) {
      if (this.#isDestroyed(entry)) this.#destroyed += 1;
      this.#index.put(entry);
    }
  }

  #add(entry: Buffer): void {
    this.#index.put(this.#append(entry));
  }

  /** Returns where the bytes begin. */
  #append(bytes: Buffer): number {
    const at = this.#used;
    if (at + bytes.length > this.image.length) this.image = Buffer.concat([this.image], Math.max(this.image.length * 2, at + bytes.length));
    this.image.set(bytes, at);
    this.#used += bytes.length;
    return at;
  }

  #isDestroyed(entry: number): boolean {
    return ((this.image[entry] ?? 0) & DESTROYED) !== 0;
  }

  /** Of an entry as it was written. */
  #lengthOf(entry: number): number {
    return 1 + this.ownerLength(entry) + (this.#isDestroyed(entry) ? 0 : VALUE_BYTES);
  }

  #value(entry: number): Uint8Array {
    const at = this.ownerAt(entry) + this.ownerLength(entry);
    return this.image.subarray(at, at + VALUE_BYTES);
  }
}

/** Null stands for a key that was destroyed. */
export function encodeEntry(owner: string, value: Uint8Array | null): Buffer {
  const name = Buffer.from(owner);
  assert(name.length <= OWNER_BYTES_LIMIT, `the name of an owner has at most ${OWNER_BYTES_LIMIT} bytes`);
  return Buffer.concat([Buffer.of(value === null ? name.length | DESTROYED : name.length), name, value ?? NO_VALUE]);
}

const NO_VALUE = Buffer.alloc(0);
