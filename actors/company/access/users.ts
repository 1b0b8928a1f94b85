import { type Declaration, type ResourceRecord } from '../../kernel/resources/index.js';
import { refuseProperty } from '../../errors.js';
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
    if (type === 'borrower')
      return refuseProperty('type', 'agent or api', 'A user of a borrower is created with POST /people/{personId}/user.');
    const user: User = {
      externalId,
      number: usersOf(host).size + 1,
      type,
      status,
      userName,
      roleIds: checkedRoles(host, roleIds, [], command),
      auths,
      passwordHash,
      generation: 0,
    };
    assertPasswordFits(user);
    return user;
  },
  change(before, { roleIds, ...body }, { id, host, command }) {
    assertNotAbove(host, [id], command);
    const changedUser: User = {
      ...before,
      ...body,
      roleIds: roleIds === undefined ? before.roleIds : checkedRoles(host, roleIds, before.roleIds, command),
    };
    const user = before.status === 'active' && changedUser.status === 'inactive' ? deactivated(changedUser) : changedUser;
    assertPasswordFits(user);
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

function assertPasswordFits({ auths, passwordHash }: User): void {
  if (passwordHash !== null && !auths.some(({ authType }) => authType === 'basic'))
    refuseProperty(
      'password',
      'nothing, unless `auths` has authType basic',
      '`password` can only be set with an entry of authType basic in `auths`.',
    );
}
