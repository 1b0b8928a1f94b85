import { endOfContent, isZero } from '../files/zeros.js';
import type { ShardHead } from '../ports.js';
import { batchSeal, isBlockWhole, parseBlock, type ParsedBlock, parseEndMark } from './batch-encoder.js';
import {
  BATCH_ALIGNMENT,
  BATCH_HEADER_BYTES,
  BATCH_MAGIC,
  BATCH_SEALED_BYTES,
  BLOCK_OVERHEAD_BYTES,
  JOURNAL_ID_BYTES,
  NO_HASH,
  readNumber,
  roundUp,
} from './format.js';
import type { RecoveryCaseName, SegmentHeader } from './segments.js';

/** A batch whose frame and seal are sound. The records of its blocks are checked when they are read. */
export interface ParsedBatch {
  readonly offset: number;
  readonly length: number;
  readonly number: number;
  readonly blocks: readonly ParsedBlock[];
}

/** Undefined when no batch of this journal with a sound frame and seal begins at the offset. */
export function parseBatch(segment: Buffer, offset: number, journalId: Buffer): ParsedBatch | undefined {
  const room = segment.length - offset;
  if (room < BATCH_HEADER_BYTES + BLOCK_OVERHEAD_BYTES) return undefined;
  const head = segment.subarray(offset, offset + BATCH_HEADER_BYTES);
  if (!head.subarray(0, BATCH_MAGIC.length).equals(BATCH_MAGIC)) return undefined;
  if (!head.subarray(24, 24 + JOURNAL_ID_BYTES).equals(journalId)) return undefined;
  const blockCount = head.readUInt32LE(4);
  const length = head.readUInt32LE(16);
  if (length > room || blockCount === 0 || blockCount * BLOCK_OVERHEAD_BYTES > length) return undefined;

  const blocks = parseBlocks(segment, offset, length, blockCount);
  if (blocks === undefined) return undefined;
  const seal = batchSeal(
    head,
    blocks.map((block) => block.hash),
  );
  if (!seal.equals(head.subarray(BATCH_SEALED_BYTES))) return undefined;
  return { offset, length, number: readNumber(head, 8), blocks };
}

function parseBlocks(segment: Buffer, offset: number, length: number, count: number): readonly ParsedBlock[] | undefined {
  const blocks: ParsedBlock[] = [];
  const end = offset + length;
  let at = offset + BATCH_HEADER_BYTES;
  while (blocks.length < count) {
    const block = parseBlock(segment, at, end);
    if (block === undefined) return undefined;
    blocks.push(block);
    at += block.length;
  }
  return roundUp(at - offset, BATCH_ALIGNMENT) === length ? blocks : undefined;
}

/** The first sound batch at or behind the offset, wherever it lies. */
export function findBatch(segment: Buffer, from: number, journalId: Buffer): ParsedBatch | undefined {
  for (let at = segment.indexOf(BATCH_MAGIC, from); at !== -1; at = segment.indexOf(BATCH_MAGIC, at + 1)) {
    const batch = parseBatch(segment, at, journalId);
    if (batch !== undefined && batch.blocks.every((block) => isBlockWhole(segment, block))) return batch;
  }
  return undefined;
}

/** Why and where a walk over a segment's batches ended: `noBatch` is also the normal end of the content. */
export interface WalkEnd {
  readonly type: 'noBatch' | 'damagedBlock' | 'batchGap' | 'sequenceGap' | 'chainMismatch';
  /** Offset of the batch that is not sound or does not fit: everything before it is sound. */
  readonly batchOffset: number;
  /** Offset of the faulty block in it, or of the batch. */
  readonly offset: number;
}

/** The heads of all shards while batches are walked in their order. */
export class Chains {
  readonly heads: Map<number, ShardHead>;
  nextBatch: number;
  #isAfterDamage = false;

