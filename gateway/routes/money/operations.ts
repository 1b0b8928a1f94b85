import typia, { type tags } from 'typia';
import { type OperationView, Refusal, type ReplayManyRequest } from '../../../actors/index.js';
import { csvReply } from '../../reply.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';

interface ListOperations {
  readonly status?: 'running' | 'succeeded' | 'failed';
  readonly loanId?: string;
  readonly limit?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<100>;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
}

interface Ordered {
  readonly operationId: string;
}

const about = ['Operations'];
const operationReply = typia.json.schemas<[OperationView], '3.1'>();

export const operationRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/operations',
    operation: 'listOperations',
    tags: about,
    permission: null,
    envelope: 'list',
    summary: 'Running and recent operations',
    query: { validate: typia.misc.createValidatePrune<ListOperations>(), schemas: typia.json.schemas<[ListOperations], '3.1'>() },
    reply: typia.json.schemas<[OperationView[]], '3.1'>(),
    handle: (call) => call.read('operation.list', null),
  }),
  defineRoute({
    method: 'GET',
    path: '/operations/{operationId}',
    operation: 'getOperation',
    tags: about,
    permission: null,
    summary: 'State of an asynchronous operation',
    description: '200 when it has succeeded, 206 while it runs, 412 when it has failed, 404 when unknown or expired.',
    textParameters: ['operationId'],
    reply: operationReply,
    handle: async (call) => {
      const reply = await call.read('operation.get', null);
      const operation = reply.data as OperationView;
      if (operation.status === 'failed') {
        throw new Refusal('operationFailed', operation.errorMessage ?? 'The operation has failed.', { extra: { data: operation } });
      }
      return { ...reply, status: operation.status === 'running' ? 206 : 200 };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/operations/replays',
    operation: 'replayLoans',
    tags: about,
    permission: 'loan:replay',
    success: 202,
    summary: 'Replay many loans: by name, as a list filters them, or all',
    description: 'With `dryRun` nothing is recorded, and the operation has a report of differences. With `hold` it waits for `resume`.',
    body: { validate: typia.misc.createValidatePrune<ReplayManyRequest>(), schemas: typia.json.schemas<[ReplayManyRequest], '3.1'>() },
    reply: typia.json.schemas<[Ordered], '3.1'>(),
    handle: (call) => call.command('operation.replay', call.caller.company),
  }),
  defineRoute({
    method: 'POST',
    path: '/operations/{operationId}/pause',
    operation: 'pauseOperation',
    tags: about,
    permission: 'operation:update',
    summary: 'Let mass work rest',
    description: 'What is computed stays; other commands and all reads go on.',
    textParameters: ['operationId'],
    reply: operationReply,
    handle: (call) => moved(call, 'pause'),
  }),
  defineRoute({
    method: 'POST',
    path: '/operations/{operationId}/resume',
    operation: 'resumeOperation',
    tags: about,
    permission: 'operation:update',
    summary: 'Let mass work that is paused or held go on',
    textParameters: ['operationId'],
    reply: operationReply,
    handle: (call) => moved(call, 'resume'),
  }),
  defineRoute({
    method: 'POST',
    path: '/operations/{operationId}/cancel',
    operation: 'cancelOperation',
    tags: about,
    permission: 'operation:update',
    summary: 'End mass work before it is done',
    description:
      'Dry runs and replays: what is recorded stays, whoever waits is left alone. 409 for what holds since it was accepted: index rates and closed days.',
    textParameters: ['operationId'],
    reply: operationReply,
    handle: (call) => moved(call, 'cancel'),
  }),
  defineRoute({
    method: 'GET',
    path: '/operations/{operationId}/report',
    operation: 'getOperationReport',
    tags: about,
    permission: 'loan:read',
    envelope: 'csv',
    summary: 'Differences that a dry run has found, a line for each loan',
    description: 'CSV (RFC 4180): id, outcome, each figure before and after. Kept for an hour after the end.',
    textParameters: ['operationId'],
    handle: (call) =>
      csvReply(
        async (part) =>
          (await call.read('operation.report', null, { query: { part } })).data as { readonly text: string; readonly parts: number },
      ),
  }),
];

/** The command, and how the operation stands then. */
async function moved(call: Call<{ readonly operationId: string }, unknown, unknown>, verb: 'pause' | 'resume' | 'cancel'): Promise<Reply> {
  const { replayed } = await call.command(`operation.${verb}`, call.caller.company);
  const { data } = await call.read('operation.get', null);
  return { data, ...(replayed === undefined ? {} : { replayed }) };
}
