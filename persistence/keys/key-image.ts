import { VALUE_BYTES } from './wrapped-keys.js';

/**
 * The wrapped keys of many owners in one piece, as read from their bucket: owner length 1 (with the highest bit: destroyed) | owner |
 * value 68, which a destroyed one has not.
 */
const DESTROYED = 0x80;

/** Null stands for a key that was destroyed. */
export type ImageEntry = readonly [owner: string, value: Uint8Array | null];

/** Gathers entries into chunks of about the size. */
export class KeyImageWriter {
  readonly chunks: Buffer[] = [];
  #chunk: Buffer;
  #used = 0;

  constructor(private readonly chunkBytes: number) {
    this.#chunk = Buffer.allocUnsafe(chunkBytes);
  }

  add([owner, value]: ImageEntry): void {
    if (this.#used + 1 + owner.length * 3 + VALUE_BYTES > this.chunkBytes) this.#end();
    const length = this.#chunk.write(owner, this.#used + 1);
    this.#chunk[this.#used] = value === null ? length | DESTROYED : length;
    this.#used += 1 + length;
    if (value === null) return;
    this.#chunk.set(value, this.#used);
    this.#used += VALUE_BYTES;
  }

  finish(): readonly Buffer[] {
    if (this.#used > 0) this.#end();
    return this.chunks;
  }

  #end(): void {
    this.chunks.push(this.#chunk.subarray(0, this.#used));
    this.#chunk = Buffer.allocUnsafe(this.chunkBytes);
    this.#used = 0;
  }
}

/** The entries of a chunk whose checksum was right. Values are views of it. */
export function* entriesOf(chunk: Buffer): Generator<ImageEntry> {
  for (let at = 0; at < chunk.length; ) {
    const head = chunk[at] ?? 0;
    const end = at + 1 + (head & ~DESTROYED);
    const owner = chunk.toString('utf8', at + 1, end);
    const isDestroyed = (head & DESTROYED) !== 0;
    at = isDestroyed ? end : end + VALUE_BYTES;
    yield [owner, isDestroyed ? null : chunk.subarray(end, at)];
  }
}
