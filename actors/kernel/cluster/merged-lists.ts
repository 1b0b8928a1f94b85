import { must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import { comparePositions, type Cursor, DEFAULT_LIMIT, type ListOrder, type Position } from '../../list-order.js';
import type { ListResult } from '../../wire.js';
import type { QueryRequest } from '../actor.js';
import type { Ids } from '../ids.js';
import { BORROWER_UNITS, type Unit, unitOf } from './units.js';
import type { UnitsClient } from './units-client.js';

/**
 * A list whose items are on all units of borrowers. Each unit answers a page of its own part, starting at the position of the cursor's
 * item, which only the unit of that item knows; the merged page has the first items of all parts.
 */
export async function listEverywhere(units: UnitsClient, ids: Ids, request: QueryRequest): Promise<ListResult> {
  const query = (request.query ?? {}) as PageQuery;
  const cursor = query.endingBefore ?? query.startingAfter;
  const parts = await partsOf<Unit, unknown>({
    over: BORROWER_UNITS,
    owners: typeof cursor === 'string' ? ownersOf(ids, cursor) : [],
    request,
    enter: (position) => position,
    ask: (unit, asked) => units.query<Part>(unit, asked),
  });
  return parts[0]?.search === undefined ? merged(parts, query) : mergedSearch(parts, query.limit ?? DEFAULT_LIMIT);
}

/** The paging parameters of a list query. */
interface PageQuery {
  readonly limit?: number;
  readonly startingAfter?: Cursor;
  readonly endingBefore?: Cursor;
}

/** A unit's part of a list, and the result of merging the parts. */
type Part<Item = unknown> = ListResult<Item> & { readonly search?: SearchSummary };

export interface Scattered<Source, Item> {
  /** The sources that have a part of the list: usually units. */
  readonly over: readonly Source[];
  /** The sources that may have the cursor's item. */
  readonly owners: readonly Source[];
  readonly request: QueryRequest;
  readonly ask: (source: Source, request: QueryRequest<PageQuery>) => Promise<Part<Item>>;
  /** The position at which another source starts, given the position of the cursor's item at its owner. */
  readonly enter: (position: Position, other: Source, owner: Source) => Position;
}

/** The page of each source, in the order of the sources. */
export async function partsOf<Source, Item>(asked: Scattered<Source, Item>): Promise<readonly Part<Item>[]> {
  const { over, owners, ask, enter } = asked;
  const query = (asked.request.query ?? {}) as PageQuery;
  const request = { ...asked.request, query };
  // A position says to each source where its page begins.
  if (typeof (query.endingBefore ?? query.startingAfter) !== 'string') return Promise.all(over.map((source) => ask(source, request)));
  const { owner, part } = await partWithCursor(owners, (source) => ask(source, request));
  const position = must(part.order?.cursor, `${request.type} names the position of its cursor`);
  const parameter = query.endingBefore === undefined ? 'startingAfter' : 'endingBefore';
  return Promise.all(
    over.map(async (source) =>
      source === owner ? part : ask(source, { ...request, query: { ...query, [parameter]: enter(position, source, owner) } }),
    ),
  );
}

/** Service ids name their unit; external ids do not. */
function ownersOf(ids: Ids, cursor: string): readonly Unit[] {
  const shard = cursor.startsWith('ext-') ? undefined : ids.shardOf(cursor);
  const unit = shard === undefined ? undefined : unitOf(shard);
  return unit && BORROWER_UNITS.includes(unit) ? [unit] : BORROWER_UNITS;
}

/** The page of the source that has the cursor's item: all others refuse the cursor. */
async function partWithCursor<Source, Item>(
  candidates: readonly Source[],
  ask: (source: Source) => Promise<Part<Item>>,
): Promise<{ readonly owner: Source; readonly part: Part<Item> }> {
  const answers = await Promise.allSettled(candidates.map(async (owner) => ({ owner, part: await ask(owner) })));
  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  const found = answers.find((answer) => answer.status === 'fulfilled');
  if (found && refusals.every((cause) => cause instanceof Refusal && cause.errorType === 'badRequest')) return found.value;
  throw refusals.find((cause) => !(cause instanceof Refusal && cause.errorType === 'badRequest')) ?? refusals[0];
}

interface PositionedItem<Item> {
  readonly item: Item;
  readonly position: Position;
}

/** The first items of all parts together. Of two at the same position, the one of the earlier part comes first. */
export function merged<Item>(
  parts: readonly Part<Item>[],
  { limit = DEFAULT_LIMIT, endingBefore, startingAfter }: PageQuery,
): ListResult<Item> {
  const isBackward = endingBefore !== undefined;
  const { descending } = orderOf(must(parts[0], 'a list has at least one part'));
  const found = parts.flatMap((part): PositionedItem<Item>[] => {
    const { places } = orderOf(part);
    return part.items.map((item, at) => ({ item, position: places[at] ?? [] }));
  });
  found.sort((a, b) => comparePositions(a.position, b.position, descending));
  // A part may end before its limit, when it has taken long: of what is behind its end nothing can be shown yet.
  const ends = isBackward ? [] : parts.flatMap((part) => (part.hasMore ? orderOf(part).places.slice(-1) : []));
  const isReached = ({ position }: PositionedItem<Item>): boolean => ends.every((end) => comparePositions(position, end, descending) <= 0);
  const reached = ends.length === 0 ? found : found.filter(isReached);
  const shown = isBackward ? reached.slice(-limit) : reached.slice(0, limit);
  const isCut = reached.length > limit;
  return {
    items: shown.map(({ item }) => item),
    order: { descending, places: shown.map(({ position }) => position), cursor: null },
    total: totalOf(parts),
    hasMore: isBackward || isCut || parts.some(({ hasMore }) => hasMore),
    hasPrevious: isBackward ? isCut || parts.some(({ hasPrevious }) => hasPrevious) : startingAfter !== undefined,
  };
}

const orderOf = ({ order }: Part): ListOrder => must(order, 'a part of a list has an order');

/** Null when one of the parts does not know its own total. */
const totalOf = (parts: readonly Part[]): number | null =>
  parts.reduce<number | null>((sum, { total }) => (sum === null || total === null ? null : sum + total), 0);

/** What a search returns besides its items. */
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
