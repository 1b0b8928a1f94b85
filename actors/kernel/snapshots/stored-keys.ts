import { keyBelow, type Tenant, tenantKey } from '../fact.js';

/**
 * Keys of the snapshots:
 *
 *   a/<actor>                    an actor
 *   p/<actor>/<part>             a part of it that seldom changes
 *   r/<actor>                    its row in the list index, with its day on the agenda
 *   x/<tenant>/<kind>/<external id>   the last known holder of the id; valid only while the holder's row has it; under a
 *                                   digest if the id is personal (`StoredNames`)
 *   m/…                          entries of the whole store
 */
export const ACTOR_PREFIX = 'a/';
export const PART_PREFIX = 'p/';
export const ROW_PREFIX = 'r/';
export const EXTERNAL_PREFIX = 'x/';

/** The state of a store: last sequence and id counter of each shard whose records it has in full. */
export const MARK_KEY = 'm/shards';
/** The ends of the journal's chains when the actors were stored. */
export const HEADS_KEY = 'm/heads';
/** The sealed secret of `StoredNames`. */
export const NAMES_KEY = 'm/names';
/** How many owners had a data key at that time. */
export const KEYS_KEY = 'm/keys';
export const CALENDAR_KEY = 'm/calendars';
/** Mass work, up to the marks. */
export const MASS_KEY = 'm/mass';
/** The field names of packed rows. */
export const SHAPES_KEY = 'm/shapes';
/** The shapes of packed actors and their parts. */
export const RECORD_SHAPES_KEY = 'm/forms';

/** Joined: a template would be a chain of strings, which maps keep as it is, with four objects for the collector instead of one. */
export const actorKey = (tenant: Tenant, kind: string, id: string): string => [keyBelow(tenant, kind), id].join('/');

export function readActorKey(key: string): { readonly tenant: Tenant; readonly kind: string; readonly id: string } {
  const [company = '', mode = '', kind = '', id = ''] = key.split('/');
  return { tenant: { company, mode: mode === 'live' ? 'live' : 'test' }, kind, id };
}

export const partKey = (actor: string, name: string): string => `${PART_PREFIX}${actor}/${name}`;

export const externalKey = (tenant: Tenant, kind: string, externalId: string): string =>
  `${EXTERNAL_PREFIX}${tenantKey(tenant)}/${kind}/${externalId}`;

/** After every key with the prefix, which is followed by a kind, a company or a mode. */
export const endOf = (prefix: string): string => `${prefix}~`;
