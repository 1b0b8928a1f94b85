import { must } from '../../engine/index.js';
import { type PersonState, personView, type ViewEnv } from '../borrower/index.js';
import type { EvolveEnv } from '../runtime/actor.js';
import { dateTimeText, orNull } from '../wire.js';
import type { PortalUserView } from './requests.js';
import type { PersonalPart, PortalUserState } from './state.js';

export const contextOf = (userId: string): string => `user/${userId}`;

/** Null once the borrower was erased. */
export function personalOf(env: Pick<EvolveEnv, 'open'>, { id, personId, sealed }: PortalUserState): PersonalPart | null {
  const text = env.open(personId, sealed, contextOf(id));
  return text === undefined ? null : (JSON.parse(text) as PersonalPart);
}

export function portalUserView(state: PortalUserState, env: EvolveEnv & ViewEnv): PortalUserView {
  const { id, tenant, personId, externalId, status, createdAt, updatedAt } = state;
  const { userName, auths } = personalOf(env, state) ?? { userName: '', auths: [] };
  return {
    id, object: 'user', companyId: tenant.company, userId: null, externalId, type: 'borrower', status, userName, roleIds: [], auths, employee: null,
    person: personView(must(env.read<PersonState>('person', personId), 'a user lies beside its borrower'), env),
    createdAt: dateTimeText(createdAt), updatedAt: orNull(dateTimeText, updatedAt), deletedAt: null,
  };
}
