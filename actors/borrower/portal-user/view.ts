import { must } from '../../../engine/index.js';
import { companyOf, type Credentials, isLiving, openAuthenticator } from '../../company/index.js';
import type { EvolveEnv, QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { DEFAULT_LIMIT } from '../../page.js';
import type { ListResult } from '../../wire.js';
import { isReachable, type PersonState } from '../state.js';
import { personWithoutUser, type ViewEnv } from '../views.js';
import type { PortalUserListQuery, PortalUserView } from './requests.js';
import { personalOf, shownUser } from './shown-user.js';
import type { PortalUserState } from './state.js';

export const portalUserView = (state: PortalUserState, env: EvolveEnv & ViewEnv): PortalUserView => ({
  ...shownUser(state, env),
  person: personWithoutUser(must(env.read<PersonState>('person', state.personId), 'a user lies beside its borrower'), env),
});

/** Whose a token is, where it is still good. It never leaves the service. */
export interface PortalSession {
  readonly personId: string;
  readonly personExternalId: string | null;
}

/** What a token says of its session. */
export interface ShownSession {
  readonly jti: string;
  readonly generation: number;
}

export const portalUserQueries: readonly QuerySpec<PortalUserState>[] = [
  { kind: 'portalUser', type: 'portalUser.get', on: 'target', read: ({ state, env }) => portalUserView(state, env) },
  {
    kind: 'portalUser',
    type: 'portalUser.list',
    on: 'tenant',
    read({ query, env }): ListResult {
      const { status, limit = DEFAULT_LIMIT, ...cursor } = query as PortalUserListQuery;
      const page = env.list('portalUser', {
        matches: ({ fields }) => status === undefined || fields['status'] === status,
        limit,
        ...cursor,
      });
      const items = page.rows.map(({ id }) =>
        portalUserView(must(env.stateOf<PortalUserState>('portalUser', id), `the listed user ${id}`), env),
      );
      return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
    },
  },
  { kind: 'portalUser', type: 'portalUser.credentials', on: 'target', read: ({ state, env }) => credentialsOf(state, env) },
  {
    kind: 'portalUser',
    type: 'portalUser.session',
    on: 'target',
    read({ state, query, env }): PortalSession | null {
      const person =
        isActive(state, env) && isLiving(state, query as ShownSession) ? env.read<PersonState>('person', state.personId) : undefined;
      return person ? { personId: person.id, personExternalId: person.externalId } : null;
    },
  },
];

/** With its borrower: whoever was deleted does not sign in. */
function isActive({ status, personId }: PortalUserState, env: QueryEnv): boolean {
  const person = env.read<PersonState>('person', personId);
  return status === 'active' && person !== undefined && isReachable(person) && companyOf(env, env.tenant).profile?.status === 'active';
}

function credentialsOf(state: PortalUserState, env: QueryEnv): Credentials | null {
  const { id: userId, personId: ownerId, passwordHash, generation, signIn } = state;
  const { formerPasswords, lockedUntil, grants } = signIn;
  const authenticator = openAuthenticator(env, { ownerId, userId }, signIn);
  const personal = personalOf(env, state);
  return (
    personal && {
      userId,
      ...personal,
      userType: 'borrower',
      isActive: isActive(state, env),
      passwordHash,
      formerPasswords,
      generation,
      lockedUntil,
      grants,
      authenticator,
      permissions: [],
    }
  );
}
