import { Ids } from '../ids.js';
import { LIMITS, SHARED_SHARD } from '../limits.js';

/** A set of shards with one engine, which one worker owns, takes over and gives away as a whole. */
export interface Unit {
  /** `u00` to `u15` and `shared`: part of bus addresses, and the name of its folder. */
  readonly name: string;
  readonly shards: readonly number[];
}

/** Units of 4 shards each; as many workers can share the load of a cluster. Part of the stored format, so it never changes. */
const LOAN_UNITS = 16;

const LOAN_UNIT_SHARDS = LIMITS.shards / LOAN_UNITS;

/** The unit of companies and calendars, which all others follow. */
export const SHARED_UNIT: Unit = { name: 'shared', shards: [SHARED_SHARD] };

/** The units of borrowers and everything below them. */
export const BORROWER_UNITS: readonly Unit[] = Array.from({ length: LOAN_UNITS }, (_, at) => ({
  name: `u${String(at).padStart(2, '0')}`,
  shards: Array.from({ length: LOAN_UNIT_SHARDS }, (_shard, within) => at * LOAN_UNIT_SHARDS + within),
}));

export const UNITS: readonly Unit[] = [...BORROWER_UNITS, SHARED_UNIT];

const unitsByShard = new Map(UNITS.flatMap((unit) => unit.shards.map((shard) => [shard, unit] as const)));

/** Undefined for a number that is not a shard. */
export const unitOf = (shard: number): Unit | undefined => unitsByShard.get(shard);

/** The unit whose bucket has the data keys of a person or a webhook. */
export function unitsOfOwners(idKey: Uint8Array): (owner: string) => string {
  const ids = new Ids(idKey);
  return (owner) => (unitOf(ids.shardOf(owner) ?? SHARED_SHARD) ?? SHARED_UNIT).name;
}

/** The address at which the owner of a unit serves. */
export const unitAddress = ({ name }: Unit): string => `unit.${name}`;
