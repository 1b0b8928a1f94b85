import { type Fact, RULES_VERSION, SCHEMA_VERSION, SYSTEM_AGENT, tenantOf } from '../fact.js';
import { MASS } from '../jobs/mass-works.js';
import { LIMITS } from '../limits.js';
import type { ShardBlock } from '../ports.js';
import { type JournalRecord, packFact, readRecord } from './records.js';

/** Records of one command, or of one batch of mass work: all of them are kept, or none. */
interface Piece {
  readonly end: number;
  readonly newestStamp: number;
}

/**
 * The records of a block up to a moment, as if the journal had ended there; null when there are none. Stamps rise within a shard, and a
 * decision based on a fact has a higher stamp than the fact, whatever their shards: when all shards are cut at one stamp, no record refers
 * to a missing one.
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

/** The kind of facts about the journal itself. */
export const JOURNAL = 'journal';

/**
 * A shard of the journal was restored from an export. Records after the end of the export may have used ids, which this journal must not
 * give again.
 */
interface JournalRestored {
  /** ISO moment of machine time at which the export was made. */
  readonly exportedAt: string;
  /** The moment up to which the export was restored; null = all of it. */
  readonly until: string | null;
  /** Last sequence of the shard in the export. */
  readonly exportedSequence: number;
}

export interface Restored extends JournalRestored {
  readonly shard: number;
  /** After the last restored record. */
  readonly sequence: number;
  /** The highest of the shard in the export. */
  readonly idCounter: number;
  /** Microseconds; above all stamps of the export. */
  readonly stamp: number;
}

/** The block that a restore writes after the restored records of a shard: it skips ids that may have been given since. */
export function restoredBlock({ shard, sequence, idCounter, stamp, ...body }: Restored): ShardBlock {
  const fact: Fact = {
    sequence,
    stamp,
    kind: JOURNAL,
    id: String(shard),
    type: 'JournalRestored',
    body,
    tenant: tenantOf('journal', 'live'),
    businessAt: Math.floor(stamp / 1000),
    effective: null,
    by: SYSTEM_AGENT,
    address: null,
    caseId: null,
    requestId: 'restore',
    commandId: `restore-${stamp}`,
    schemaVersion: SCHEMA_VERSION,
    rulesVersion: RULES_VERSION,
  };
  return { shard, firstSequence: sequence, records: [packFact(fact, idCounter + LIMITS.idsSteppedOver)] };
}
