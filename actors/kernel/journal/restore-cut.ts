import { MASS } from '../jobs/mass-facts.js';
import type { ShardBlock } from '../ports.js';
import { type JournalRecord, readRecord } from './records.js';

/** Records of one command, or of one slice of mass work: all of them are kept, or none. */
interface Piece {
  readonly end: number;
  readonly newestStamp: number;
}

/**
 * What a block holds of a moment and before it, as if the journal had ended there; null when that is nothing. Stamps rise within a shard,
 * and what was decided on a fact has a higher stamp than the fact, on whatever shard it lies: a cut of all shards at one stamp lacks
 * nothing that it refers to.
 */
export function cutBlock(block: ShardBlock, throughStamp: number): ShardBlock | null {
  let kept = 0;
  for (const { end, newestStamp } of piecesOf(block)) {
    if (newestStamp > throughStamp) break;
    kept = end;
  }
  return kept === 0 ? null : { ...block, records: block.records.slice(0, kept) };
}

function* piecesOf({ firstSequence, records }: ShardBlock): Generator<Piece> {
  let open: { commandId: string; newestStamp: number; isOver: boolean } | null = null;
  for (const [at, bytes] of records.entries()) {
    const record = readRecord(bytes, firstSequence + at);
    if (record.type === 'fact') {
      const { commandId, kind } = record.fact;
      if (open !== null && (open.isOver || open.commandId !== commandId)) {
        yield { end: at, newestStamp: open.newestStamp };
        open = null;
      }
      open ??= { commandId, newestStamp: 0, isOver: false };
      open.isOver = kind === MASS;
    }
    open ??= { commandId: '', newestStamp: 0, isOver: false };
    open.newestStamp = Math.max(open.newestStamp, stampOf(record));
  }
  if (open !== null) yield { end: records.length, newestStamp: open.newestStamp };
}

/** A reply has the stamp of what it answers. */
export const stampOf = (record: JournalRecord): number =>
  record.type === 'fact' ? record.fact.stamp : record.type === 'event' ? record.event.stamp : 0;
