import type { KeyValue } from '../ports.js';
import { pack, unpack } from '../journal/records.js';
import { MARK_KEY } from './stored-keys.js';

/** How actors, rows and marks are stored. What was stored in another way is computed from the journal again. */
export const SNAPSHOT_FORMAT = 16;

/** Of each shard: the last sequence that a store holds, and the id counter there. */
export type Marks = readonly (readonly [sequence: number, idCounter: number])[];

export const packMarks = (marks: Marks): Uint8Array => pack([SNAPSHOT_FORMAT, marks]);

/** Empty for a store that holds nothing; null for one of another format. */
export function readMarks(store: KeyValue): Marks | null {
  const bytes = store.get(MARK_KEY);
  if (!bytes) return [];
  const [format, marks] = unpack(bytes) as readonly [unknown, Marks];
  return format === SNAPSHOT_FORMAT ? marks : null;
}

/** Records of some shards that a store holds; none where it is of another format. */
export const recordsStored = (store: KeyValue, shards: readonly number[]): number =>
  shards.reduce((records, shard) => records + (readMarks(store)?.[shard]?.[0] ?? 0), 0);

/** Records between two marks. */
export function recordsBetween(earlier: Marks, later: Marks): number {
  return later.reduce((records, [sequence], shard) => records + sequence - (earlier[shard]?.[0] ?? 0), 0);
}

export const highest = (one: Marks, other: Marks): Marks =>
  other.map(([sequence, idCounter], shard) => [Math.max(sequence, one[shard]?.[0] ?? 0), Math.max(idCounter, one[shard]?.[1] ?? 0)]);
