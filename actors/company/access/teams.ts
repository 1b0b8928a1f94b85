import { must } from '../../../engine/index.js';
import { changed, type Declaration, recordOf, recordsOf, replyOf, type ResourceRecord } from '../../kernel/resources/index.js';
import { sorted, type SortKeys } from '../../list-order.js';
import type { CommandSpec } from '../../kernel/actor.js';
import type { CompanyState } from '../state.js';
import { type Employee, EMPLOYEE_TYPE, employeeOf, employeesOf } from './employee.js';
import { assertNotAbove, referred } from './roles.js';
import { type Team, TEAM_TYPE, type TeamCreateBody, type TeamEmployeesBody, type TeamUpdateBody } from './team.js';
import { teamView } from './views.js';

export const TEAM: Declaration<TeamCreateBody, TeamUpdateBody, Team> = {
  type: TEAM_TYPE,
  prefix: 'TM',
  param: 'teamId',
  unique: [
    { name: 'externalId', of: ({ externalId }) => externalId },
    { name: 'name', of: ({ name }) => name },
  ],
  create: ({ name, externalId = null, email = null }) => ({ name, externalId, email }),
  change: (before, body) => ({ ...before, ...body }),
  assertRemovable(_before, { id, host, command }) {
    const members = [...employeesOf(host).values()].filter(({ stored }) => stored.teamIds.includes(id));
    assertNotAbove(host, members.map(userIdOf), command);
  },
  // A deleted team is removed from its employees first.
  consequences: (_before, after, { id, host }) =>
    after === null
      ? [...employeesOf(host).values()]
          .filter(({ stored }) => stored.teamIds.includes(id))
          .map((employee) =>
            changed(EMPLOYEE_TYPE, employee, { ...employee.stored, teamIds: employee.stored.teamIds.filter((teamId) => teamId !== id) }),
          )
      : [],
  order: (records, sortBy) => sorted(records, sortBy, ORDERS),
  view: (_stored, record, host) => teamView(record, host),
};

const userIdOf = ({ stored }: ResourceRecord<Employee>): string => stored.userId;

const ORDERS: SortKeys<ResourceRecord<Team>> = {
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  name: ({ stored }) => stored.name,
};

/** `PUT /teams/{teamId}/employees`: replaces the members of the team. */
export const setTeamEmployees: CommandSpec<CompanyState, TeamEmployeesBody> = {
  kind: 'company',
  type: 'team.setEmployees',
  place: { on: 'target' },
  catchesUp: false,
  decide({ state, body, command, env }) {
    const { id } = recordOf(TEAM, state, command.params);
    const { employeeIds } = body;
    const members = new Set(
      referred(employeeIds, 'employeeIds', 'an employee', (anyId) => employeeOf(state, anyId)).map((employee) => employee.id),
    );
    const moved = [...employeesOf(state).values()].filter((employee) => employee.stored.teamIds.includes(id) !== members.has(employee.id));
    assertNotAbove(state, moved.map(userIdOf), command);
    const facts = moved.map((employee) => {
      const others = employee.stored.teamIds.filter((teamId) => teamId !== id);
      return changed(EMPLOYEE_TYPE, employee, { ...employee.stored, teamIds: members.has(employee.id) ? [...others, id] : others });
    });
    const shown = (after: CompanyState): ResourceRecord => must(recordsOf(after, TEAM_TYPE).get(id), 'the team is there');
    return { facts, reply: (after) => ({ data: replyOf(TEAM, after, shown(after), env.now) }) };
  },
};
