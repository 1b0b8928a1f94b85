import { ownJson } from '../../engine/index.js';
import type { DecideEnv, EvolveEnv } from '../kernel/actor.js';
import { dateTimeText, orNull } from '../wire.js';
import type { BorrowerUserView, PersonalPart, PortalUserState, ShownUser } from './portal-user.js';

export const contextOf = (userId: string): string => `user/${userId}`;

/** Null after the borrower was erased. */
export function personalOf(env: Pick<EvolveEnv, 'open'>, { id, personId, sealed }: PortalUserState): PersonalPart | null {
  const text = env.open(personId, sealed, contextOf(id));
  return text === undefined ? null : ownJson<PersonalPart>(text);
}

/** A user as all replies show it: by itself and within its borrower. */
export function shownUser(state: PortalUserState, env: Pick<EvolveEnv, 'open'>): ShownUser {
  const { id, tenant, externalId, status, createdAt, updatedAt } = state;
  const { userName, auths } = personalOf(env, state) ?? { userName: '', auths: [] };
  return {
    id,
    object: 'user',
    companyId: tenant.company,
    userId: null,
    externalId,
    type: 'borrower',
    status,
    userName,
    roleIds: [],
    auths,
    employee: null,
    createdAt: dateTimeText(createdAt),
    updatedAt: orNull(dateTimeText, updatedAt),
    deletedAt: null,
  };
}

/** Reads states of the shard, to find a user. */
export type UserFinder = Pick<DecideEnv, 'read' | 'open'>;

/** The user of a borrower, for replies that show the borrower. */
export function userOfBorrower({ userId }: { readonly userId: string | null }, env: UserFinder): BorrowerUserView | null {
  const state = userId === null ? undefined : env.read<PortalUserState>('portalUser', userId);
  return state ? { ...shownUser(state, env), person: null } : null;
}
