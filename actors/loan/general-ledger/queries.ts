import { type Day, dayAt, generalLedger } from '../../../engine/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import { actorView, type ActorView } from '../../kernel/actor-logic.js';
import type { QueryEnv, QuerySpec } from '../../kernel/actor.js';
import type { Agent } from '../../kernel/fact.js';
import { TimeBudget } from '../../kernel/shard/scheduler.js';
import { wholeList } from '../../list-order.js';
import type { ListResult } from '../../wire.js';
import { activationOf } from '../context.js';
import { upToDate } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { type AccountingBalances, accountingBalances } from './balances.js';
import { accountingEntries } from './entries.js';
import { numberOf } from '../payouts/payouts.js';
import { payoutOfFact } from './payouts-at-bank.js';
import { type AccountingAsOf, type AccountingItem, accountingItems } from './positions.js';

interface AccountingSpan {
  readonly bases: readonly generalLedger.Basis[];
  /** Accounting days. */
  readonly from: Day;
  readonly through: Day;
}

interface PageOfLoans {
  readonly limit: number;
  readonly startingAfter?: string;
}

export interface AccountingEntriesQuery extends AccountingSpan, PageOfLoans {}

export interface AccountingBalancesQuery extends PageOfLoans {
  readonly date: Day;
}

/** What the books take of a loan: by accounting day, and within a day of a basis in the order of booking. */
export interface AccountingEntriesOfLoan {
  readonly id: string;
  readonly entries: readonly generalLedger.Entry[];
  /** The first day of the span that is still to be asked for, since the answer would have taken too long; null: the entries are all. */
  readonly next: Day | null;
  /** The loan has still to record what a day of the span has brought. */
  readonly isBehind: boolean;
}

export interface AccountingItemsQuery extends AccountingAsOf, PageOfLoans {}

export interface AccountingItemsOfLoan {
  readonly id: string;
  readonly loanTypeId: string;
  readonly items: readonly AccountingItem[];
}

export interface AccountingBalancesOfLoan {
  readonly id: string;
  readonly loanTypeId: string;
  readonly balances: AccountingBalances;
}

/**
 * A page of loans, the newest first, without those that were never recorded. It ends early when it has taken a time slice: the loans of a
 * page may be cheap or dear, and other requests wait meanwhile. The service's own.
 */
function pageOfLoans<Shown>(
  env: QueryEnv,
  { limit, startingAfter }: PageOfLoans,
  shown: (state: LoanState, time: TimeBudget) => Shown,
): ListResult<Shown> {
  const time = new TimeBudget();
  const page = env.listAll('loan', { limit, ...(startingAfter === undefined ? {} : { startingAfter }) });
  const items: Shown[] = [];
  const rows: number[] = [];
  let isWhole = true;
  for (const [at, { id }] of page.rows.entries()) {
    if (items.length > 0 && time.isSpent) {
      isWhole = false;
      break;
    }
    const state = env.stateInPassing<LoanState>('loan', id);
    if (state === undefined) continue;
    items.push(shown(state, time));
    rows.push(at);
  }
  const { descending, places, cursor } = page.order();
  const order = { descending, places: rows.map((at) => places[at] ?? []), cursor };
  return { items, total: page.total, hasMore: page.hasMore || !isWhole, hasPrevious: page.hasPrevious, order };
}

/** The next day on which a loan has something to record; null: none. */
type NextDay = (state: LoanState, env: QueryEnv) => Day | null;

function entriesOf(
  state: LoanState,
  env: QueryEnv,
  span: AccountingSpan,
  { nextDay, time }: { readonly nextDay: NextDay; readonly time: TimeBudget },
): AccountingEntriesOfLoan {
  const current = upToDate(state, env);
  const pending = nextDay(state, env);
  return {
    id: state.id,
    ...accountingEntries(current, env, span, time),
    isBehind: pending !== null && pending <= span.through,
  };
}

