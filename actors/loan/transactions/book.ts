import { must } from '../../../engine/index.js';
import { pack, unpack } from '../../runtime/records.js';
import { type PackedTransaction, packTransaction, unpackTransaction } from './packed.js';
import type { TransactionRecord } from './record.js';

/**
 * Transactions of which nothing is to come, as the bytes that a snapshot has of them: some eighty bytes each instead of
 * some seven hundred. A book is never written: who adds to it makes another one.
 */
export class TransactionBook {
  /** `ends`: where each transaction ends in the bytes. */
  constructor(readonly bytes: Uint8Array, readonly ends: readonly number[]) {}

  read(place: number): TransactionRecord {
    return unpackTransaction(unpack(this.bytesOf(place)) as PackedTransaction);
  }

  bytesOf(place: number): Uint8Array {
    return this.bytes.subarray(this.ends[place - 1] ?? 0, must(this.ends[place], 'a place in the book'));
  }

  static of(parts: readonly Uint8Array[]): TransactionBook {
    const ends: number[] = [];
    let end = 0;
    for (const part of parts) {
      end += part.length;
      ends.push(end);
    }
    const bytes = new Uint8Array(end);
    for (const [place, part] of parts.entries()) bytes.set(part, ends[place - 1] ?? 0);
    return new TransactionBook(bytes, ends);
  }
}

export const EMPTY_BOOK = new TransactionBook(new Uint8Array(0), []);

export const bytesOfTransaction = (record: TransactionRecord): Uint8Array => pack(packTransaction(record));
