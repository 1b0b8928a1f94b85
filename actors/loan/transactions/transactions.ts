import { type Day, must } from '../../../engine/index.js';
import type { NamedPart } from '../../runtime/actor.js';
import type { LoanStatus } from '../machine.js';
import { EMPTY_BOOK, type SettledHead, TransactionBook } from './book.js';
import { TRANSACTION_STATUSES, type TransactionStatus } from './machine.js';
import { type PackedTransaction, packTransaction, unpackTransaction } from './packed.js';
import type { TransactionRecord } from './record.js';
import { earlierTask, isAwaiting, isSettled, type Task, taskOf } from './tasks.js';

/** As they lie in a snapshot. */
export interface PackedTransactions {
  /** The settled ones in the order of creation, one behind the other, and what is asked of them without reading them. */
  readonly book: Uint8Array;
  readonly settled: readonly SettledHead[];
  /** The others, each with its place in the order of all. */
  readonly open: readonly (readonly [place: number, transaction: PackedTransaction])[];
}

/** What copies of a loan share until one of them writes. */
interface Store {
  /** In the order of creation: the record, or the place of a settled one in the book. */
  readonly byId: Map<string, TransactionRecord | number>;
  /** Those that a day to come may still change. */
  readonly awaiting: Map<string, TransactionRecord>;
  /** Ids by external id. */
  readonly named: Map<string, string>;
  /** The same for the list index: grows at its end, and is made again when a name goes. */
  names: NamedPart[];
  /** Ids in the order of creation. */
  readonly order: string[];
  book: TransactionBook;
}

/**
 * The transactions of a loan, with what every command asks of them kept beside: what waits for a day, which statuses
 * there are, which external ids. Nothing that is asked at each turn looks through all of them. Records are never
 * changed, only replaced; a copy shares them until one of both writes. Settled ones lie in a book as bytes since the
 * last snapshot, and are read when they are asked for.
 */
export class Transactions {
  private store: Store = { byId: new Map(), awaiting: new Map(), named: new Map(), names: [], order: [], book: EMPTY_BOOK };
  private readonly counts = new Map<TransactionStatus, number>();
  private newestStamp = 0;
  /** Whether stamps rise in the order of creation: what a migration brings may be older than what it follows. */
  isInOrder = true;
  private isShared = false;
  private earliest: { readonly status: LoanStatus; readonly through: Day; readonly task: Task | null } | null = null;
  private statusList: readonly TransactionStatus[] | null = NONE;
  /** Null since something was put. */
  private packed: PackedTransactions | null = null;

  static of(records: Iterable<TransactionRecord>): Transactions {
    const transactions = new Transactions();
    for (const record of records) transactions.put(record);
    return transactions;
  }

  static unpack({ book: bytes, settled, open }: PackedTransactions): Transactions {
    const transactions = new Transactions();
    // A copy: the bytes are a view of all that was read of the loan.
    transactions.store.book = new TransactionBook(Uint8Array.from(bytes), settled);
    let place = 0;
    for (const [at, packed] of open) {
      while (transactions.size < at) transactions.putSettled(place++, settled);
      transactions.put(unpackTransaction(packed));
    }
    while (place < settled.length) transactions.putSettled(place++, settled);
    transactions.packed = { book: transactions.store.book.bytes, settled, open };
    return transactions;
  }

  /** For a snapshot. What has settled since the last one lies in the book from now on. */
  pack(): PackedTransactions {
    return (this.packed ??= this.packAgain());
  }

  private packAgain(): PackedTransactions {
    const { store } = this;
    const settled: (TransactionRecord | number)[] = [];
    const open: (readonly [number, PackedTransaction])[] = [];
    let place = 0;
    for (const [id, kept] of store.byId) {
      if (kept === settled.length)
        settled.push(kept); // it stays where it is
      else if (typeof kept !== 'number' && !isSettled(kept)) open.push([place, packTransaction(kept)]);
      else store.byId.set(id, settled.push(kept) - 1);
      place += 1;
    }
    store.book = store.book.with(settled);
    return { book: store.book.bytes, settled: store.book.heads, open };
  }

