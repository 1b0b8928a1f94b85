import { addBusinessDays, addDays, assert, type Day, must } from '../../../engine/index.js';
import { pack, unpack } from '../../kernel/journal/records.js';
import type { LoanStatus } from '../machine.js';
import type { TransactionStatus } from './machine.js';
import { type PackedTransaction, packTransaction, unpackTransaction } from './packed.js';
import { awaitsCardResult, isCredit, isInternalMoney, type TransactionRecord } from './record.js';

/** Tasks of transactions, in the order of a day's work. */
const TASKS = ['cancel', 'handOver', 'settle', 'return', 'expireHold', 'credit', 'fallDue', 'initiate'] as const;

export interface Task {
  readonly type: (typeof TASKS)[number];
  readonly day: Day;
  readonly record: TransactionRecord;
}

/** Statuses of a loan in which nothing is collected any more. */
const ENDED: ReadonlySet<LoanStatus> = new Set<LoanStatus>(['paidOff', 'chargedOff', 'canceled']);

/** Which of two tasks comes first: by day, then by the order of a day's work, then the older transaction's. */
export function earlierTask(a: Task | null, b: Task | null): Task | null {
  if (a === null || b === null) return a ?? b;
  if (a.day !== b.day) return a.day < b.day ? a : b;
  const [placeA, placeB] = [TASKS.indexOf(a.type), TASKS.indexOf(b.type)];
  if (placeA !== placeB) return placeA < placeB ? a : b;
  return b.record.createdStamp < a.record.createdStamp ? b : a;
}

/** Whether a coming day, the end of the loan, or the results of a processor may bring something. */
export function isAwaiting(record: TransactionRecord): boolean {
  const { status, settlement, hold } = record;
  const isHeld = hold !== null && !hold.isOver;
  switch (status) {
    case 'scheduled':
      return true;
    case 'initiated':
    case 'pending':
      return settlement !== null || isHeld;
    case 'succeeded':
      return settlement?.lateReturn != null || isHeld || awaitsCardResult(record);
    case 'inDispute':
      return isHeld || awaitsCardResult(record);
    case 'failed':
    case 'canceled':
    case 'chargeback':
      return false;
  }
}

/** Whether it has no tasks any more and is seldom read. */
export const isSettled = (record: TransactionRecord): boolean =>
  ENDS.has(record.status) &&
  !isAwaiting(record) &&
  (record.hold === null || record.hold.isOver) &&
  record.transactionType !== 'reimbursement';

const ENDS: ReadonlySet<TransactionStatus> = new Set<TransactionStatus>(['succeeded', 'failed', 'canceled', 'chargeback']);

/** The next task of one transaction. `through` is the loan's last finished day: nothing happens before it. */
export function taskOf(record: TransactionRecord, status: LoanStatus, through: Day): Task | null {
  const task = (type: Task['type'], day: Day): Task => ({ type, day, record });
  const notBefore = (day: Day): Day => (day < through ? through : day);
  switch (record.status) {
    case 'scheduled':
      if (ENDED.has(status) && record.createdWhile !== status) return task('cancel', through);
      if (status === 'frozen') return null;
      if (isCredit(record)) return task('credit', notBefore(record.scheduledDay));
      if (isInternalMoney(record)) return task('initiate', addBusinessDays(notBefore(nextTry(record)), 0));
      return task('fallDue', notBefore(nextTry(record)));
    case 'initiated':
      // What waits for a file is handed over when the file is uploaded.
      if (record.settlement?.ach !== undefined || isByProcessor(record)) return holdTask(record);
      if (record.settlement?.card !== undefined) return earlierTask(task('settle', record.settlement.handOverDay), holdTask(record));
      return earlierTask(record.settlement && task('handOver', record.settlement.handOverDay), holdTask(record));
    case 'pending':
      if (isByProcessor(record)) return holdTask(record);
      return earlierTask(record.settlement && task('settle', record.settlement.settleDay), holdTask(record));
    case 'succeeded':
      return earlierTask(record.settlement?.lateReturn ? task('return', record.settlement.lateReturn.day) : null, holdTask(record));
    case 'inDispute':
      return holdTask(record);
    case 'failed':
    case 'canceled':
    case 'chargeback':
      return null;
  }
}

/** A processor of cards says what becomes of it, and when. */
const isByProcessor = ({ settlement }: TransactionRecord): boolean => settlement?.card?.processorId != null;

function holdTask(record: TransactionRecord): Task | null {
  if (record.hold === null || record.hold.isOver || record.payment === null) return null;
  return { type: 'expireHold', day: addDays(record.hold.endDay, 1), record };
}

/** The day after the last `payment.due.today`, or after the last day on which its company was closed. */
const nextTry = ({ toldDueOn, scheduledDay }: TransactionRecord): Day =>
  toldDueOn === null ? scheduledDay : laterOf(addDays(toldDueOn, 1), scheduledDay);

const laterOf = (a: Day, b: Day): Day => (a > b ? a : b);

/** Transactions in a page. Those after the last full page are stored again with each snapshot of the loan. */
export const PAGE_TRANSACTIONS = 128;

