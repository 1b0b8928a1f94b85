import type { FeedItem } from './feed.js';
import type { ViewBatch } from './ports.js';

/** Subjects whose rows are put together: a batch costs a transaction. */
const BATCH = 2_000;

/** Rows on their way into tables, one batch behind the other: the last is put while the next is gathered. */
export class Batches {
  #gathered: FeedItem[] = [];
  #putting: Promise<void> = Promise.resolve();

  /** `about`: the group of the tables, and what a batch that begins now has seen. */
  constructor(
    private readonly about: () => Pick<ViewBatch, 'group' | 'watermark'>,
    private readonly putBatch: (batch: ViewBatch) => Promise<void>,
  ) {}

  /** Rejects when a batch before could not be put. */
  async gather(items: readonly FeedItem[]): Promise<void> {
    this.#gathered.push(...items);
    if (this.#gathered.length >= BATCH) await this.#flush();
  }

  /** Resolves when all that was gathered is put. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#putting;
  }

  /** Behind the batches before, none of which may have failed. */
  put(items: readonly FeedItem[], replaces: boolean): Promise<void> {
    const batch = { ...this.about(), replaces, actors: items.map(({ id }) => id), rows: items.map(({ rows }) => rows) };
    this.#putting = this.#putting.then(() => this.putBatch(batch));
    return this.#putting;
  }

  async #flush(): Promise<void> {
    const items = this.#gathered;
    const before = this.#putting;
    this.#gathered = [];
    this.put(items, false).catch(() => undefined); // it is waited for where the next batch begins, or at the end
    await before;
  }
}
