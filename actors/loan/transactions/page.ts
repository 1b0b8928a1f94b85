import { assert, type Day, must } from '../../../engine/index.js';
import { pack, unpack } from '../../kernel/journal/records.js';
import { type PackedTransaction, packTransaction, unpackTransaction } from './packed.js';
import type { TransactionRecord } from './record.js';
import { isSettled } from './tasks.js';

/** Transactions of a page: less than a page is stored again with each snapshot of the loan. */
export const PAGE_TRANSACTIONS = 128;

/** What is asked of a transaction without reading it, and where it ends in the bytes of its page. */
export type TransactionHead = readonly [
  end: number,
  id: TransactionRecord['id'],
  status: TransactionRecord['status'],
  createdStamp: TransactionRecord['createdStamp'],
  externalId: TransactionRecord['externalId'],
  type: TransactionRecord['transactionType'],
  effectiveDay: Day,
  payment: TransactionRecord['payment'],
  isOpen: boolean,
];

/** What filters of lists ask of a page before they read it. */
export interface PageSummary {
  readonly statuses: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly firstDay: number;
  readonly lastDay: number;
}

/**
 * Transactions that follow each other in the order of creation, as the bytes that a snapshot has of them: some hundred bytes each
 * instead of some seven hundred. A page is never written: one of which a transaction has changed makes another one.
 */
export class TransactionPage {
  private constructor(
    /** The heads, and behind them the records. */
    readonly bytes: Uint8Array,
    private readonly ends: readonly number[],
    readonly summary: PageSummary,
  ) {}

  static of(bytes: Uint8Array, heads: readonly TransactionHead[]): TransactionPage {
    let [firstDay, lastDay] = [Infinity, -Infinity];
    for (const [, , , , , , day] of heads) [firstDay, lastDay] = [Math.min(firstDay, day), Math.max(lastDay, day)];
    return new TransactionPage(
      bytes,
      heads.map(([end]) => end),
      {
        statuses: new Set(heads.map(([, , status]) => status)),
        types: new Set(heads.map(([, , , , , type]) => type)),
        firstDay,
        lastDay,
      },
    );
  }

  /** Of records, and of positions in the page that this one follows. */
  static make(kept: readonly (TransactionRecord | number)[], before: TransactionPage | null): TransactionPage {
    const heads: TransactionHead[] = [];
    const parts: Uint8Array[] = [];
    const headsBefore = kept.some((each) => typeof each === 'number') ? must(before, 'a page with the records that stay').heads() : [];
    let end = 0;
    for (const each of kept) {
      const part = typeof each === 'number' ? must(before, 'a page').#bytesOf(each) : pack(packTransaction(each));
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
    return TransactionPage.of(bytes, heads);
  }

  /** As a snapshot has it. The bytes are copied: what is read is a view of more. */
  static read(stored: unknown): TransactionPage {
    assert(stored instanceof Uint8Array, 'a page is stored as bytes');
    const bytes = Uint8Array.from(stored);
    return TransactionPage.of(bytes, headsIn(bytes));
  }

  get length(): number {
    return this.ends.length;
  }

  heads(): readonly TransactionHead[] {
    return headsIn(this.bytes);
  }

  record(position: number): TransactionRecord {
    return unpackTransaction(unpack(this.#bytesOf(position)) as PackedTransaction);
  }

  #bytesOf(position: number): Uint8Array {
    const from = this.bytes.length - must(this.ends.at(-1), 'a page has transactions');
    return this.bytes.subarray(from + (this.ends[position - 1] ?? 0), from + must(this.ends[position], 'a position in the page'));
  }
}

const LENGTH_BYTES = 4;

function headsIn(bytes: Uint8Array): readonly TransactionHead[] {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const heads = unpack(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
  assert(Array.isArray(heads), 'a page begins with heads');
  return heads;
}

const headOf = (record: TransactionRecord, end: number): TransactionHead => {
  const { id, status, createdStamp, externalId, transactionType, effective, payment } = record;
  return [end, id, status, createdStamp, externalId, transactionType, effective.day, payment, !isSettled(record)];
};

const endingAt = ([, ...rest]: TransactionHead, end: number): TransactionHead => [end, ...rest];
