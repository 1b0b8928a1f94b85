import type { RowsPiece, ViewBatch } from './ports.js';

/** Actors whose rows are put together: a batch costs a transaction. */
const BATCH = 2_000;

/** Rows on their way into tables, one batch behind the other: the last is put while the next is gathered. */
export class Batches {
  #gathered: RowsPiece[] = [];
  #actors = 0;
  #putting: Promise<void> = Promise.resolve();

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
    const before = this.#putting;
    this.#gathered = [];
    this.#actors = 0;
    this.put(pieces, false).catch(() => undefined); // it is waited for where the next batch begins, or at the end
    await before;
  }
}
