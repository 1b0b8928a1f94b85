import { must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import { type Cursor, cutPage, matching } from '../../list-order.js';
import type { ListResult } from '../../wire.js';
import type { ClockRequest } from '../shard/clock-history.js';
import type { Engine } from '../shard/engine.js';
import { type Tenant, tenantKey } from '../fact.js';
import { LOAN } from '../known-names.js';
import { LIMITS } from '../limits.js';
import type { MassWork } from './mass-works.js';
import { assertReport, massOperations, type OperationShare, type OperationView, shareOf, sumOf } from './share-views.js';
import type { Operation } from './operations.js';

export interface OperationQuery {
  readonly status?: Operation['status'];
  readonly loanId?: string;
  readonly limit?: number;
  readonly startingAfter?: Cursor;
  readonly endingBefore?: Cursor;
}

/** The operation of an id: mass work, or a command that ended with its reply. */
export function operationNamed(engine: Engine, tenant: Tenant, operationId: string): OperationView {
  const work = engine.world.massWorks.get(tenant, operationId);
  const known = work ? undefined : engine.operations.get(tenant, operationId, engine.machineMs());
  const operation = work || (known && known.status !== 'failed') ? known : (advanceOf(engine, tenant, operationId) ?? known);
  if (!work && !operation) throw unknown(operationId);
  return work ? massView(engine, work) : operationView(must(operation, operationId));
}

/** An advance of the test clock: after a start, and after a reload that has interrupted it, only the calendars know of it. */
function advanceOf(engine: Engine, tenant: Tenant, operationId: string): Operation | undefined {
  const advance = engine.world.calendars.history.advance(tenantKey(tenant), operationId);
  if (advance === undefined || (advance.isDone && engine.machineMs() - advance.movedAt > LIMITS.operationMs)) return undefined;
  return advanceOperation(tenant, advance, advance.isDone ? advance.to : (engine.world.calendars.clock(tenant)?.at ?? advance.from));
}

/** An advance as an operation, with the present state of the clock. */
export function advanceOperation(
  tenant: Tenant,
  { clockId, operationId, from, to, at, movedAt, isDone }: ClockRequest,
  clockAt: number,
): Operation {
  return {
    operationId: must(operationId, 'an advance has an operation'),
    tenant,
    kind: 'testClock.advance',
    loanId: null,
    status: isDone ? 'succeeded' : 'running',
    startedAt: at,
    finishedAt: isDone ? movedAt : null,
    resultObjectId: clockId,
    errorType: null,
    errorMessage: null,
    progress: { done: isDone ? daysBetween(from, to) : Math.floor((clockAt - from) / DAY_MS), total: daysBetween(from, to) },
  };
}

const daysBetween = (from: number, to: number): number => Math.ceil((to - from) / DAY_MS);

const DAY_MS = 86_400_000;

/** This process's share of mass work; the whole operation if it ended with its reply. */
export function operationShare(engine: Engine, tenant: Tenant, operationId: string): OperationShare | OperationView {
  const work = engine.world.massWorks.get(tenant, operationId);
  return work ? massShare(engine, work) : operationNamed(engine, tenant, operationId);
}

/** This process's shares of all mass work of a tenant, newest first. */
export function massShares(engine: Engine, tenant: Tenant): readonly OperationShare[] {
  const works = [...engine.world.massWorks.all()].filter((work) => tenantKey(work.tenant) === tenantKey(tenant));
  return works.reverse().map((work) => massShare(engine, work));
}

/** One part of the report of a dry run, and whether more follow. */
export function reportPart(
  engine: Engine,
  tenant: Tenant,
  operationId: string,
  { part }: { readonly part: number },
): { readonly text: string; readonly parts: number } {
  const work = engine.world.massWorks.get(tenant, operationId);
  if (!work) throw unknown(operationId);
  assertReport(massView(engine, work));
  const report = must(engine.mass.runOf(work).report, 'a dry run has a report');
  return { text: report.part(part), parts: report.partCount };
}

export function listOperations(engine: Engine, tenant: Tenant, query: OperationQuery): ListResult<OperationView> {
  const loanId = query.loanId === undefined ? undefined : engine.locate(tenant, LOAN, query.loanId);
  return operationPage(
    recent(engine, tenant).filter((one) => loanId === undefined || one.loanId === loanId),
    query,
  );
}

/** `operations`: newest first. */
export function operationPage(operations: readonly (Operation | OperationView)[], query: OperationQuery): ListResult<OperationView> {
  const all = operations.map((one) => ({ id: one.operationId, one }));
  const { items, order, ...page } = cutPage(
    {
      items: matching(all, ({ one }) => query.status === undefined || one.status === query.status),
      isNamed: ({ id }, cursor) => id === cursor,
      descending: OPERATION_ORDER,
      positionOf: ({ one: { startedAt } }) => [typeof startedAt === 'number' ? startedAt : Date.parse(startedAt), 0],
    },
    { ...query, limit: query.limit ?? 25 },
  );
  const ends = items[0] ? { firstId: items[0].id, lastId: items.at(-1)?.id ?? items[0].id } : {};
  return { ...page, items: items.map(({ one }) => ('percent' in one ? one : operationView(one))), ...ends, order: order() };
}

/**
 * By start time. Operations of the same moment are ordered by where they ran: the units of a cluster follow one another.
 */
const OPERATION_ORDER = [true, false] as const;

/** Newest first. In a unit of a cluster without mass work, of which each unit has only a share. */
function recent(engine: Engine, tenant: Tenant): readonly (Operation | OperationView)[] {
  const masses = engine.world.isWhole ? massOperations([massShares(engine, tenant)]) : [];
  const others = engine.operations.list(tenant, engine.machineMs());
  const merged: (Operation | OperationView)[] = [];
  let at = 0;
  for (const mass of masses) {
    const startedAt = Date.parse(mass.startedAt);
    for (let other = others[at]; other && other.startedAt > startedAt; other = others[at]) {
      merged.push(other);
      at += 1;
    }
    merged.push(mass);
  }
  return [...merged, ...others.slice(at)];
}

const massShare = (engine: Engine, work: MassWork): OperationShare => shareOf(work, engine.mass.runOf(work), engine.machineMs());

const massView = (engine: Engine, work: MassWork): OperationView => sumOf([massShare(engine, work)]);

const unknown = (operationId: string): Refusal => new Refusal('notFound', `The operation ${operationId} is unknown or has expired.`);

export function operationView(operation: Operation): OperationView {
  const { operationId, kind, loanId, status, resultObjectId, errorType, errorMessage, progress, startedAt, finishedAt } = operation;
  return {
    operationId,
    kind,
    loanId,
    status,
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    resultObjectId,
    errorType,
    errorMessage,
    progress,
    percent: progress && Math.floor((progress.done * 100) / Math.max(1, progress.total)),
    loansPerSecond: null,
    etaSeconds: null,
    counts: null,
    failures: null,
    isPaused: false,
    isDryRun: false,
    report: null,
  };
}
