import { type Change, changed, type Declaration, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import { checkAll, refuseProperty } from '../../errors.js';
import { sorted, type SortKeys } from '../../list-order.js';
import type { FactDraft } from '../../kernel/fact.js';
import {
  type Employee,
  EMPLOYEE_TYPE,
  type EmployeeCreateBody,
  type EmployeeListQuery,
  employeeOf,
  employeesOf,
  type EmployeeUpdateBody,
} from './employee.js';
import { investorOf } from '../parties/index.js';
import { assertNotAbove, assertSomebodyLeft, referred } from './roles.js';
import { teamOf } from './team.js';
import { deactivated, USER, userOf, usersOf } from './user.js';
import { displayName, employeeFields, nestedUser } from './views.js';

export const EMPLOYEE: Declaration<EmployeeCreateBody, EmployeeUpdateBody, Employee> = {
  type: EMPLOYEE_TYPE,
  object: 'Employee',
  prefix: 'EE',
  param: 'employeeId',
  unique: [
    { name: 'externalId', of: ({ externalId }) => externalId },
    { name: 'userId', of: ({ userId }) => userId },
  ],
  create(body, at) {
    const employee = withBody(NOBODY, body, at);
    assertNotAbove(at.host, [employee.userId], at.command);
    return employee;
  },
  change(before, body, at) {
    const employee = withBody(before, body, at);
    if (isAboutRights(body)) assertNotAbove(at.host, [before.userId, employee.userId], at.command);
    return employee;
  },
  assertRemovable({ userId }, { host, command }) {
    assertNotAbove(host, [userId], command);
    assertSomebodyLeft(host, (each) => (each.id === userId ? { ...each.stored, status: 'inactive' } : each.stored));
  },
  consequences: (before, after, at) => (after === null && before !== null ? gone(before, at) : []),
  matches({ id, stored }, query: EmployeeListQuery, host) {
    const { search, teamId, roleId, investorId } = query;
    if (investorId !== undefined && stored.investorIds?.includes(investorOf(host, investorId)?.id ?? '') !== true) return false;
    if (teamId !== undefined && !stored.teamIds.includes(teamOf(host, teamId)?.id ?? '')) return false;
    if (roleId !== undefined && usersOf(host).get(stored.userId)?.stored.roleIds.includes(roleId) !== true) return false;
    return search === undefined || isFound(id, stored, search);
  },
  order: (records, sortBy) => sorted(records, sortBy, ORDERS),
  view(stored, _record, host) {
    const user = usersOf(host).get(stored.userId);
    return { ...employeeFields(stored, host), user: user ? nestedUser(user, host) : null };
  },
};

const ORDERS: SortKeys<ResourceRecord<Employee>> = {
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  firstName: ({ stored }) => stored.firstName,
  lastName: ({ stored }) => stored.lastName,
  email: ({ stored }) => stored.email,
  jobName: ({ stored }) => stored.jobName,
};

const NOBODY: Employee = {
  userId: '',
  externalId: null,
  firstName: null,
  lastName: null,
  jobName: null,
  email: null,
  phone: null,
  managerEmployeeId: null,
  taskTypes: [],
  teamIds: [],
};

function withBody(before: Employee, body: EmployeeUpdateBody, at: Change): Employee {
  const { userId, availableAndPermittedTasktypes: taskTypes, managerEmployeeId, teams, investorIds, ...plain } = body;
  const named = {
    userId: () => (userId === undefined ? before.userId : agentNamed(userId, at)),
    manager: () => (managerEmployeeId === undefined ? before.managerEmployeeId : managerEmployeeId && managerNamed(managerEmployeeId, at)),
    investorIds: () => investorIds && investorsNamed(investorIds, at.host),
    teamIds: () =>
      teams === undefined
        ? before.teamIds
        : teamsNamed(
            teams.map((team) => (typeof team === 'string' ? team : team.id)),
            at.host,
          ),
  };
  checkAll(Object.values(named));
  const investors = named.investorIds();
  return {
    ...before,
    ...plain,
    userId: named.userId(),
    taskTypes: taskTypes === undefined ? before.taskTypes : [...new Set(typeof taskTypes === 'string' ? [taskTypes] : taskTypes)],
    managerEmployeeId: named.manager(),
    ...(investors === undefined ? {} : { investorIds: investors }),
    teamIds: named.teamIds(),
  };
}

/** Whether the body changes what the employee may do: its user, the loans it sees, its teams or its e-mail address. */
const isAboutRights = ({ userId, investorIds, teams, email }: EmployeeUpdateBody): boolean =>
  userId !== undefined || investorIds !== undefined || teams !== undefined || email !== undefined;

function agentNamed(anyId: string, { host }: Change): string {
  const user = userOf(host, anyId);
  if (!user) return refuseProperty('userId', 'the id of a user', `There is no user ${anyId}.`);
  if (user.stored.type !== 'agent') refuseProperty('userId', 'the id of an agent', '`userId` must be the id of an agent.');
  return user.id;
}

/** Refuses a manager who reports to this employee, directly or through others. */
function managerNamed(anyId: string, { id, host }: Change): string {
  const manager = employeeOf(host, anyId);
  if (!manager) return refuseProperty('managerEmployeeId', 'the id of an employee', `There is no employee ${anyId}.`);
  const employees = employeesOf(host);
  for (let above: string | null = manager.id; above !== null; above = employees.get(above)?.stored.managerEmployeeId ?? null) {
    if (above === id)
      refuseProperty(
        'managerEmployeeId',
        'an employee who does not report to this one',
        '`managerEmployeeId` must not be the employee itself or one who reports to it.',
      );
  }
  return manager.id;
}

/** Service ids, by which loans name their owners. */
const investorsNamed = (anyIds: readonly string[], host: ResourceHost): readonly string[] => [
  ...new Set(referred(anyIds, 'investorIds', 'an investor', (anyId) => investorOf(host, anyId)).map(({ id }) => id)),
];

const teamsNamed = (anyIds: readonly string[], host: ResourceHost): readonly string[] =>
  referred(anyIds, 'teams', 'a team', (anyId) => teamOf(host, anyId)).map(({ id }) => id);

/** After a deletion the employee's reports have no manager, and its user cannot sign in. */
function gone({ userId }: Employee, { id, host }: Change): readonly FactDraft[] {
  const user = usersOf(host).get(userId);
  const below = [...employeesOf(host).values()].filter(({ stored }) => stored.managerEmployeeId === id);
  return [
    ...(user ? [changed(USER, user, deactivated(user.stored))] : []),
    ...below.map((record) => changed(EMPLOYEE_TYPE, record, { ...record.stored, managerEmployeeId: null })),
  ];
}

function isFound(id: string, employee: Employee, search: string): boolean {
  const { userId, externalId } = employee;
  if ([id, userId, `ext-${externalId}`].includes(search)) return true;
  return displayName(employee).toLowerCase().includes(search.toLowerCase());
}