  constructor(header: SegmentHeader) {
    this.heads = new Map(header.heads);
    this.nextBatch = header.firstBatch;
  }

  /** Continues behind damage: the head of a shard is unknown until its next block. */
  resumeAt(batch: ParsedBatch): void {
    this.#isAfterDamage = true;
    this.heads.clear();
    this.nextBatch = batch.number;
  }

  /** Takes the batch as the next one even where it does not fit; returns the first fault. */
  follow(batch: ParsedBatch): WalkEnd | undefined {
    const { offset: batchOffset } = batch;
    let fault: WalkEnd | undefined;
    if (batch.number !== this.nextBatch) fault = { type: 'batchGap', batchOffset, offset: batchOffset };
    this.nextBatch = batch.number + 1;
    for (const block of batch.blocks) {
      const type = this.#followBlock(block);
      if (type !== undefined) fault ??= { type, batchOffset, offset: block.offset };
    }
    return fault;
  }

  #followBlock(block: ParsedBlock): 'sequenceGap' | 'chainMismatch' | undefined {
    const head = this.heads.get(block.shard);
    this.heads.set(block.shard, { lastSequence: block.lastSequence, hash: Uint8Array.from(block.hash) });
    if (head === undefined && this.#isAfterDamage) return undefined;
    if (block.firstSequence !== (head?.lastSequence ?? 0) + 1) return 'sequenceGap';
    return block.previousHash.equals(head?.hash ?? NO_HASH) ? undefined : 'chainMismatch';
  }
}

/**
 * The batches of a segment in order, from its header or an offset, up to another. Frames, seals, sequences and chains are
 * always checked; the bytes of a block only where `isWanted`, since that costs a hash over them.
 */
export function* walkBatches(
  segment: Buffer,
  header: SegmentHeader,
  chains: Chains,
  options: { readonly from?: number; readonly to?: number; readonly isWanted?: (block: ParsedBlock) => boolean } = {},
): Generator<ParsedBatch, WalkEnd> {
  const { from = header.headerBytes, to = segment.length, isWanted = () => true } = options;
  for (let at = from; ; ) {
    const batch = at < to ? parseBatch(segment, at, header.journalId) : undefined;
    if (batch === undefined) return { type: 'noBatch', batchOffset: at, offset: at };
    const broken = batch.blocks.find((block) => isWanted(block) && !isBlockWhole(segment, block));
    if (broken !== undefined) return { type: 'damagedBlock', batchOffset: at, offset: broken.offset };
    const fault = chains.follow(batch);
    if (fault !== undefined) return fault;
    yield batch;
    at += batch.length;
  }
}

/** The smallest unit that any disk writes as a whole. An interrupted system call ends at the end of a page. */
const SECTOR_BYTES = 512;
/** The block count and magic: never split by the edge of a sector, since batches begin at multiples of this size. */
const FIRST_FIELDS_BYTES = 8;

interface ExpectedBatch {
  readonly offset: number;
  readonly number: number;
  readonly journalId: Buffer;
}

/**
 * Whether the unsound batch at the offset can be a torn write. Space behind the journal's end holds zeros, so a tear leaves sectors of
 * zeros where bytes should be. If every sector has bytes and the checksum is still wrong, the batch was written, most likely acknowledged,
 * and damaged since.
 */
function isTorn(segment: Buffer, expected: ExpectedBatch): boolean {
  const batch = segment.subarray(expected.offset);
  if (isZero(batch.subarray(0, FIRST_FIELDS_BYTES))) return true;
  if (hasUnwrittenSector(segment, expected.offset, expected.offset + Math.min(BATCH_HEADER_BYTES, batch.length))) return true;
  const length = plausibleLength(batch, expected);
  if (length === undefined) return false;
  return hasUnwrittenSector(segment, expected.offset, expected.offset + length);
}

/** Length by the frame, when the frame is the expected one. */
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

/** The case of the end of a walk, and its offset. */
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
