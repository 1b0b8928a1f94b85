import { hash } from 'node:crypto';

/**
 * The files of the journal. All numbers are little endian.
 *
 *   journal-000000000001.segment     named by its first batch
 *   journal-000000000742.segment
 *   next.segment                     zeros, ready to become the next one
 *
 *   segment   | header | batch | batch | ... | end mark once a next segment exists | zeros up to the preallocated size |
 *
 *   header    magic 8 | version 4 | header length 4 | index 8 | first batch 8 | segment length 8 | journal id 16 |
 *             head count 4 | 4 | heads (shard 4 | 4 | last sequence 8 | hash 32) ... | zeros | SHA-256 of all before 32
 *
 *   batch     magic 4 | block count 4 | number 8 | length 4 | 4 | journal id 16 | seal 32 | block | block | ... | zeros
 *             seal = SHA-256 over the 40 bytes before it and the hashes of all its blocks: a batch counts as a whole
 *             or not at all
 *
 *   block     length 4 | shard 4 | first sequence 8 | record count 4 | 4 | hash of the shard's block before 32 |
 *             records (length 4 | bytes) ... | hash = SHA-256 of all before 32
 *
 * The heads in a header are those before its first batch. They let a start check the last segment alone, and a
 * read skip segments that it does not want.
 */
export const VERSION = 1;
export const SEGMENT_MAGIC = Buffer.from('TENORJNL', 'latin1');
export const BATCH_MAGIC = Buffer.from('TnrB', 'latin1');
export const END_MAGIC = Buffer.from('TnrE', 'latin1');

export const HASH_BYTES = 32;
export const JOURNAL_ID_BYTES = 16;
export const SEGMENT_FIXED_BYTES = 64;
export const HEAD_BYTES = 48;
/** Headers end on a sector, so that no later write touches a header's sector. */
export const HEADER_ALIGNMENT = 4096;
export const BATCH_SEALED_BYTES = 40;
export const BATCH_HEADER_BYTES = BATCH_SEALED_BYTES + HASH_BYTES;
export const BATCH_ALIGNMENT = 8;
export const BLOCK_HEADER_BYTES = 56;
export const BLOCK_OVERHEAD_BYTES = BLOCK_HEADER_BYTES + HASH_BYTES;
export const RECORD_HEADER_BYTES = 4;

export const PREPARED_NAME = 'next.segment';
export const UNFINISHED_NAME = 'next.segment.unfinished';

/** Hash that the first block of a shard names as the one before it. */
export const NO_HASH: Uint8Array = new Uint8Array(HASH_BYTES);

const SEGMENT_NAME = /^journal-(\d{12})\.segment$/;

export function segmentName(firstBatch: number): string {
  return `journal-${String(firstBatch).padStart(12, '0')}.segment`;
}

/** The first batch by the name of a file; undefined when it is not a segment's name. */
export function firstBatchOfName(name: string): number | undefined {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}

export function roundUp(bytes: number, alignment: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}

const HIGH = 0x1_0000_0000;

/** Numbers up to 2^53 - 1 in eight bytes, without going through BigInt. */
export function writeNumber(into: Buffer, value: number, at: number): void {
  into.writeUInt32LE(value % HIGH, at);
  into.writeUInt32LE(Math.floor(value / HIGH), at + 4);
}

/** May exceed 2^53 on damaged bytes; such a number equals no expected one. */
export function readNumber(from: Buffer, at: number): number {
  return from.readUInt32LE(at + 4) * HIGH + from.readUInt32LE(at);
}

/** A view, not a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
