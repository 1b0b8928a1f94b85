import { type Day, must } from '../../../engine/index.js';
import type { ActorPart, NamedPart } from '../../kernel/actor.js';
import type { LoanStatus } from '../machine.js';
import { TRANSACTION_STATUSES, type TransactionStatus } from './machine.js';
import {
  earlierTask,
  isAwaiting,
  isSettled,
  PAGE_TRANSACTIONS,
  type PageSummary,
  type StoredPage,
  type Task,
  taskOf,
  TransactionPage,
} from './page.js';
import type { TransactionRecord } from './record.js';

/** The transactions in a snapshot: those that fill no page; full pages are stored separately. */
export interface PackedTransactions {
  readonly pages: number;
  readonly rest: StoredPage | null;
}

/** The data that copies of a loan share until one of them changes it. Positions are in the order of creation, from 0. */
interface Store {
  readonly positions: Map<string, number>;
  /** Ids, stamps, and numbers in the ledger, by position. */
  readonly order: string[];
  readonly stamps: number[];
  readonly payments: TransactionRecord['payment'][];
  /** By position: those that are not settled, and all that changed since the last snapshot. The others are only in pages. */
  readonly unpacked: Map<number, TransactionRecord>;
  /** The pages as of the last snapshot. */
  readonly pages: TransactionPage[];
  /** Pages of which a record has changed since. */
  readonly stale: Set<number>;
  /** Those that may still have tasks. */
  readonly awaiting: Map<string, TransactionRecord>;
  /** Ids by external id. */
  readonly named: Map<string, string>;
  /** The same for the list index. It grows at its end, and is made again when a name is removed. */
  names: NamedPart[];
}

const emptyStore = (): Store => ({
  positions: new Map(),
  order: [],
  stamps: [],
  payments: [],
  unpacked: new Map(),
  pages: [],
  stale: new Set(),
  awaiting: new Map(),
  named: new Map(),
  names: [],
});

/**
 * The transactions of a loan, with indexes for what commands often need: waiting tasks, statuses, external ids. So no command reads all of
 * them, and no snapshot stores unchanged ones again. Records are never changed, only replaced; a copy shares them until one of the two
 * changes. From a snapshot on, settled ones are kept as bytes in pages, and are read when they are needed.
 */
export class Transactions {
  private store = emptyStore();
  private readonly counts = new Map<TransactionStatus, number>();
  private newestStamp = 0;
  /** Whether stamps ascend in the order of creation: migrated transactions may be older than those before them. */
  isInOrder = true;
  private isShared = false;
  private earliest: { readonly status: LoanStatus; readonly through: Day; readonly task: Task | null } | null = null;
  private statusList: readonly TransactionStatus[] | null = NONE;

  static of(records: Iterable<TransactionRecord>): Transactions {
    const transactions = new Transactions();
    for (const record of records) transactions.put(record);
    return transactions;
  }

  static unpack({ pages, rest }: PackedTransactions, part: (name: string) => unknown): Transactions {
    const transactions = new Transactions();
    for (let page = 0; page < pages; page += 1) transactions.takeIn(part(pageName(page)));
    if (rest !== null) transactions.takeIn(rest);
    return transactions;
  }

  /** For a snapshot. Transactions that have settled since the last one are kept in pages from now on. */
  pack(): PackedTransactions {
    const { pages, stale } = this.store;
    for (const page of stale) pages[page] = this.pageOf(page);
    stale.clear();
    const rest = this.size % PAGE_TRANSACTIONS === 0 ? null : (pages.at(-1)?.stored ?? null);
    return { pages: Math.floor(this.size / PAGE_TRANSACTIONS), rest };
  }

  /** The full pages as of the last `pack`. */
  parts(): readonly ActorPart[] {
    const full = this.store.pages.filter(({ length }) => length === PAGE_TRANSACTIONS);
    return full.map(({ stored }, page) => ({ name: pageName(page), value: stored }));
  }

  private pageOf(page: number): TransactionPage {
    const { unpacked, pages, order } = this.store;
    const first = page * PAGE_TRANSACTIONS;
    const end = Math.min(order.length, first + PAGE_TRANSACTIONS);
    const kept: (TransactionRecord | number)[] = [];
    for (let position = first; position < end; position += 1) kept.push(unpacked.get(position) ?? position - first);
    const made = TransactionPage.make(kept, pages[page] ?? null);
    for (const [at, record] of kept.entries()) if (typeof record !== 'number' && isSettled(record)) unpacked.delete(first + at);
    return made;
  }

