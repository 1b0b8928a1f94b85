import { Refusal } from '../errors.js';
import { cutPage } from '../list-order.js';
import type { ListResult } from '../wire.js';
import type { CommandRequest, Outcome, QueryRequest } from './actor.js';
import type { Engine } from './engine.js';
import { eventPage, type EventQuery, pulledLogOf } from './event-pages.js';
import { eventView } from './event-views.js';
import type { Tenant } from './fact.js';
import type { Operation } from './operations.js';
import type { TestClocks, TestClockView } from './test-clocks.js';

/** Longest wait of a `sync` call, in milliseconds. */
const SYNC_WAIT_MS = 20_000;

export type SystemQuery = (request: QueryRequest, tenant: Tenant) => unknown;
export type SystemCommand = (request: CommandRequest, tenant: Tenant) => Promise<Outcome>;

/** What a part beside the engine answers under names of its own: the deliveries of webhooks. */
export interface Services {
  readonly queries: Readonly<Record<string, SystemQuery>>;
  readonly commands: Readonly<Record<string, SystemCommand>>;
}

/** What the runtime itself answers: its events, its operations and the test clocks. */
export function systemQueries(engine: Engine, clocks: TestClocks, services?: Services): ReadonlyMap<string, SystemQuery> {
  return new Map<string, SystemQuery>([
    ...Object.entries(services?.queries ?? {}),
    ['event.list', (request, tenant) => eventPage(pulledLogOf(engine, tenant), (request.query ?? {}) as EventQuery, request.params)],
    ['event.get', (request, tenant) => {
      const event = engine.events.get(tenant, request.params['eventId'] ?? '');
      if (!event) throw new Refusal('notFound', `There is no event ${request.params['eventId'] ?? ''}.`);
      return eventView(event);
    }],
    ['operation.get', (request, tenant) => operationView(operationNamed(engine, tenant, request.params['operationId'] ?? ''))],
    ['operation.list', (request, tenant) => listOperations(engine, tenant, request.query as OperationQuery)],
    ['testClock.list', (_request, tenant): ListResult<TestClockView> => {
      const items = clocks.list(tenant, engine.companyZone(tenant));
      return { items, total: items.length, hasMore: false, hasPrevious: false };
    }],
    ['testClock.get', (request, tenant) => clocks.get(tenant, engine.companyZone(tenant), request.target ?? '')],
  ]);
}

export function systemCommands(engine: Engine, clocks: TestClocks, services?: Services): ReadonlyMap<string, SystemCommand> {
  return new Map<string, SystemCommand>([
    ...Object.entries(services?.commands ?? {}),
    ['testClock.create', async (request, tenant) => {
      const body = request.body as { startDate?: string; name?: string | null };
      return answer(await clocks.create(tenant, engine.companyZone(tenant), body));
    }],
    ['testClock.advance', async (request, tenant) => {
      const { to } = request.body as { to: string };
      const { operation, finished } = await clocks.advance(tenant, engine.companyZone(tenant), request.target ?? '', to);
      const isSync = (request.query as { readonly sync?: boolean } | undefined)?.sync === true;
      if (!isSync) return { ...answer(operationView(operation)), status: 202, operationId: operation.operationId };
      await inTime(finished, operation);
      return { ...answer(operationView(operation)), operationId: operation.operationId };
    }],
    ['testClock.delete', async (request, tenant) => {
      await clocks.delete(tenant, request.target ?? '');
      return { data: undefined, message: 'The test mode is empty.', replayed: false };
    }],
  ]);
}

const answer = (data: unknown): Outcome => ({ data, replayed: false });

async function inTime(finished: Promise<void>, operation: Operation): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      finished.catch(() => undefined); // the operation tells its own end
      reject(new Refusal('syncTimeout', 'The clock is still advancing.', { extra: { data: { operationId: operation.operationId } } }));
    }, SYNC_WAIT_MS);
  });
  try {
    await Promise.race([finished, late]);
  } finally {
    clearTimeout(timer);
  }
}

export interface OperationQuery {
  readonly status?: Operation['status'];
  readonly loanId?: string;
  readonly limit?: number;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
}

function operationNamed(engine: Engine, tenant: Tenant, operationId: string): Operation {
  const operation = engine.operations.get(tenant, operationId, engine.machineMs());
  if (!operation) throw new Refusal('notFound', `The operation ${operationId} is unknown or expired.`);
  return operation;
}

function listOperations(engine: Engine, tenant: Tenant, query: OperationQuery): ListResult {
  const loanId = query.loanId === undefined ? undefined : engine.locate(tenant, 'loan', query.loanId);
  const wanted = engine.operations.list(tenant, engine.machineMs()).filter((operation) =>
    (query.status === undefined || operation.status === query.status) && (loanId === undefined || operation.loanId === loanId));
  const { items, order, ...page } = cutPage({
    items: wanted,
    isNamed: ({ operationId }, cursor) => operationId === cursor,
    descending: OPERATION_ORDER,
    placeOf: ({ startedAt }) => [startedAt, 0],
  }, { ...query, limit: query.limit ?? 25 });
  const ends = items[0] ? { firstId: items[0].operationId, lastId: items.at(-1)?.operationId ?? items[0].operationId } : {};
  return { ...page, items: items.map(operationView), ...ends, order: order() };
}

/** By the time of their start. Those of one moment are told apart by where they were done: the units of a cluster stand behind one another. */
const OPERATION_ORDER = [true, false] as const;

export interface OperationView {
  readonly operationId: string;
  readonly kind: string;
  readonly loanId: string | null;
  readonly status: Operation['status'];
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly resultObjectId: string | null;
  readonly errorType: string | null;
  readonly errorMessage: string | null;
  readonly progress: { readonly done: number; readonly total: number } | null;
}

export function operationView(operation: Operation): OperationView {
  const { operationId, kind, loanId, status, resultObjectId, errorType, errorMessage, progress } = operation;
  return {
    operationId, kind, loanId, status,
    startedAt: new Date(operation.startedAt).toISOString(),
    finishedAt: operation.finishedAt === null ? null : new Date(operation.finishedAt).toISOString(),
    resultObjectId, errorType, errorMessage, progress,
  };
}
