import typia from 'typia';
import {
  type Fault,
  type PortalUserCreateBody,
  type PortalUserView,
  Refusal,
  type UserCreateBody,
  type UserListQuery,
  type UserUpdateBody,
  type UserView,
  type WithPasswordHash,
} from '../../../actors/index.js';
import { fieldOf } from '../../../engine/index.js';
import { assertMayActForBorrowers } from '../../auth/password-handler.js';
import { hashPassword, passwordFaults } from '../../auth/passwords.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';

const TAGS = ['Users'];
const userReply = typia.json.schemas<[UserView], '3.1'>();
const permissions = { list: 'user:list', read: 'user:read', create: 'user:create', update: 'user:update', delete: 'user:delete' };

/** Users of borrowers are stored with their borrowers, and reached there by the same operations. */
const OF_BORROWERS: Readonly<Record<string, (call: Call) => Promise<Reply>>> = {
  getUser: (call) => call.read('portalUser.get', call.params['userId'] ?? ''),
  updateUser(call) {
    assertMayActForBorrowers(call.caller);
    return call.command('portalUser.update', call.params['userId'] ?? '');
  },
  deleteUser(call) {
    assertMayActForBorrowers(call.caller);
    return call.command('portalUser.deactivate', call.params['userId'] ?? '');
  },
};

/** Users. They sign in, and API keys act for them. */
export const userRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/users/me',
    operation: 'getOwnUser',
    summary: 'Get the calling user',
    tags: TAGS,
    permission: null,
    reply: userReply,
    handle: (call) => call.read('user.me', call.caller.company, { query: { userId: call.caller.userId } }),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/user',
    operation: 'createPortalUser',
    summary: 'Create the portal user of a borrower',
    tags: TAGS,
    permission: 'user:create',
    description: 'A borrower has at most one user. It signs in with its user name, and has access only to data of its own borrower.',
    body: {
      validate: typia.misc.createValidatePrune<PortalUserCreateBody>(),
      schemas: typia.json.schemas<[PortalUserCreateBody], '3.1'>(),
    },
    faultsOf: faultsOfPassword,
    reply: typia.json.schemas<[PortalUserView], '3.1'>(),
    async handle(call) {
      assertMayActForBorrowers(call.caller);
      const { passwordFaults: errors, ...body } = await withHashOrFaults(call.body);
      if (errors !== undefined) throw new Refusal('validationError', '`password` does not meet the rules: see `errors`.', { errors });
      return call.command('portalUser.create', call.params.personId, { body });
    },
  }),
  ...declaredRoutes({
    type: 'user',
    name: 'User',
    noun: 'user',
    path: '/users',
    param: 'userId',
    tags: TAGS,
    permissions,
    createStatus: 200,
    query: { validate: typia.misc.createValidatePrune<UserListQuery>(), schemas: typia.json.schemas<[UserListQuery], '3.1'>() },
    create: { validate: typia.misc.createValidatePrune<UserCreateBody>(), schemas: typia.json.schemas<[UserCreateBody], '3.1'>() },
    commandBody: withHashOrFaults,
    newFaultsOf: faultsOfPassword,
    update: { validate: typia.misc.createValidatePrune<UserUpdateBody>(), schemas: typia.json.schemas<[UserUpdateBody], '3.1'>() },
    reply: userReply,
    listReply: typia.json.schemas<[UserView[]], '3.1'>(),
  }).map(alsoOfBorrowers),
];

function alsoOfBorrowers(route: Route): Route {
  if (route.operation === 'listUsers')
    return {
      ...route,
      handle: (call) => (isOfBorrowers(call.query) ? call.read('portalUser.list', null) : route.handle(call)),
    };
  const there = OF_BORROWERS[route.operation];
  if (!there) return route;
  return {
    ...route,
    async handle(call) {
      try {
        return await route.handle(call);
      } catch (cause) {
        if (!(cause instanceof Refusal) || cause.errorType !== 'notFound' || (call.params['userId'] ?? '').startsWith('ext-')) throw cause;
        return there(call);
      }
    },
  };
}

const isOfBorrowers = (query: unknown): boolean => fieldOf(query, 'type') === 'borrower';

const NEEDS_BASIC: Fault = {
  path: 'password',
  expected: 'nothing, unless `auths` has authType basic',
  message: 'password can only be set with an entry of authType basic in auths',
};

/** What is wrong with the password of a new user. */
function faultsOfPassword({ password, userName = '', auths }: Partial<UserCreateBody> | Partial<PortalUserCreateBody>): readonly Fault[] {
  if (password === undefined) return [];
  const isUsed = auths === undefined || auths.some(({ authType }) => authType === 'basic');
  return [...passwordFaults(password, userName), ...(isUsed ? [] : [NEEDS_BASIC])];
}

/** Replaces the password by its hash, which alone is stored, or by what is wrong with it, to be named with the other faults of the body. */
async function withHashOrFaults({
  password,
  ...body
}: UserCreateBody | PortalUserCreateBody): Promise<Pick<UserCreateBody, 'userName'> & WithPasswordHash> {
  if (password === undefined) return body;
  const faults = faultsOfPassword({ password, ...body });
  return faults.length > 0 ? { ...body, passwordFaults: faults } : { ...body, passwordHash: await hashPassword(password) };
}
