import { SEALED_KEY_BYTES } from './data-keys.js';

/** The value of a data key in a bucket: generation of the key that wraps it 4 | key id 4 | wrapped key 60. */
export const VALUE_BYTES = 8 + SEALED_KEY_BYTES;

const DESTROYED = -1;
const FIRST_CELLS = 256;

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

/** The wrapped keys of many owners, off the heap but for their names. */
export class WrappedKeys {
  readonly #cells = new Map<string, number>();
  #values = Buffer.alloc(FIRST_CELLS * VALUE_BYTES);
  #used = 0;
  #destroyed = 0;

  get counts(): { readonly keys: number; readonly destroyed: number } {
    return { keys: this.#cells.size - this.#destroyed, destroyed: this.#destroyed };
  }

  /** Undefined for an owner that never had one. */
  get(owner: string): WrappedKey | 'destroyed' | undefined {
    const cell = this.#cells.get(owner);
    if (cell === undefined) return undefined;
    return cell === DESTROYED ? 'destroyed' : decodeKey(this.#values.subarray(cell * VALUE_BYTES, (cell + 1) * VALUE_BYTES));
  }

  /** The value as it is in the bucket; null for a key that was destroyed or never created. */
  valueOf(owner: string): Uint8Array | null {
    const cell = this.#cells.get(owner);
    return cell === undefined || cell === DESTROYED ? null : this.#values.subarray(cell * VALUE_BYTES, (cell + 1) * VALUE_BYTES);
  }

  owners(): Iterable<string> {
    return this.#cells.keys();
  }

  put(owner: string, value: Uint8Array): void {
    if ((this.#used + 1) * VALUE_BYTES > this.#values.length)
      this.#values = Buffer.concat([this.#values, Buffer.alloc(this.#values.length)]);
    this.#values.set(value, this.#used * VALUE_BYTES);
    if (this.#cells.get(owner) === DESTROYED) this.#destroyed -= 1;
    this.#cells.set(owner, this.#used);
    this.#used += 1;
  }

  destroy(owner: string): void {
    const cell = this.#cells.get(owner);
    if (cell === DESTROYED) return;
    if (cell !== undefined) this.#values.fill(0, cell * VALUE_BYTES, (cell + 1) * VALUE_BYTES);
    this.#cells.set(owner, DESTROYED);
    this.#destroyed += 1;
  }
}
