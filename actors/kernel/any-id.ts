import type { EvolveEnv, QueryEnv } from './actor.js';
import type { Tenant } from './tenant.js';

/** The service id that an AnyId of a path or body names (`ext-` leads an external id); undefined when no object has it. */
export const resolveId = (env: EvolveEnv, tenant: Tenant, kind: string, anyId: string): string | undefined =>
  anyId.startsWith('ext-') ? env.findExternal(tenant, kind, anyId.slice(4)) : anyId;

/** The id of an object that is known here, or that only another part of the cluster may know. */
export function knownId(env: QueryEnv, kind: string, anyId: string): string | undefined {
  const id = resolveId(env, env.tenant, kind, anyId);
  return id !== undefined && env.isHere(id) && env.read(kind, id) === undefined ? undefined : id;
}
