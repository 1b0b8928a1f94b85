import {
  type Change,
  changed,
  createRecord,
  type Declaration,
  recordOf,
  type ResourceHost,
  type ResourceRecord,
} from '../../kernel/resources/index.js';
import { refuse } from '../../errors.js';
import type { CommandSpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { CompanyState } from '../state.js';
import { employeeOf, employeesOf } from './employee.js';
import {
  affectedBy,
  assertGrantable,
  assertNotAbove,
  assertSomebodyLeft,
  checkedPermissions,
  namedPermissions,
  referred,
} from './granting.js';
import { type Role, ROLE_TYPE, type RoleCloneBody, type RoleCreateBody, type RoleListQuery, rolesOf, type RoleUpdateBody } from './role.js';
import { type User, USER, usersOf } from './user.js';

const assertOwn = ({ isSystem, alias }: Role): void => {
  if (isSystem) refuse('permissionDenied', `The role ${alias} is the service's own: it is neither changed nor deleted.`);
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
    // Who takes permissions from a role takes them from its holders, who may be above them.
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
  consequences: (_before, after, at) => (after === null ? takenAway(at) : givenTo(after, at)),
  matches({ stored: { alias, isSystem } }, query) {
    const { search, includeSystem = false } = query as RoleListQuery;
    return (includeSystem || !isSystem) && (search === undefined || alias.toLowerCase().includes(search.toLowerCase()));
  },
  view: ({ alias, permissions, isSystem }, { id }, host) => ({
    alias,
    permissions: namedPermissions(permissions),
    employeeIds: holders(host, id),
    isSystem,
  }),
};

/** `POST /roles/{roleId}/clone`: the same permissions under another name, system roles' too. */
export const cloneRole: CommandSpec<CompanyState> = {
  kind: 'company',
  type: 'role.clone',
  place: { on: 'target' },
  catchUpFirst: false,
  decide(context) {
    const { stored } = recordOf(ROLE, context.state, context.command.params) as ResourceRecord<Role>;
    assertGrantable(stored.permissions, context.command);
    const { alias } = context.body as RoleCloneBody;
    return createRecord(ROLE, context, (): Role => ({ alias, permissions: stored.permissions, isSystem: false }));
  },
};

function givenTo({ permissions }: Role, { id, host, body, command }: Change): readonly FactDraft[] {
  const { employeeIds = [] } = body as RoleUpdateBody;
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
