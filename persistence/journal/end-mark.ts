import { END_MAGIC, HASH_BYTES, JOURNAL_ID_BYTES, readNumber, sha256, writeNumber } from './format.js';

/**
 * Stands behind the last batch of a segment once the next segment has its name for good. A last segment with an
 * end mark therefore tells that a later one was taken away.
 *
 *   magic 4 | 4 | first batch of the next segment 8 | journal id 16 | SHA-256 of all before 32
 */
export const END_MARK_BYTES = 64;

const SEAL_AT = END_MARK_BYTES - HASH_BYTES;

export function encodeEndMark(nextFirstBatch: number, journalId: Buffer): Buffer {
  const bytes = Buffer.alloc(END_MARK_BYTES);
  END_MAGIC.copy(bytes, 0);
  writeNumber(bytes, nextFirstBatch, 8);
  journalId.copy(bytes, 16);
  sha256(bytes.subarray(0, SEAL_AT)).copy(bytes, SEAL_AT);
  return bytes;
}

/** First batch of the next segment; undefined when no whole end mark of this journal begins at the offset. */
export function parseEndMark(segment: Buffer, offset: number, journalId: Buffer): number | undefined {
  const bytes = segment.subarray(offset, offset + END_MARK_BYTES);
  if (bytes.length < END_MARK_BYTES || !bytes.subarray(0, END_MAGIC.length).equals(END_MAGIC)) return undefined;
  if (!bytes.subarray(16, 16 + JOURNAL_ID_BYTES).equals(journalId)) return undefined;
  if (!sha256(bytes.subarray(0, SEAL_AT)).equals(bytes.subarray(SEAL_AT))) return undefined;
  return readNumber(bytes, 8);
}
