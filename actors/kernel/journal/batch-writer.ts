/** Sizes of batches. */
export interface BatchSizes {
  /** A batch of so many is written where nothing else is being written. */
  readonly from: number;
  /** No batch waits for the one before it beyond this size. */
  readonly upTo: number;
}

/**
 * Writes batches one after the other while the next one gathers: where writing is slow, batches grow and fewer are
 * written. After a failure nothing more is written, and whoever hands over next is told of it.
 */
export class BatchWriter<Item> {
  #gathered: Item[] = [];
  #isWriting = false;
  #written: Promise<void> = Promise.resolve();

  constructor(
    private readonly sizes: BatchSizes,
    private readonly write: (batch: readonly Item[]) => Promise<void>,
  ) {}

  add(item: Item): void {
    this.#gathered.push(item);
  }

  /** Whether the batch should be handed over before more is added. */
  get isFull(): boolean {
    const { length } = this.#gathered;
    return length >= this.sizes.upTo || (length >= this.sizes.from && !this.#isWriting);
  }

  /** Resolves when the batch before this one is written, and this one is on its way. */
  async handOver(): Promise<void> {
    await this.#written;
    const batch = this.#gathered;
    this.#gathered = [];
    this.#isWriting = true;
    this.#written = this.write(batch).finally(() => {
      this.#isWriting = false;
    });
    this.#written.catch(() => undefined); // told by the next hand-over, or at the end
  }

  /** Resolves when all that was added is written. */
  async end(): Promise<void> {
    if (this.#gathered.length > 0) await this.handOver();
    await this.#written;
  }

  /** Resolves when nothing is being written, however it ended. */
  async idle(): Promise<void> {
    await Promise.allSettled([this.#written]);
  }
}
