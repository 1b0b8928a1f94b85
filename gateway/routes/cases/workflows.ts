import typia from 'typia';
import type { ListWorkflowsQuery, StartWorkflowRequest, UpdateWorkflowItemRequest, WorkflowView } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { orStopped } from '../communications/hydrated.js';

const TAGS = ['Workflows'];
const OF_CASE = '/people/{personId}/cases/{caseId}/workflow';
const workflowReply = typia.json.schemas<[WorkflowView], '3.1'>();

/** The steps by which cases are worked. */
export const workflowRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: OF_CASE,
    operation: 'getCaseWorkflow',
    summary: 'Get the workflow of a case',
    tags: TAGS,
    permission: 'case:read',
    reply: workflowReply,
    handle: (call) => call.read('workflow.getOfCase', call.params.caseId),
  }),
  defineRoute({
    method: 'POST',
    path: OF_CASE,
    operation: 'startCaseWorkflow',
    summary: 'Start a workflow of a case',
    tags: TAGS,
    permission: 'case:update',
    body: {
      validate: typia.misc.createValidatePrune<StartWorkflowRequest>(),
      schemas: typia.json.schemas<[StartWorkflowRequest], '3.1'>(),
    },
    reply: workflowReply,
    handle: (call) => call.command('workflow.start', call.params.caseId),
  }),
  defineRoute({
    method: 'PUT',
    path: `${OF_CASE}/items/{itemId}`,
    operation: 'updateCaseWorkflowItem',
    summary: 'Complete, skip or reopen an item of a workflow',
    tags: TAGS,
    permission: 'case:update',
    body: {
      validate: typia.misc.createValidatePrune<UpdateWorkflowItemRequest>(),
      schemas: typia.json.schemas<[UpdateWorkflowItemRequest], '3.1'>(),
    },
    reply: workflowReply,
    handle: async (call) => orStopped(await call.command('workflow.moveItem', call.params.caseId)),
  }),
  defineRoute({
    method: 'GET',
    path: '/workflows',
    operation: 'listWorkflows',
    summary: 'List the workflows of all cases, newest first',
    tags: TAGS,
    permission: 'case:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<ListWorkflowsQuery>(), schemas: typia.json.schemas<[ListWorkflowsQuery], '3.1'>() },
    reply: typia.json.schemas<[WorkflowView[]], '3.1'>(),
    handle: (call) => call.read('workflow.list', null),
  }),
  defineRoute({
    method: 'GET',
    path: '/workflows/{workflowId}',
    operation: 'getWorkflow',
    summary: 'Get a workflow',
    tags: TAGS,
    permission: 'case:read',
    reply: workflowReply,
    handle: (call) => call.read('workflow.get', call.params.workflowId),
  }),
];