  get size(): number {
    return this.store.byId.size;
  }

  get(id: string): TransactionRecord | undefined {
    const { byId, book } = this.store;
    const kept = byId.get(id);
    return typeof kept === 'number' ? book.read(kept) : kept;
  }

  has(id: string): boolean {
    return this.store.byId.has(id);
  }

  /** In the order of creation. */
  *values(): IterableIterator<TransactionRecord> {
    const { byId, book } = this.store;
    for (const kept of byId.values()) yield typeof kept === 'number' ? book.read(kept) : kept;
  }

  /** What is scheduled, in the order of creation. */
  scheduled(): readonly TransactionRecord[] {
    const { awaiting } = this.store;
    if (awaiting.size === 0) return NOBODY;
    return [...awaiting.values()].filter(({ status }) => status === 'scheduled').sort((a, b) => a.createdStamp - b.createdStamp);
  }

  /** In the order of creation, without settled ones as far as they lie in the book. */
  *open(): IterableIterator<TransactionRecord> {
    for (const kept of this.store.byId.values()) if (typeof kept !== 'number') yield kept;
  }

  ofExternalId(externalId: string): TransactionRecord | undefined {
    const id = this.store.named.get(externalId);
    return id === undefined ? undefined : this.get(id);
  }

  /** The id that a caller means: by itself, or by `ext-` and an external id. */
  idNamed(anyId: string): string {
    return (anyId.startsWith('ext-') ? this.store.named.get(anyId.slice(4)) : undefined) ?? anyId;
  }

  /** How many were created before a stamp. */
  countBefore(stamp: number): number {
    const { order } = this.store;
    let [first, end] = [0, order.length];
    while (first < end) {
      const middle = (first + end) >> 1;
      if (this.stampOf(order[middle] ?? '') < stamp) first = middle + 1;
      else end = middle;
    }
    return first;
  }

  private stampOf(id: string): number {
    const { byId, book } = this.store;
    const kept = must(byId.get(id), `the transaction ${id}`);
    return typeof kept === 'number' ? book.stampOf(kept) : kept.createdStamp;
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

  /** The statuses that occur, in the order of a transaction's life: whatever happened first, equal loans list them alike. */
  statuses(): readonly TransactionStatus[] {
    this.statusList ??= STATUSES.filter((status) => this.counts.has(status));
    return this.statusList;
  }

  /** How many there are of each status, in the order of `statuses`; where there is one status, their number alone. */
  statusCounts(): number | readonly number[] {
    return this.counts.size < 2 ? this.size : this.statuses().map((status) => this.counts.get(status) ?? 0);
  }

  /** What comes next of all that waits, for a loan in that status whose days are done through that day. */
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
    this.packed = null;
    const { byId, awaiting, order } = this.store;
    const before = this.get(record.id);
    if (before === undefined) {
      order.push(record.id);
      if (record.createdStamp < this.newestStamp) this.isInOrder = false;
    }
    byId.set(record.id, record);
    if (isAwaiting(record)) awaiting.set(record.id, record);
    else awaiting.delete(record.id);
    this.name(before?.externalId ?? null, record);
    this.count(before?.status, record.status);
    if (record.createdStamp > this.newestStamp) this.newestStamp = record.createdStamp;
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

  private putSettled(place: number, settled: readonly SettledHead[]): void {
    const [, id, status, createdStamp, externalId] = must(settled[place], 'a place in the book');
    this.store.byId.set(id, place);
    this.store.order.push(id);
    if (createdStamp < this.newestStamp) this.isInOrder = false;
    this.addName(externalId, id);
    this.count(undefined, status);
    if (createdStamp > this.newestStamp) this.newestStamp = createdStamp;
  }

  private separate(): void {
    const { byId, awaiting, named, names, order, book } = this.store;
    this.store = { byId: new Map(byId), awaiting: new Map(awaiting), named: new Map(named), names: [...names], order: [...order], book };
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
