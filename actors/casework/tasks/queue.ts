/** What waits, the first in its order at the front. Items that are no longer wanted are skipped when they come up. */
export class WaitingQueue<Item> {
  readonly #heap: Item[] = [];

  constructor(
    private readonly isBefore: (one: Item, other: Item) => boolean,
    private readonly isWanted: (item: Item) => boolean,
  ) {}

  push(item: Item): void {
    const heap = this.#heap;
    let at = heap.push(item) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !this.isBefore(item, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = item;
  }

  /** The first ones, in their order, each once. */
  first(count: number): readonly Item[] {
    const found = new Set<Item>();
    while (found.size < count) {
      const item = this.#pop();
      if (item === undefined) break;
      if (this.isWanted(item)) found.add(item);
    }
    for (const item of found) this.push(item);
    return [...found];
  }

  #pop(): Item | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let next = 2 * at + 1;
      const [left, right] = [heap[next], heap[next + 1]];
      if (left === undefined) break;
      let child = left;
      if (right !== undefined && this.isBefore(right, left)) {
        child = right;
        next += 1;
      }
      if (!this.isBefore(child, last)) break;
      heap[at] = child;
      at = next;
    }
    heap[at] = last;
    return first;
  }
}
