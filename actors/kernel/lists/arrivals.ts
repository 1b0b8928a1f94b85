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

/** A row that knows its place in the order of arrival. */
type PlacedRow = CatalogRow & { place?: number };

/** The rows of a table in the order in which they came into memory: after a start, the order in which they are stored. */
export class Arrivals {
  readonly #rows: (PlacedRow | undefined)[] = [];
  /** Places of rows that were removed: one that comes back has its old place. */
  readonly #left = new Map<string, number>();

  put(row: PlacedRow, before: PlacedRow | undefined): void {
    const at = before?.place ?? this.#left.get(row.id) ?? this.#rows.length;
    this.#left.delete(row.id);
    row.place = at;
    this.#rows[at] = row;
  }

  remove({ id, place }: PlacedRow): void {
    if (place === undefined) return;
    this.#rows[place] = undefined;
    this.#left.set(id, place);
  }

  *after({ place }: Pick<ArrivalMark, 'place'>): Iterable<readonly [row: CatalogRow, place: number]> {
    for (let at = place + 1; at < this.#rows.length; at++) {
      const row = this.#rows[at];
      if (row !== undefined) yield [row, at];
    }
  }
}
