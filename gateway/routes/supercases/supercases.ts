import typia from 'typia';
import type {
  CaseView, CreatePopulationRequest, CreateSupercaseRequest, ListPopulationsQuery, ListSubcasesQuery, ListSupercasesQuery, PopulationView, SupercaseView,
  UpdatePopulationRequest, UpdateSupercaseRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';

const tags = ['Supercases'];
const supercase = typia.json.schemas<[SupercaseView], '3.1'>();
const population = typia.json.schemas<[PopulationView], '3.1'>();

/** Supercases and their populations (cases 8). */
export const supercaseRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST', path: '/supercases', operation: 'createSupercase', summary: 'Create a supercase', tags, permission: 'supercase:update', reply: supercase,
    body: { validate: typia.misc.createValidatePrune<CreateSupercaseRequest>(), schemas: typia.json.schemas<[CreateSupercaseRequest], '3.1'>() },
    handle: (call) => call.command('supercase.create', null),
  }),
  defineRoute({
    method: 'GET', path: '/supercases', operation: 'listSupercases', summary: 'Supercases, newest first', tags, permission: 'supercase:read', envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<ListSupercasesQuery>(), schemas: typia.json.schemas<[ListSupercasesQuery], '3.1'>() },
    reply: typia.json.schemas<[SupercaseView[]], '3.1'>(),
    handle: (call) => call.read('supercase.list', null),
  }),
  defineRoute({
    method: 'GET', path: '/supercases/{supercaseId}', operation: 'getSupercase', summary: 'A supercase, with how many it is about', tags,
    permission: 'supercase:read', reply: supercase,
    handle: (call) => call.read('supercase.get', call.params.supercaseId),
  }),
  defineRoute({
    method: 'PUT', path: '/supercases/{supercaseId}', operation: 'updateSupercase', summary: 'Change fields, status or outcome', tags,
    permission: 'supercase:update', reply: supercase,
    body: { validate: typia.misc.createValidatePrune<UpdateSupercaseRequest>(), schemas: typia.json.schemas<[UpdateSupercaseRequest], '3.1'>() },
    handle: (call) => call.command('supercase.update', call.params.supercaseId),
  }),
  defineRoute({
    method: 'DELETE', path: '/supercases/{supercaseId}', operation: 'deleteSupercase', summary: 'Delete a supercase that has made no cases', tags,
    permission: 'supercase:update',
    handle: (call) => call.command('supercase.delete', call.params.supercaseId),
  }),
  defineRoute({
    method: 'POST', path: '/supercases/{supercaseId}/populations', operation: 'createPopulation', summary: 'Create a draft population', tags,
    permission: 'supercase:update', reply: population,
    body: { validate: typia.misc.createValidatePrune<CreatePopulationRequest>(), schemas: typia.json.schemas<[CreatePopulationRequest], '3.1'>() },
    handle: (call) => call.command('supercasePopulation.create', call.params.supercaseId),
  }),
  defineRoute({
    method: 'GET', path: '/supercases/{supercaseId}/populations', operation: 'listPopulations', summary: 'Populations of a supercase', tags,
    permission: 'supercase:read', envelope: 'list', reply: typia.json.schemas<[PopulationView[]], '3.1'>(),
    query: { validate: typia.misc.createValidatePrune<ListPopulationsQuery>(), schemas: typia.json.schemas<[ListPopulationsQuery], '3.1'>() },
    handle: (call) => call.read('supercasePopulation.list', call.params.supercaseId),
  }),
  defineRoute({
    method: 'GET', path: '/supercases/{supercaseId}/populations/{populationId}', operation: 'getPopulation', summary: 'A population', tags,
    permission: 'supercase:read', reply: population,
    handle: (call) => call.read('supercasePopulation.get', call.params.supercaseId),
  }),
  defineRoute({
    method: 'PUT', path: '/supercases/{supercaseId}/populations/{populationId}', operation: 'updatePopulation', tags,
    summary: 'Rename a population, or commit it with isDraft false',
    description: 'A commit makes the subcases of all members; the reply names the operation that tells how far it has come.',
    permission: 'supercase:update', reply: population, query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<UpdatePopulationRequest>(), schemas: typia.json.schemas<[UpdatePopulationRequest], '3.1'>() },
    handle: (call) => call.command('supercasePopulation.update', call.params.supercaseId),
  }),
  defineRoute({
    method: 'DELETE', path: '/supercases/{supercaseId}/populations/{populationId}', operation: 'deletePopulation', summary: 'Delete a draft population', tags,
    permission: 'supercase:update',
    handle: (call) => call.command('supercasePopulation.delete', call.params.supercaseId),
  }),
  defineRoute({
    method: 'GET', path: '/supercases/{supercaseId}/subcases', operation: 'listSubcases', summary: 'Cases that a supercase has made', tags,
    permission: 'supercase:read', envelope: 'list', reply: typia.json.schemas<[CaseView[]], '3.1'>(),
    query: { validate: typia.misc.createValidatePrune<ListSubcasesQuery>(), schemas: typia.json.schemas<[ListSubcasesQuery], '3.1'>() },
    handle: (call) => call.read('supercaseMember.listSubcases', null),
  }),
];
