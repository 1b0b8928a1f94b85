import typia from 'typia';
import type {
  EmployeeCreateBody,
  EmployeeListQuery,
  EmployeeUpdateBody,
  EmployeeView,
  TeamCreateBody,
  TeamEmployeesBody,
  TeamListQuery,
  TeamUpdateBody,
  TeamView,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';

const teamReply = typia.json.schemas<[TeamView], '3.1'>();
const ofEmployees = {
  list: 'employee:list',
  read: 'employee:read',
  create: 'employee:create',
  update: 'employee:update',
  delete: 'employee:update',
};
const ofTeams = { list: 'team:list', read: 'team:read', create: 'team:create', update: 'team:update', delete: 'team:update' };

/** Employees of the lender and their teams. */
export const employeeRoutes: readonly Route[] = [
  ...declaredRoutes({
    type: 'employee',
    name: 'Employee',
    noun: 'employee',
    path: '/employees',
    param: 'employeeId',
    tags: ['Employees'],
    permissions: ofEmployees,
    createStatus: 200,
    query: { validate: typia.misc.createValidatePrune<EmployeeListQuery>(), schemas: typia.json.schemas<[EmployeeListQuery], '3.1'>() },
    create: { validate: typia.misc.createValidatePrune<EmployeeCreateBody>(), schemas: typia.json.schemas<[EmployeeCreateBody], '3.1'>() },
    update: { validate: typia.misc.createValidatePrune<EmployeeUpdateBody>(), schemas: typia.json.schemas<[EmployeeUpdateBody], '3.1'>() },
    reply: typia.json.schemas<[EmployeeView], '3.1'>(),
    listReply: typia.json.schemas<[EmployeeView[]], '3.1'>(),
  }),
  ...declaredRoutes({
    type: 'team',
    name: 'Team',
    noun: 'team',
    path: '/teams',
    param: 'teamId',
    tags: ['Teams'],
    permissions: ofTeams,
    createStatus: 200,
    query: { validate: typia.misc.createValidatePrune<TeamListQuery>(), schemas: typia.json.schemas<[TeamListQuery], '3.1'>() },
    create: { validate: typia.misc.createValidatePrune<TeamCreateBody>(), schemas: typia.json.schemas<[TeamCreateBody], '3.1'>() },
    update: { validate: typia.misc.createValidatePrune<TeamUpdateBody>(), schemas: typia.json.schemas<[TeamUpdateBody], '3.1'>() },
    reply: teamReply,
    listReply: typia.json.schemas<[TeamView[]], '3.1'>(),
  }),
  defineRoute({
    method: 'PUT',
    path: '/teams/{teamId}/employees',
    operation: 'setTeamEmployees',
    summary: 'Replace the members of a team',
    tags: ['Teams'],
    permission: 'team:update',
    body: { validate: typia.misc.createValidatePrune<TeamEmployeesBody>(), schemas: typia.json.schemas<[TeamEmployeesBody], '3.1'>() },
    reply: teamReply,
    handle: (call) => call.command('team.setEmployees', call.caller.company),
  }),
];
