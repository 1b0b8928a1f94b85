import { must } from '../../../engine/index.js';
import { pack, unpack } from '../../runtime/records.js';
import { type PackedTransaction, packTransaction, unpackTransaction } from './packed.js';
import type { TransactionRecord } from './record.js';

/** What is asked of a transaction without reading it, and where it ends in the bytes of its book. */
export type SettledHead = readonly [
  end: number,
  id: TransactionRecord['id'],
  status: TransactionRecord['status'],
  createdStamp: TransactionRecord['createdStamp'],
  externalId: TransactionRecord['externalId'],
];

/**
 * Transactions of which nothing is to come, as the bytes that a snapshot has of them: some eighty bytes each instead of
 * some seven hundred. A book is never written: who adds to it makes another one.
 */
export class TransactionBook {
  constructor(
    readonly bytes: Uint8Array,
    readonly heads: readonly SettledHead[],
  ) {}

  read(place: number): TransactionRecord {
    return unpackTransaction(unpack(this.#bytesOf(place)) as PackedTransaction);
  }

  stampOf(place: number): number {
    return this.#headOf(place)[3];
  }

  #bytesOf(place: number): Uint8Array {
    return this.bytes.subarray(this.heads[place - 1]?.[0] ?? 0, this.#headOf(place)[0]);
  }

  #headOf(place: number): SettledHead {
    return must(this.heads[place], 'a place in the book');
  }

  /** Another book, of records and of places in this one. Mostly some follow those that stay where they are, which are taken over in one piece. */
  with(kept: readonly (TransactionRecord | number)[]): TransactionBook {
    let same = 0;
    while (same < kept.length && kept[same] === same) same += 1;
    if (same === kept.length && same === this.heads.length) return this;
    const heads = this.heads.slice(0, same);
    const taken = heads[same - 1]?.[0] ?? 0;
    const parts: Uint8Array[] = [];
    let end = taken;
    for (const each of kept.slice(same)) {
      const part = typeof each === 'number' ? this.#bytesOf(each) : pack(packTransaction(each));
      parts.push(part);
      end += part.length;
      const [, id, status, createdStamp, externalId] =
        typeof each === 'number' ? this.#headOf(each) : [0, each.id, each.status, each.createdStamp, each.externalId];
      heads.push([end, id, status, createdStamp, externalId]);
    }
    const bytes = new Uint8Array(end);
    bytes.set(this.bytes.subarray(0, taken));
    for (const [at, part] of parts.entries()) bytes.set(part, heads[same + at - 1]?.[0] ?? 0);
    return new TransactionBook(bytes, heads);
  }
}

export const EMPTY_BOOK = new TransactionBook(new Uint8Array(0), []);
