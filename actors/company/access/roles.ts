import type { tags } from 'typia';
import { type Fault, Refusal, refuse } from '../../errors.js';
import type { CommandRequest, CommandSpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import {
  type Change,
  changed,
  createRecord,
  type Declaration,
  recordOf,
  recordsOf,
  type ResourceHost,
  type ResourceRecord,
} from '../../kernel/resources/index.js';
import type { OffsetQuery } from '../../list-order.js';
import { EVERY_PERMISSION, isPermitted } from '../../permission.js';
import type { AnyId, DateTimeText, ShortText } from '../../wire.js';
import type { CompanyState } from '../state.js';
import { employeeOf, employeesOf } from './employee.js';
import { isPermissionName, PERMISSIONS } from './permissions.js';
import { type User, USER, usersOf } from './user.js';

/** A named set of permissions that users are given. */
export interface Role {
  readonly alias: string;
  /** Names of permissions; `*` alone = all, including those of later versions. */
  readonly permissions: readonly string[];
  /** Created by the service: it is not listed and cannot be changed. */
  readonly isSystem: boolean;
}

export const ROLE_TYPE = 'role';

export const rolesOf = (host: ResourceHost): ReadonlyMap<string, ResourceRecord<Role>> => recordsOf<Role>(host, ROLE_TYPE);

type Alias = ShortText & tags.MinLength<1>;
type Permissions = readonly ShortText[] & tags.MaxItems<1000>;
type EmployeeIds = readonly AnyId[] & tags.MaxItems<1000>;

export interface RoleCreateBody {
  readonly alias: Alias;
  readonly permissions?: Permissions;
  /** Gives the role to these employees. */
  readonly employeeIds?: EmployeeIds;
}

export interface RoleUpdateBody {
  readonly alias?: Alias;
  readonly permissions?: Permissions;
  /** Gives the role to these employees as well. */
  readonly employeeIds?: EmployeeIds;
}

export interface RoleCloneBody {
  readonly alias: Alias;
}

export interface RoleListQuery extends OffsetQuery {
  /** Part of the alias. */
  readonly search?: ShortText;
  readonly includeSystem?: boolean;
}

export interface RoleView {
  readonly id: string;
  readonly object: 'role';
  readonly companyId: string;
  readonly alias: string;
  readonly permissions: readonly string[];
  /** The employees that have the role. */
  readonly employeeIds: readonly string[];
  readonly isSystem: boolean;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

type Roles = ReadonlyMap<string, { readonly stored: Pick<Role, 'permissions'> }>;

/** The permissions of all roles of a user. */
export function permissionsOf(host: ResourceHost, { roleIds }: User, roles: Roles = rolesOf(host)): ReadonlySet<string> {
  return new Set(roleIds.flatMap((id) => roles.get(id)?.stored.permissions ?? []));
}

/** Refuses to grant permissions that the caller does not have. */
function assertGrantable(permissions: Iterable<string>, { permissions: own }: CommandRequest): void {
  for (const permission of permissions) {
    if (!isPermitted(own, permission))
      throw new Refusal('permissionDenied', `You cannot grant the permission ${permission}: you do not have it.`, {
        extra: { permission },
      });
  }
}

/**
 * Refuses to change credentials, roles, keys, teams or investors of a user who has a permission that the caller lacks: the
 * caller could act as that user, or revoke permissions that it never had. Callers who see only the loans of some investors
 * cannot call any of these commands (gateway/auth/investor-limits.ts).
 */
export function assertNotAbove(host: ResourceHost, userIds: Iterable<string>, { permissions: own }: CommandRequest): void {
  const users = usersOf(host);
  for (const id of userIds) {
    const user = users.get(id);
    const beyond = user && [...permissionsOf(host, user.stored)].find((permission) => !isPermitted(own, permission));
    if (beyond !== undefined)
      throw new Refusal('permissionDenied', `The user ${id} has the permission ${beyond}, which you do not have.`, {
        extra: { permission: beyond },
      });
  }
}

/** The users whose permissions change when the role gets the permissions `after`. */
const affectedBy = (host: ResourceHost, roleId: string, after: readonly string[]): readonly string[] =>
  [...usersOf(host).values()].flatMap(({ id, stored }) => {
    if (!stored.roleIds.includes(roleId)) return [];
    const roles = new Map<string, { readonly stored: Pick<Role, 'permissions'> }>(rolesOf(host));
    const before = permissionsOf(host, stored, roles);
    const then = permissionsOf(host, stored, roles.set(roleId, { stored: { permissions: after } }));
    return isSame(before, then) ? [] : [id];
  });

/** Whether two sets grant the same: `*` grants everything, whatever else is in the set. */
const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.has(EVERY_PERMISSION) ? other.has(EVERY_PERMISSION) : one.size === other.size && [...one].every((name) => other.has(name));

/** Names of a body that are no permissions. */
export const permissionFaults = (permissions: readonly string[]): readonly Fault[] =>
  permissions.flatMap((name, index) =>
    isPermissionName(name)
      ? []
      : [{ path: `permissions[${index}]`, expected: 'a name of GET /permissions', message: `unknown permission ${name}` }],
  );

/** The permissions of a body, each once. `*` is refused: only a copy of a role that has it gets it. */
function checkedPermissions(permissions: readonly string[]): readonly string[] {
  const errors = permissionFaults(permissions);
  if (errors.length > 0) throw new Refusal('validationError', 'Unknown permission. GET /permissions lists all.', { errors });
  return [...new Set(permissions)];
}

/** The ids of the roles of a body, each once. Refuses roles that the caller may not grant. */
export function checkedRoles(
  host: ResourceHost,
  roleIds: readonly string[],
  before: readonly string[],
  command: CommandRequest,
): readonly string[] {
  const roles = rolesOf(host);
  const errors = roleIds.flatMap((id, index): readonly Fault[] =>
    roles.has(id) ? [] : [{ path: `roleIds[${index}]`, expected: 'the id of a role', message: `there is no role ${id}` }],
  );
  if (errors.length > 0) throw new Refusal('validationError', 'There is no such role: see `errors`.', { errors });
  for (const id of roleIds) if (!before.includes(id)) assertGrantable(roles.get(id)?.stored.permissions ?? [], command);
  return [...new Set(roleIds)];
}

/**
 * Refuses a change that leaves the company without an active user who has all permissions, since nobody could create another.
 * `roles` are the roles after the change.
 */
export function assertSomebodyLeft(host: ResourceHost, after: (user: ResourceRecord<User>) => User, roles: Roles = rolesOf(host)): void {
  const users = [...usersOf(host).values()];
  const mayAll = (user: User, known?: Roles): boolean => user.status === 'active' && permissionsOf(host, user, known).has(EVERY_PERMISSION);
  if (!users.some(({ stored }) => mayAll(stored)) || users.some((user) => mayAll(after(user), roles))) return;
  refuse('invalidState', 'The last user with all permissions cannot be deleted or limited. Give another user all permissions first.');
}

/** Replaces `*` by the names of all permissions. */
const namedPermissions = (permissions: readonly string[]): readonly string[] =>
  permissions.includes(EVERY_PERMISSION) ? PERMISSIONS.map(({ name }) => name) : permissions;

/** The records with the ids of a body, each once. `noun` names the kind of record in refusals. */
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
  return errors.length > 0
    ? refuse('validationError', `\`${path}\` has an id that does not exist: see \`errors\`.`, { errors })
    : [...found.values()];
}

const assertOwn = ({ isSystem, alias }: Role): void => {
  if (isSystem) refuse('permissionDenied', `The role ${alias} is built in. It cannot be changed or deleted.`);
};

export const ROLE: Declaration<RoleCreateBody, RoleUpdateBody, Role> = {
  type: ROLE_TYPE,
  prefix: 'RL',
  param: 'roleId',
  unique: [{ name: 'alias', of: ({ alias }) => alias }],
  create({ alias, permissions = [] }, { command }) {
    const named = checkedPermissions(permissions);
    assertGrantable(named, command);
    return { alias, permissions: named, isSystem: false };
  },
  change(before, { alias = before.alias, permissions }, { id, host, command }) {
    assertOwn(before);
    // A change of a role changes what its holders may do, so the caller needs all permissions of the role.
    assertGrantable(before.permissions, command);
    if (permissions === undefined) return { ...before, alias };
    const named = checkedPermissions(permissions);
    assertGrantable(named, command);
    assertNotAbove(host, affectedBy(host, id, named), command);
    const after: Role = { ...before, alias, permissions: named };
    assertSomebodyLeft(host, ({ stored }) => stored, new Map<string, { readonly stored: Role }>(rolesOf(host)).set(id, { stored: after }));
    return after;
  },
  assertRemovable(before, { id, host, command }) {
    assertOwn(before);
    assertGrantable(before.permissions, command);
    assertNotAbove(host, affectedBy(host, id, []), command);
    assertSomebodyLeft(host, ({ stored }) => without(stored, id));
  },
  consequences: (_before, after, at: Change<ResourceHost, RoleUpdateBody>) => (after === null ? takenAway(at) : givenTo(after, at)),
  matches({ stored: { alias, isSystem } }, query: RoleListQuery) {
    const { search, includeSystem = false } = query;
    return (includeSystem || !isSystem) && (search === undefined || alias.toLowerCase().includes(search.toLowerCase()));
  },
  view: ({ alias, permissions, isSystem }, { id }, host) => ({
    alias,
    permissions: namedPermissions(permissions),
    employeeIds: holders(host, id),
    isSystem,
  }),
};

/** `POST /roles/{roleId}/clone`: copies the permissions to a role with another name. System roles can be copied too. */
export const cloneRole: CommandSpec<CompanyState, RoleCloneBody> = {
  kind: 'company',
  type: 'role.clone',
  place: { on: 'target' },
  catchesUp: false,
  decide(context) {
    const { stored } = recordOf(ROLE, context.state, context.command.params);
    assertGrantable(stored.permissions, context.command);
    const { alias } = context.body;
    return createRecord(ROLE, context, (): Role => ({ alias, permissions: stored.permissions, isSystem: false }));
  },
};

function givenTo({ permissions }: Role, { id, host, body, command }: Change<ResourceHost, RoleUpdateBody>): readonly FactDraft[] {
  const { employeeIds = [] } = body;
  if (employeeIds.length > 0) assertGrantable(permissions, command);
  const users = usersOf(host);
  const given = referred(employeeIds, 'employeeIds', 'an employee', (anyId) => employeeOf(host, anyId)).flatMap(
    ({ stored: { userId } }) => {
      const user = users.get(userId);
      return user && !user.stored.roleIds.includes(id) ? [user] : [];
    },
  );
  assertNotAbove(
    host,
    given.map((user) => user.id),
    command,
  );
  return given.map((user) => changed(USER, user, { ...user.stored, roleIds: [...user.stored.roleIds, id] }));
}

function takenAway({ id, host }: Change): readonly FactDraft[] {
  const users = [...usersOf(host).values()].filter(({ stored }) => stored.roleIds.includes(id));
  return users.map((user) => changed(USER, user, without(user.stored, id)));
}

const without = (user: User, roleId: string): User => ({ ...user, roleIds: user.roleIds.filter((id) => id !== roleId) });

function holders(host: ResourceHost, roleId: string): readonly string[] {
  const users = usersOf(host);
  return [...employeesOf(host).values()].flatMap(({ id, stored }) =>
    users.get(stored.userId)?.stored.roleIds.includes(roleId) === true ? [id] : [],
  );
}
