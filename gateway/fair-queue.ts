const EVERYBODY = (): boolean => true;

/** What waits for its turn, by whose it is: one of each in turn, in the order in which they came. */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  /** Whether anything waits of somebody who `mayGo`. */
  has(mayGo: (owner: string) => boolean): boolean {
    for (const owner of this.#lines.keys()) if (mayGo(owner)) return true;
    return false;
  }

  push(owner: string, item: Item): void {
    const line = this.#lines.get(owner);
    if (line) line.push(item);
    else this.#lines.set(owner, [item]);
    this.#size += 1;
  }

  /** The next one of somebody who `mayGo`; whose it is stands last in line from then on. */
  shift(mayGo: (owner: string) => boolean = EVERYBODY): Item | undefined {
    for (const [owner, line] of this.#lines) {
      if (!mayGo(owner)) continue;
      const item = line.shift();
      this.#lines.delete(owner);
      if (line.length > 0) this.#lines.set(owner, line);
      this.#size -= 1;
      return item;
    }
    return undefined;
  }
}
