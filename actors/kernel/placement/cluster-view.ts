import type { SharedChange, SharedEntry } from '../ports.js';
import type { Placement } from './place.js';
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
