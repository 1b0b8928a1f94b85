import type { PurchaseKind } from '../../../engine/index.js';
import { pageOf, sorted, type SortKeys } from '../../page.js';
import type { QueryContext } from '../../kernel/actor.js';
import { type ListResult, millisecondsOf } from '../../wire.js';
import { recordOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { PurchaseRecord } from './purchase.js';
import type { ListPurchasesQuery, PurchaseFilters, PurchaseTimelineQuery, PurchaseTimestamp, PurchaseTypeRequest } from './requests.js';
import { effectiveAtOf, purchaseView } from './view.js';

/** `cashback` is the filter's spelling. */
export const kindOf = (type: PurchaseTypeRequest): PurchaseKind => (type === 'cashback' ? 'cashBack' : type);

type Reading = Pick<QueryContext<LoanState>, 'state' | 'env'>;

/** A page of the matching purchases, of one draw or of all, newest first or as `sortBy` says. */
export function listed({ state, env }: Reading, query: ListPurchasesQuery, draw: number | null = null): ListResult {
  const { sortBy = [], ...page } = query;
  const { zone } = recordOf(state);
  const { purchases } = state;
  const matching = isFiltered(query) ? purchases.all(draw).filter(filterOf(zone, query)).reverse() : purchases.newestFirst(draw);
  const keys: SortKeys<PurchaseRecord> = {
    effectiveAt: (purchase) => effectiveAtOf(zone, purchase),
    createdAt: ({ createdStamp }) => createdStamp,
  };
  const ordered =
    sortBy.length === 0
      ? matching
      : sorted(
          matching.slice(0, matching.length),
          sortBy.map((word) => word.replace(/^\+/, '')),
          keys,
        );
  return pageOf(
    ordered,
    page,
    (purchase) => purchaseView(state, env, purchase),
    ({ externalId }) => externalId,
  );
}

/** A page of the matching purchases, the earliest first, each at the first of the wanted moments that it has. */
export function timeline({ state, env }: Reading, query: PurchaseTimelineQuery): ListResult {
  const { timestamps = ['effectiveAt'], ...page } = query;
  const { zone } = recordOf(state);
  const placed = state.purchases
    .all()
    .filter(filterOf(zone, query))
    .flatMap((purchase) => {
      const placedAt = placeOf(zone, purchase, timestamps);
      return placedAt === null ? [] : [{ id: purchase.id, purchase, placedAt }];
    });
  placed.sort((a, b) => a.placedAt - b.placedAt);
  return pageOf(
    placed,
    page,
    ({ purchase }) => purchaseView(state, env, purchase),
    ({ purchase }) => purchase.externalId,
  );
}

/** Null for a purchase that has none of the moments. */
export function placeOf(zone: string, purchase: PurchaseRecord, timestamps: readonly PurchaseTimestamp[]): number | null {
  for (const timestamp of timestamps) {
    const at = timestamp === 'effectiveAt' ? effectiveAtOf(zone, purchase) : purchase[timestamp];
    if (at !== null) return at;
  }
  return null;
}

const isFiltered = ({ types = [], statuses = [], ...bounds }: PurchaseFilters): boolean =>
  types.length > 0 ||
  statuses.length > 0 ||
  [bounds.fromEffectiveAt, bounds.toEffectiveAt, bounds.fromCreatedAt, bounds.toCreatedAt].some((bound) => bound !== undefined);

/** The filters of a list as one test. */
export function filterOf(zone: string, query: PurchaseFilters): (purchase: PurchaseRecord) => boolean {
  const kinds = query.types === undefined || query.types.length === 0 ? null : new Set(query.types.map(kindOf));
  const statuses = query.statuses === undefined || query.statuses.length === 0 ? null : new Set(query.statuses);
  const isEffective = between(query.fromEffectiveAt, query.toEffectiveAt);
  const isCreated = between(query.fromCreatedAt, query.toCreatedAt);
  return (purchase) =>
    (kinds === null || kinds.has(purchase.kind)) &&
    (statuses === null || statuses.has(purchase.status)) &&
    isEffective(effectiveAtOf(zone, purchase)) &&
    isCreated(purchase.createdAt);
}

/** Both ends inclusive. */
function between(from: string | undefined, to: string | undefined): (at: number) => boolean {
  const first = from === undefined ? -Infinity : millisecondsOf(from);
  const last = to === undefined ? Infinity : millisecondsOf(to);
  return (at) => at >= first && at <= last;
}
