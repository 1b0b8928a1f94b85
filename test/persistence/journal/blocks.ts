import type { ShardBlock, StoredBlock } from '../../../actors/index.js';

/** So that a test of a few batches sees segments begin and end. */
export const SMALL_SEGMENT_BYTES = 8 * 1024;

export function blockOf(shard: number, firstSequence: number, texts: readonly string[]): ShardBlock {
  return { shard, firstSequence, records: texts.map((text) => Buffer.from(text)) };
}

/** Every record as `shard:text`, in the order of the journal. */
export function textsOf(blocks: Iterable<StoredBlock>): readonly string[] {
  const texts: string[] = [];
  for (const { shard, records } of blocks) {
    for (const record of records) texts.push(`${shard}:${Buffer.from(record).toString()}`);
  }
  return texts;
}