/** The property of a page with the texts that snapshots encrypt with the borrower's data key. */
export const PAGE_TEXTS = 'personal';

/** A page in a snapshot: its bytes, and its personal texts if it has any. */
export type StoredPage = Uint8Array | { readonly bytes: Uint8Array; readonly [PAGE_TEXTS]: Personal | null };

/** By position in the page. Bytes while the data key is missing; null after the borrower was erased. */
type Personal = readonly PersonalTexts[] | Uint8Array;
type Texts = Pick<
  TransactionRecord,
  'externalId' | 'metaData' | 'reversedByTransactionExternalId' | 'processorFailureReason' | 'processorFailureDetails'
> & { readonly creditReason: string | null; readonly creditName: string | null };
type PersonalTexts = readonly [at: number, texts: Texts];

/** Fields of a transaction that are known without reading it, and its end in the bytes of its page. */
export type TransactionHead = readonly [
  end: number,
  id: TransactionRecord['id'],
  status: TransactionRecord['status'],
  createdStamp: TransactionRecord['createdStamp'],
  type: TransactionRecord['transactionType'],
  effectiveDay: Day,
  payment: TransactionRecord['payment'],
  isOpen: boolean,
];

/** What memory always knows of a page: whatever asks for one transaction, or filters many, skips pages without reading them. */
export interface PageSummary {
  readonly ids: IdSet;
  readonly statuses: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly firstDay: number;
  readonly lastDay: number;
  /** Lowest and highest number in the ledger; Infinity and -Infinity if the ledger counts none. */
  readonly firstPayment: number;
  readonly lastPayment: number;
  readonly hasUncounted: boolean;
  readonly firstStamp: number;
}

/** Whether an id may be among those of a page: their digests, 4 bytes each. One foreign id in 30 million seems to be there. */
class IdSet {
  readonly #digests: Uint32Array;

  constructor(ids: readonly string[]) {
    this.#digests = Uint32Array.from(ids, digestOf).sort();
  }

