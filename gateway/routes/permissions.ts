import { ALL_PERMISSIONS } from '../auth/credential.js';
import { defineRoute, type Route } from '../routing/route.js';

/** Asked for by commands beside the permission of their route. */
const FURTHER = [
  'payment.instrument:external',
  'payment.instrument:force',
  'transaction:create',
  'transaction:create.downpayment',
  'transaction:create.onetimepayment',
  'transaction:create.servicecredit',
];

/** What the caller may do: every permission that a route asks for, or those that it was given (people 1). */
export function permissionRoutes(routes: readonly Route[]): readonly Route[] {
  const named = routes.map(({ permission }) => permission).filter((permission) => permission !== null && permission !== 'public');
  const all = [...new Set([...named, ...FURTHER])].sort();
  const [every = ''] = ALL_PERMISSIONS;
  return [
    defineRoute({
      method: 'GET', path: '/auth/permissions', operation: 'listOwnPermissions', summary: 'Permissions of the caller a company', tags: ['Auth'],
      permission: null,
      handle: ({ caller: { company, permissions } }) => ({ extra: { [company]: permissions.has(every) ? all : [...permissions].sort() } }),
    }),
  ];
}
