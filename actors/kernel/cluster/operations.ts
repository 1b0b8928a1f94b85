import { Refusal } from '../../errors.js';
import type { QueryRequest } from '../actor.js';
import { assertReport, isOver, massOperations, type OperationShare, type OperationView, sumOf, unheardOf } from '../jobs/share-views.js';
import { operationPage, type OperationQuery } from '../jobs/operation-views.js';
import type { ListResult } from '../../wire.js';
import { BORROWER_UNITS, merged, partsOf, SHARED_UNIT, type Unit, type UnitsClient } from './lists.js';

/** The unit that orders mass work first: what is paused and canceled is known there before it is known elsewhere. */
const ORDERED: readonly Unit[] = [SHARED_UNIT, ...BORROWER_UNITS];

/** The operation of an id, which does not tell where it lies: all are asked, and mass work is the sum of what each has of it. */
export async function getOperation(units: UnitsClient, request: QueryRequest): Promise<OperationView> {
  const answers = await Promise.allSettled(ORDERED.map((unit) => shareOfUnit(units, unit, request)));
  const known = answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value !== null ? [answer.value] : []));
  const done = known.find((answer): answer is OperationView => !isShare(answer));
  if (done) return done;
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
  return sumOf(
    wholeShares(
      answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null)),
      request,
    ),
  );
}

/** One part of the report of a dry run: those of all units behind one another, under one head. */
export async function reportPart(units: UnitsClient, request: QueryRequest): Promise<{ readonly text: string; readonly parts: number }> {
  const shares = wholeShares(await Promise.all(ORDERED.map((unit) => shareOfUnit(units, unit, request))), request);
  assertReport(sumOf(shares));
  const places = shares.flatMap(({ report }, at) =>
    Array.from({ length: report?.parts ?? 0 }, (_, part) => ({ unit: ORDERED[at] ?? SHARED_UNIT, part })),
  );
  const { part: asked } = request.query as { readonly part: number };
  const place = places[asked];
  if (!place) return { text: '', parts: places.length };
  const { text } = (await units.ask<'query'>(place.unit, { type: 'query', request: { ...request, query: { part: place.part } } })) as {
    readonly text: string;
  };
  return { text: asked > 0 && place.part === 0 ? withoutHead(text) : text, parts: places.length };
}

/**
 * Those of the same moment stand in the order of where they were done: mass work, which all units do, before what each has done with a
 * reply.
 */
export async function listOperations(units: UnitsClient, request: QueryRequest): Promise<ListResult> {
  const asked: QueryRequest = { ...request, type: 'operation.shares' };
  const masses = massOperations(
    (await Promise.all(ORDERED.map((unit) => units.ask<'query'>(unit, { type: 'query', request: asked })))) as OperationShare[][],
  );
  const sources: readonly (Unit | null)[] = [null, ...ORDERED];
  const query = (request.query ?? {}) as OperationQuery;
  const parts = await partsOf<Unit | null>({
    over: sources,
    owners: sources,
    request,
    ask: async (unit, own) =>
      unit === null
        ? operationPage(masses, own.query as OperationQuery)
        : ((await units.ask<'query'>(unit, { type: 'query', request: own })) as ListResult),
    enter: ([startedAt = null], other, owner) => [startedAt, sources.indexOf(other) > sources.indexOf(owner) ? -1 : 1],
  });
  const page = merged(parts, query);
  const ids = (page.items as readonly OperationView[]).map(({ operationId }) => operationId);
  return { ...page, ...(ids[0] === undefined ? {} : { firstId: ids[0], lastId: ids.at(-1) ?? ids[0] }) };
}

type Answer = OperationShare | OperationView;

const isShare = (answer: Answer): answer is OperationShare => 'remaining' in answer;

/** Null where the unit does not know of it. */
async function shareOfUnit(units: UnitsClient, unit: Unit, request: QueryRequest): Promise<Answer | null> {
  try {
    return (await units.ask<'query'>(unit, { type: 'query', request: { ...request, type: 'operation.share', query: {} } })) as Answer;
  } catch (cause) {
    if (cause instanceof Refusal && cause.errorType === 'notFound') return null;
    throw cause;
  }
}

/** What each unit has of mass work that the first has ordered. A unit that has not heard of it yet has all of its share before it. */
function wholeShares(answers: readonly (Answer | null)[], { params }: QueryRequest): readonly OperationShare[] {
  const [first = null] = answers;
  const shares = first && isShare(first) ? answers.map((answer) => (answer !== null && isShare(answer) ? answer : unheardOf(first))) : [];
  if (shares.length === 0 || isOver(shares))
    throw new Refusal('notFound', `The operation ${params['operationId'] ?? ''} is unknown or has expired.`);
  return shares;
}

const withoutHead = (text: string): string => text.slice(text.indexOf('\r\n') + 2);
