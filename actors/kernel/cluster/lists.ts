import { must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import { comparePlaces, type ListOrder, type Place } from '../../list-order.js';
import { DEFAULT_LIMIT } from '../../page.js';
import type { QueryRequest } from '../actor.js';
import type { Ids } from '../ids.js';
import type { ListResult } from '../../wire.js';
import { BORROWER_UNITS, type Unit, unitOf } from './units.js';
import type { UnitsClient } from './units-client.js';

/** The page part of a list's query. */
interface PageQuery {
  readonly limit?: number;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
}

/** What a unit answers with its part of a list, and what the parts are merged into. */
type Part = ListResult & { readonly search?: SearchSummary };

/**
 * A list whose items lie in all units of borrowers. Each answers a page of its own part, entered at the place of the
 * cursor's item, which only the unit knows that has it; the page is what comes first of all parts together.
 */
export async function listEverywhere(units: UnitsClient, ids: Ids, request: QueryRequest): Promise<ListResult> {
  const query = (request.query ?? {}) as PageQuery;
  const cursor = query.endingBefore ?? query.startingAfter;
  const parts = await partsOf<Unit>({
    over: BORROWER_UNITS,
    owners: cursor === undefined ? [] : ownersOf(ids, cursor),
    request,
    enter: (place) => place,
    ask: async (unit, asked) => (await units.ask<'query'>(unit, { type: 'query', request: asked })) as Part,
  });
  return parts[0]?.search === undefined ? merged(parts, query) : mergedSearch(parts, query.limit ?? DEFAULT_LIMIT);
}

export interface Scattered<Source> {
  /** Those that have a part of the list: units mostly. */
  readonly over: readonly Source[];
  /** Those that may have the cursor's item. */
  readonly owners: readonly Source[];
  readonly request: QueryRequest;
  ask(source: Source, request: QueryRequest): Promise<Part>;
  /** Where another source is entered than the one that has the cursor's item. */
  enter(place: Place, other: Source, owner: Source): Place;
}

/** The page of each source, in their order. */
export async function partsOf<Source>({ over, owners, request, ask, enter }: Scattered<Source>): Promise<readonly Part[]> {
  const query = (request.query ?? {}) as PageQuery;
  if (query.endingBefore === undefined && query.startingAfter === undefined) return Promise.all(over.map((source) => ask(source, request)));
  const { owner, part } = await partWithCursor(owners, (source) => ask(source, request));
  const place = must(part.order?.cursor, `${request.type} tells the place of its cursor`);
  const parameter = query.endingBefore === undefined ? 'startingAfter' : 'endingBefore';
  return Promise.all(
    over.map(async (source) =>
      source === owner ? part : ask(source, { ...request, query: { ...query, [parameter]: enter(place, source, owner) } }),
    ),
  );
}

/** Service ids tell their unit; external ones do not. */
function ownersOf(ids: Ids, cursor: string): readonly Unit[] {
  const shard = cursor.startsWith('ext-') ? undefined : ids.shardOf(cursor);
  const unit = shard === undefined ? undefined : unitOf(shard);
  return unit && BORROWER_UNITS.includes(unit) ? [unit] : BORROWER_UNITS;
}

/** The page of the source that has the cursor's item: all others refuse the cursor. */
async function partWithCursor<Source>(
  candidates: readonly Source[],
  ask: (source: Source) => Promise<Part>,
): Promise<{ readonly owner: Source; readonly part: Part }> {
  const answers = await Promise.allSettled(candidates.map(async (owner) => ({ owner, part: await ask(owner) })));
  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  const found = answers.find((answer) => answer.status === 'fulfilled');
  if (found && refusals.every((cause) => cause instanceof Refusal && cause.errorType === 'badRequest')) return found.value;
  throw refusals.find((cause) => !(cause instanceof Refusal && cause.errorType === 'badRequest')) ?? refusals[0];
}

interface Placed {
  readonly item: unknown;
  readonly place: Place;
}

/** What stands first of all parts together; where two stand at the same place, that of the earlier part. */
export function merged(parts: readonly Part[], { limit = DEFAULT_LIMIT, endingBefore, startingAfter }: PageQuery): ListResult {
  const isBackward = endingBefore !== undefined;
  const { descending } = orderOf(must(parts[0], 'a list has at least one part'));
  const found = parts.flatMap((part): Placed[] => {
    const { places } = orderOf(part);
    return part.items.map((item, at) => ({ item, place: places[at] ?? [] }));
  });
  found.sort((a, b) => comparePlaces(a.place, b.place, descending));
  const shown = isBackward ? found.slice(-limit) : found.slice(0, limit);
  const isCut = found.length > limit;
  return {
    items: shown.map(({ item }) => item),
    total: totalOf(parts),
    hasMore: isBackward || isCut || parts.some(({ hasMore }) => hasMore),
    hasPrevious: isBackward ? isCut || parts.some(({ hasPrevious }) => hasPrevious) : startingAfter !== undefined,
  };
}

const orderOf = ({ order }: Part): ListOrder => must(order, 'a part of a list tells its order');

/** Unknown where one of them does not know its own. */
const totalOf = (parts: readonly Part[]): number | null =>
  parts.reduce<number | null>((sum, { total }) => (sum === null || total === null ? null : sum + total), 0);

/** What a search tells beside its items. */
interface SearchSummary {
  readonly total: { readonly value: number; readonly relation: string };
  readonly maxScore: number | null;
  readonly hits: readonly { readonly id: string; readonly score: number }[];
  readonly inputErrors: readonly unknown[];
}

/** The best matches first, as one engine ranks them. */
function mergedSearch(parts: readonly Part[], limit: number): Part {
  const found = parts.flatMap(({ items, search }) => (search?.hits ?? []).map((hit, at) => ({ hit, item: items[at] })));
  found.sort((a, b) => b.hit.score - a.hit.score || (a.hit.id < b.hit.id ? -1 : 1));
  const shown = found.slice(0, limit);
  const total = totalOf(parts) ?? found.length;
  return {
    items: shown.map(({ item }) => item),
    total,
    hasMore: total > shown.length,
    hasPrevious: false,
    search: {
      total: { value: total, relation: 'eq' },
      maxScore: shown[0]?.hit.score ?? null,
      hits: shown.map(({ hit }) => hit),
      inputErrors: parts[0]?.search?.inputErrors ?? [],
    },
  };
}
