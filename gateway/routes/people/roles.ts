import typia from 'typia';
import {
  permissionFaults,
  type RoleCloneBody,
  type RoleCreateBody,
  type RoleListQuery,
  type RoleUpdateBody,
  type RoleView,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';

const TAGS = ['Roles'];
const roleReply = typia.json.schemas<[RoleView], '3.1'>();
const permissions = { list: 'role:list', read: 'role:read', create: 'role:create', update: 'role:update', delete: 'role:delete' };

/** Named sets of permissions. */
export const roleRoutes: readonly Route[] = [
  ...declaredRoutes({
    type: 'role',
    name: 'Role',
    noun: 'role',
    path: '/roles',
    param: 'roleId',
    tags: TAGS,
    permissions,
    createStatus: 200,
    query: { validate: typia.misc.createValidatePrune<RoleListQuery>(), schemas: typia.json.schemas<[RoleListQuery], '3.1'>() },
    create: { validate: typia.misc.createValidatePrune<RoleCreateBody>(), schemas: typia.json.schemas<[RoleCreateBody], '3.1'>() },
    update: { validate: typia.misc.createValidatePrune<RoleUpdateBody>(), schemas: typia.json.schemas<[RoleUpdateBody], '3.1'>() },
    faultsOf: ({ permissions: named = [] }) => permissionFaults(named),
    reply: roleReply,
    listReply: typia.json.schemas<[RoleView[]], '3.1'>(),
  }),
  defineRoute({
    method: 'POST',
    path: '/roles/{roleId}/clone',
    operation: 'cloneRole',
    summary: 'Copy a role under another alias',
    tags: TAGS,
    permission: 'role:create',
    body: { validate: typia.misc.createValidatePrune<RoleCloneBody>(), schemas: typia.json.schemas<[RoleCloneBody], '3.1'>() },
    reply: roleReply,
    handle: (call) => call.command('role.clone', call.caller.company),
  }),
];
