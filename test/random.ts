import { must } from '../engine/index.js';

/** A seeded random generator (mulberry32). */
export class Random {
  #state: number;

  constructor(readonly seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from 0 to below the bound. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * bound);
  }

  /** An item of a list that is not empty. */
  pick<Item>(items: readonly Item[]): Item {
    return must(items[this.below(items.length)], 'an item of a list that is not empty');
  }

  /** The object or an empty one, with equal probability. */
  maybe(extra: object): object {
    return this.below(2) === 0 ? extra : {};
  }

  /** A whole number between zero and `last`, which may be negative. */
  towards(last: number): number {
    const distance = this.below(Math.abs(last) + 1);
    return last < 0 ? -distance : distance;
  }

  /** Letters and digits, a different text each time. */
  text(length: number): string {
    return `${this.below(0x1_0000_0000).toString(36)}.`.repeat(Math.ceil(length / 4)).slice(0, length);
  }
}
