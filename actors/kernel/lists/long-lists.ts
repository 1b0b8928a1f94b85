import { Refusal } from '../../errors.js';
import { type Tenant, tenantKey } from '../fact.js';
import { LIMITS } from '../limits.js';

/**
 * Lists of many rows that are read in time slices: a few of a tenant at once, since each of them holds what it has found of perhaps a
 * million rows. The others of that tenant wait in the order in which they came.
 */
export class LongLists {
  readonly #reading = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Reads a list of so many rows: at once where these are few. Throws `unavailable` when too many wait already. */
  async read<Result>(tenant: Tenant, rows: number, read: () => Promise<Result>): Promise<Result> {
    if (rows <= LIMITS.rowsAtOnce) return read();
    const key = tenantKey(tenant);
    await this.#begin(key);
    try {
      return await read();
    } finally {
      this.#end(key);
    }
  }

  #begin(key: string): Promise<void> | null {
    const reading = this.#reading.get(key) ?? 0;
    if (reading < LIMITS.longListsAtOnce) {
      this.#reading.set(key, reading + 1);
      return null;
    }
    const waiting = this.#waiting.get(key) ?? [];
    if (waiting.length >= LIMITS.longListsWaiting)
      throw new Refusal('unavailable', 'Too many long lists are being read. Send fewer at once.', { retryAfterSeconds: 1 });
    this.#waiting.set(key, waiting);
    return new Promise((resolve) => waiting.push(resolve));
  }

  /** The next one takes its place. */
  #end(key: string): void {
    const next = this.#waiting.get(key)?.shift();
    if (next !== undefined) return next();
    this.#waiting.delete(key);
    const reading = (this.#reading.get(key) ?? 0) - 1;
    if (reading > 0) this.#reading.set(key, reading);
    else this.#reading.delete(key);
  }
}

/** Those of this process. */
export const LONG_LISTS = new LongLists();

/** Objects that cursors name are looked for while the list that they are of is read. */
export const NAMED_PARTS = new LongLists();
