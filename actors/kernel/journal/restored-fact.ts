import { type Fact, RULES_VERSION, SCHEMA_VERSION, SYSTEM_AGENT, tenantOf } from '../fact.js';
import { LIMITS } from '../limits.js';
import type { ShardBlock } from '../ports.js';
import { packFact } from './records.js';

/** The kind of facts about the journal itself. */
export const JOURNAL = 'journal';

/**
 * A shard of the journal was put back from an export. What was recorded behind its end there may have been given ids that this one must
 * not give again.
 */
interface JournalRestored {
  /** ISO moment of machine time at which the export was made. */
  readonly exportedAt: string;
  /** The moment up to which it was taken over; null = all of it. */
  readonly until: string | null;
  /** Last sequence of the shard in the export. */
  readonly exportedSequence: number;
}

export interface Restored extends JournalRestored {
  readonly shard: number;
  /** Behind the last record that was put back. */
  readonly sequence: number;
  /** The highest that the export knows of the shard. */
  readonly idCounter: number;
  /** Microseconds; above all stamps of the export. */
  readonly stamp: number;
}

/** The block that a restore writes behind what it has put back on a shard: it steps over ids that may have been given since. */
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
