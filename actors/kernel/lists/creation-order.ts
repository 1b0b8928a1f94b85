/**
 * Ids in the order in which their objects were made. A start appends what it reads in any order and sorts it in steps,
 * since a million ids take longer than others should wait.
 */
export class CreationOrder {
  #ids: string[] = [];
  #stamps: number[] = [];
  #isSorted = true;

  append(id: string, stamp: number): void {
    if (stamp < (this.#stamps.at(-1) ?? 0)) this.#isSorted = false;
    this.#ids.push(id);
    this.#stamps.push(stamp);
  }

  get length(): number {
    return this.#ids.length;
  }

  get isSorted(): boolean {
    return this.#isSorted;
  }

  /** Oldest first. */
  ids(): readonly string[] {
    if (!this.#isSorted) for (const _step of this.sort());
    return this.#ids;
  }

  /** Merges runs of growing length. What is appended between two steps comes behind, as it is newer. */
  *sort(): Generator<void> {
    if (this.#isSorted) return;
    const count = this.#ids.length;
    let from: Columns = { ids: this.#ids, stamps: this.#stamps };
    let to = emptyColumns(count);
    let moved = 0;
    for (let width = 1; width < count; width *= 2) {
      for (let left = 0; left < count; left += 2 * width) {
        const middle = Math.min(left + width, count);
        const right = Math.min(left + 2 * width, count);
        let a = left;
        let b = middle;
        for (let at = left; at < right; at++) {
          const takesLeft = b >= right || (a < middle && (from.stamps[a] ?? 0) <= (from.stamps[b] ?? 0));
          const source = takesLeft ? a++ : b++;
          to.ids[at] = from.ids[source] ?? '';
          to.stamps[at] = from.stamps[source] ?? 0;
          if (++moved % STEP === 0) yield;
        }
      }
      [from, to] = [to, width === 1 ? emptyColumns(count) : from];
    }
    const [newIds, newStamps] = [this.#ids.slice(count), this.#stamps.slice(count)];
    this.#ids = from.ids.slice(0, count);
    this.#stamps = from.stamps.slice(0, count);
    this.#isSorted = true;
    for (const [index, id] of newIds.entries()) this.append(id, newStamps[index] ?? 0);
  }
}

interface Columns {
  readonly ids: string[];
  readonly stamps: number[];
}

const emptyColumns = (count: number): Columns => ({ ids: new Array<string>(count), stamps: new Array<number>(count) });

/** Ids that one step moves. */
const STEP = 4_096;
