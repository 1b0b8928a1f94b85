import type { SharedKeyValue } from '../ports.js';
import { ClusterView } from './cluster-view.js';
import type { Lease } from './records.js';

/**
 * Who owns each unit, as a gateway needs it: followed, so it may be behind. Whoever is asked for a unit that it does not
 * own any more says so, and an answer with a smaller epoch than the one known here is old.
 */
export class UnitOwners {
  readonly #view = new ClusterView();
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  #following: Promise<void> = Promise.resolve();

  /** Knows all that is there when it resolves. Throws what the store throws. */
  static async open(records: SharedKeyValue): Promise<UnitOwners> {
    const owners = new UnitOwners();
    owners.#view.seeAll(await records.list('leases'), 0);
    owners.#following = owners.#follow(records);
    return owners;
  }

  /** Undefined while nobody owns it. */
  ownerOf(unit: string): Lease | undefined {
    const lease = this.#view.leases.get(unit);
    return lease === undefined || lease.worker === null ? undefined : lease;
  }

  /** Calls back after each change; returns the way to stop it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#following;
  }

  async #follow(records: SharedKeyValue): Promise<void> {
    for await (const change of records.watch('leases', this.#closing.signal)) {
      if (this.#view.see(change, 0)) for (const listener of this.#listeners) listener();
    }
  }
}
