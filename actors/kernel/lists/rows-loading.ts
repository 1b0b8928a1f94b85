import { must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import { type Mode, type Tenant, tenantKey } from '../fact.js';
import { unavailable } from '../journal/committer.js';
import { unpack } from '../journal/records.js';
import type { KeyValue } from '../ports.js';
import { Slices } from '../shard/scheduler.js';
import type { World } from '../shard/world.js';
import { actorKey, endOf, externalKey, ROW_PREFIX } from '../snapshots/stored-keys.js';
import type { StoredNames } from '../snapshots/stored-names.js';
import type { RowFormat, StoredRow } from './row-format.js';

/** Asked for what only the whole list index can answer, while a start is still reading it. Nothing was changed. */
export class RowsMissing extends Refusal {
  constructor() {
    super('unavailable', 'The service has just started and is still reading its list index. Try again in a second.', {
      retryAfterSeconds: 1,
    });
  }
}

/** Takes rows into memory. What memory holds already is newer than what is stored. */
export interface RowsTarget {
  holds(tenant: Tenant, kind: string, id: string): boolean;
  restore(tenant: Tenant, kind: string, stored: StoredRow): void;
}

/** Who was last known under an external id: the actor whose row says so, and the object that is meant. */
export type StoredExternal = readonly [holderKind: string, holderId: string, objectId: string];

/** Rows read between two looks at the clock. */
const LOOK_EVERY = 16;

/**
 * The rows that a start finds stored, on their way into memory. Whoever asks for one by its id gets it ahead of its
 * turn; the rest comes in slices. A row that was changed, removed or wiped meanwhile is not taken from the store.
 */
export class RowsLoading {
  readonly #removed = new Set<string>();
  readonly #wiped = new Set<string>();
  #next = ROW_PREFIX;
  #count = 0;

  constructor(
    private readonly store: KeyValue,
    private readonly format: RowFormat,
    private readonly target: RowsTarget,
    private readonly names: Pick<StoredNames, 'keyOf'>,
  ) {}

  /** Rows that memory has taken over from the store. */
  get count(): number {
    return this.#count;
  }

  /** Takes the row of one actor over, if there is one that memory does not hold. */
  fetch(tenant: Tenant, kind: string, id: string): void {
    const bytes = this.store.get(ROW_PREFIX + actorKey(tenant, kind, id));
    if (bytes) this.#take(tenant, kind, id, bytes);
  }

  external(tenant: Tenant, kind: string, externalId: string): StoredExternal | undefined {
    const digest = this.names.keyOf(tenant, kind, externalId);
    const bytes = this.store.get(externalKey(tenant, kind, externalId)) ?? (digest === undefined ? undefined : this.store.get(digest));
    return bytes && (unpack(bytes) as StoredExternal);
  }

  /** The row of an actor is gone from memory: the stored one does not come back. */
  noteRemoved(tenant: Tenant, kind: string, id: string): void {
    this.#removed.add(actorKey(tenant, kind, id));
  }

  noteWiped(tenant: Tenant): void {
    this.#wiped.add(tenantKey(tenant));
  }

  /** Companies come first, as no request is known without its company: a few, found by leaping from tenant to tenant. */
  takeCompanies(): void {
    const end = endOf(ROW_PREFIX);
    for (let start = ROW_PREFIX; ; ) {
      const [key] = [...this.store.range({ start, end, limit: 1 })][0] ?? [];
      if (key === undefined) return;
      const { tenant } = placeOf(key);
      const ofTenant = `${ROW_PREFIX}${tenantKey(tenant)}/`;
      const companies = `${ofTenant}company/`;
      for (const [each, bytes] of this.store.range({ start: companies, end: endOf(companies) }))
        this.#take(tenant, 'company', placeOf(each).id, bytes);
      start = endOf(ofTenant);
    }
  }

  /** Reads on until `isOver`; true when all are read. */
  step(isOver: () => boolean): boolean {
    let looks = 0;
    for (const [key, bytes] of this.store.range({ start: this.#next, end: endOf(ROW_PREFIX) })) {
      const { tenant, kind, id } = placeOf(key);
      this.#take(tenant, kind, id, bytes);
      this.#next = `${key}\0`;
      if (++looks % LOOK_EVERY === 0 && isOver()) return false;
    }
    return true;
  }

  #take(tenant: Tenant, kind: string, id: string, bytes: Uint8Array): void {
    if (this.target.holds(tenant, kind, id) || this.#removed.has(actorKey(tenant, kind, id))) return;
    if (kind !== 'company' && this.#wiped.has(tenantKey(tenant))) return;
    this.target.restore(tenant, kind, this.format.unpack(id, bytes));
    this.#count += 1;
  }
}

function placeOf(key: string): { readonly tenant: Tenant; readonly kind: string; readonly id: string } {
  const [company, mode, kind, id] = key.slice(ROW_PREFIX.length).split('/');
  return { tenant: { company: must(company, key), mode: must(mode, key) as Mode }, kind: must(kind, key), id: must(id, key) };
}

/** Reads the list index into memory while the service goes on: in slices, other work between. */
export class IndexReading {
  /** Resolves when all rows are there; rejects when they cannot be read, or nobody wants them any more. */
  readonly finished: Promise<void>;
  #isFinished = false;
  #isStopped = false;

  constructor(
    private readonly world: World,
    private readonly loading: RowsLoading,
  ) {
    this.finished = this.#read();
    this.finished.catch(() => undefined); // whoever waits for rows sees it; nobody may be waiting
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  get rows(): number {
    return this.loading.count;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #read(): Promise<void> {
    const slices = new Slices();
    const pause = async (): Promise<void> => {
      await slices.othersTurn();
      if (this.#isStopped) throw unavailable('The service is starting. Try again in a second.');
    };
    await pause(); // the start ends before the reading begins
    while (!this.loading.step(() => slices.isOver)) await pause();
    for (const _step of this.world.catalog.complete()) if (slices.isOver) await pause();
    this.#isFinished = true;
  }
}

/** All at once, for tools that serve nobody meanwhile. */
export function readWholeIndex(world: World, loading: RowsLoading): void {
  loading.step(() => false);
  for (const _step of world.catalog.complete());
}
