import { fieldOf } from '../../../engine/index.js';
import { randomUUID } from 'node:crypto';
import { Refusal } from '../../errors.js';
import type { ListResult } from '../../wire.js';
import type { CommandRequest, Outcome, QueryRequest } from '../actor.js';
import { askedUnder, type ClockRequest } from './clock-history.js';
import { endedWithin, FOLLOW_CLOCK, type TestClocks, type TestClockView } from './test-clocks.js';
import type { Engine } from './engine.js';
import { eventPage, eventView, pulledLogOf } from '../events/event-pages.js';
import type { Tenant } from '../fact.js';
import { LIMITS } from '../limits.js';
import {
  advanceOperation,
  listOperations,
  massShares,
  operationNamed,
  type OperationQuery,
  operationShare,
  operationView,
  reportPart,
} from '../jobs/operation-views.js';
import type { Operation } from '../jobs/operations.js';

interface System {
  /** A row names its query as the route has validated it. */
  query(request: QueryRequest, tenant: Tenant): unknown;
  /** A row names its body as the route has validated it. */
  command(request: CommandRequest, tenant: Tenant): Promise<Outcome>;
}

export type SystemQuery = System['query'];
export type SystemCommand = System['command'];

/** Queries and commands of a part beside the engine, such as the deliveries of webhooks. */
export interface Services {
  readonly queries: Readonly<Record<string, SystemQuery>>;
  readonly commands: Readonly<Record<string, SystemCommand>>;
}

/** Queries that the runtime itself answers: its events, its operations and the test clocks. */
export function systemQueries(engine: Engine, clocks: TestClocks, services?: Services): ReadonlyMap<string, SystemQuery> {
  return new Map<string, SystemQuery>([
    ...Object.entries(services?.queries ?? {}),
    ['event.list', (request, tenant) => eventPage(pulledLogOf(engine, tenant), request.query ?? {}, request.params)],
    [
      'event.get',
      (request, tenant) => {
        const event = engine.events.get(tenant, request.params['eventId'] ?? '');
        if (!event) throw new Refusal('notFound', `There is no event ${request.params['eventId'] ?? ''}.`);
        return eventView(event);
      },
    ],
    ['operation.get', (request, tenant) => onceDurable(engine, operationNamed(engine, tenant, request.params['operationId'] ?? ''))],
    ['operation.share', (request, tenant) => onceDurable(engine, operationShare(engine, tenant, request.params['operationId'] ?? ''))],
    ['operation.shares', (_request, tenant) => onceDurable(engine, massShares(engine, tenant))],
    [
      'operation.report',
      (request: QueryRequest<{ readonly part: number }>, tenant) =>
        reportPart(engine, tenant, request.params['operationId'] ?? '', request.query),
    ],
    [
      'operation.list',
      (request: QueryRequest<OperationQuery>, tenant) => onceDurable(engine, listOperations(engine, tenant, request.query)),
    ],
    [
      'testClock.list',
      (_request, tenant): ListResult<TestClockView> => {
        const items = clocks.list(tenant, engine.companyZone(tenant));
        return { items, total: items.length, hasMore: false, hasPrevious: false };
      },
    ],
    ['testClock.get', (request, tenant) => clocks.get(tenant, engine.companyZone(tenant), request.target ?? '')],
  ]);
}

export function systemCommands(engine: Engine, clocks: TestClocks, services?: Services): ReadonlyMap<string, SystemCommand> {
  return new Map<string, SystemCommand>([
    ...Object.entries(services?.commands ?? {}),
    [
      'testClock.create',
      async (request: CommandRequest<{ readonly startDate?: string; readonly name?: string | null }>, tenant) => {
        const { body } = request;
        const asked = askedUnder(request);
        const zone = engine.companyZone(tenant);
        const before = clocks.firstTry(tenant, request);
        if (before === undefined) {
          const clock = await clocks.create(tenant, zone, body, asked);
          if (engine.has(FOLLOW_CLOCK)) await engine.execute(ownCommand(FOLLOW_CLOCK, request));
          return answer(clock);
        }
        const made = clocks.asMade(before, zone);
        if (made === undefined) throw stillRunning();
        return again(engine, { data: made });
      },
    ],
    [
      'testClock.advance',
      async (request: CommandRequest<{ readonly to: string }>, tenant) => {
        const { to } = request.body;
        const isSync = fieldOf(request.query, 'sync') === true;
        const asked = askedUnder(request);
        const before = clocks.firstTry(tenant, request);
        if (before !== undefined) return again(engine, orderedBefore(tenant, before, isSync));
        const { operation, began, finished } = await clocks.advance(tenant, engine.companyZone(tenant), request.target ?? '', to, asked);
        if (!isSync) return { ...answer(began), status: 202, operationId: operation.operationId };
        await inTime(finished, operation);
        return { ...answer(operationView(operation)), operationId: operation.operationId };
      },
    ],
    [
      'testClock.delete',
      async (request, tenant) => {
        const asked = askedUnder(request);
        if (clocks.firstTry(tenant, request) === undefined) {
          await clocks.delete(tenant, request.target ?? '', asked);
          return { ...EMPTIED, replayed: false };
        }
        await engine.wiped();
        return again(engine, EMPTIED);
      },
    ],
  ]);
}

/** A command that follows from a request, to its company. */
const ownCommand = (type: string, { idempotency: _, ...request }: CommandRequest): CommandRequest => ({
  ...request,
  commandId: randomUUID(),
  type,
  target: request.company,
  params: {},
  body: {},
});

/** Counts of mass work include batches that may not be durable yet. */
async function onceDurable<T>(engine: Engine, view: T): Promise<T> {
  await engine.seen();
  return view;
}

const answer = (data: unknown): Outcome => ({ data, replayed: false });

type Given = Pick<Outcome, 'data' | 'status' | 'message' | 'operationId'>;

const EMPTIED: Given = { data: undefined, message: 'The test mode is empty.' };

/** The answer to the first attempt of a request. */
async function again(engine: Engine, given: Given): Promise<Outcome> {
  await engine.seen();
  return { ...given, replayed: true };
}

const stillRunning = (): Refusal =>
  new Refusal('idempotencyInProgress', 'The first request with this Idempotency-Key is still running. Try again in a second.');

/** A retry of an advance. An advance that did not wait for its end was answered as it began. */
function orderedBefore(tenant: Tenant, before: ClockRequest, isSync: boolean): Given {
  if (isSync && !before.isDone) throw stillRunning();
  const operation = advanceOperation(tenant, isSync ? before : { ...before, isDone: false }, before.from);
  return { data: operationView(operation), status: isSync ? 200 : 202, operationId: operation.operationId };
}

async function inTime(finished: Promise<void>, operation: Operation): Promise<void> {
  if (await endedWithin(finished, LIMITS.syncWaitMs)) return;
  throw new Refusal('syncTimeout', 'The clock is still advancing. Read the operation for its progress.', {
    extra: { data: { operationId: operation.operationId } },
  });
}
