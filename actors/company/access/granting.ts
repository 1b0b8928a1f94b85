import { type Fault, Refusal, refuse } from '../../errors.js';
import { EVERY_PERMISSION, isPermitted } from '../../permission.js';
import type { CommandRequest } from '../../kernel/actor.js';
import type { ResourceHost, ResourceRecord } from '../../kernel/resources/index.js';
import { isPermissionName, PERMISSIONS } from './permission-table.js';
import { type Role, rolesOf } from './role.js';
import { type User, usersOf } from './user.js';

type Roles = ReadonlyMap<string, { readonly stored: Pick<Role, 'permissions'> }>;

/** What a user may do: the permissions of all roles together. */
export function permissionsOf(host: ResourceHost, { roleIds }: User, roles: Roles = rolesOf(host)): ReadonlySet<string> {
  return new Set(roleIds.flatMap((id) => roles.get(id)?.stored.permissions ?? []));
}

/** Nobody may give what they do not have. */
export function assertGrantable(permissions: Iterable<string>, { permissions: own }: CommandRequest): void {
  for (const permission of permissions) {
    if (!isPermitted(own, permission))
      throw new Refusal('permissionDenied', `Nobody gives a permission that they lack: ${permission}.`, { extra: { permission } });
  }
}

/**
 * Nobody changes credentials, roles, keys, teams or investors of somebody who may do more than they: they could act as that
 * user, or take away what they were never given. Who sees the loans of some investors alone gets to none of these commands
 * (gateway/auth/investor-routes.ts).
 */
export function assertNotAbove(host: ResourceHost, userIds: Iterable<string>, { permissions: own }: CommandRequest): void {
  const users = usersOf(host);
  for (const id of userIds) {
    const user = users.get(id);
    const beyond = user && [...permissionsOf(host, user.stored)].find((permission) => !isPermitted(own, permission));
    if (beyond !== undefined)
      throw new Refusal('permissionDenied', `The user ${id} has a permission that you lack: ${beyond}.`, { extra: { permission: beyond } });
  }
}

/** The holders of a role who could do other things without it, or with other permissions in it. */
export const affectedBy = (host: ResourceHost, roleId: string, after: readonly string[]): readonly string[] =>
  [...usersOf(host).values()].flatMap(({ id, stored }) => {
    if (!stored.roleIds.includes(roleId)) return [];
    const roles = new Map<string, { readonly stored: Pick<Role, 'permissions'> }>(rolesOf(host));
    const before = permissionsOf(host, stored, roles);
    const then = permissionsOf(host, stored, roles.set(roleId, { stored: { permissions: after } }));
    return isSame(before, then) ? [] : [id];
  });

/** With all permissions no other one counts. */
const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.has(EVERY_PERMISSION) ? other.has(EVERY_PERMISSION) : one.size === other.size && [...one].every((name) => other.has(name));

/** Names of permissions of a body, each once; `*` is given by copying a role that has it. */
export function checkedPermissions(permissions: readonly string[]): readonly string[] {
  const errors: Fault[] = [];
  for (const [index, name] of permissions.entries()) {
    if (!isPermissionName(name))
      errors.push({ path: `permissions[${index}]`, expected: 'a name of GET /permissions', message: `${name} is no permission` });
  }
  if (errors.length > 0) throw new Refusal('validationError', 'There is no such permission.', { errors });
  return [...new Set(permissions)];
}

/** The ids of roles of a body, each once, which the caller may give. */
export function checkedRoles(
  host: ResourceHost,
  roleIds: readonly string[],
  before: readonly string[],
  command: CommandRequest,
): readonly string[] {
  const roles = rolesOf(host);
  const errors = roleIds.flatMap((id, index): readonly Fault[] =>
    roles.has(id) ? [] : [{ path: `roleIds[${index}]`, expected: 'the id of a role', message: `${id} is no role` }],
  );
  if (errors.length > 0) throw new Refusal('validationError', 'There is no such role.', { errors });
  for (const id of roleIds) if (!before.includes(id)) assertGrantable(roles.get(id)?.stored.permissions ?? [], command);
  return [...new Set(roleIds)];
}

/**
 * Refuses to leave a company without an active user who may do everything: nobody could make another. `roles` are those after the change.
 */
export function assertSomebodyLeft(host: ResourceHost, after: (user: ResourceRecord<User>) => User, roles: Roles = rolesOf(host)): void {
  const users = [...usersOf(host).values()];
  const mayAll = (user: User, known?: Roles): boolean => user.status === 'active' && permissionsOf(host, user, known).has(EVERY_PERMISSION);
  if (!users.some(({ stored }) => mayAll(stored)) || users.some((user) => mayAll(after(user), roles))) return;
  refuse('invalidState', 'The last user with all permissions stays: nobody could make another.');
}

/** All names, where every permission is meant. */
export const namedPermissions = (permissions: readonly string[]): readonly string[] =>
  permissions.includes(EVERY_PERMISSION) ? PERMISSIONS.map(({ name }) => name) : permissions;

/** The records that ids of a body name, each once. `noun` is what they should be. */
export function referred<Stored>(
  ids: readonly string[],
  path: string,
  noun: string,
  find: (anyId: string) => ResourceRecord<Stored> | undefined,
): readonly ResourceRecord<Stored>[] {
  const errors: Fault[] = [];
  const found = new Map<string, ResourceRecord<Stored>>();
  for (const [index, anyId] of ids.entries()) {
    const record = find(anyId);
    if (record) found.set(record.id, record);
    else errors.push({ path: `${path}[${index}]`, expected: `the id of ${noun}`, message: `there is no ${anyId}` });
  }
  return errors.length > 0 ? refuse('validationError', `${path} names what is not there.`, { errors }) : [...found.values()];
}
