import { join } from 'node:path';
import type { FileLayer } from '../files/file-layer.js';
import type { ShardHead, StoredBlock } from '../ports.js';
import { type ParsedBlock, storedBlock } from './batch-encoder.js';
import { asBuffer } from './format.js';
import { damaged, type Segment } from './segments.js';
import { Chains, judgeInner, walkBatches } from './walk.js';

export interface ReadOptions {
  readonly files: FileLayer;
  readonly folder: string;
  readonly segments: readonly Segment[];
  /** End of the last segment at the start of the reading. */
  readonly end: { readonly offset: number; readonly nextBatch: number };
  /** The last sequence of each shard that the reader has already. */
  readonly after: ReadonlyMap<number, number>;
}

/**
 * The wanted blocks in the order of writing. Segments without any are not even opened. Records are views of a segment's bytes: a record
 * that is kept keeps the segment in memory. Throws `JournalDamaged`.
 */
export function* readBlocks({ files, folder, segments, end, after }: ReadOptions): Generator<StoredBlock> {
  const isWanted = (last: Pick<ParsedBlock, 'shard' | 'lastSequence'>): boolean => last.lastSequence > (after.get(last.shard) ?? 0);
  for (const [index, segment] of segments.entries()) {
    const next = segments[index + 1];
    if (next !== undefined && !headsOf(next).some(isWanted)) continue;
    const path = join(folder, segment.name);
    const bytes = asBuffer(files.read(path, next === undefined ? end.offset : undefined));
    const chains = new Chains(segment.header);
    const walk = walkBatches(bytes, segment.header, chains, { isWanted, ...(next === undefined ? { to: end.offset } : {}) });
    let step = walk.next();
    for (; step.done !== true; step = walk.next()) {
      for (const block of step.value.blocks) if (isWanted(block)) yield storedBlock(bytes, block);
    }
    const nextBatch = next?.header.firstBatch ?? end.nextBatch;
    if (judgeInner(bytes, segment.header, step.value, chains.nextBatch, nextBatch).name !== 'whole') {
      const whole = asBuffer(files.read(path)); // the judgement of a damaged batch depends on what follows it
      throw damaged(folder, { file: segment.name, ...judgeInner(whole, segment.header, step.value, chains.nextBatch, nextBatch) });
    }
    if (next !== undefined && !areSameHeads(chains.heads, next.header.heads)) {
      throw damaged(folder, { name: 'headsMismatch', file: next.name, offset: 0 });
    }
  }
}

function headsOf(segment: Segment): readonly { readonly shard: number; readonly lastSequence: number }[] {
  return [...segment.header.heads].map(([shard, { lastSequence }]) => ({ shard, lastSequence }));
}

export function areSameHeads(one: ReadonlyMap<number, ShardHead>, other: ReadonlyMap<number, ShardHead>): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([shard, head]) => {
    const match = other.get(shard);
    return match?.lastSequence === head.lastSequence && Buffer.compare(match.hash, head.hash) === 0;
  });
}
