import { type Declaration, type ResourceRecord } from '../../kernel/resources/index.js';
import { checkAll, Refusal, refuseProperty } from '../../errors.js';
import { sorted, type SortKeys } from '../../list-order.js';
import { assertNotAbove, assertSomebodyLeft, checkedRoles } from './roles.js';
import { employeeOfUser } from './employee.js';
import {
  deactivated,
  type User,
  USER,
  type UserCreateBody,
  type UserListQuery,
  usersOf,
  type UserUpdateBody,
  type WithPasswordHash,
} from './user.js';
import { employeeView, userView } from './views.js';

export const USERS: Declaration<UserCreateBody & WithPasswordHash, UserUpdateBody & WithPasswordHash, User> = {
  type: USER,
  prefix: 'UR',
  param: 'userId',
  unique: [
    { name: 'externalId', of: ({ externalId }) => externalId },
    { name: 'userName', of: ({ type, userName }) => `${type}/${userName.toLowerCase()}` },
  ],
  create(body, { host, command }) {
    const { type, externalId = null, status = 'active', userName, roleIds = [], auths, passwordHash = null } = body;
    checkAll([
      () => checkedType(type),
      () => assertPasswordMeetsRules(body),
      () => assertPasswordFits({ auths, passwordHash }),
      () => checkedRoles(host, roleIds, [], command),
    ]);
    return {
      externalId,
      number: usersOf(host).size + 1,
      type: checkedType(type),
      status,
      userName,
      roleIds: checkedRoles(host, roleIds, [], command),
      auths,
      passwordHash,
      generation: 0,
    };
  },
  change(before, { roleIds, ...body }, { id, host, command }) {
    assertNotAbove(host, [id], command);
    checkAll([
      () => assertPasswordFits({ ...before, ...body }),
      () => roleIds !== undefined && checkedRoles(host, roleIds, before.roleIds, command),
    ]);
    const changedUser: User = {
      ...before,
      ...body,
      roleIds: roleIds === undefined ? before.roleIds : checkedRoles(host, roleIds, before.roleIds, command),
    };
    const user = before.status === 'active' && changedUser.status === 'inactive' ? deactivated(changedUser) : changedUser;
    assertSomebodyLeft(host, (each) => (each.id === id ? user : each.stored));
    return user;
  },
  retire(before, { host, command, id }) {
    assertNotAbove(host, [id], command);
    const user = deactivated(before);
    assertSomebodyLeft(host, (each) => (each.id === id ? user : each.stored));
    return user;
  },
  matches({ stored }, query: UserListQuery) {
    const { type, status, roleId, externalId } = query;
    return (
      (type === undefined || stored.type === type) &&
      (status === undefined || stored.status === status) &&
      (roleId === undefined || stored.roleIds.includes(roleId)) &&
      (externalId === undefined || stored.externalId === externalId)
    );
  },
  order: (records, sortBy) => sorted(records, sortBy, ORDERS),
  view(_stored, record, host) {
    const employee = employeeOfUser(host, record.id);
    return { ...userView(record), employee: employee ? employeeView(employee, host) : null };
  },
};

const ORDERS: SortKeys<ResourceRecord<User>> = {
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  userName: ({ stored }) => stored.userName,
  type: ({ stored }) => stored.type,
  status: ({ stored }) => stored.status,
};

function checkedType(type: UserCreateBody['type']): User['type'] {
  if (type !== 'borrower') return type;
  return refuseProperty('type', 'agent or api', 'A user of a borrower is created with POST /people/{personId}/user.');
}

function assertPasswordMeetsRules({ passwordFaults: errors = [] }: WithPasswordHash): void {
  if (errors.length > 0) throw new Refusal('validationError', '`password` does not meet the rules: see `errors`.', { errors });
}

function assertPasswordFits({ auths, passwordHash }: Pick<User, 'auths' | 'passwordHash'>): void {
  if (passwordHash !== null && !auths.some(({ authType }) => authType === 'basic'))
    refuseProperty(
      'password',
      'nothing, unless `auths` has authType basic',
      '`password` can only be set with an entry of authType basic in `auths`.',
    );
}
