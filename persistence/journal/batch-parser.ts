import { batchSeal } from './batch-encoder.js';
import { isBlockWhole, parseBlock, type ParsedBlock } from './block.js';
import {
  BATCH_ALIGNMENT,
  BATCH_HEADER_BYTES,
  BATCH_MAGIC,
  BATCH_SEALED_BYTES,
  BLOCK_OVERHEAD_BYTES,
  JOURNAL_ID_BYTES,
  readNumber,
  roundUp,
} from './format.js';

/** A batch whose frame and seal are sound. Its blocks' records are checked when somebody wants them. */
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
