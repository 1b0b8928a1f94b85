import { assert } from '../../engine/index.js';
import type { StoredBlock } from '../ports.js';
import { batchSeal } from './batch-encoder.js';
import {
  BATCH_ALIGNMENT,
  BATCH_HEADER_BYTES,
  BATCH_MAGIC,
  BATCH_SEALED_BYTES,
  BLOCK_HEADER_BYTES,
  BLOCK_OVERHEAD_BYTES,
  HASH_BYTES,
  JOURNAL_ID_BYTES,
  readNumber,
  RECORD_HEADER_BYTES,
  roundUp,
  sha256,
} from './format.js';

/** A batch whose frame and seal are sound. Its blocks' records are checked when somebody wants them. */
export interface ParsedBatch {
  readonly offset: number;
  readonly length: number;
  readonly number: number;
  readonly blocks: readonly ParsedBlock[];
}

export interface ParsedBlock {
  readonly offset: number;
  readonly length: number;
  readonly shard: number;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** Views of the segment's bytes. */
  readonly previousHash: Buffer;
  readonly hash: Buffer;
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
  const seal = batchSeal(head, blocks.map((block) => block.hash));
  if (!seal.equals(head.subarray(BATCH_SEALED_BYTES))) return undefined;
  return { offset, length, number: readNumber(head, 8), blocks };
}

function parseBlocks(segment: Buffer, offset: number, length: number, count: number): readonly ParsedBlock[] | undefined {
  const blocks: ParsedBlock[] = [];
  const end = offset + length;
  let at = offset + BATCH_HEADER_BYTES;
  while (blocks.length < count) {
    if (end - at < BLOCK_OVERHEAD_BYTES) return undefined;
    const blockLength = segment.readUInt32LE(at);
    if (blockLength < BLOCK_OVERHEAD_BYTES || blockLength > end - at) return undefined;
    const firstSequence = readNumber(segment, at + 8);
    blocks.push({
      offset: at,
      length: blockLength,
      shard: segment.readUInt32LE(at + 4),
      firstSequence,
      lastSequence: firstSequence + segment.readUInt32LE(at + 16) - 1,
      previousHash: segment.subarray(at + 24, at + 24 + HASH_BYTES),
      hash: segment.subarray(at + blockLength - HASH_BYTES, at + blockLength),
    });
    at += blockLength;
  }
  return roundUp(at - offset, BATCH_ALIGNMENT) === length ? blocks : undefined;
}

/** Whether the block's bytes are those that its hash was made from. */
export function isBlockWhole(segment: Buffer, block: ParsedBlock): boolean {
  return sha256(segment.subarray(block.offset, block.offset + block.length - HASH_BYTES)).equals(block.hash);
}

/** The block with its records: views of the segment's bytes. Call only on a whole block. */
export function storedBlock(segment: Buffer, block: ParsedBlock): StoredBlock {
  const records: Uint8Array[] = [];
  const end = block.offset + block.length - HASH_BYTES;
  let at = block.offset + BLOCK_HEADER_BYTES;
  while (at < end) {
    const length = segment.readUInt32LE(at);
    records.push(segment.subarray(at + RECORD_HEADER_BYTES, at + RECORD_HEADER_BYTES + length));
    at += RECORD_HEADER_BYTES + length;
  }
  const { shard, firstSequence, previousHash, hash } = block;
  assert(records.length === block.lastSequence - firstSequence + 1, `block of shard ${shard} holds as many records as it says`);
  return { shard, firstSequence, records, previousHash, hash };
}

/** The first sound batch at or behind the offset, wherever it lies. */
export function findBatch(segment: Buffer, from: number, journalId: Buffer): ParsedBatch | undefined {
  for (let at = segment.indexOf(BATCH_MAGIC, from); at !== -1; at = segment.indexOf(BATCH_MAGIC, at + 1)) {
    const batch = parseBatch(segment, at, journalId);
    if (batch !== undefined && batch.blocks.every((block) => isBlockWhole(segment, block))) return batch;
  }
  return undefined;
}
