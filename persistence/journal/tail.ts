import { endOfContent } from '../files/zeros.js';
import { parseEndMark } from './end-mark.js';
import { findBatch } from './batch-parser.js';
import type { RecoveryCaseName } from './recovery-cases.js';
import type { SegmentHeader } from './segment-header.js';
import { isTorn } from './tear.js';
import type { WalkEnd } from './walk.js';

/** The case that the end of a walk is, and where. */
export interface Judgement {
  readonly name: RecoveryCaseName;
  readonly offset: number;
}

/**
 * Judges what follows the last sound batch of the last segment; `nextBatch` is the number that one more would have. Zeros at its end may
 * have been left out of `segment`: its file has `fileBytes`.
 */
export function judgeTail(
  segment: Buffer,
  header: SegmentHeader,
  end: WalkEnd,
  nextBatch: number,
  fileBytes: number = segment.length,
): Judgement {
  if (end.type !== 'noBatch' && end.type !== 'damagedBlock') return { name: end.type, offset: end.offset };
  const { batchOffset: offset } = end;
  const isShorter = fileBytes < header.segmentBytes;
  if (endOfContent(segment, offset) === offset) {
    if (isShorter) return { name: 'trimmedTail', offset };
    return { name: offset === header.headerBytes ? 'zeroTail' : 'whole', offset };
  }
  if (parseEndMark(segment, offset, header.journalId) !== undefined) return { name: 'missingSegment', offset };
  if (hasBatchBehind(segment, header, offset)) return damageInside(end);
  if (isShorter) return { name: 'cutFile', offset };
  return { name: isTorn(segment, { offset, number: nextBatch, journalId: header.journalId }) ? 'tornTail' : 'damagedEnd', offset };
}

/** Judges the end of a segment that has a later one, whose first batch is `nextFirstBatch`. */
export function judgeInner(segment: Buffer, header: SegmentHeader, end: WalkEnd, nextBatch: number, nextFirstBatch: number): Judgement {
  if (end.type !== 'noBatch' && end.type !== 'damagedBlock') return { name: end.type, offset: end.offset };
  if (end.type === 'noBatch' && nextBatch === nextFirstBatch) return { name: 'whole', offset: end.batchOffset };
  if (end.type === 'noBatch' && nextBatch > nextFirstBatch) return { name: 'batchGap', offset: end.batchOffset };
  if (hasBatchBehind(segment, header, end.batchOffset)) return damageInside(end);
  return { name: segment.length < header.segmentBytes ? 'cutFile' : 'damagedEnd', offset: end.batchOffset };
}

function hasBatchBehind(segment: Buffer, header: SegmentHeader, offset: number): boolean {
  return findBatch(segment, offset + 1, header.journalId) !== undefined;
}

function damageInside(end: WalkEnd): Judgement {
  return end.type === 'damagedBlock' ? { name: 'damagedBlock', offset: end.offset } : { name: 'damagedInside', offset: end.batchOffset };
}
