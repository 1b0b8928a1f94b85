import type { RowsPiece, ViewBatch } from './ports.js';

/** Actors whose rows are put together: a batch costs a transaction. */
const BATCH = 2_000;
/** Batches that may wait: the process of the views, which goes behind the service, is late now and then. */
const MOST_WAITING = 4;

/** Rows on their way into tables, one batch behind the other: some are put while the next is gathered. */
export class Batches {
  #gathered: RowsPiece[] = [];
  #actors = 0;
  #putting: Promise<void> = Promise.resolve();
  /** Those that were gathered and are not known to be put, the first in front. */
  #waiting: Promise<void>[] = [];

  /** `about`: the group of the tables, and what a batch that begins now has seen. */
  constructor(
    private readonly about: () => Pick<ViewBatch, 'group' | 'watermark'>,
    private readonly putBatch: (batch: ViewBatch) => Promise<void>,
  ) {}

  /** Rejects when a batch before could not be put. */
  async gather(piece: RowsPiece): Promise<void> {
    this.#gathered.push(piece);
    this.#actors += piece.actors.length;
    if (this.#actors >= BATCH) await this.#flush();
  }

  /** Resolves when all that was gathered is put. */
  async finish(): Promise<void> {
    await this.#flush();
    this.#waiting = [];
    await this.#putting;
  }

  /** Behind the batches before, none of which may have failed. */
  put(pieces: readonly RowsPiece[], replaces: boolean): Promise<void> {
    const batch = { ...this.about(), replaces, pieces };
    this.#putting = this.#putting.then(() => this.putBatch(batch));
    return this.#putting;
  }

  async #flush(): Promise<void> {
    const pieces = this.#gathered;
    this.#gathered = [];
    this.#actors = 0;
    const put = this.put(pieces, false);
    put.catch(() => undefined); // it is waited for some batches later, or at the end
    this.#waiting.push(put);
    if (this.#waiting.length > MOST_WAITING) await this.#waiting.shift();
  }
}
