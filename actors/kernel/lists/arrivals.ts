import type { CatalogRow } from '../actor.js';

/** How far the rows of a kind have been gone through, since a start of the engine. */
export interface ArrivalMark {
  readonly start: string;
  readonly place: number;
}

export interface Arrival {
  readonly row: CatalogRow;
  /** The next rows are behind it. */
  readonly mark: ArrivalMark;
}

/** The ids of a table in the order in which its rows came into memory: after a start, the order in which they are stored. */
export class Arrivals {
  readonly #ids: string[] = [];
  /** Rows that were removed: one that comes back has its old place. */
  readonly #removed = new Set<string>();

  /** A row that was not there. */
  put(id: string): void {
    if (!this.#removed.delete(id)) this.#ids.push(id);
  }

  remove(id: string): void {
    this.#removed.add(id);
  }

  /** With the place of each; also those that were removed. */
  *after({ place }: Pick<ArrivalMark, 'place'>): Iterable<readonly [id: string, place: number]> {
    for (let at = place + 1; at < this.#ids.length; at++) yield [this.#ids[at] ?? '', at];
  }
}
