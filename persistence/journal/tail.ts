import { parseEndMark } from './end-mark.js';
import { findBatch } from './batch-parser.js';
import { endOfContent } from './format.js';
import type { RecoveryCaseName } from './recovery-cases.js';
import type { SegmentHeader } from './segment-header.js';
import { isTorn } from './tear.js';

/**
 * What follows the last sound batch of the last segment.
 * `offset` is where that batch ends, `nextBatch` the number that one more would have.
 */
export function classifyTail(segment: Buffer, header: SegmentHeader, offset: number, nextBatch: number): RecoveryCaseName {
  const isShorter = segment.length < header.segmentBytes;
  if (endOfContent(segment, offset) === offset) {
    if (isShorter) return 'trimmedTail';
    return offset === header.headerBytes ? 'zeroTail' : 'whole';
  }
  if (parseEndMark(segment, offset, header.journalId) !== undefined) return 'missingSegment';
  if (findBatch(segment, offset + 1, header.journalId) !== undefined) return 'damagedInside';
  if (isShorter) return 'cutFile';
  return isTorn(segment, { offset, number: nextBatch, journalId: header.journalId }) ? 'tornTail' : 'damagedEnd';
}

/** Why a segment that has a later one ends before the batches that its successor counts on. */
export function classifyGap(segment: Buffer, header: SegmentHeader, offset: number): RecoveryCaseName {
  if (findBatch(segment, offset + 1, header.journalId) !== undefined) return 'damagedInside';
  return segment.length < header.segmentBytes ? 'cutFile' : 'damagedEnd';
}
