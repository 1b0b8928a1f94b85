import { assert } from '../../engine/index.js';
import { limits } from '../limits.js';
import type { ShardBlock, ShardHead } from '../ports.js';
import { blockBytes, writeBlock } from './block.js';
import {
  BATCH_ALIGNMENT,
  BATCH_HEADER_BYTES,
  BATCH_MAGIC,
  BATCH_SEALED_BYTES,
  HASH_BYTES,
  NO_HASH,
  roundUp,
  sha256,
  writeNumber,
} from './format.js';

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

  /** `before` holds the heads on which the blocks must follow without a gap. */
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

/** What makes a batch one: covers its header and, through their hashes, all its blocks. */
export function batchSeal(batch: Buffer, hashes: readonly Uint8Array[]): Buffer {
  return sha256(Buffer.concat([batch.subarray(0, BATCH_SEALED_BYTES), ...hashes]));
}
