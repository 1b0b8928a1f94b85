import { must } from '../../../engine/index.js';
import { timeOfList } from './sliced-page.js';

/** Steps between two looks at the time. */
const STEP = 256;

/**
 * Items by the stamps that they had at the beginning, the newest first: a heap, since seldom are all of them taken, and sorting a million
 * would take a second.
 */
export class ByNewest<Item> {
  readonly #items: Item[];
  readonly #stamps: Float64Array;
  #length: number;

  private constructor(items: readonly Item[], stampOf: (item: Item) => number) {
    this.#items = [...items];
    this.#stamps = Float64Array.from(items, stampOf);
    this.#length = items.length;
  }

  /** In time slices. */
  static async of<Item>(items: readonly Item[], stampOf: (item: Item) => number): Promise<ByNewest<Item>> {
    const heap = new ByNewest(items, stampOf);
    const time = timeOfList();
    for (let at = (items.length >> 1) - 1; at >= 0; at -= 1) {
      heap.#sink(at);
      if (at % STEP === 0 && time.isSpent) await time.yieldToOthers();
    }
    return heap;
  }

  /** The stamp of the newest item that is left; -Infinity without one. */
  get newest(): number {
    return this.#length === 0 ? -Infinity : must(this.#stamps[0], 'the first of some');
  }

  /** Takes the newest item; undefined when none is left. */
  take(): Item | undefined {
    if (this.#length === 0) return undefined;
    const item = this.#items[0];
    this.#length -= 1;
    this.#swap(0, this.#length);
    this.#sink(0);
    return item;
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let newest = at;
      if (left < this.#length && this.#stampAt(left) > this.#stampAt(newest)) newest = left;
      if (right < this.#length && this.#stampAt(right) > this.#stampAt(newest)) newest = right;
      if (newest === at) return;
      this.#swap(at, newest);
      at = newest;
    }
  }

  #stampAt(at: number): number {
    return this.#stamps[at] ?? -Infinity;
  }

  #swap(a: number, b: number): void {
    const [items, stamps] = [this.#items, this.#stamps];
    [items[a], items[b]] = [must(items[b], 'an item'), must(items[a], 'an item')];
    [stamps[a], stamps[b]] = [this.#stampAt(b), this.#stampAt(a)];
  }
}
