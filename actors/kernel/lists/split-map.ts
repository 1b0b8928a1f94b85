import { must } from '../../../engine/index.js';

/** Entries from which on a map is spread. */
const SPREAD_AT = 16_384;
/** Maps that it is spread over; a power of two. */
const PARTS = 256;
/** Characters of a key that decide its part: the last ones, in which ids differ. */
const HASHED = 8;

/**
 * A map by text that may have millions of entries. A JavaScript `Map` that grows moves all of its entries at once, which at half a million
 * of them stops everything else for some 50 ms: this one is spread over many small maps. It has no order.
 */
export class SplitMap<Value> {
  #parts: Map<string, Value>[] = [new Map()];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: string): Value | undefined {
    return this.#partOf(key).get(key);
  }

  set(key: string, value: Value): void {
    const part = this.#partOf(key);
    const before = part.size;
    part.set(key, value);
    this.#size += part.size - before;
    if (this.#size > SPREAD_AT && this.#parts.length === 1) this.#spread();
  }

  /** False: there was none. */
  delete(key: string): boolean {
    const isGone = this.#partOf(key).delete(key);
    if (isGone) this.#size -= 1;
    return isGone;
  }

  /** In no order. A key may be deleted when it was given. */
  *keys(): Generator<string> {
    for (const part of this.#parts) yield* part.keys();
  }

  #spread(): void {
    const [whole] = this.#parts;
    this.#parts = Array.from({ length: PARTS }, () => new Map());
    for (const [key, value] of whole ?? []) this.#partOf(key).set(key, value);
  }

  #partOf(key: string): Map<string, Value> {
    const part = this.#parts.length === 1 ? this.#parts[0] : this.#parts[partNumber(key)];
    return must(part, 'a part for each number');
  }
}

function partNumber(key: string): number {
  let hash = key.length;
  for (let at = Math.max(0, key.length - HASHED); at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) & (PARTS - 1);
}