const entries = (nextDay: NextDay): QuerySpec<LoanState, AccountingEntriesQuery> => ({
  kind: 'loan',
  type: 'loan.accountingEntries',
  on: 'tenant',
  read: ({ env, query }) => pageOfLoans(env, query, (state, time) => entriesOf(state, env, query, { nextDay, time })),
});

const entriesOfOne = (nextDay: NextDay): QuerySpec<LoanState, AccountingSpan> => ({
  kind: 'loan',
  type: 'loan.accountingEntriesOf',
  on: 'target',
  read: ({ state, env, query }) => entriesOf(state, env, query, { nextDay, time: new TimeBudget() }),
});

const positions: QuerySpec<LoanState, AccountingItemsQuery> = {
  kind: 'loan',
  type: 'loan.accountingItems',
  on: 'tenant',
  read: ({ env, query }) =>
    pageOfLoans(
      env,
      query,
      (state): AccountingItemsOfLoan => ({
        id: state.id,
        loanTypeId: state.record?.loanTypeId ?? '',
        items: accountingItems(upToDate(state, env), env, query),
      }),
    ),
};

const balances: QuerySpec<LoanState, AccountingBalancesQuery> = {
  kind: 'loan',
  type: 'loan.accountingBalances',
  on: 'tenant',
  read: ({ env, query }) =>
    pageOfLoans(
      env,
      query,
      (state): AccountingBalancesOfLoan => ({
        id: state.id,
        loanTypeId: state.record?.loanTypeId ?? '',
        balances: accountingBalances(upToDate(state, env), env, query.date),
      }),
    ),
};

/** What a fact of the ledger is about. */
export interface AccountingFact {
  readonly transactionId: string | null;
  readonly personId: string | null;
  readonly by: ActorView | null;
}

/** Who recorded a fact, and the number of its money in the ledger. */
function aboutOf(state: LoanState, factId: string): { readonly number: number | null; readonly by: Agent | null } {
  const payout = payoutOfFact(state, factId);
  if (payout !== undefined) return { number: payout.payout, by: payout.by };
  const number = numberOf(state, factId);
  const stored = number === null ? undefined : activationOf(state)?.facts.at(number - 1);
  if (stored === undefined) return { number: null, by: null };
  const { fact, by } = stored;
  return { number: 'transaction' in fact ? fact.transaction : null, by };
}

const tracedFact: QuerySpec<LoanState, { readonly factId: string }> = {
  kind: 'loan',
  type: 'loan.accountingFact',
  on: 'target',
  read({ state, query: { factId } }): AccountingFact {
    const personId = state.record?.personId ?? null;
    const { number, by } = aboutOf(state, factId);
    if (by === null) return { transactionId: null, personId, by };
    let transactionId: string | null = null;
    for (const { id, payment } of state.transactions.among(() => number !== null)) if (payment === number) transactionId = id;
    return { transactionId, personId, by: actorView(by) };
  },
};

const firstDay: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.firstAccountingDay',
  on: 'tenant',
  read({ env }) {
    // The clock of a company only goes forward, so that the first loan has the first day.
    const first = env.listAll('loan', { limit: Number.MAX_SAFE_INTEGER }).rows.at(-1);
    const createdAt = first === undefined ? undefined : env.stateInPassing<LoanState>('loan', first.id)?.record?.timestamps.createdAt;
    const zone = zoneOf(companyOf(env, env.tenant));
    const days = createdAt === undefined ? [] : [{ day: dayAt(zone, createdAt) }];
    return wholeList(days, ({ day }) => [day, first?.id ?? ''], 2);
  },
};

/** What the general ledger asks of loans. The service's own: no route leads here. */
export const accountingQueries = (nextDay: NextDay): readonly QuerySpec<LoanState>[] => [
  entries(nextDay),
  entriesOfOne(nextDay),
  positions,
  balances,
  firstDay,
  tracedFact,
];
