import type { SharedChange, SharedEntry, SharedKeyValue } from '../ports.js';
import type { Placement } from './compute-placement.js';
import { type Lease, leaseKey, parseLease, parseWorker, type Unowned, workerKey, type WorkerRecord } from './records.js';

export interface SeenWorker extends WorkerRecord {
  readonly revision: number;
  /** When this revision was first seen, by the clock of the reader. */
  readonly seenAt: number;
}

export type SeenLease = (Lease | Unowned) & { readonly revision: number };

/** The records of the cluster that one process has seen. */
export class ClusterView {
  readonly workers = new Map<string, SeenWorker>();
  readonly leases = new Map<string, SeenLease>();
  /** Of each key, including deleted ones: a change that arrives late is ignored. */
  readonly #revisions = new Map<string, number>();

  /** Returns whether the change says more than that a known worker is alive. */
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

  /** All existing entries: an entry that is missing among them is gone. */
  seeAll(entries: readonly SharedEntry[], now: number): void {
    for (const entry of entries) this.see(entry, now);
    const keys = new Set(entries.map(({ key }) => key));
    for (const worker of this.workers.keys()) if (!keys.has(workerKey(worker))) this.workers.delete(worker);
    for (const unit of this.leases.keys()) if (!keys.has(leaseKey(unit))) this.leases.delete(unit);
  }

  /** Units whose owners are alive, including owners that are leaving. */
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
 * Who owns each unit, as a gateway needs it. It follows the records, so it may be behind. A worker that no longer owns a requested unit
 * says so, and an answer with a smaller epoch than the known one is old.
 */
export class UnitOwners {
  readonly #view = new ClusterView();
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  #following: Promise<void> = Promise.resolve();

  /** Resolves when all existing records are known. Throws errors of the store. */
  static async open(records: SharedKeyValue): Promise<UnitOwners> {
    const owners = new UnitOwners();
    owners.#view.seeAll(await records.list('leases'), 0);
    owners.#following = owners.#follow(records);
    return owners;
  }

  /** Undefined while no worker owns it. */
  ownerOf(unit: string): Lease | undefined {
    const lease = this.#view.leases.get(unit);
    return lease === undefined || lease.worker === null ? undefined : lease;
  }

  /** Calls back after each change; returns the function that stops it. */
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
