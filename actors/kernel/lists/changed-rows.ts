import type { CatalogRow } from '../actor.js';

/** The rows of a table with the greatest stamps, whatever the order in which they were put: a start reads them in another one. */
export class ChangedRows {
  /** The greatest stamp of each row; the least is first as long as they are in order. */
  #stamps = new Map<string, number>();
  #greatest = -1;
  #isInOrder = true;
  /** No row with a greater stamp was forgotten. */
  #forgottenThrough = -1;

  constructor(private readonly most: number) {}

  put({ id, updatedStamp }: Pick<CatalogRow, 'id' | 'updatedStamp'>): void {
    if (updatedStamp <= this.#forgottenThrough || updatedStamp <= (this.#stamps.get(id) ?? -1)) return;
    if (updatedStamp < this.#greatest) this.#isInOrder = false;
    else this.#greatest = updatedStamp;
    this.#stamps.delete(id); // the map has rows in the order in which they came
    this.#stamps.set(id, updatedStamp);
    if (this.#stamps.size >= 2 * this.most) this.#forget();
  }

  /** Ids of all rows with the stamp or a greater one; null where some were forgotten. */
  since(stamp: number): readonly string[] | null {
    if (stamp <= this.#forgottenThrough) return null;
    return [...this.#stamps].filter(([, known]) => known >= stamp).map(([id]) => id);
  }

  /** Sorting takes the thread for some milliseconds: only what a start has read in another order is sorted. */
  #forget(): void {
    if (!this.#isInOrder) this.#stamps = new Map([...this.#stamps].sort(([, one], [, other]) => one - other));
    this.#isInOrder = true;
    for (const [id, stamp] of this.#stamps) {
      if (this.#stamps.size <= this.most) return;
      this.#stamps.delete(id);
      this.#forgottenThrough = stamp;
    }
  }
}
