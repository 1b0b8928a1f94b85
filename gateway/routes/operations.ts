import typia, { type tags } from 'typia';
import { type OperationView, Refusal } from '../../actors/index.js';
import { defineRoute, type Route } from '../routing/route.js';

interface ListOperations {
  readonly status?: 'running' | 'succeeded' | 'failed';
  readonly loanId?: string;
  readonly limit?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<100>;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
}

export const operationRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET', path: '/operations', operation: 'listOperations', tags: ['Operations'], permission: null, envelope: 'list',
    summary: 'Running and recent operations',
    query: { validate: typia.misc.createValidatePrune<ListOperations>(), schemas: typia.json.schemas<[ListOperations], '3.1'>() },
    reply: typia.json.schemas<[OperationView[]], '3.1'>(),
    handle: (call) => call.read('operation.list', null),
  }),
  defineRoute({
    method: 'GET', path: '/operations/{operationId}', operation: 'getOperation', tags: ['Operations'], permission: null,
    summary: 'State of an asynchronous operation',
    description: '200 when it has succeeded, 206 while it runs, 412 when it has failed, 404 when unknown or expired.',
    textParameters: ['operationId'], reply: typia.json.schemas<[OperationView], '3.1'>(),
    handle: async (call) => {
      const reply = await call.read('operation.get', null);
      const operation = reply.data as OperationView;
      if (operation.status === 'failed') {
        throw new Refusal('operationFailed', operation.errorMessage ?? 'The operation has failed.', { extra: { data: operation } });
      }
      return { ...reply, status: operation.status === 'running' ? 206 : 200 };
    },
  }),
];
