import typia from 'typia';
import { Refusal, type UserCreateBody, type UserListQuery, type UserUpdateBody, type UserView } from '../../../actors/index.js';
import { hashPassword, passwordFaults } from '../../auth/passwords.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';

const TAGS = ['Users'];
const userReply = typia.json.schemas<[UserView], '3.1'>();
const permissions = { list: 'user:list', read: 'user:read', create: 'user:create', update: 'user:update', delete: 'user:delete' };

/** Who signs in, and whom API keys act for (people 3). */
export const userRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET', path: '/users/me', operation: 'getOwnUser', summary: 'The calling user', tags: TAGS, permission: null, reply: userReply,
    handle: (call) => call.read('user.me', call.caller.company, { query: { userId: call.caller.userId } }),
  }),
  ...declaredRoutes({
    type: 'user', name: 'User', noun: 'user', path: '/users', param: 'userId', tags: TAGS, permissions, createStatus: 200,
    query: { validate: typia.misc.createValidatePrune<UserListQuery>(), schemas: typia.json.schemas<[UserListQuery], '3.1'>() },
    create: { validate: typia.misc.createValidatePrune<UserCreateBody>(), schemas: typia.json.schemas<[UserCreateBody], '3.1'>() },
    commandBody: withPasswordHash,
    update: { validate: typia.misc.createValidatePrune<UserUpdateBody>(), schemas: typia.json.schemas<[UserUpdateBody], '3.1'>() },
    reply: userReply,
    listReply: typia.json.schemas<[UserView[]], '3.1'>(),
  }),
];

/** A password goes no further than here: the journal has its hash. */
async function withPasswordHash({ password, ...body }: UserCreateBody): Promise<object> {
  if (password === undefined) return body;
  const errors = passwordFaults(password, body.userName);
  if (errors.length > 0) throw new Refusal('validationError', 'The password is not good enough.', { errors });
  return { ...body, passwordHash: await hashPassword(password) };
}
