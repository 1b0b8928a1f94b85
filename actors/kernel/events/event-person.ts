import type { StoredEvent } from '../fact.js';
import type { World } from '../shard/world.js';

/**
 * An event with the external id of its borrower, which lies in the list index and not in the log: an erased borrower has none, also in
 * events that an earlier release stored with it.
 */
export function withPerson(event: StoredEvent, { catalog }: Pick<World, 'catalog'>): StoredEvent {
  const {
    tenant,
    refs: { personId },
    externalIds: { personId: recorded, ...others } = {},
  } = event;
  if (personId === undefined) return event;
  const row = catalog.get(tenant, 'person', personId);
  const externalId = row && (recorded ?? row.externalId);
  return { ...event, externalIds: externalId == null ? others : { personId: externalId, ...others } };
}
