import typia from 'typia';
import type {
  CaseAssociationsRequest, CaseAssociationView, CaseOwnerRequest, CaseTimelineView, CaseView, CreateCaseRequest, GetCaseQuery, ListCasesQuery, UpdateCaseRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { pageQuery } from '../../routing/shared-queries.js';

const tags = ['Cases'];
const reply = typia.json.schemas<[CaseView], '3.1'>();
const listReply = typia.json.schemas<[CaseView[]], '3.1'>();
const listQuery = { validate: typia.misc.createValidatePrune<ListCasesQuery>(), schemas: typia.json.schemas<[ListCasesQuery], '3.1'>() };
const getQuery = { validate: typia.misc.createValidatePrune<GetCaseQuery>(), schemas: typia.json.schemas<[GetCaseQuery], '3.1'>() };
const associations = typia.json.schemas<[CaseAssociationView[]], '3.1'>();

/** Cases and what they are about (cases 1, 2 and 5). */
export const caseRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET', path: '/cases', operation: 'listCases', summary: 'Cases of the company', tags, permission: 'case:list', envelope: 'list',
    query: listQuery, reply: listReply,
    handle: (call) => call.read('case.list', null),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/cases', operation: 'listPersonCases', summary: 'Cases of a borrower', tags, permission: 'case:list', envelope: 'list',
    query: listQuery, reply: listReply,
    handle: (call) => call.read('case.listOfPerson', null),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/cases', operation: 'createCase', summary: 'Create a case', tags, permission: 'case:update', reply,
    body: { validate: typia.misc.createValidatePrune<CreateCaseRequest>(), schemas: typia.json.schemas<[CreateCaseRequest], '3.1'>() },
    handle: (call) => call.command('case.create', call.params.personId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/cases/{caseId}', operation: 'getPersonCase', summary: 'A case of a borrower', tags, permission: 'case:read',
    query: getQuery, reply,
    handle: (call) => call.read('case.get', call.params.caseId),
  }),
  defineRoute({
    method: 'GET', path: '/cases/{caseId}', operation: 'getCase', summary: 'A case', tags, permission: 'case:read', query: getQuery, reply,
    handle: (call) => call.read('case.get', call.params.caseId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/cases/{caseId}', operation: 'updateCase', summary: 'Change fields, status, outcome, name or owner', tags,
    permission: 'case:update', reply,
    body: { validate: typia.misc.createValidatePrune<UpdateCaseRequest>(), schemas: typia.json.schemas<[UpdateCaseRequest], '3.1'>() },
    handle: (call) => call.command('case.update', call.params.caseId),
  }),
  defineRoute({
    method: 'DELETE', path: '/people/{personId}/cases/{caseId}', operation: 'deleteCase', summary: 'Delete an active case', tags, permission: 'case:delete',
    handle: (call) => call.command('case.delete', call.params.caseId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/cases/{caseId}/views', operation: 'viewCase', summary: 'Record that the case was looked at', tags,
    permission: 'case:read', reply,
    handle: (call) => call.command('case.view', call.params.caseId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/cases/{caseId}/events', operation: 'listCaseEvents', summary: 'What was done with a case, newest first', tags,
    permission: 'case:read', envelope: 'list', query: pageQuery, reply: typia.json.schemas<[CaseTimelineView[]], '3.1'>(),
    handle: (call) => call.read('case.timeline', call.params.caseId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/cases/{caseId}/summary', operation: 'getCaseSummary', summary: 'A summary of the case, where one was made', tags,
    permission: 'case:read',
    handle: (call) => call.read('case.summary', call.params.caseId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/cases/{caseId}/owner', operation: 'setCaseOwner', summary: 'Assign a case, or clear its owner', tags,
    permission: 'case:update', reply,
    body: { validate: typia.misc.createValidatePrune<CaseOwnerRequest>(), schemas: typia.json.schemas<[CaseOwnerRequest], '3.1'>() },
    handle: (call) => call.command('case.setOwner', call.params.caseId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/cases/{caseId}/associations', operation: 'listCaseAssociations', summary: 'Loans that a case is about', tags,
    permission: 'case:read', envelope: 'list', query: pageQuery, reply: associations,
    handle: (call) => call.read('caseAssociation.list', call.params.caseId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/cases/{caseId}/associations', operation: 'associateLoans', summary: 'Say that a case is about loans', tags,
    permission: 'case:update', reply: associations,
    body: { validate: typia.misc.createValidatePrune<CaseAssociationsRequest>(), schemas: typia.json.schemas<[CaseAssociationsRequest], '3.1'>() },
    handle: (call) => call.command('caseAssociation.create', call.params.caseId),
  }),
  defineRoute({
    method: 'DELETE', path: '/people/{personId}/cases/{caseId}/associations/{loanId}', operation: 'endCaseAssociation', summary: 'Say that a case is not about a loan',
    tags, permission: 'case:update', reply,
    handle: (call) => call.command('caseAssociation.delete', call.params.caseId),
  }),
];
