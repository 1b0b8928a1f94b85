import { addDays, type Day } from '../../../engine/index.js';
import type { Tenant } from '../fact.js';
import type { World } from '../shard/world.js';

/** The days of a zone by which a company lives. */
export interface ClosedZone {
  readonly zone: string;
  /** The last day that is closed. */
  readonly closed: Day;
  /** The operation that does, or did, the work of that day; null where it is no longer known. */
  readonly operationId: string | null;
}

/** All zones of a company in a mode. */
export function closedZones({ calendars, massWorks }: Pick<World, 'calendars' | 'massWorks'>, tenant: Tenant): readonly ClosedZone[] {
  return [...calendars.nextClosings(tenant)].map(({ zone, day }) => {
    const closed = addDays(day, -1);
    const closing = massWorks.closingOf(tenant, zone);
    return { zone, closed, operationId: closing?.task.type === 'day' && closing.task.day === closed ? closing.operationId : null };
  });
}
