import { must } from '../../../engine/index.js';
import type { NamedPart } from '../../kernel/actor.js';
import { type Items, newestFirst } from '../../list-order.js';
import { isHeld } from './machine.js';
import type { IssuerEvent, PurchaseRecord } from './posting.js';

/** The data that copies of a line share until one of them changes it. */
interface Store {
  /** In the order of recording. */
  readonly list: PurchaseRecord[];
  /** Indexes in the list, by id. */
  readonly indexes: Map<string, number>;
  /** Indexes of the purchases of each draw, ascending. */
  readonly onDraws: Map<number, number[]>;
  readonly byExternalId: Map<string, string>;
  /** Ids of purchases that issuers reported, by issuer and event. */
  readonly byIssuerEvent: Map<string, string>;
  /** For the list index. It grows at its end, and is made again when a name is removed. */
  names: NamedPart[];
  /** Ids of purchases that only hold credit. */
  readonly held: Set<string>;
  /** Ids of refunds whose rest is a payment. */
  readonly refunds: Set<string>;
  /** Ids of the refunds of a purchase, by its id. */
  readonly refundsOf: Map<string, Set<string>>;
}

const emptyStore = (): Store => ({
  list: [],
  indexes: new Map(),
  onDraws: new Map(),
  byExternalId: new Map(),
  byIssuerEvent: new Map(),
  names: [],
  held: new Set(),
  refunds: new Set(),
  refundsOf: new Map(),
});

/**
 * The purchases of a line, with indexes for what commands and balances often need, so that none of them reads all purchases. Records are
 * never changed, only replaced. A copy shares them until one of the two changes.
 */
export class Purchases {
  private store = emptyStore();
  private isShared = false;

  static of(records: Iterable<PurchaseRecord>): Purchases {
    const purchases = new Purchases();
    for (const record of records) purchases.put(record);
    return purchases;
  }

  /** The purchases of one draw or of all, in the order of recording. Read it at once: it grows. */
  all(draw: number | null = null): readonly PurchaseRecord[] {
    return draw === null ? this.store.list : this.#indexesOn(draw).map((index) => this.#at(index));
  }

  /** The same, newest first, for a page. */
  newestFirst(draw: number | null = null): Items<PurchaseRecord> {
    const { list, indexes } = this.store;
    const indexOf = (cursor: string): number => indexes.get(this.#idOf(cursor)) ?? -1;
    if (draw === null) return newestFirst(list.length, (index) => this.#at(index), indexOf);
    const onDraw = this.#indexesOn(draw);
    return newestFirst(
      onDraw.length,
      (at) => this.#at(must(onDraw[at], 'an index below the length')),
      (cursor) => onDraw.indexOf(indexOf(cursor)),
    );
  }

  get size(): number {
    return this.store.list.length;
  }

  /** External ids for the list index. */
  get names(): readonly NamedPart[] {
    return this.store.names;
  }

  get(id: string): PurchaseRecord | undefined {
    const index = this.store.indexes.get(id);
    return index === undefined ? undefined : this.store.list[index];
  }

  /** By its id, or by `ext-` and its external id. */
  find(anyId: string): PurchaseRecord | undefined {
    return this.get(this.#idOf(anyId));
  }

  /** By the event of an issuer of cards. */
  ofIssuerEvent(event: IssuerEvent): PurchaseRecord | undefined {
    const id = this.store.byIssuerEvent.get(eventKey(event));
    return id === undefined ? undefined : this.get(id);
  }

  /** By its number in the facts of the ledger. */
  numbered(number: number): PurchaseRecord | undefined {
    const { list } = this.store;
    const usual = list[number - 1]; // they are numbered from 1
    return usual?.purchase === number ? usual : list.find(({ purchase }) => purchase === number);
  }

  /** Purchases that only hold credit, in no order. */
  held(): readonly PurchaseRecord[] {
    return this.records(this.store.held);
  }

  /** Refunds of which the ledger may make payments, in the order of recording. */
  refunds(): readonly PurchaseRecord[] {
    return this.records(this.store.refunds).sort((a, b) => a.createdStamp - b.createdStamp);
  }

  /** Refunds of one purchase, in any status. */
  refundsOf(id: string): readonly PurchaseRecord[] {
    const ids = this.store.refundsOf.get(id);
    return ids === undefined ? NONE : this.records(ids);
  }

  put(record: PurchaseRecord): void {
    if (this.isShared) this.separate();
    const { list, indexes, onDraws, byIssuerEvent, held, refunds, refundsOf } = this.store;
    const { id, originalPurchaseId, issuerEvent } = record;
    const index = indexes.get(id) ?? list.length;
    const before = list[index];
    list[index] = record;
    indexes.set(id, index);
    this.name(before?.externalId ?? null, record);
    if (isHeld(record.status)) held.add(id);
    else held.delete(id);
    if (record.refundTransactionId !== null) refunds.add(id);
    else refunds.delete(id);
    if (before !== undefined) return; // its draw, its event, and which one it refunds, do not change
    if (issuerEvent !== undefined) byIssuerEvent.set(eventKey(issuerEvent), id);
    const onDraw = onDraws.get(record.draw);
    if (onDraw === undefined) onDraws.set(record.draw, [index]);
    else onDraw.push(index);
    if (originalPurchaseId === null) return;
    const known = refundsOf.get(originalPurchaseId);
    if (known === undefined) refundsOf.set(originalPurchaseId, new Set([id]));
    else known.add(id);
  }

  /** For a preview or a pending read. */
  copy(): Purchases {
    const copy = new Purchases();
    copy.store = this.store;
    copy.isShared = true;
    this.isShared = true;
    return copy;
  }

  #idOf(anyId: string): string {
    const id = anyId.startsWith(EXTERNAL) ? this.store.byExternalId.get(anyId.slice(EXTERNAL.length)) : undefined;
    return id ?? anyId;
  }

  #indexesOn(draw: number): readonly number[] {
    return this.store.onDraws.get(draw) ?? NOWHERE;
  }

  #at(index: number): PurchaseRecord {
    return must(this.store.list[index], 'a index in the list');
  }

  private records(ids: ReadonlySet<string>): PurchaseRecord[] {
    const found: PurchaseRecord[] = [];
    for (const id of ids) {
      const record = this.get(id);
      if (record !== undefined) found.push(record);
    }
    return found;
  }

  private name(before: string | null, { id, externalId }: PurchaseRecord): void {
    if (before === externalId) return;
    const { store } = this;
    if (before !== null) {
      store.byExternalId.delete(before);
      store.names = [...store.byExternalId].map(([known, of]) => ['purchase', known, of]);
    }
    if (externalId === null) return;
    store.byExternalId.set(externalId, id);
    store.names.push(['purchase', externalId, id]);
  }

  private separate(): void {
    const { list, indexes, onDraws, byExternalId, byIssuerEvent, names, held, refunds, refundsOf } = this.store;
    this.store = {
      list: [...list],
      indexes: new Map(indexes),
      onDraws: new Map([...onDraws].map(([draw, of]) => [draw, [...of]])),
      byExternalId: new Map(byExternalId),
      byIssuerEvent: new Map(byIssuerEvent),
      names: [...names],
      held: new Set(held),
      refunds: new Set(refunds),
      refundsOf: new Map([...refundsOf].map(([id, ids]) => [id, new Set(ids)])),
    };
    this.isShared = false;
  }
}

const EXTERNAL = 'ext-';
const eventKey = ({ issuerId, eventId }: IssuerEvent): string => `${issuerId}/${eventId}`;
const NONE: readonly PurchaseRecord[] = [];
const NOWHERE: readonly number[] = [];
