import type { ShardHead } from '../ports.js';
import { parseBatch, type ParsedBatch } from './batch-parser.js';
import { isBlockWhole, type ParsedBlock } from './block.js';
import { NO_HASH } from './format.js';
import type { SegmentHeader } from './segment-header.js';

/** Why a walk over a segment's batches ended, and where: `noBatch` is what the end of the content looks like, too. */
export interface WalkEnd {
  readonly type: 'noBatch' | 'damagedBlock' | 'batchGap' | 'sequenceGap' | 'chainMismatch';
  /** Of the batch that is not sound or does not fit: everything before it does. */
  readonly batchOffset: number;
  /** Of the block in it that is at fault, or of the batch. */
  readonly offset: number;
}

/** Where the chains of all shards stand while batches are walked in their order. */
export class Chains {
  readonly heads: Map<number, ShardHead>;
  nextBatch: number;
  #isAfterDamage = false;

  constructor(header: SegmentHeader) {
    this.heads = new Map(header.heads);
    this.nextBatch = header.firstBatch;
  }

  /** Goes on behind damage: what a shard continues from is unknown until its next block. */
  resumeAt(batch: ParsedBatch): void {
    this.#isAfterDamage = true;
    this.heads.clear();
    this.nextBatch = batch.number;
  }

  /** Takes the batch as the next one, whether it fits or not; tells of the first thing that does not. */
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
