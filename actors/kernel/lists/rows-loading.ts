import { must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import { modeOf, type Tenant, tenantKey } from '../fact.js';
import { unavailable } from '../journal/committer.js';
import { unpack } from '../journal/records.js';
import { COMPANY } from '../known-names.js';
import type { KeyValue } from '../ports.js';
import { type Scheduler, TimeBudget } from '../shard/scheduler.js';
import type { World } from '../shard/world.js';
import { actorKey, endOf, externalKey, ROW_PREFIX } from '../snapshots/stored-keys.js';
import type { StoredNames } from '../snapshots/stored-names.js';
import type { RowFormat, StoredRow } from './row-format.js';

/** A request needs the complete list index while a start is still reading it. Nothing was changed. */
export class RowsMissing extends Refusal {
  constructor() {
    super('unavailable', 'The service has just started and is still reading its list index. Try again in a second.', {
      retryAfterSeconds: 1,
    });
  }
}

/** Takes rows into memory. A row that memory already has is newer than the stored one. */
export interface RowsTarget {
  holds(tenant: Tenant, kind: string, id: string): boolean;
  restore(tenant: Tenant, kind: string, stored: StoredRow): void;
}

/** The last known holder of an external id: the actor whose row has it, and the object that it names. */
export type StoredExternal = readonly [holderKind: string, holderId: string, objectId: string];

/** Rows read between two checks of the clock. */
const LOOK_EVERY = 16;

/**
 * The stored rows that a start reads into memory. A row that is needed by its id is read at once; the others follow in time slices. A row
 * that was changed, removed or wiped meanwhile is not taken from the store.
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

  /** Reads the row of one actor, if there is one that memory does not have. */
  fetch(tenant: Tenant, kind: string, id: string): void {
    const bytes = this.store.get(ROW_PREFIX + actorKey(tenant, kind, id));
    if (bytes) this.#take(tenant, kind, id, bytes);
  }

  external(tenant: Tenant, kind: string, externalId: string): StoredExternal | undefined {
    const digest = this.names.keyOf(tenant, kind, externalId);
    const bytes = this.store.get(externalKey(tenant, kind, externalId)) ?? (digest === undefined ? undefined : this.store.get(digest));
    return bytes && unpack<StoredExternal>(bytes);
  }

  /** The row of an actor was removed from memory: the stored one must not come back. */
  noteRemoved(tenant: Tenant, kind: string, id: string): void {
    this.#removed.add(actorKey(tenant, kind, id));
  }

  noteWiped(tenant: Tenant): void {
    this.#wiped.add(tenantKey(tenant));
  }

  /** Companies are read first, as no request is known without its company: a few, found by skipping from tenant to tenant. */
  takeCompanies(): void {
    const end = endOf(ROW_PREFIX);
    for (let start = ROW_PREFIX; ; ) {
      const [key] = [...this.store.range({ start, end, limit: 1 })][0] ?? [];
      if (key === undefined) return;
      const { tenant } = actorOfKey(key);
      const ofTenant = `${ROW_PREFIX}${tenantKey(tenant)}/`;
      const companies = `${ofTenant}company/`;
      for (const [each, bytes] of this.store.range({ start: companies, end: endOf(companies) }))
        this.#take(tenant, COMPANY, actorOfKey(each).id, bytes);
      start = endOf(ofTenant);
    }
  }

  /** Reads on until `isOver`; true when all are read. */
  step(isOver: () => boolean): boolean {
    let looks = 0;
    for (const [key, bytes] of this.store.range({ start: this.#next, end: endOf(ROW_PREFIX) })) {
      const { tenant, kind, id } = actorOfKey(key);
      this.#take(tenant, kind, id, bytes);
      this.#next = `${key}\0`;
      if (++looks % LOOK_EVERY === 0 && isOver()) return false;
    }
    return true;
  }

  #take(tenant: Tenant, kind: string, id: string, bytes: Uint8Array): void {
    if (this.target.holds(tenant, kind, id) || this.#removed.has(actorKey(tenant, kind, id))) return;
    if (kind !== COMPANY && this.#wiped.has(tenantKey(tenant))) return;
    this.target.restore(tenant, kind, this.format.unpack(id, bytes));
    this.#count += 1;
  }
}

function actorOfKey(key: string): { readonly tenant: Tenant; readonly kind: string; readonly id: string } {
  const [company, mode, kind, id] = key.slice(ROW_PREFIX.length).split('/');
  return { tenant: { company: must(company, key), mode: modeOf(must(mode, key)) }, kind: must(kind, key), id: must(id, key) };
}

/**
 * Reads the list index into memory while the service runs: in time slices, between other work. A worker that takes over several units reads
 * several indexes at once: they wait until all these units are open, and share one slice of a round.
 */
export class IndexReading {
  /** Resolves when all rows are there; rejects when they cannot be read, or are no longer needed. */
  readonly finished: Promise<void>;
  #isFinished = false;
  #isStopped = false;

  constructor(
    private readonly world: World,
    private readonly loading: RowsLoading,
    private readonly scheduler?: Scheduler,
  ) {
    this.finished = this.#read();
    this.finished.catch(() => undefined); // a caller that waits for rows gets the error; there may be none
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
    const budget = new TimeBudget(undefined, this.scheduler);
    const pause = async (): Promise<void> => {
      await this.scheduler?.allOpened();
      await budget.yieldToOthers();
      if (this.#isStopped) throw unavailable('The service is starting. Try again in a second.');
    };
    await pause(); // the start ends before the reading begins
    while (!this.loading.step(() => budget.isSpent)) await pause();
    for (const _step of this.world.catalog.complete()) if (budget.isSpent) await pause();
    this.#isFinished = true;
  }
}

/** Reads all rows at once, for tools that serve no requests meanwhile. */
export function readWholeIndex(world: World, loading: RowsLoading): void {
  loading.step(() => false);
  for (const _step of world.catalog.complete());
}
