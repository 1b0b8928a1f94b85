import typia from 'typia';
import type {
  AssignAgencyRequest,
  CollectionAgencyAssignmentView,
  CollectionAgencyQuery,
  UnassignAgencyQuery,
  UnassignAgencyRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const TAGS = ['Collection agencies'];
const PATH = '/people/{personId}/loans/{loanId}/collection-agency';
const reply = typia.json.schemas<[CollectionAgencyAssignmentView], '3.1'>();

/** The assignment of a charged-off loan to a collection agency. */
export const loanAgencyRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: PATH,
    operation: 'assignCollectionAgency',
    summary: 'Assign a charged-off loan to a collection agency',
    description:
      'From then on only external transactions are accepted, automatic and scheduled payments are canceled, and the service sends no ' +
      'automatic notices about the loan. Also changes an assignment; `unassigned` takes the loan back.',
    tags: TAGS,
    permission: 'loan.collection.agency:update',
    body: {
      validate: typia.misc.createValidatePrune<AssignAgencyRequest>(),
      schemas: typia.json.schemas<[AssignAgencyRequest], '3.1'>(),
    },
    reply,
    handle: (call) => call.command('loan.assignAgency', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: PATH,
    operation: 'getCollectionAgencyAssignment',
    summary: 'Get which collection agency has a loan, and which had it before',
    description: 'Placements with what was collected and the commission are shown to callers with the permission `collection.agency:read`.',
    tags: TAGS,
    permission: 'loan.collection.agency:read',
    query: {
      validate: typia.misc.createValidatePrune<CollectionAgencyQuery>(),
      schemas: typia.json.schemas<[CollectionAgencyQuery], '3.1'>(),
    },
    reply,
    handle: (call) => call.read('loanAgency.get', call.params.loanId),
  }),
  defineRoute({
    method: 'DELETE',
    path: PATH,
    operation: 'unassignCollectionAgency',
    summary: 'Take a loan back from a collection agency',
    tags: TAGS,
    permission: 'loan.collection.agency:update',
    query: { validate: typia.misc.createValidatePrune<UnassignAgencyQuery>(), schemas: typia.json.schemas<[UnassignAgencyQuery], '3.1'>() },
    body: {
      validate: typia.misc.createValidatePrune<UnassignAgencyRequest>(),
      schemas: typia.json.schemas<[UnassignAgencyRequest], '3.1'>(),
    },
    reply,
    handle: (call) => call.command('loan.unassignAgency', call.params.loanId),
  }),
];
