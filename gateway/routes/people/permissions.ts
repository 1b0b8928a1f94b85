import typia from 'typia';
import { EVERY_PERMISSION, pageOf, type PageQuery, type PermissionEntry, PERMISSIONS, Refusal } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

interface ListPermissions extends PageQuery {
  readonly group?: string;
}

/** All permissions, and those of the caller. */
export const permissionRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/auth/permissions',
    operation: 'listOwnPermissions',
    summary: 'List the permissions of the caller by company',
    tags: ['Auth'],
    permission: null,
    handle: ({ caller: { company, permissions } }) => ({
      extra: { [company]: permissions.has(EVERY_PERMISSION) ? PERMISSIONS.map(({ name }) => name).sort() : [...permissions].sort() },
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/permissions',
    operation: 'listPermissions',
    summary: 'List all permissions',
    tags: ['Permissions'],
    permission: 'permission:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<ListPermissions>(), schemas: typia.json.schemas<[ListPermissions], '3.1'>() },
    reply: typia.json.schemas<[PermissionEntry[]], '3.1'>(),
    handle: async ({ query: { group, ...page } }) => ({
      data: pageOf(
        PERMISSIONS.filter((entry) => group === undefined || entry.group === group),
        page,
        (entry) => entry,
      ),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/permissions/{permissionId}',
    operation: 'getPermission',
    summary: 'Get a permission',
    tags: ['Permissions'],
    permission: 'permission:list',
    reply: typia.json.schemas<[PermissionEntry], '3.1'>(),
    handle: ({ params: { permissionId } }) => {
      const found = PERMISSIONS.find(({ id }) => id === permissionId);
      if (!found) throw new Refusal('notFound', `There is no permission ${permissionId}.`);
      return { data: found };
    },
  }),
];
