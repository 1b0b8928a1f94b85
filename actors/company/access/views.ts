import type { ResourceHost, ResourceRecord } from '../../kernel/resources/index.js';
import { type DateTimeText, dateTimeText, orNull } from '../../wire.js';
import { type Employee, type EmployeeView, employeeOfUser, employeesOf } from './employee.js';
import { type Team, TEAM_TYPE, teamOf, type TeamView } from './team.js';
import { type User, usersOf } from './user.js';

interface Framed<Name extends string> {
  readonly id: string;
  readonly object: Name;
  readonly companyId: string;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** What all views of a record have in addition to its fields. */
const framed = <Name extends string>({ id, createdAt, updatedAt }: ResourceRecord, object: Name, host: ResourceHost): Framed<Name> => ({
  id,
  object,
  companyId: host.id,
  createdAt: dateTimeText(createdAt),
  updatedAt: orNull(dateTimeText, updatedAt),
  deletedAt: null,
});

/** A user, without its employee. */
export function userView({ stored }: ResourceRecord<User>): object {
  const { number, externalId, type, status, userName, roleIds, auths } = stored;
  return { userId: number, externalId, type, status, userName, roleIds, auths, employee: null, person: null };
}

/** An employee within another object, without its user. */
export const employeeView = (record: ResourceRecord<Employee>, host: ResourceHost): EmployeeView => ({
  ...framed(record, 'Employee', host),
  ...employeeFields(record.stored, host),
  user: null,
});

export const nestedUser = (record: ResourceRecord<User>, host: ResourceHost): object => ({
  ...framed(record, 'user', host),
  ...userView(record),
});

export function employeeFields(employee: Employee, host: ResourceHost): Omit<EmployeeView, keyof Framed<string> | 'user'> {
  const {
    userId,
    externalId,
    firstName,
    lastName,
    jobName,
    email,
    phone,
    managerEmployeeId,
    taskTypes,
    teamIds,
    investorIds = [],
  } = employee;
  return {
    userId,
    externalId,
    firstName,
    lastName,
    displayName: displayName(employee),
    jobName,
    email,
    phone,
    managerEmployeeId,
    availableAndPermittedTasktypes: taskTypes,
    investorIds,
    teams: teamIds.flatMap((id) => {
      const team = teamOf(host, id);
      return team ? [{ ...framed(team, TEAM_TYPE, host), ...teamView(team, host) }] : [];
    }),
  };
}

export const displayName = ({ firstName, lastName }: Employee): string => [firstName, lastName].filter((part) => part !== null).join(' ');

/** The name of an agent: that of the employee, else that of the user. */
export function agentName(host: ResourceHost, userId: string): string | null {
  const employee = employeeOfUser(host, userId);
  return (employee && displayName(employee.stored)) || (usersOf(host).get(userId)?.stored.userName ?? null);
}

export const teamView = ({ id, stored }: ResourceRecord<Team>, host: ResourceHost): Omit<TeamView, keyof Framed<string>> => ({
  ...stored,
  employeeCount: [...employeesOf(host).values()].filter(({ stored: { teamIds } }) => teamIds.includes(id)).length,
});
