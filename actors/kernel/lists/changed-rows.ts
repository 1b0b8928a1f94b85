import { must } from '../../../engine/index.js';
import type { CatalogRow } from '../actor.js';

/** The rows of a table with the greatest stamps, whatever the order in which they were put: a start reads them in another one. */
export class ChangedRows {
  #ids: string[] = [];
  #stamps: number[] = [];
  /** No row with a greater stamp was forgotten. */
  #forgottenThrough = -1;

  constructor(private readonly most: number) {}

  put({ id, updatedStamp }: Pick<CatalogRow, 'id' | 'updatedStamp'>): void {
    if (updatedStamp <= this.#forgottenThrough) return;
    this.#ids.push(id);
    this.#stamps.push(updatedStamp);
    if (this.#ids.length >= 2 * this.most) this.#forget();
  }

  /** Ids of all rows with the stamp or a greater one, and perhaps of some that were put again since; null where some were forgotten. */
  since(stamp: number): readonly string[] | null {
    if (stamp <= this.#forgottenThrough) return null;
    return [...this.#newest(stamp).keys()];
  }

  /** The greatest stamp of each row that was put with `from` or a greater one. */
  #newest(from: number): ReadonlyMap<string, number> {
    const newest = new Map<string, number>();
    for (const [at, stamp] of this.#stamps.entries()) {
      const id = must(this.#ids[at], 'an id for each stamp');
      if (stamp >= from && stamp > (newest.get(id) ?? -1)) newest.set(id, stamp);
    }
    return newest;
  }

  #forget(): void {
    const newest = this.#newest(0);
    const stamps = Float64Array.from(newest.values()).sort();
    const through = stamps[stamps.length - 1 - this.most] ?? -1;
    this.#forgottenThrough = Math.max(this.#forgottenThrough, through);
    const kept = [...newest].filter(([, stamp]) => stamp > through);
    this.#ids = kept.map(([id]) => id);
    this.#stamps = kept.map(([, stamp]) => stamp);
  }
}
