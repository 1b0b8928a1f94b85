import { assert, fieldOf } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { QueryRequest } from '../actor.js';
import {
  assertReport,
  isOver,
  massOperations,
  type OperationShare,
  type OperationView,
  sumOf,
  shareNotBegun,
} from '../jobs/share-views.js';
import { operationPage, type OperationQuery } from '../jobs/operation-views.js';
import type { ListResult } from '../../wire.js';
import { merged, partsOf } from './merged-lists.js';
import type { UnitsClient } from './units-client.js';
import { BORROWER_UNITS, SHARED_UNIT, type Unit } from './units.js';

/** The unit that orders mass work comes first: it is the first to know when work is paused or canceled. */
const ORDERED: readonly Unit[] = [SHARED_UNIT, ...BORROWER_UNITS];

/** The operation of an id, which does not name its unit: all are asked, and mass work is the sum of their shares. */
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

/** One part of the report of a dry run: the reports of all units one after the other, with one header line. */
export async function reportPart(units: UnitsClient, request: QueryRequest): Promise<{ readonly text: string; readonly parts: number }> {
  const shares = wholeShares(await Promise.all(ORDERED.map((unit) => shareOfUnit(units, unit, request))), request);
  assertReport(sumOf(shares));
  const partsOfUnits = shares.flatMap(({ report }, at) =>
    Array.from({ length: report?.parts ?? 0 }, (_, part) => ({ unit: ORDERED[at] ?? SHARED_UNIT, part })),
  );
  const asked = fieldOf(request.query, 'part');
  assert(typeof asked === 'number', 'the route has checked the number of the part');
  const wanted = partsOfUnits[asked];
  if (!wanted) return { text: '', parts: partsOfUnits.length };
  const { text } = await units.query<{ readonly text: string }>(wanted.unit, { ...request, query: { part: wanted.part } });
  return { text: asked > 0 && wanted.part === 0 ? withoutHead(text) : text, parts: partsOfUnits.length };
}

/**
 * Operations of the same moment are ordered by where they ran: first mass work, which runs on all units, then the operations of each unit.
 */
export async function listOperations(units: UnitsClient, request: QueryRequest): Promise<ListResult> {
  const asked: QueryRequest = { ...request, type: 'operation.shares' };
  const masses = massOperations(await Promise.all(ORDERED.map((unit) => units.query<readonly OperationShare[]>(unit, asked))));
  const sources: readonly (Unit | null)[] = [null, ...ORDERED];
  const query = (request.query ?? {}) as OperationQuery;
  const parts = await partsOf<Unit | null, OperationView>({
    over: sources,
    owners: sources,
    request,
    ask: async (unit, own) => (unit === null ? operationPage(masses, own.query) : units.query<ListResult<OperationView>>(unit, own)),
    enter: ([startedAt = null], other, owner) => [startedAt, sources.indexOf(other) > sources.indexOf(owner) ? -1 : 1],
  });
  const page = merged(parts, query);
  const ids = page.items.map(({ operationId }) => operationId);
  return { ...page, ...(ids[0] === undefined ? {} : { firstId: ids[0], lastId: ids.at(-1) ?? ids[0] }) };
}

type Answer = OperationShare | OperationView;

const isShare = (answer: Answer): answer is OperationShare => 'remaining' in answer;

/** Null when the unit does not know the operation. */
async function shareOfUnit(units: UnitsClient, unit: Unit, request: QueryRequest): Promise<Answer | null> {
  try {
    return await units.query<Answer>(unit, { ...request, type: 'operation.share', query: {} });
  } catch (cause) {
    if (cause instanceof Refusal && cause.errorType === 'notFound') return null;
    throw cause;
  }
}

/** The share of each unit in mass work that the first unit has ordered. A unit that does not know of it yet has not begun its share. */
function wholeShares(answers: readonly (Answer | null)[], { params }: QueryRequest): readonly OperationShare[] {
  const [first = null] = answers;
  const shares =
    first && isShare(first) ? answers.map((answer) => (answer !== null && isShare(answer) ? answer : shareNotBegun(first))) : [];
  if (shares.length === 0 || isOver(shares))
    throw new Refusal('notFound', `The operation ${params['operationId'] ?? ''} is unknown or has expired.`);
  return shares;
}

const withoutHead = (text: string): string => text.slice(text.indexOf('\r\n') + 2);
