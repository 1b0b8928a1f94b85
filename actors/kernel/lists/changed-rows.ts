import { must } from '../../../engine/index.js';
import type { CatalogRow } from '../actor.js';

/** The rows of a table that were put last, by their stamps. */
export class ChangedRows {
  #ids: string[] = [];
  #stamps: number[] = [];
  /** No row with a greater stamp was forgotten. */
  #forgottenThrough = -1;

  constructor(private readonly most: number) {}

  put({ id, updatedStamp }: Pick<CatalogRow, 'id' | 'updatedStamp'>): void {
    this.#ids.push(id);
    this.#stamps.push(updatedStamp);
    if (this.#ids.length >= 2 * this.most) this.#forget();
  }

  /** Ids of all rows with the stamp or a greater one, and perhaps of some that were put again since; null where some were forgotten. */
  since(stamp: number): readonly string[] | null {
    if (stamp <= this.#forgottenThrough) return null;
    const found = new Set<string>();
    for (const [at, id] of this.#ids.entries()) if (must(this.#stamps[at], 'a stamp for each id') >= stamp) found.add(id);
    return [...found];
  }

  #forget(): void {
    for (const stamp of this.#stamps.slice(0, -this.most)) this.#forgottenThrough = Math.max(this.#forgottenThrough, stamp);
    this.#ids = this.#ids.slice(-this.most);
    this.#stamps = this.#stamps.slice(-this.most);
  }
}
