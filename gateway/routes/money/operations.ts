import typia, { type tags } from 'typia';
import {
  type PausedMoveView,
  type PauseWorkBody,
  type OperationView,
  Refusal,
  type ReplayManyRequest,
  type WorkCalendarQuery,
  type WorkCalendarView,
} from '../../../actors/index.js';
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
const pauseBody = { validate: typia.misc.createValidatePrune<PauseWorkBody>(), schemas: typia.json.schemas<[PauseWorkBody], '3.1'>() };
const pauseReply = typia.json.schemas<[PausedMoveView], '3.1'>();
const operationReply = typia.json.schemas<[OperationView], '3.1'>();

export const operationRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/operations',
    operation: 'listOperations',
    tags: about,
    permission: null,
    envelope: 'list',
    summary: 'List running and recent operations',
    query: { validate: typia.misc.createValidatePrune<ListOperations>(), schemas: typia.json.schemas<[ListOperations], '3.1'>() },
    reply: typia.json.schemas<[OperationView[]], '3.1'>(),
    handle: (call) => call.read('operation.list', null),
  }),
  defineRoute({
    method: 'GET',
    path: '/operations/daily',
    operation: 'getWorkCalendar',
    tags: about,
    permission: null,
    summary: 'Get the calendar of automatic work: what ran on a day, and what did not',
    description:
      'Closes of days, files, settlements, tapes, reminders and campaigns, with the time at which each was due, its state and progress. ' +
      'Without parameters it is that of today. A work that has failed or is not done in time is late, and has the event `operation.late`.',
    query: { validate: typia.misc.createValidatePrune<WorkCalendarQuery>(), schemas: typia.json.schemas<[WorkCalendarQuery], '3.1'>() },
    reply: typia.json.schemas<[WorkCalendarView], '3.1'>(),
    handle: (call) => call.read('operation.daily', null),
  }),
  defineRoute({
    method: 'POST',
    path: '/operations/daily/{work}/pause',
    operation: 'pauseDayWork',
    tags: about,
    permission: 'operation:update',
    summary: 'Pause automatic work: of a processor, investor, settlement or credit agency, or of the company',
    description:
      'For `achFile`, `achSameDayFile`, `achInbox`, `cardPayments`, `cardResults`, `settlement`, `settlementTransfer` and `creditFile`. ' +
      'Nothing of it begins until it is resumed, and what is not at the bank yet stays. It is due all the same, and becomes late.',
    textParameters: ['work'],
    body: pauseBody,
    reply: pauseReply,
    handle: (call) => call.command('dayWork.pause', call.caller.company),
  }),
  defineRoute({
    method: 'POST',
    path: '/operations/daily/{work}/resume',
    operation: 'resumeDayWork',
    tags: about,
    permission: 'operation:update',
    summary: 'Resume automatic work that was paused by its name',
    textParameters: ['work'],
    body: pauseBody,
    reply: pauseReply,
    handle: (call) => call.command('dayWork.resume', call.caller.company),
  }),
  defineRoute({
    method: 'GET',
    path: '/operations/{operationId}',
    operation: 'getOperation',
    tags: about,
    permission: null,
    summary: 'Get the state of an operation',
    description: 'Returns 200 when the operation has succeeded, 206 while it runs, 412 when it has failed, 404 when unknown or expired.',
    textParameters: ['operationId'],
    reply: operationReply,
    handle: async (call) => {
      const reply = await call.read('operation.get', null);
      const operation = reply.data;
      if (operation.status === 'failed') {
        throw new Refusal('operationFailed', operation.errorMessage ?? 'The operation failed.', { extra: { data: operation } });
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
    summary: 'Replay many loans: named ones, filtered ones or all',
    description: 'With `dryRun` nothing is recorded, and the operation has a report of differences. With `hold` it waits to be resumed.',
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
    summary: 'Pause mass work',
    description: 'Finished parts stay. Other commands and all reads go on.',
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
    summary: 'Resume mass work that is paused or held',
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
    summary: 'Cancel mass work',
    description:
      'For dry runs and replays: recorded results stay, and the remaining loans are not computed. Index rates and the closing of days ' +
      'cannot be canceled (409).',
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
    summary: 'Get the differences that a dry run has found, with a line for each loan',
    description: 'CSV (RFC 4180) with id, outcome, and each figure before and after. Kept for an hour after the end.',
    textParameters: ['operationId'],
    handle: (call) => csvReply(async (part) => (await call.read('operation.report', null, { query: { part } })).data),
  }),
];

/** Runs the command, and returns the state of the operation after it. */
async function moved(call: Call<{ readonly operationId: string }, unknown, unknown>, verb: 'pause' | 'resume' | 'cancel'): Promise<Reply> {
  const { replayed } = await call.command(`operation.${verb}`, call.caller.company);
  const { data } = await call.read('operation.get', null);
  return { data, ...(replayed === undefined ? {} : { replayed }) };
}
