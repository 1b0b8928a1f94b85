/** Between the entry before it in age and the one behind it. */
interface Entry<Key, Value> {
  readonly key: Key;
  readonly value: Value;
  older: Entry<Key, Value> | null;
  newer: Entry<Key, Value> | null;
}

/**
 * A map of at most `limit` entries: one more drops the oldest. An entry is as old as its last `set` or `renew`. The entries are linked in
 * their order, since a JavaScript `Map` passes over all entries that were deleted before it finds its oldest one.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Entry<Key, Value>>();
  #oldest: Entry<Key, Value> | null = null;
  #newest: Entry<Key, Value> | null = null;

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.#entries.size;
  }

  /** Leaves the order as it is. */
  get(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** The value, whose entry becomes the newest. */
  renew(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#unlink(entry);
    this.#append(entry);
    return entry.value;
  }

  /** The entry becomes the newest. */
  set(key: Key, value: Value): void {
    const known = this.#entries.get(key);
    if (known !== undefined) this.#unlink(known);
    const entry: Entry<Key, Value> = { key, value, older: null, newer: null };
    this.#entries.set(key, entry);
    this.#append(entry);
    if (this.#entries.size > this.limit && this.#oldest !== null) this.delete(this.#oldest.key);
  }

  /** False: there was none. */
  delete(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#unlink(entry);
    return this.#entries.delete(key);
  }

  /** The oldest first. The entry that was given last may be deleted meanwhile. */
  *[Symbol.iterator](): Generator<readonly [Key, Value]> {
    for (let entry = this.#oldest; entry !== null; entry = entry.newer) yield [entry.key, entry.value];
  }

  #append(entry: Entry<Key, Value>): void {
    entry.older = this.#newest;
    entry.newer = null;
    if (this.#newest === null) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  /** Keeps the links of the entry itself, by which an iteration goes on. */
  #unlink({ older, newer }: Entry<Key, Value>): void {
    if (older === null) this.#oldest = newer;
    else older.newer = newer;
    if (newer === null) this.#newest = older;
    else newer.older = older;
  }
}
