import { Refusal } from '../../errors.js';
import type { Tenant } from '../fact.js';
import type { World } from './world.js';

/** The service id that an AnyId names for this tenant. What another tenant owns is not found. */
export function locate(world: World, tenant: Tenant, kind: string, target: string): string {
  const id = target.startsWith('ext-') ? world.catalog.findExternal(tenant, kind, target.slice(4)) : target;
  if (id === undefined || !world.catalog.get(tenant, kind, id)) throw new Refusal('notFound', `There is no ${kind} ${target}.`);
  return id;
}
