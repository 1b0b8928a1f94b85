import { assert } from '../../engine/index.js';
import type { ShardBlock, StoredBlock } from '../ports.js';
import { BLOCK_HEADER_BYTES, BLOCK_OVERHEAD_BYTES, HASH_BYTES, readNumber, RECORD_HEADER_BYTES, sha256, writeNumber } from './format.js';

/** A block as bytes, in a batch of a segment or in a message of a stream: the same, so that its chain survives a move between them. */

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

/** The block that begins at the offset and ends by `end`; undefined when no frame of one lies there. */
export function parseBlock(bytes: Buffer, offset: number, end: number): ParsedBlock | undefined {
  if (end - offset < BLOCK_OVERHEAD_BYTES) return undefined;
  const length = bytes.readUInt32LE(offset);
  if (length < BLOCK_OVERHEAD_BYTES || length > end - offset) return undefined;
  const firstSequence = readNumber(bytes, offset + 8);
  return {
    offset,
    length,
    shard: bytes.readUInt32LE(offset + 4),
    firstSequence,
    lastSequence: firstSequence + bytes.readUInt32LE(offset + 16) - 1,
    previousHash: bytes.subarray(offset + 24, offset + 24 + HASH_BYTES),
    hash: bytes.subarray(offset + length - HASH_BYTES, offset + length),
  };
}

/** What the block takes in a batch or a message. */
export function blockBytes(block: ShardBlock): number {
  return block.records.reduce((sum, record) => sum + RECORD_HEADER_BYTES + record.length, BLOCK_OVERHEAD_BYTES);
}

/** Writes the block into a buffer that has room for it; returns where it ends, its hash last. */
export function writeBlock(into: Buffer, at: number, block: ShardBlock, previousHash: Uint8Array): number {
  into.writeUInt32LE(block.shard, at + 4);
  writeNumber(into, block.firstSequence, at + 8);
  into.writeUInt32LE(block.records.length, at + 16);
  into.writeUInt32LE(0, at + 20);
  into.set(previousHash, at + 24);
  let end = at + BLOCK_HEADER_BYTES;
  for (const record of block.records) {
    into.writeUInt32LE(record.length, end);
    into.set(record, end + RECORD_HEADER_BYTES);
    end += RECORD_HEADER_BYTES + record.length;
  }
  into.writeUInt32LE(end + HASH_BYTES - at, at);
  sha256(into.subarray(at, end)).copy(into, end);
  return end + HASH_BYTES;
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