  private takeIn(stored: unknown): void {
    const { store } = this;
    const page = TransactionPage.read(stored);
    store.pages.push(page);
    for (const [at, [, id, status, createdStamp, , , payment, isOpen]] of page.heads().entries()) {
      const position = this.append(id, createdStamp);
      store.payments[position] = payment;
      this.addName(page.textsAt(at)?.externalId ?? null, id);
      this.count(undefined, status);
      if (!isOpen) continue;
      const record = page.record(at);
      store.unpacked.set(position, record);
      if (isAwaiting(record)) store.awaiting.set(id, record);
    }
  }

  /** Returns its position. */
  private append(id: string, createdStamp: number): number {
    const { positions, order, stamps } = this.store;
    const position = order.length;
    positions.set(id, position);
    order.push(id);
    stamps.push(createdStamp);
    if (createdStamp < this.newestStamp) this.isInOrder = false;
    else this.newestStamp = createdStamp;
    return position;
  }

  get size(): number {
    return this.store.order.length;
  }

  get(id: string): TransactionRecord | undefined {
    const position = this.store.positions.get(id);
    return position === undefined ? undefined : this.at(position);
  }

  private at(position: number): TransactionRecord {
    const page = Math.floor(position / PAGE_TRANSACTIONS);
    return this.store.unpacked.get(position) ?? must(this.store.pages[page], 'a page of settled ones').record(position % PAGE_TRANSACTIONS);
  }

  has(id: string): boolean {
    return this.store.positions.has(id);
  }

  /** In the order of creation. */
  *values(): IterableIterator<TransactionRecord> {
    for (let position = 0; position < this.store.order.length; position += 1) yield this.at(position);
  }

  /** The same without pages that cannot hold a match. */
  *among(mayHold: (page: PageSummary) => boolean): IterableIterator<TransactionRecord> {
    const { order, pages, stale, unpacked } = this.store;
    for (let first = 0; first < order.length; first += PAGE_TRANSACTIONS) {
      const page = pages[first / PAGE_TRANSACTIONS];
      const isOut = page !== undefined && !mayHold(page.summary);
      if (isOut && !stale.has(first / PAGE_TRANSACTIONS)) continue;
      // Transactions that changed since the page was made are unpacked.
      for (let position = first; position < Math.min(order.length, first + PAGE_TRANSACTIONS); position += 1)
        if (!isOut || unpacked.has(position)) yield this.at(position);
    }
  }

  /** Scheduled transactions, in the order of creation. */
  scheduled(): readonly TransactionRecord[] {
    const { awaiting } = this.store;
    if (awaiting.size === 0) return NOBODY;
    return [...awaiting.values()].filter(({ status }) => status === 'scheduled').sort((a, b) => a.createdStamp - b.createdStamp);
  }

  /** In the order of creation, without settled ones that are in pages. */
  *open(): IterableIterator<TransactionRecord> {
    const { unpacked } = this.store;
    for (const position of [...unpacked.keys()].sort((a, b) => a - b)) yield must(unpacked.get(position), 'an open transaction');
  }

  ofExternalId(externalId: string): TransactionRecord | undefined {
    const id = this.store.named.get(externalId);
    return id === undefined ? undefined : this.get(id);
  }

  /** The service id for an id of a caller, which may be `ext-` and an external id. */
  idNamed(anyId: string): string {
    return (anyId.startsWith('ext-') ? this.store.named.get(anyId.slice(4)) : undefined) ?? anyId;
  }

  /** The id of a transaction by its number in the ledger. */
  idOfPayment(payment: number): string | undefined {
    return this.store.order[this.store.payments.lastIndexOf(payment)];
  }

  /** Transactions that the ledger does not count, in the order of creation. */
  *uncounted(): IterableIterator<TransactionRecord> {
    for (const [position, payment] of this.store.payments.entries()) if (payment === null) yield this.at(position);
  }

  /** How many were created before a stamp. */
  countBefore(stamp: number): number {
    const { stamps } = this.store;
    let [first, end] = [0, stamps.length];
    while (first < end) {
      const middle = (first + end) >> 1;
      if ((stamps[middle] ?? 0) < stamp) first = middle + 1;
      else end = middle;
    }
    return first;
  }

