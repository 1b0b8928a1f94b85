import { must } from '../../engine/index.js';
import { Refusal } from '../errors.js';
import { cutPage } from '../list-order.js';
import type { ListResult } from '../wire.js';
import type { Engine } from './engine.js';
import { type Tenant, tenantKey } from './fact.js';
import { LIMITS, SHARED_SHARD } from './limits.js';
import type { MassWork } from './mass/mass-works.js';
import { type OperationShare, type OperationView, shareOf, sumOf } from './mass/share-views.js';
import type { Operation } from './operations.js';

export interface OperationQuery {
  readonly status?: Operation['status'];
  readonly loanId?: string;
  readonly limit?: number;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
}

/** The operation that an id names: mass work, or what was done with a reply. */
export function operationNamed(engine: Engine, tenant: Tenant, operationId: string): OperationView {
  const work = engine.world.massWorks.get(tenant, operationId);
  const operation = work ? undefined : (engine.operations.get(tenant, operationId, engine.machineMs()) ?? advanceOf(engine, tenant, operationId));
  if (!work && !operation) throw unknown(operationId);
  return work ? massView(engine, work) : operationView(must(operation, operationId));
}

/** The newest advance of the test clock: after a start only the calendar knows of it. */
function advanceOf(engine: Engine, tenant: Tenant, operationId: string): Operation | undefined {
  const clock = engine.world.calendars.clock(tenant);
  if (!clock?.advance || clock.operationId !== operationId) return undefined;
  const { from, to, orderedAt, movedAt } = clock.advance;
  const isDone = clock.goal === null;
  if (isDone && engine.machineMs() - movedAt > LIMITS.operationMs) return undefined;
  return {
    operationId, tenant, kind: 'testClock.advance', loanId: null, status: isDone ? 'succeeded' : 'running', startedAt: orderedAt, finishedAt: isDone ? movedAt : null,
    resultObjectId: clock.id, errorType: null, errorMessage: null,
    progress: { done: Math.floor((clock.at - from) / DAY_MS), total: Math.ceil((to - from) / DAY_MS) },
  };
}

const DAY_MS = 86_400_000;

/** What this process has of a piece of mass work; the whole of what was done with a reply. */
export function operationShare(engine: Engine, tenant: Tenant, operationId: string): OperationShare | OperationView {
  const work = engine.world.massWorks.get(tenant, operationId);
  return work ? shareOf(work, engine.mass.runOf(work)) : operationNamed(engine, tenant, operationId);
}

/** One part of the report of a dry run, and whether more follow. */
export function reportPart(engine: Engine, tenant: Tenant, operationId: string, { part }: { readonly part: number }): { readonly text: string; readonly parts: number } {
  const work = engine.world.massWorks.get(tenant, operationId);
  if (!work) throw unknown(operationId);
  const { report, finishedAt } = engine.mass.runOf(work);
  if (!report) throw new Refusal('notFound', 'Only dry runs have a report.');
  if (finishedAt === null) throw new Refusal('invalidState', 'The dry run is not finished.');
  if (report.rows === 0 && report.rowsLeftOut > 0) throw new Refusal('notFound', 'The report was given up for newer ones; its totals are on the operation.');
  return { text: report.part(part), parts: report.partCount };
}

export function listOperations(engine: Engine, tenant: Tenant, query: OperationQuery): ListResult {
  const loanId = query.loanId === undefined ? undefined : engine.locate(tenant, 'loan', query.loanId);
  const wanted = recent(engine, tenant).filter((one) => (query.status === undefined || one.status === query.status) && (loanId === undefined || one.loanId === loanId));
  const { items, order, ...page } = cutPage({
    items: wanted,
    isNamed: ({ operationId }, cursor) => operationId === cursor,
    descending: OPERATION_ORDER,
    placeOf: ({ startedAt }) => [typeof startedAt === 'number' ? startedAt : Date.parse(startedAt), 0],
  }, { ...query, limit: query.limit ?? 25 });
  const ends = items[0] ? { firstId: items[0].operationId, lastId: items.at(-1)?.operationId ?? items[0].operationId } : {};
  return { ...page, items: items.map((one) => ('percent' in one ? one : operationView(one))), ...ends, order: order() };
}

/** By the time of their start. Those of one moment are told apart by where they were done: the units of a cluster stand behind one another. */
const OPERATION_ORDER = [true, false] as const;

/** Newest first; days on which nobody had anything to do are left out. Mass work is listed by the owner of the shared shard. */
function recent(engine: Engine, tenant: Tenant): readonly (Operation | OperationView)[] {
  const ordered = engine.world.owns(SHARED_SHARD) ? [...engine.world.massWorks.all()] : [];
  const works = ordered.filter((work) => tenantKey(work.tenant) === tenantKey(tenant)).reverse();
  const others = engine.operations.list(tenant, engine.machineMs());
  const merged: (Operation | OperationView)[] = [];
  let at = 0;
  for (const work of works) {
    const view = massView(engine, work);
    if (view.kind === 'day.close' && view.progress?.total === 0) continue;
    for (let other = others[at]; other && other.startedAt > work.orderedAt; other = others[at]) {
      merged.push(other);
      at += 1;
    }
    merged.push(view);
  }
  return [...merged, ...others.slice(at)];
}

const massView = (engine: Engine, work: MassWork): OperationView => sumOf([shareOf(work, engine.mass.runOf(work))]);

const unknown = (operationId: string): Refusal => new Refusal('notFound', `The operation ${operationId} is unknown or expired.`);

export function operationView(operation: Operation): OperationView {
  const { operationId, kind, loanId, status, resultObjectId, errorType, errorMessage, progress, startedAt, finishedAt } = operation;
  return {
    operationId, kind, loanId, status,
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    resultObjectId, errorType, errorMessage, progress,
    percent: progress && Math.floor((progress.done * 100) / Math.max(1, progress.total)),
    loansPerSecond: null, etaSeconds: null, counts: null, failures: null, isPaused: false, isDryRun: false, report: null,
  };
}
