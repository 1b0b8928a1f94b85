import { refuse } from '../../errors.js';
import { type Items, pageOf, type PageQuery } from '../../list-order.js';
import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import { type DateText, dateText, type DateTimeText, dateTimeText, type ListResult } from '../../wire.js';
import { requirePerson } from '../context.js';
import type { LoanState } from '../state.js';
import {
  type ActivityItem,
  activityEntries,
  activityItems,
  activityReplies,
  newestActivity,
  statusChangeReply,
} from '../views/activity.js';
import { ACTIVITY_TYPES } from '../views/activity-types.js';

interface ActivityQuery extends PageQuery {
  readonly from?: DateText;
  readonly to?: DateText;
  readonly types?: readonly string[];
}

/** `GET L/status-history`, newest first. */
export const getStatusHistory: QuerySpec<LoanState, PageQuery> = {
  kind: 'loan',
  type: 'loan.statusHistory',
  on: 'target',
  read({ state, env, query, request }): ListResult {
    requirePerson(state, request.params['personId'], env);
    const items = state.statusHistory.map((change, index) => ({ ...statusChangeReply(change), id: `${state.id}-${index + 1}` }));
    return pageOf(items.reverse(), query, (item) => item);
  },
};

/** `GET L/activity`: status, term and money changes, newest first. */
export const getActivity: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.activity',
  on: 'target',
  read({ state, env, query, request }): ListResult {
    requirePerson(state, request.params['personId'], env);
    const { from, to, types = [], ...page } = (query ?? {}) as ActivityQuery;
    const known: readonly string[] = ACTIVITY_TYPES;
    if (types.some((type) => !known.includes(type))) {
      refuse('badRequest', 'Unknown type of activity.', {
        errors: [{ path: 'types', expected: known.join(', '), message: 'is an unknown type' }],
      });
    }
    const shown: ActivityItem[] = [];
    const result = pageOf(activityAsked({ state, env }, { from, to, types }), page, (item) => shown.push(item));
    return { ...result, items: activityReplies(state, env, shown) };
  },
};

/** The matching lines of the activity. Any filter looks at all lines. */
function activityAsked(
  { state, env }: Pick<QueryContext<LoanState>, 'state' | 'env'>,
  { from, to, types = [] }: Pick<ActivityQuery, 'from' | 'to' | 'types'>,
): Items<ActivityItem> {
  if (from === undefined && to === undefined && types.length === 0) return newestActivity(state, env);
  const items = activityItems(state, types.includes('ledger') ? activityEntries(state, env, 1) : null);
  return items.filter(({ line: { type, day } }) => {
    const date = dateText(day);
    return (types.length === 0 || types.includes(type)) && (from === undefined || date >= from) && (to === undefined || date <= to);
  });
}

/** The reason of a lock by the operation that computes the ledger, as the interface names it. */
const LOCK_REASONS: Readonly<Record<string, LockReason>> = {
  'indexRate.create': 'rateChange',
  'indexRate.update': 'rateChange',
  'indexRate.delete': 'rateChange',
  'loan.replay': 'replay',
};

/** `other`: the daily work moves a ledger for several reasons at once. */
type LockReason = 'rateChange' | 'replay' | 'other';

export interface LockStatusReply {
  readonly isLocked: boolean;
  readonly lockStatus: 'unlocked' | 'locked';
  readonly lockedAt: DateTimeText | null;
  readonly lockedByOperationId: string | null;
  readonly reason: LockReason | null;
}

/**
 * `GET L/lock-status`. A command finishes its ledger work before its reply, so only mass work holds a lock. Other queries show whole
 * ledgers and wait until the facts behind them are durable, so no lock is held when they are answered.
 */
export const getLockStatus: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.lockStatus',
  on: 'target',
  showsNoFacts: true,
  read({ state, env, request }): LockStatusReply {
    requirePerson(state, request.params['personId'], env);
    const lock = env.lockOf('loan', state.id);
    if (!lock) return { isLocked: false, lockStatus: 'unlocked', lockedAt: null, lockedByOperationId: null, reason: null };
    const { heldAt, operationId, kind } = lock;
    return {
      isLocked: true,
      lockStatus: 'locked',
      lockedAt: dateTimeText(heldAt),
      lockedByOperationId: operationId,
      reason: LOCK_REASONS[kind] ?? 'other',
    };
  },
};
