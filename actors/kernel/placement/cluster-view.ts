import type { SharedChange, SharedEntry, SharedKeyValue } from '../ports.js';
import type { Placement } from './compute-placement.js';
import { type Lease, leaseKey, parseLease, parseWorker, type Unowned, workerKey, type WorkerRecord } from './records.js';

export interface SeenWorker extends WorkerRecord {
  readonly revision: number;
  /** When this revision was first seen, on the clock of who has seen it. */
  readonly seenAt: number;
}

export type SeenLease = (Lease | Unowned) & { readonly revision: number };

/** What one process has seen of the records of its cluster. */
export class ClusterView {
  readonly workers = new Map<string, SeenWorker>();
  readonly leases = new Map<string, SeenLease>();
  /** Of each key, also of those that are gone: what comes late changes nothing. */
  readonly #revisions = new Map<string, number>();

  /** Whether it says more than that a known worker lives on. */
  see({ key, value, revision }: SharedChange, now: number): boolean {
    if (revision <= (this.#revisions.get(key) ?? 0)) return false;
    this.#revisions.set(key, revision);
    const [kind, name = ''] = key.split('.');
    if (kind === 'workers') return this.#seeWorker(name, value, revision, now);
    if (kind !== 'leases') return false;
    if (value === null) this.leases.delete(name);
    else this.leases.set(name, { ...parseLease(value), revision });
    return true;
  }

  /** All that is there: what is missing among them is gone. */
  seeAll(entries: readonly SharedEntry[], now: number): void {
    for (const entry of entries) this.see(entry, now);
    const keys = new Set(entries.map(({ key }) => key));
    for (const worker of this.workers.keys()) if (!keys.has(workerKey(worker))) this.workers.delete(worker);
    for (const unit of this.leases.keys()) if (!keys.has(leaseKey(unit))) this.leases.delete(unit);
  }

  /** Those whose owners live, be they leaving or not. */
  owners(): Placement {
    return new Map(
      [...this.leases.values()].flatMap(({ unit, worker }) => (worker !== null && this.workers.has(worker) ? [[unit, worker]] : [])),
    );
  }

  #seeWorker(name: string, value: Uint8Array | null, revision: number, now: number): boolean {
    if (value === null) return this.workers.delete(name);
    const known = this.workers.get(name);
    const record = parseWorker(value);
    this.workers.set(name, { ...record, revision, seenAt: now });
    return known === undefined || known.isLeaving !== record.isLeaving;
  }
}

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
