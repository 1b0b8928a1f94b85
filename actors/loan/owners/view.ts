import { addDays, type Cents, cents, type Day, ownersOn, splitByShares, ZERO } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { QueryContext, QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { pageOf, type PageQuery } from '../../list-order.js';
import {
  amount,
  type Amount,
  type DateText,
  dateText,
  type DateTimeText,
  dayOfText,
  type ListResult,
  millisecondsOf,
  orNull,
  rateValue,
  type RateValue,
} from '../../wire.js';
import { activationOf, recordOf, requirePerson } from '../context.js';
import { balancesIn, computedThrough } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { LoanOwner } from './facts.js';
import { idsIn, type LoanOwnership, ownershipOf } from './owners.js';

export interface ListLoanInvestorsQuery extends PageQuery {
  /** Who owns the loan on this day; default today. */
  readonly effectiveDate?: DateText;
  /** As it was known at that moment: the second time axis. */
  readonly recordedAsOf?: DateTimeText;
  /** All owners of all days, with what each had at its first day. */
  readonly includeHistory?: boolean;
}

export interface LoanInvestorView {
  readonly id: string;
  readonly object: 'loanInvestor';
  readonly investorId: string;
  readonly share: RateValue;
  readonly effectiveDate: DateText | null;
  /** The last day of its ownership; null while no end is known. */
  readonly endDate: DateText | null;
  /** What it has paid for principal that it did not own before, as a part of that principal; null: nothing was said, which is par. */
  readonly priceRatio: RateValue | null;
  readonly metro2: { readonly reportK2Segment: boolean };
  /** Its part of what was outstanding or charged off at the end of the day before; null for the first owners, and for a coming day. */
  readonly cutOff: CutOffView | null;
}

interface CutOffView {
  readonly principalAmount: Amount;
  /** Accrued interest that nobody has paid. */
  readonly interestAmount: Amount;
  readonly feesAmount: Amount;
}

const listInvestors: QuerySpec<LoanState, ListLoanInvestorsQuery> = {
  kind: 'loan',
  type: 'loanInvestor.list',
  on: 'target',
  read(context) {
    const { state, env, request } = context;
    requirePerson(state, request.params['personId'], env);
    const { effectiveDate, recordedAsOf, includeHistory = false, ...page } = context.query;
    const knownAt = recordedAsOf === undefined ? null : millisecondsOf(recordedAsOf);
    if (knownAt !== null && knownAt < recordOf(state).timestamps.createdAt) refuse('notFound', 'The loan was not known at that moment.');
    const today = env.today(recordOf(state).zone);
    const spans = ownershipOf(state, env, knownAt);
    const current = ownersOn(spans, effectiveDate === undefined ? today : dayOfText(effectiveDate));
    const shown = includeHistory ? spans : spans.filter(({ owners }) => owners === current);
    return pageOf(
      shown.flatMap((span) => viewsOf(context, span, { today, knownAt, includeHistory })),
      page,
      (view) => view,
    );
  },
};

/** Loans whose owners one change of many has changed. */
const changedLoans: QuerySpec<LoanState, { readonly ownerChangeId: string }> = {
  kind: 'loan',
  type: 'loanOwnerChange.loans',
  on: 'tenant',
  read: ({ env, query }): ListResult<string> => changedBy(env, query.ownerChangeId),
};

/** Most loans that are named. */
const MOST_NAMED = 1_000;

function changedBy(env: QueryEnv, ownerChangeId: string): ListResult<string> {
  const page = env.listAll('loan', {
    limit: MOST_NAMED,
    matches: ({ fields }) => idsIn(fields, 'ownerChanges').includes(ownerChangeId),
  });
  const { rows, total, hasMore, hasPrevious } = page;
  return { items: rows.map(({ id }) => id), total, hasMore, hasPrevious, order: page.order() };
}

export const ownerQueries: readonly QuerySpec<LoanState>[] = [listInvestors, changedLoans];

interface Shown {
  readonly today: Day;
  readonly knownAt: number | null;
  readonly includeHistory: boolean;
}

function viewsOf(context: QueryContext<LoanState>, span: LoanOwnership, shown: Shown): readonly LoanInvestorView[] {
  const from = span.from ?? activationOf(context.state)?.contract.terms.activation ?? null;
  const cutOff = shown.includeHistory && span.from !== null && span.from <= shown.today ? cutOffs(context, span, shown.knownAt) : null;
  return span.owners.map((owner, at) => ({
    ...ownerView(owner),
    effectiveDate: orNull(dateText, from),
    endDate: orNull(dateText, span.until === null ? null : addDays(span.until, -1)),
    cutOff: cutOff?.[at] ?? null,
  }));
}

const ownerView = ({
  id,
  investorId,
  share,
  priceRatio,
  isK2SegmentReported,
}: LoanOwner): Omit<LoanInvestorView, 'effectiveDate' | 'endDate' | 'cutOff'> => ({
  id,
  object: 'loanInvestor',
  investorId,
  share: rateValue(share),
  priceRatio: orNull(rateValue, priceRatio),
  metro2: { reportK2Segment: isK2SegmentReported },
});

/** What each owner took over: its part of the balances at the end of the day before, charged off or not. Null before activation. */
function cutOffs(
  { state, env }: QueryContext<LoanState>,
  { from, owners }: LoanOwnership,
  knownAt: number | null,
): readonly CutOffView[] | null {
  const activation = activationOf(state);
  if (activation === null || from === null || from <= activation.contract.terms.activation) return null;
  const { outstanding, chargedOff } = balancesIn(computedThrough(state, env, addDays(from, -1), knownAt));
  const shares = owners.map(({ share }) => share);
  const split = (name: 'principalCents' | 'interestCents' | 'feesCents'): readonly Cents[] =>
    splitByShares(cents(outstanding[name] + chargedOff[name]), shares);
  const [principal, interest, fees] = [split('principalCents'), split('interestCents'), split('feesCents')];
  return owners.map((_owner, at) => ({
    principalAmount: amount(principal[at] ?? ZERO),
    interestAmount: amount(interest[at] ?? ZERO),
    feesAmount: amount(fees[at] ?? ZERO),
  }));
}
