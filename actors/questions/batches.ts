import type { RowsPiece, ViewBatch } from './ports.js';

/** Actors whose rows are sent together. */
const BATCH = 500;
/** Batches that may wait, some 200 KB each: the process of the views, which goes behind the service, is late now and then. */
const MOST_WAITING = 160;

/** Rows on their way into tables, one batch behind the other: some are put while the next is gathered. */
export class Batches {
  #gathered: RowsPiece[] = [];
  #actors = 0;
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
    if (this.#actors < BATCH) return;
    this.#putGathered(true);
    if (this.#waiting.length > MOST_WAITING) await this.#waiting.shift();
  }

  /** Resolves when all that was gathered is put. */
  async finish(): Promise<void> {
    this.#putGathered(false);
    const waiting = this.#waiting;
    this.#waiting = [];
    await Promise.all(waiting);
  }

  /** Behind the batches before, which are put in their order. */
  put(pieces: readonly RowsPiece[], replaces: boolean): Promise<void> {
    return this.#put({ replaces, hasMore: false, pieces });
  }

  #put(batch: Pick<ViewBatch, 'replaces' | 'hasMore' | 'pieces'>): Promise<void> {
    return this.putBatch({ ...this.about(), ...batch });
  }

  /** Keeps nothing of the rows: they are on their way to the process of the views at once. */
  #putGathered(hasMore: boolean): void {
    const put = this.#put({ replaces: false, hasMore, pieces: this.#gathered });
    this.#gathered = [];
    this.#actors = 0;
    put.catch(() => undefined); // it is waited for some batches later, or at the end
    this.#waiting.push(put);
  }
}
