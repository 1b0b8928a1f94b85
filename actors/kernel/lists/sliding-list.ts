/** A list that grows at its end and is let go of at its front, without moving what stays each time. */
export class SlidingList<Item> {
  #items: Item[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  /** Undefined outside of 0..length-1. */
  at(index: number): Item | undefined {
    return index < 0 ? undefined : this.#items[this.#first + index];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Lets go of the first `count`. */
  drop(count: number): void {
    this.#first += Math.min(count, this.length);
    if (this.#first * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#first);
    this.#first = 0;
  }

  /** The place of the first item that the test holds for; it holds for all behind it. The length when there is none. */
  firstWhere(test: (item: Item) => boolean): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const item = this.at(middle);
      if (item !== undefined && test(item)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
