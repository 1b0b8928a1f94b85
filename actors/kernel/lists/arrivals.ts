/** How far the actors of a kind have been gone through, since a start of the engine. */
export interface ArrivalMark {
  readonly start: string;
  readonly place: number;
}

export interface Arrival {
  readonly id: string;
  /** The next actors are behind it. */
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

  /**
   * Those behind a mark that were not removed. Their rows are not looked up: among millions, to find one takes a tenth of the time in which
   * its actor is read.
   */
  *after(mark: ArrivalMark): Iterable<Arrival> {
    for (let at = mark.place + 1; at < this.#ids.length; at += 1) {
      const id = this.#ids[at] ?? '';
      if (!this.#removed.has(id)) yield { id, mark: { start: mark.start, place: at } };
    }
  }
}