  /** External ids for the list index. */
  get names(): readonly NamedPart[] {
    return this.store.names;
  }

  /** Ids in the order of creation. */
  get order(): readonly string[] {
    return this.store.order;
  }

  /** Stamp of the newest; 0 when there is none. */
  get newestCreatedStamp(): number {
    return this.newestStamp;
  }

  /** The statuses that occur, in a fixed order, so that equal loans list them in the same way. */
  statuses(): readonly TransactionStatus[] {
    this.statusList ??= STATUSES.filter((status) => this.counts.has(status));
    return this.statusList;
  }

  /** The number of transactions of each status, in the order of `statuses`; if there is one status, only their number. */
  statusCounts(): number | readonly number[] {
    return this.counts.size < 2 ? this.size : this.statuses().map((status) => this.counts.get(status) ?? 0);
  }

  /** The earliest task, for a loan in a status whose days are done through a day. */
  earliestTask(status: LoanStatus, through: Day): Task | null {
    const { awaiting } = this.store;
    if (awaiting.size === 0) return null;
    const known = this.earliest;
    if (known !== null && known.status === status && known.through === through) return known.task;
    let task: Task | null = null;
    for (const record of awaiting.values()) task = earlierTask(task, taskOf(record, status, through));
    this.earliest = { status, through, task };
    return task;
  }

  put(record: TransactionRecord): void {
    if (this.isShared) this.separate();
    const { positions, payments, unpacked, awaiting, stale } = this.store;
    const known = positions.get(record.id);
    const before = known === undefined ? undefined : this.at(known);
    const position = known ?? this.append(record.id, record.createdStamp);
    unpacked.set(position, record);
    payments[position] = record.payment;
    stale.add(Math.floor(position / PAGE_TRANSACTIONS));
    if (isAwaiting(record)) awaiting.set(record.id, record);
    else awaiting.delete(record.id);
    this.name(before?.externalId ?? null, record);
    this.count(before?.status, record.status);
    this.earliest = null;
  }

  /** For a preview or a pending read. */
  copy(): Transactions {
    const copy = new Transactions();
    copy.store = this.store;
    for (const [status, count] of this.counts) copy.counts.set(status, count);
    copy.newestStamp = this.newestStamp;
    copy.isInOrder = this.isInOrder;
    copy.earliest = this.earliest;
    copy.statusList = this.statusList;
    copy.isShared = true;
    this.isShared = true;
    return copy;
  }

  private separate(): void {
    const { positions, order, stamps, payments, unpacked, pages, stale, awaiting, named, names } = this.store;
    this.store = {
      positions: new Map(positions),
      order: [...order],
      stamps: [...stamps],
      payments: [...payments],
      unpacked: new Map(unpacked),
      pages: [...pages],
      stale: new Set(stale),
      awaiting: new Map(awaiting),
      named: new Map(named),
      names: [...names],
    };
    this.isShared = false;
  }

  private name(before: string | null, record: TransactionRecord): void {
    if (before === record.externalId) return;
    const { store } = this;
    if (before !== null) {
      store.named.delete(before);
      store.names = [...store.named].map(([externalId, id]) => ['transaction', externalId, id]);
    }
    this.addName(record.externalId, record.id);
  }

  private addName(externalId: string | null, id: string): void {
    if (externalId === null) return;
    this.store.named.set(externalId, id);
    this.store.names.push(['transaction', externalId, id]);
  }

  private count(before: TransactionStatus | undefined, after: TransactionStatus): void {
    if (before === after) return;
    const had = this.counts.get(after) ?? 0;
    this.counts.set(after, had + 1);
    if (had === 0) this.statusList = null;
    if (before === undefined) return;
    const left = (this.counts.get(before) ?? 0) - 1;
    if (left > 0) this.counts.set(before, left);
    else {
      this.counts.delete(before);
      this.statusList = null;
    }
  }
}

const NONE: readonly TransactionStatus[] = [];
const STATUSES = TRANSACTION_STATUSES.filter((status) => status !== 'new');
const NOBODY: readonly TransactionRecord[] = [];

const pageName = (page: number): string => `transactions-${page}`;
