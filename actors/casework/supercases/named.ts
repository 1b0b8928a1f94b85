import { refuse } from '../../errors.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { Tenant } from '../../kernel/tenant.js';
import { isReachable, type SupercaseState } from './state.js';

/** The supercase that a path or a body names; 404 where there is none. */
export function supercaseOf(env: EvolveEnv & { readonly tenant: Tenant }, anyId: string): SupercaseState {
  const id = anyId.startsWith('ext-') ? env.findExternal(env.tenant, 'supercase', anyId.slice(4)) : anyId;
  const supercase = id === undefined ? undefined : env.read<SupercaseState>('supercase', id);
  return supercase && isReachable(supercase) ? supercase : refuse('notFound', `There is no supercase ${anyId}.`);
}
