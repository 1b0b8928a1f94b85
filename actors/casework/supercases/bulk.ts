import { must } from '../../../engine/index.js';
import { type BulkSendRequest, readSaid } from '../../contact/index.js';
import type { Decision } from '../../kernel/actor.js';
import type { MassOrder } from '../../kernel/jobs/mass-facts.js';
import { operationIdOf } from '../../kernel/jobs/operations.js';
import {
  blockFrom,
  blockSubcase,
  type CloseSubcase,
  closeSubcase,
  liftSubcaseBlock,
  sendForSubcase,
  type SendToSubcase,
  type SubcaseFilter,
} from '../cases/index.js';
import { type Context, fact, onSupercase, populationOf } from './context.js';
import type { BulkBlocksRequest, CloseSubcasesRequest, LiftBlocksRequest } from './requests.js';
import type { BulkType, SupercaseState } from './state.js';
import { bulkView } from './views.js';

interface BulkOrder {
  readonly type: BulkType;
  /** What is asked of each subcase. */
  readonly command: string;
  readonly body: object;
  readonly populationIds: readonly string[] | undefined;
  readonly isActive?: boolean;
}

interface BulkQuery {
  readonly dryRun?: boolean;
}

/** `POST …/bulk/close-subcases`: those that are closed stay as they are. */
export const closeSubcases = onSupercase('supercase.closeSubcases', (context) => {
  const { outcome, note = null, populationIds } = context.body as CloseSubcasesRequest;
  return ordered(context, {
    type: 'closeSubcases',
    command: closeSubcase.type,
    body: { outcome, note } satisfies CloseSubcase,
    populationIds,
    isActive: true,
  });
});

/** `POST …/bulk/do-not-interacts`: a subcase that blocks already keeps its own. */
export const blockSubcases = onSupercase('supercase.blockSubcases', (context) => {
  const { populationIds, ...body } = context.body as BulkBlocksRequest;
  blockFrom(context.env, null, body); // what is no block is refused here
  return ordered(context, { type: 'createDoNotInteracts', command: blockSubcase.type, body, populationIds, isActive: true });
});

/** `DELETE …/bulk/do-not-interacts`: those that were made in bulk. */
export const liftSubcaseBlocks = onSupercase('supercase.liftSubcaseBlocks', (context) => {
  const { populationIds } = context.body as LiftBlocksRequest;
  return ordered(context, { type: 'removeDoNotInteracts', command: liftSubcaseBlock.type, body: {}, populationIds });
});

/**
 * `POST …/bulk/send`: one e-mail for each subcase, whatever its status. Words that do not fit are refused here; the guard is asked for
 * each.
 */
export const sendToSubcases = onSupercase('supercase.sendToSubcases', (context) => {
  const { populationIds, ...request } = context.body as BulkSendRequest;
  const body: SendToSubcase = readSaid(context.env.now, request);
  return ordered(context, { type: 'send', command: sendForSubcase.type, body, populationIds });
});

/** The order is one fact, which all shards hear of; a dry run counts whom it would be about. */
function ordered(context: Context, { type, command, body, populationIds, isActive }: BulkOrder): Decision<SupercaseState> {
  const {
    state,
    env,
    command: { commandId, query, actor },
  } = context;
  for (const id of populationIds ?? []) populationOf(state, id);
  const filter: SubcaseFilter = {
    supercaseId: state.id,
    ...(populationIds === undefined ? {} : { populationIds }),
    ...(isActive === undefined ? {} : { isActive }),
  };
  const selection = { kind: 'case', filter };
  const total = env.count(selection);
  const id = operationIdOf(commandId);
  const { dryRun = false } = (query ?? {}) as BulkQuery;
  if (dryRun) {
    const view = bulkView(state, { id, type, createdAt: env.now, createdBy: actor });
    return { facts: [], reply: () => ({ data: { ...view, id: null, status: 'dryRun', total, succeeded: 0, failed: 0, errors: [] } }) };
  }
  const order: MassOrder = {
    kind: `supercase.${type}`,
    resultObjectId: state.id,
    isDryRun: false,
    isHeld: false,
    supposing: [],
    task: { type: 'command', command, selection, body },
  };
  return {
    facts: [fact('BulkOrdered', { id, type }), { type: 'MassOrdered', body: order }],
    reply: (after) => {
      const made = must(
        after.operations.find((operation) => operation.id === id),
        'the order was recorded',
      );
      return { data: { ...bulkView(after, made), status: 'queued', total, succeeded: 0, failed: 0, errors: [] }, operationId: id };
    },
  };
}
