import { type Day, must } from '../../../engine/index.js';
import type { ActorPart, NamedPart, ReadPart } from '../../kernel/actor.js';
import { EvictablePart } from '../../kernel/snapshots/evictable-part.js';
import type { LoanStatus } from '../machine.js';
import { TRANSACTION_STATUSES, type TransactionStatus } from './machine.js';
import {
  digestOf,
  earlierTask,
  isAwaiting,
  isSettled,
  PAGE_TRANSACTIONS,
  type PageSummary,
  type Task,
  taskOf,
  type TransactionHead,
  TransactionPage,
} from './page.js';
import { awaitsCard, awaitsCardResult, type TransactionRecord } from './record.js';
import { emptyStore, type FullPage, type PackedTransactions, PAGES } from './store.js';

const NO_CARDS: { readonly awaitsCards: boolean; readonly awaitsCardResults: boolean } = { awaitsCards: false, awaitsCardResults: false };

/**
 * The transactions of a loan, with indexes for what commands often need: waiting tasks, statuses, external ids. So no command reads all of
 * them, and no snapshot stores unchanged ones again. Records are never changed, only replaced; a copy shares them until one of the two
 * changes. From a snapshot on, settled ones are kept as bytes in pages. Full pages leave memory, and are read from the snapshots when
 * somebody asks for their transactions: a new transaction needs none of them.
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

  static unpack({ pages, rest }: PackedTransactions, read: ReadPart): Transactions {
    const transactions = new Transactions();
    for (let page = 0; page < pages; page += 1) transactions.restorePage(EvictablePart.stored(pageName(page), read, PAGES));
    if (rest !== null) transactions.takeInLast(TransactionPage.read(rest));
    return transactions;
  }

  /** For a snapshot. Transactions that have settled since the last one are kept in pages from now on. */
  pack(): PackedTransactions {
    const { store } = this;
    const { pages, ids, stale } = store;
    for (const page of stale) if (page < pages.length) this.replace(page);
    while (ids.length >= PAGE_TRANSACTIONS) this.fill();
    if (ids.length === 0) store.last = null;
    else if (stale.has(pages.length)) store.last = this.pageFrom(this.firstRecent, ids.length, store.last);
    stale.clear();
    return { pages: pages.length, rest: store.last?.stored ?? null };
  }

  /** The full pages as of the last `pack`. */
  parts(): readonly ActorPart[] {
    return this.store.pages.map(({ part }) => part);
  }

  /** Replaces a full page of which a transaction has changed. */
  private replace(page: number): void {
    const { pages } = this.store;
    const { part } = must(pages[page], 'a full page');
    const made = this.pageFrom(page * PAGE_TRANSACTIONS, PAGE_TRANSACTIONS, part.content);
    part.pin();
    pages[page] = { part: EvictablePart.made(part.name, made, PAGES), summary: made.summary() };
  }

  /** Makes a full page of the first recent transactions. */
  private fill(): void {
    const { store } = this;
    const { pages, recent, ids, stamps, payments } = store;
    const made = this.pageFrom(this.firstRecent, PAGE_TRANSACTIONS, store.last);
    pages.push({ part: EvictablePart.made(pageName(pages.length), made, PAGES), summary: made.summary() });
    store.last = null;
    for (const id of ids.splice(0, PAGE_TRANSACTIONS)) recent.delete(id);
    for (const list of [stamps, payments]) list.splice(0, PAGE_TRANSACTIONS);
  }

  private pageFrom(first: number, length: number, before: TransactionPage | null): TransactionPage {
    const { unpacked } = this.store;
    const kept = Array.from({ length }, (_, at) => unpacked.get(first + at) ?? at);
    const made = TransactionPage.make(kept, before);
    for (const [at, record] of kept.entries()) if (typeof record !== 'number' && isSettled(record)) unpacked.delete(first + at);
    return made;
  }

  private restorePage(part: FullPage['part']): void {
    const { content } = part;
    const heads = content.heads();
    const first = this.size;
    this.store.pages.push({ part, summary: content.summary(heads) });
    for (const [at, head] of heads.entries()) {
      this.noteStamp(head[3]);
      this.restoreRecord(first + at, head, content);
    }
  }

  private takeInLast(page: TransactionPage): void {
    this.store.last = page;
    for (const head of page.heads()) {
      const [, id, , createdStamp, , , payment] = head;
      this.restoreRecord(this.append({ id, createdStamp, payment }), head, page);
    }
  }

  private restoreRecord(position: number, [, id, status, , , , , isOpen]: TransactionHead, page: TransactionPage): void {
    const { unpacked, awaiting } = this.store;
    const at = position % PAGE_TRANSACTIONS;
    this.addName(page.textsAt(at)?.externalId ?? null, id);
    this.count(undefined, status);
    if (!isOpen) return;
    const record = page.record(at);
    unpacked.set(position, record);
    if (isAwaiting(record)) awaiting.set(id, record);
  }

  /** Returns its position. */
  private append({ id, createdStamp, payment }: Pick<TransactionRecord, 'id' | 'createdStamp' | 'payment'>): number {
    const { recent, ids, stamps, payments } = this.store;
    const position = this.size;
    recent.set(id, position);
    ids.push(id);
    stamps.push(createdStamp);
    payments.push(payment);
    this.noteStamp(createdStamp);
    return position;
  }

  private noteStamp(createdStamp: number): void {
    if (createdStamp < this.newestStamp) this.isInOrder = false;
    else this.newestStamp = createdStamp;
  }

  get size(): number {
    return this.firstRecent + this.store.ids.length;
  }

  /** The position of the first transaction behind the full pages. */
  private get firstRecent(): number {
    return this.store.pages.length * PAGE_TRANSACTIONS;
  }

  get(id: string): TransactionRecord | undefined {
    const position = this.positionOf(id);
    return position === undefined ? undefined : this.at(position);
  }

  /** In the order of creation, from 0. */
  positionOf(id: string): number | undefined {
    const { recent, pages } = this.store;
    const known = recent.get(id);
    if (known !== undefined) return known;
    const digest = digestOf(id);
    for (let page = pages.length - 1; page >= 0; page -= 1) {
      const { part, summary } = must(pages[page], 'a full page');
      const at = summary.ids.mayHold(digest) ? part.content.heads().findIndex(([, its]) => its === id) : -1;
      if (at >= 0) return page * PAGE_TRANSACTIONS + at;
    }
    return undefined;
  }

  /** By its position, which is below `size`. */
  at(position: number): TransactionRecord {
    const { unpacked, pages, last } = this.store;
    const changed = unpacked.get(position);
    if (changed !== undefined) return changed;
    const page = pages[Math.floor(position / PAGE_TRANSACTIONS)]?.part.content ?? last;
    return must(page, 'a page of settled ones').record(position % PAGE_TRANSACTIONS);
  }

  /** The numbers in the ledger of the transactions of a full page. */
  private paymentsIn(page: number): readonly TransactionRecord['payment'][] {
    const { pages, unpacked } = this.store;
    const first = page * PAGE_TRANSACTIONS;
    return must(pages[page], 'a full page')
      .part.content.heads()
      .map(([, , , , , , payment], at) => {
        const changed = unpacked.get(first + at);
        return changed === undefined ? payment : changed.payment;
      });
  }

  has(id: string): boolean {
    return this.positionOf(id) !== undefined;
  }

  /** In the order of creation. */
  *values(): IterableIterator<TransactionRecord> {
    for (let position = 0; position < this.size; position += 1) yield this.at(position);
  }

  /** The same without pages that cannot hold a match. */
  *among(mayHold: (page: PageSummary) => boolean): IterableIterator<TransactionRecord> {
    const { pages, stale, unpacked } = this.store;
    for (let first = 0; first < this.size; first += PAGE_TRANSACTIONS) {
      const page = pages[first / PAGE_TRANSACTIONS];
      const isOut = page !== undefined && !mayHold(page.summary);
      if (isOut && !stale.has(first / PAGE_TRANSACTIONS)) continue;
      // Transactions that changed since the page was made are unpacked.
      for (let position = first; position < Math.min(this.size, first + PAGE_TRANSACTIONS); position += 1)
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
    const { pages, stale, ids, payments } = this.store;
    const recent = ids[payments.lastIndexOf(payment)];
    if (recent !== undefined) return recent;
    for (let page = pages.length - 1; page >= 0; page -= 1) {
      const { firstPayment, lastPayment } = must(pages[page], 'a full page').summary;
      if (!stale.has(page) && (payment < firstPayment || payment > lastPayment)) continue;
      const at = this.paymentsIn(page).lastIndexOf(payment);
      if (at >= 0) return this.at(page * PAGE_TRANSACTIONS + at).id;
    }
    return undefined;
  }

  /** Transactions that the ledger does not count, in the order of creation. */
  *uncounted(): IterableIterator<TransactionRecord> {
    const { pages, stale, payments } = this.store;
    for (const [page, { summary }] of pages.entries()) {
      if (!summary.hasUncounted && !stale.has(page)) continue;
      for (const [at, payment] of this.paymentsIn(page).entries()) if (payment === null) yield this.at(page * PAGE_TRANSACTIONS + at);
    }
    for (const [at, payment] of payments.entries()) if (payment === null) yield this.at(this.firstRecent + at);
  }

  /** How many were created before a stamp, where `isInOrder`. */
  countBefore(stamp: number): number {
    const { pages, stamps } = this.store;
    const recent = stamps.findLastIndex((each) => each < stamp);
    if (recent >= 0) return this.firstRecent + recent + 1;
    const page = pages.findLastIndex(({ summary }) => summary.firstStamp < stamp);
    const heads = pages[page]?.part.content.heads() ?? [];
    return Math.max(0, page) * PAGE_TRANSACTIONS + heads.filter(([, , , createdStamp]) => createdStamp < stamp).length;
  }

  /** External ids for the list index. */
  get names(): readonly NamedPart[] {
    return this.store.names;
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

  /** Whether a processor of cards has something to do, and whether its results are to have something. */
  byCards(): typeof NO_CARDS {
    let [awaitsCards, awaitsCardResults] = [false, false];
    for (const record of this.store.awaiting.values()) {
      if (record.settlement?.card === undefined) continue;
      awaitsCards ||= awaitsCard(record);
      awaitsCardResults ||= awaitsCardResult(record);
    }
    return awaitsCards || awaitsCardResults ? { awaitsCards, awaitsCardResults } : NO_CARDS;
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
    const { payments, unpacked, awaiting, stale } = this.store;
    const known = this.positionOf(record.id);
    const before = known === undefined ? undefined : this.at(known);
    const position = known ?? this.append(record);
    unpacked.set(position, record);
    if (position >= this.firstRecent) payments[position - this.firstRecent] = record.payment;
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
    const { pages, recent, ids, stamps, payments, last, unpacked, stale, awaiting, named, names } = this.store;
    this.store = {
      pages: [...pages],
      recent: new Map(recent),
      ids: [...ids],
      stamps: [...stamps],
      payments: [...payments],
      last,
      unpacked: new Map(unpacked),
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
