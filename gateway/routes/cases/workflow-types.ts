import typia from 'typia';
import type { WorkflowTypeCreateBody, WorkflowTypeListQuery, WorkflowTypeUpdateBody, WorkflowTypeView } from '../../../actors/index.js';
import type { Route } from '../../routing/route.js';
import { versionedRoutes } from './versioned.js';

/** How cases are worked, step by step. */
export const workflowTypeRoutes: readonly Route[] = versionedRoutes({
  type: 'workflowType',
  name: 'WorkflowType',
  noun: 'workflow type',
  path: '/workflow-types',
  param: 'id',
  tags: ['Workflows'],
  resource: 'workflowtype',
  query: {
    validate: typia.misc.createValidatePrune<WorkflowTypeListQuery>(),
    schemas: typia.json.schemas<[WorkflowTypeListQuery], '3.1'>(),
  },
  create: {
    validate: typia.misc.createValidatePrune<WorkflowTypeCreateBody>(),
    schemas: typia.json.schemas<[WorkflowTypeCreateBody], '3.1'>(),
  },
  update: {
    validate: typia.misc.createValidatePrune<WorkflowTypeUpdateBody>(),
    schemas: typia.json.schemas<[WorkflowTypeUpdateBody], '3.1'>(),
  },
  reply: typia.json.schemas<[WorkflowTypeView], '3.1'>(),
  listReply: typia.json.schemas<[WorkflowTypeView[]], '3.1'>(),
});
