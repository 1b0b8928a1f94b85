import { parseLease } from '../placement/index.js';
import { LIMITS } from '../limits.js';
import type { SharedKeyValue } from '../ports.js';
import { UNITS } from './units.js';

/** What a look at the records of leases has found. */
export interface SeenOwners {
  readonly workers: number;
  /** Units that no living worker owns. */
  readonly unowned: number;
}

/**
 * Looks now and then at who owns what, from outside: a worker lives whose record has been written anew since the look before, or
 * within the time that a beat may take.
 */
export class OwnersLook {
  readonly #beats = new Map<string, { readonly revision: number; readonly seenAt: number }>();

  constructor(
    private readonly records: SharedKeyValue,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Null while the records cannot be read. */
  async look(): Promise<SeenOwners | null> {
    const entries = await this.records.list('').catch(() => null); // the store is away, which is told by itself
    if (entries === null) return null;
    const now = this.now();
    const living = new Set<string>();
    for (const { key, revision } of entries) {
      if (!key.startsWith('workers.')) continue;
      const worker = key.slice('workers.'.length);
      const known = this.#beats.get(worker);
      const seenAt = known?.revision === revision ? known.seenAt : now;
      this.#beats.set(worker, { revision, seenAt });
      if (now - seenAt <= LIMITS.leaseTtlMs) living.add(worker);
    }
    const owned = new Set(
      entries
        .filter(({ key }) => key.startsWith('leases.'))
        .flatMap(({ value }) => {
          const { unit, worker } = parseLease(value);
          return worker !== null && living.has(worker) ? [unit] : [];
        }),
    );
    return { workers: living.size, unowned: UNITS.filter(({ name }) => !owned.has(name)).length };
  }
}
