/** What happens at a moment of the simulated time. Of two at the same moment the one that was ordered first. */
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
    let place = heap.length;
    heap.push(item);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(item, parent)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = item;
  }

  pop(): Item | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      const child = this.#earlierChild(place);
      const below = heap[child];
      if (below === undefined || !isBefore(below, last)) break;
      heap[place] = below;
      place = child;
    }
    heap[place] = last;
    return first;
  }

  #earlierChild(place: number): number {
    const [left, right] = [this.#heap[2 * place + 1], this.#heap[2 * place + 2]];
    return left !== undefined && right !== undefined && isBefore(right, left) ? 2 * place + 2 : 2 * place + 1;
  }
}

const isBefore = (one: QueueItem, other: QueueItem): boolean => one.at < other.at || (one.at === other.at && one.order < other.order);