  mayHold(digest: number): boolean {
    let [first, end] = [0, this.#digests.length];
    while (first < end) {
      const middle = (first + end) >> 1;
      if ((this.#digests[middle] ?? 0) < digest) first = middle + 1;
      else end = middle;
    }
    return this.#digests[first] === digest;
  }
}

/** Of an id, for `IdSet`: FNV-1a. */
export function digestOf(id: string): number {
  let digest = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) digest = Math.imul(digest ^ id.charCodeAt(at), 0x01000193);
  return digest >>> 0;
}

/** Most pages have the same few statuses and types, so they share sets. There are no more sets than combinations of these names. */
const sharedSets = new Map<string, ReadonlySet<string>>();

function sharedSet(names: readonly string[]): ReadonlySet<string> {
  const set = new Set([...new Set(names)].sort());
  const key = [...set].join();
  const known = sharedSets.get(key);
  if (known === undefined) sharedSets.set(key, set);
  return known ?? set;
}

/**
 * Consecutive transactions in the order of creation, as packed bytes: about 100 bytes each instead of about 700. A page is never changed: a
 * changed transaction makes a new page.
 */
export class TransactionPage {
  readonly #texts: ReadonlyMap<number, Texts>;

  private constructor(
    readonly stored: StoredPage,
    /** The heads, followed by the records. */
    readonly bytes: Uint8Array,
    private readonly ends: readonly number[],
  ) {
    const personal = isApart(stored) ? stored[PAGE_TEXTS] : null;
    this.#texts = personal === null || personal instanceof Uint8Array ? NOTHING : new Map(personal);
  }

  static of(stored: StoredPage, heads: readonly TransactionHead[]): TransactionPage {
    return new TransactionPage(
      stored,
      isApart(stored) ? stored.bytes : stored,
      heads.map(([end]) => end),
    );
  }

  /** Makes a page of records, and of positions in the page that it replaces. */
  static make(kept: readonly (TransactionRecord | number)[], before: TransactionPage | null): TransactionPage {
    const heads: TransactionHead[] = [];
    const parts: Uint8Array[] = [];
    const texts: PersonalTexts[] = [];
    const headsBefore = kept.some((each) => typeof each === 'number') ? must(before, 'a page with the records that stay').heads() : [];
    let end = 0;
    for (const [at, each] of kept.entries()) {
      const part = typeof each === 'number' ? must(before, 'a page').#bytesOf(each) : pack(packTransaction(impersonal(each)));
      const personal = typeof each === 'number' ? before?.textsAt(each) : textsOf(each);
      if (personal !== undefined) texts.push([at, personal]);
      parts.push(part);
      end += part.length;
      heads.push(typeof each === 'number' ? endingAt(must(headsBefore[each], 'a position in the page'), end) : headOf(each, end));
    }
    const packedHeads = pack(heads);
    const bytes = new Uint8Array(LENGTH_BYTES + packedHeads.length + end);
    new DataView(bytes.buffer).setUint32(0, packedHeads.length);
    bytes.set(packedHeads, LENGTH_BYTES);
    let at = LENGTH_BYTES + packedHeads.length;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    const unread = before !== null && isApart(before.stored) ? before.stored[PAGE_TEXTS] : null;
    const personal = unread instanceof Uint8Array ? unread : texts;
    return TransactionPage.of(personal.length === 0 ? bytes : { bytes, [PAGE_TEXTS]: personal }, heads);
  }

  /** Reads a page of a snapshot. The bytes are copied, since they are a view of a larger buffer. */
  static read(stored: unknown): TransactionPage {
    assert(isStoredPage(stored), 'a page is stored as bytes');
    if (!isApart(stored)) return TransactionPage.#copyOf(stored);
    const { bytes, [PAGE_TEXTS]: personal } = stored;
    return TransactionPage.#copyOf(bytes, personal);
  }

  static #copyOf(stored: Uint8Array, personal: Personal | null = null): TransactionPage {
    const bytes = Uint8Array.from(stored);
    return TransactionPage.of(personal === null ? bytes : { bytes, [PAGE_TEXTS]: personal }, headsIn(bytes));
  }

  get length(): number {
    return this.ends.length;
  }

  heads(): readonly TransactionHead[] {
    return headsIn(this.bytes);
  }

  summary(heads: readonly TransactionHead[] = this.heads()): PageSummary {
    const days = heads.map(([, , , , , day]) => day);
    const payments = heads.flatMap(([, , , , , , payment]) => payment ?? []);
    return {
      ids: new IdSet(heads.map(([, id]) => id)),
      statuses: sharedSet(heads.map(([, , status]) => status)),
      types: sharedSet(heads.map(([, , , , type]) => type)),
      firstDay: Math.min(...days),
      lastDay: Math.max(...days),
      firstPayment: Math.min(...payments),
      lastPayment: Math.max(...payments),
      hasUncounted: payments.length < heads.length,
      firstStamp: Math.min(...heads.map(([, , , createdStamp]) => createdStamp)),
    };
  }

  /** The personal texts at a position; undefined if there are none. */
  textsAt(position: number): Texts | undefined {
    return this.#texts.get(position);
  }

  record(position: number): TransactionRecord {
    const record = unpackTransaction(unpack<PackedTransaction>(this.#bytesOf(position)));
    const texts = this.#texts.get(position);
    return texts === undefined ? record : withTexts(record, texts);
  }

  #bytesOf(position: number): Uint8Array {
    const from = this.bytes.length - must(this.ends.at(-1), 'a page has transactions');
    return this.bytes.subarray(from + (this.ends[position - 1] ?? 0), from + must(this.ends[position], 'a position in the page'));
  }
}

const LENGTH_BYTES = 4;
const NOTHING: ReadonlyMap<number, Texts> = new Map();
const NO_TEXTS: Texts = {
  externalId: null,
  metaData: null,
  reversedByTransactionExternalId: null,
  processorFailureReason: null,
  processorFailureDetails: null,
  creditReason: null,
  creditName: null,
};

const isApart = (stored: StoredPage): stored is Exclude<StoredPage, Uint8Array> => !(stored instanceof Uint8Array);

const isStoredPage = (stored: unknown): stored is StoredPage =>
  stored instanceof Uint8Array || (typeof stored === 'object' && stored !== null && 'bytes' in stored);

/** The personal texts of a transaction; undefined if there are none. */
function textsOf(record: TransactionRecord): Texts | undefined {
  const { externalId, metaData, reversedByTransactionExternalId, processorFailureReason, processorFailureDetails, serviceCredit } = record;
  const creditReason = serviceCredit?.reason ?? null;
  const creditName = serviceCredit?.displayName ?? null;
  const isPersonal =
    externalId !== null ||
    metaData !== null ||
    reversedByTransactionExternalId !== null ||
    processorFailureReason !== null ||
    processorFailureDetails !== null ||
    creditReason !== null ||
    creditName !== null;
  if (!isPersonal) return undefined;
  return {
    externalId,
    metaData,
    reversedByTransactionExternalId,
    processorFailureReason,
    processorFailureDetails,
    creditReason,
    creditName,
  };
}

function withTexts(record: TransactionRecord, { creditReason, creditName, ...texts }: Texts): TransactionRecord {
  const { serviceCredit } = record;
  return { ...record, ...texts, serviceCredit: serviceCredit && { ...serviceCredit, reason: creditReason, displayName: creditName } };
}

const impersonal = (record: TransactionRecord): TransactionRecord => (textsOf(record) === undefined ? record : withTexts(record, NO_TEXTS));

function headsIn(bytes: Uint8Array): readonly TransactionHead[] {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const heads = unpack(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
  assert(Array.isArray(heads), 'a page begins with heads');
  return heads;
}

const headOf = (record: TransactionRecord, end: number): TransactionHead => {
  const { id, status, createdStamp, transactionType, effective, payment } = record;
  return [end, id, status, createdStamp, transactionType, effective.day, payment, !isSettled(record)];
};

const endingAt = ([, ...rest]: TransactionHead, end: number): TransactionHead => [end, ...rest];
