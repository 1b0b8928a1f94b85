/** An event at a moment of the simulated time. Of two at the same moment the one that was added first comes first. */
export interface QueueItem {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** A binary heap: the earliest first. */
export class EventQueue<Item extends QueueItem> {
  readonly #heap: Item[] = [];

  get size(): number {
    return this.#heap.length;
  }

  push(item: Item): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(item);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(item, parent)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = item;
  }

  pop(): Item | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      const child = this.#earlierChild(index);
      const below = heap[child];
      if (below === undefined || !isBefore(below, last)) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = last;
    return first;
  }

  #earlierChild(index: number): number {
    const [left, right] = [this.#heap[2 * index + 1], this.#heap[2 * index + 2]];
    return left !== undefined && right !== undefined && isBefore(right, left) ? 2 * index + 2 : 2 * index + 1;
  }
}

const isBefore = (one: QueueItem, other: QueueItem): boolean => one.at < other.at || (one.at === other.at && one.order < other.order);
