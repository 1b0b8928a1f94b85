import { isZero } from '../files/zeros.js';
import { BATCH_HEADER_BYTES, BATCH_MAGIC, JOURNAL_ID_BYTES, readNumber } from './format.js';

/** The smallest unit that any disk writes as a whole. A system call that breaks off does so at the end of a page. */
const SECTOR_BYTES = 512;
/** Holds the block count and magic: never divided by a sector's edge, as batches begin at multiples of it. */
const FIRST_FIELDS_BYTES = 8;

export interface ExpectedBatch {
  readonly offset: number;
  readonly number: number;
  readonly journalId: Buffer;
}

/**
 * Whether the unsound batch at the offset can be a write that was torn. Space ahead of the journal's end holds zeros, so a tear
 * leaves sectors of zeros where bytes should be; if every sector has bytes and the checksum is still wrong,
 * the batch was written, most likely acknowledged, and damaged since.
 */
export function isTorn(segment: Buffer, expected: ExpectedBatch): boolean {
  const batch = segment.subarray(expected.offset);
  if (isZero(batch.subarray(0, FIRST_FIELDS_BYTES))) return true;
  if (hasUnwrittenSector(segment, expected.offset, expected.offset + Math.min(BATCH_HEADER_BYTES, batch.length))) return true;
  const length = plausibleLength(batch, expected);
  if (length === undefined) return false;
  return hasUnwrittenSector(segment, expected.offset, expected.offset + length);
}

/** Length that the frame tells, when the frame is the expected one. */
function plausibleLength(batch: Buffer, expected: ExpectedBatch): number | undefined {
  if (batch.length < BATCH_HEADER_BYTES || !batch.subarray(0, BATCH_MAGIC.length).equals(BATCH_MAGIC)) return undefined;
  if (readNumber(batch, 8) !== expected.number) return undefined;
  if (!batch.subarray(24, 24 + JOURNAL_ID_BYTES).equals(expected.journalId)) return undefined;
  const length = batch.readUInt32LE(16);
  return length >= BATCH_HEADER_BYTES && length <= batch.length ? length : undefined;
}

function hasUnwrittenSector(segment: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const end = Math.min((Math.floor(at / SECTOR_BYTES) + 1) * SECTOR_BYTES, to);
    if (isZero(segment.subarray(at, end))) return true;
    at = end;
  }
  return false;
}
