import { must } from '../../../engine/index.js';

/** Of a slab; a longer value has one of its own. */
const SLAB_BYTES = 256 * 1024;
/** Empty slabs that are kept to be used again. */
const MOST_EMPTY = 32;

interface Slab {
  readonly bytes: Uint8Array;
  used: number;
  /** Values in it that are not dropped. */
  values: number;
}

/**
 * Values that are kept for some seconds, and dropped in the order in which they came. Their slabs are used again: V8 counts memory outside
 * of its heap that lives long and then dies until its next full collection, and where it has grown by 64 MB, each further buffer costs ten
 * milliseconds of marking. For half a second nobody would be answered.
 */
export class KeptBytes {
  /** With values, from the oldest; values are added to the last. */
  #slabs: Slab[] = [];
  readonly #empty: Slab[] = [];

  /** A copy, which is valid until it is dropped. */
  keep(value: Uint8Array): Uint8Array {
    const slab = this.#slabFor(value.length);
    const from = slab.used;
    slab.bytes.set(value, from);
    slab.used += value.length;
    slab.values += 1;
    return slab.bytes.subarray(from, slab.used);
  }

  /** Drops the oldest values. */
  drop(count: number): void {
    for (let left = count; left > 0; ) {
      const slab = must(this.#slabs[0], 'no more values are dropped than were kept');
      const dropped = Math.min(left, slab.values);
      slab.values -= dropped;
      left -= dropped;
      if (slab.values > 0) continue;
      this.#slabs.shift();
      slab.used = 0;
      if (slab.bytes.length === SLAB_BYTES && this.#empty.length < MOST_EMPTY) this.#empty.push(slab);
    }
  }

  #slabFor(length: number): Slab {
    const last = this.#slabs.at(-1);
    if (last !== undefined && last.used + length <= last.bytes.length) return last;
    const empty = length <= SLAB_BYTES ? this.#empty.pop() : undefined;
    const slab = empty ?? { bytes: new Uint8Array(Math.max(SLAB_BYTES, length)), used: 0, values: 0 };
    this.#slabs.push(slab);
    return slab;
  }
}
