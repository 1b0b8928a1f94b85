import typia from 'typia';
import {
  type BulkBlocksRequest,
  type BulkSendRequest,
  type CloseSubcasesRequest,
  type LiftBlocksRequest,
  type OperationView,
  type OrderedBulkView,
  Refusal,
} from '../../../actors/index.js';
import { ask } from '../../answers.js';
import { type Call, defineRoute, type Route } from '../../routing/route.js';
import { pageQuery } from '../../routing/shared-queries.js';

const tags = ['Supercases'];

interface DryRunQuery {
  /** Returns the number of subcases that it would change, and changes none. */
  readonly dryRun?: boolean;
}

interface BulkOperationView extends Omit<OrderedBulkView, 'id'> {
  /** Null after a dry run. */
  readonly id: string | null;
  readonly status: BulkStatus;
  /** Null once the operation has expired. */
  readonly total: number | null;
  readonly succeeded: number | null;
  readonly failed: number | null;
  readonly errors: readonly { readonly id: string; readonly errorType: string; readonly message: string }[];
}

type BulkStatus = 'queued' | 'running' | 'completed' | 'completedWithErrors' | 'canceled' | 'dryRun';

const reply = typia.json.schemas<[BulkOperationView], '3.1'>();
const dryRunQuery = { validate: typia.misc.createValidatePrune<DryRunQuery>(), schemas: typia.json.schemas<[DryRunQuery], '3.1'>() };

/** Mass work on all subcases of a supercase. */
export const bulkRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/supercases/{supercaseId}/bulk/close-subcases',
    operation: 'closeSubcases',
    summary: 'Complete all subcases',
    tags,
    permission: 'supercase:bulk.update',
    query: dryRunQuery,
    reply,
    body: {
      validate: typia.misc.createValidatePrune<CloseSubcasesRequest>(),
      schemas: typia.json.schemas<[CloseSubcasesRequest], '3.1'>(),
    },
    handle: (call) => call.command('supercase.closeSubcases', call.params.supercaseId),
  }),
  defineRoute({
    method: 'POST',
    path: '/supercases/{supercaseId}/bulk/do-not-interacts',
    operation: 'blockSubcases',
    summary: 'Block communication on all subcases',
    tags,
    permission: 'supercase:bulk.update',
    reply,
    body: { validate: typia.misc.createValidatePrune<BulkBlocksRequest>(), schemas: typia.json.schemas<[BulkBlocksRequest], '3.1'>() },
    handle: (call) => call.command('supercase.blockSubcases', call.params.supercaseId),
  }),
  defineRoute({
    method: 'POST',
    path: '/supercases/{supercaseId}/bulk/send',
    operation: 'sendToSubcases',
    summary: 'Send a message for each subcase',
    tags,
    permission: 'supercase:bulk.send',
    query: dryRunQuery,
    reply,
    body: { validate: typia.misc.createValidatePrune<BulkSendRequest>(), schemas: typia.json.schemas<[BulkSendRequest], '3.1'>() },
    handle: (call) => call.command('supercase.sendToSubcases', call.params.supercaseId),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/supercases/{supercaseId}/bulk/do-not-interacts',
    operation: 'liftSubcaseBlocks',
    summary: 'Lift the blocks that were set on all subcases',
    tags,
    permission: 'supercase:bulk.update',
    reply,
    body: { validate: typia.misc.createValidatePrune<LiftBlocksRequest>(), schemas: typia.json.schemas<[LiftBlocksRequest], '3.1'>() },
    handle: (call) => call.command('supercase.liftSubcaseBlocks', call.params.supercaseId),
  }),
  defineRoute({
    method: 'GET',
    path: '/supercases/{supercaseId}/bulk-operations',
    operation: 'listBulkOperations',
    summary: 'List the bulk operations of a supercase',
    tags,
    permission: 'supercase:read',
    envelope: 'list',
    query: pageQuery,
    reply: typia.json.schemas<[BulkOperationView[]], '3.1'>(),
    handle: async (call) => {
      const answer = await call.read('supercaseBulk.list', call.params.supercaseId);
      const page = answer.data;
      return { ...answer, data: { ...page, items: await Promise.all(page.items.map((ordered) => withProgress(call, ordered))) } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/supercases/{supercaseId}/bulk-operations/{operationId}',
    operation: 'getBulkOperation',
    summary: 'Get the progress of a bulk operation',
    tags,
    permission: 'supercase:read',
    textParameters: ['operationId'],
    reply,
    handle: async (call) => {
      const answer = await call.read('supercaseBulk.get', call.params.supercaseId);
      return { ...answer, data: await withProgress(call, answer.data) };
    },
  }),
];

/** Operations are kept for an hour after their end: an unknown one has been completed. */
async function withProgress(call: Call, ordered: OrderedBulkView): Promise<BulkOperationView> {
  try {
    const {
      engine,
      caller: { company, mode, permissions },
    } = call;
    const operation = await ask(engine, {
      company,
      mode,
      permissions,
      type: 'operation.get',
      target: null,
      params: { operationId: ordered.id },
      query: {},
    });
    return { ...ordered, ...progressOf(operation) };
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.errorType !== 'notFound') throw cause;
    return { ...ordered, status: 'completed', total: null, succeeded: null, failed: null, errors: [] };
  }
}

function progressOf({
  status,
  errorType,
  counts,
  progress,
  failures,
  isPaused,
}: OperationView): Pick<BulkOperationView, 'status' | 'total' | 'succeeded' | 'failed' | 'errors'> {
  const failed = counts?.failed ?? 0;
  const done = progress?.done ?? 0;
  const ended: BulkStatus = errorType === 'canceled' ? 'canceled' : failed > 0 ? 'completedWithErrors' : 'completed';
  const shown: BulkStatus = status === 'running' ? (done === 0 || isPaused ? 'queued' : 'running') : ended;
  return { status: shown, total: progress?.total ?? null, succeeded: done - failed, failed, errors: failures ?? [] };
}
