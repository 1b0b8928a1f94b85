import { assert } from '../../engine/index.js';
import { limits } from '../limits.js';
import type { ShardBlock, ShardHead, StoredBlock } from '../ports.js';
import {
  BATCH_ALIGNMENT,
  BATCH_HEADER_BYTES,
  BATCH_MAGIC,
  BATCH_SEALED_BYTES,
  BLOCK_HEADER_BYTES,
  BLOCK_OVERHEAD_BYTES,
  END_MAGIC,
  HASH_BYTES,
  JOURNAL_ID_BYTES,
  NO_HASH,
  readNumber,
  RECORD_HEADER_BYTES,
  roundUp,
  sha256,
  writeNumber,
} from './format.js';

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

/** The block that begins at the offset and ends by `end`; undefined where there is no frame of a block. */
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

/** Bytes of the block in a batch or a message. */
export function blockBytes(block: ShardBlock): number {
  return block.records.reduce((sum, record) => sum + RECORD_HEADER_BYTES + record.length, BLOCK_OVERHEAD_BYTES);
}

/** Writes the block into a buffer that has room for it; returns its end, which is the end of its hash. */
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

export interface EncodedBatch {
  /** A view of the encoder's buffer: valid until the next `encode`. */
  readonly bytes: Buffer;
  /** New heads of the shards that have a block in it. */
  readonly heads: ReadonlyMap<number, ShardHead>;
}

/** Writes batches into one buffer that grows with the largest: only one append is ever in flight. */
export class BatchEncoder {
  private buffer = Buffer.allocUnsafeSlow(256 * 1024);

  constructor(private readonly journalId: Buffer) {}

  /** `before` holds the heads that the blocks must follow without a gap. */
  encode(number: number, blocks: readonly ShardBlock[], before: ReadonlyMap<number, ShardHead>): EncodedBatch {
    assert(blocks.length > 0, 'a batch has at least one block');
    const content = blocks.reduce((sum, block) => sum + blockBytes(block), BATCH_HEADER_BYTES);
    const length = roundUp(content, BATCH_ALIGNMENT);
    assert(length <= limits.batchBytes, `a batch of ${length} bytes exceeds limits.batchBytes`);
    const bytes = this.reserve(length);

    const heads = new Map<number, ShardHead>();
    const hashes: Uint8Array[] = [];
    let at = BATCH_HEADER_BYTES;
    for (const block of blocks) {
      const head = heads.get(block.shard) ?? before.get(block.shard);
      assert(block.records.length > 0, `block of shard ${block.shard} holds records`);
      assert(
        block.firstSequence === (head?.lastSequence ?? 0) + 1,
        `shard ${block.shard} continues at ${(head?.lastSequence ?? 0) + 1}, not at ${block.firstSequence}`,
      );
      const end = writeBlock(bytes, at, block, head?.hash ?? NO_HASH);
      const hash = Uint8Array.from(bytes.subarray(end - HASH_BYTES, end));
      heads.set(block.shard, { lastSequence: block.firstSequence + block.records.length - 1, hash });
      hashes.push(hash);
      at = end;
    }
    bytes.fill(0, at);

    BATCH_MAGIC.copy(bytes, 0);
    bytes.writeUInt32LE(blocks.length, 4);
    writeNumber(bytes, number, 8);
    bytes.writeUInt32LE(length, 16);
    bytes.writeUInt32LE(0, 20);
    this.journalId.copy(bytes, 24);
    batchSeal(bytes, hashes).copy(bytes, BATCH_SEALED_BYTES);
    return { bytes, heads };
  }

  private reserve(length: number): Buffer {
    if (this.buffer.length < length) this.buffer = Buffer.allocUnsafeSlow(Math.max(length, this.buffer.length * 2));
    return this.buffer.subarray(0, length);
  }
}

/** Seals a batch: covers its header and, through their hashes, all its blocks. */
export function batchSeal(batch: Buffer, hashes: readonly Uint8Array[]): Buffer {
  return sha256(Buffer.concat([batch.subarray(0, BATCH_SEALED_BYTES), ...hashes]));
}

/**
 * Follows the last batch of a segment once the next segment has its final name. A last segment with an end mark therefore shows that a
 * later one was removed.
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
