import { addDays, balancesOf, computeByDay, computeLedger, type Day, dayAt, interestByDay, type LedgerFact, type LedgerState, payoffOf, recordLedger } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { EvolveEnv, QueryContext, QuerySpec } from '../../runtime/actor.js';
import { amount, type DateText, type DateTimeText, dateText, dayOfText, millisecondsOf, rateValue, unrounded } from '../../wire.js';
import { recordOf, requireMove, requirePerson, servicingOf } from '../context.js';
import { factsOf, ledgerOn, termsOf } from '../ledger.js';
import type { LoanState } from '../state.js';
import { reimbursedBy } from '../transactions/reimbursement.js';
import { type BalanceOptions, balancesReply, centsOfInterest, dailyBalance, sumOfInterest } from '../views/balances.js';
import type { BalanceHistoryReply, BlockReply, InterestReply, PayoffReply } from '../views/balance-types.js';

export interface GetBalancesQuery extends BalanceOptions {
  /** The last day that counts; a day to come projects without payments. */
  readonly toEffectiveDate?: DateText;
  /** What was known at that moment: the second time axis. */
  readonly recordedAsOf?: DateTimeText;
}

export interface RangeQuery {
  readonly fromEffectiveDate?: DateText;
  readonly toEffectiveDate?: DateText;
}

export interface PayoffQuery {
  readonly payoffDate?: DateText;
}

/** Days of a series of balances, and how far ahead a pay-off is quoted (money.md 4). */
const MAX_HISTORY_DAYS = 366;
const MAX_PAYOFF_DAYS = 30;

/** No projection goes further: a term of sixty years. */
const MAX_PROJECTED_DAYS = 21_915;

type Context = QueryContext<LoanState>;

export const getBalances: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.balances',
  on: 'target',
  read(context) {
    requirePerson(context.state, context.request.params['personId'], context.env);
    const query = context.query as GetBalancesQuery;
    if (context.state.servicing === null) return balancesReply(null, query);
    const ledger = ledgerFor(context, query);
    const known = query.recordedAsOf === undefined ? null : millisecondsOf(query.recordedAsOf);
    return balancesReply(ledger, query, reimbursedBy(context.state, ledger.day, known));
  },
};

/** The ledger through a day as it was known at a moment; both axes default to now. */
export function ledgerFor({ state, env }: Context, query: Pick<GetBalancesQuery, 'toEffectiveDate' | 'recordedAsOf'>): LedgerState {
  const servicing = servicingOf(state);
  const { zone } = recordOf(state);
  const { activation } = servicing.contract.terms;
  const today = env.today(zone);
  const known = query.recordedAsOf === undefined ? null : millisecondsOf(query.recordedAsOf);
  if (known !== null && known < servicing.recordedAt) refuse('invalidState', 'At that moment the loan was not active.');
  const latest = known === null ? today : (Math.min(today, dayAt(zone, known)) as Day);
  const day = query.toEffectiveDate === undefined ? latest : dayOfText(query.toEffectiveDate);
  requireDays(day, activation, today);
  const last = day > activation ? day : activation;
  if (known === null && last >= servicing.summary.through) return ledgerOn(state, env, last);
  const facts: readonly LedgerFact[] =
    known === null ? factsOf(servicing) : servicing.facts.filter((stored) => stored.recordedAt <= known).map((stored) => stored.fact);
  return computeLedger(termsOf(state, env), facts, last);
}

function requireDays(day: Day, activation: Day, today: Day): void {
  if (day >= activation && day <= today + MAX_PROJECTED_DAYS) return;
  refuse('ruleViolation', 'The loan has no balances on that day.', {
    errors: [{ path: 'toEffectiveDate', expected: `a day from ${dateText(activation)} on`, message: 'no balances then' }],
  });
}

export const getBalanceHistory: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.balanceHistory',
  on: 'target',
  read(context): BalanceHistoryReply {
    const { state, env, request } = context;
    requirePerson(state, request.params['personId'], env);
    const { from, to } = rangeOf(context, MAX_HISTORY_DAYS);
    const days: BlockReply[] = [];
    computeByDay(termsOf(state, env), factsOf(servicingOf(state)), { from, to }, (ledger) => {
      days.push(dailyBalance(ledger.day, balancesOf(ledger)));
    });
    return { isLocked: false, fromEffectiveDate: dateText(from), toEffectiveDate: dateText(to), days };
  },
};

export const getInterest: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.interest',
  on: 'target',
  read(context): InterestReply {
    const { state, env, request } = context;
    requirePerson(state, request.params['personId'], env);
    const { from, to } = rangeOf(context, null);
    // The interest of a day is booked at the start of the next one.
    const ledger = recordLedger(termsOf(state, env), factsOf(servicingOf(state)), addDays(to, 1));
    const days = interestByDay(ledger, from, to);
    const total = sumOfInterest(days.map((day) => day.interest));
    const before = sumOfInterest(days.map((day) => day.interestBeforeDiscount));
    return {
      isLocked: false,
      fromEffectiveDate: dateText(from),
      toEffectiveDate: dateText(to),
      totalInterestAmount: amount(centsOfInterest(total)),
      totalDiscountAmount: amount(centsOfInterest((before - total) as typeof total)),
      days: days.map((day) => ({
        date: dateText(day.day),
        principalAmount: amount(day.principalCents),
        rate: rateValue(day.rate),
        rateType: 'interestRate',
        interestAmount: amount(centsOfInterest(day.interest)),
        interestBeforeDiscountAmount: amount(centsOfInterest(day.interestBeforeDiscount)),
        unroundedInterestAmount: unrounded(day.interest),
      })),
    };
  },
};

/** The days asked for, cut to the life of the loan: by default from activation to today. */
function rangeOf({ state, env, query }: Context, mostDays: number | null): { readonly from: Day; readonly to: Day } {
  const { fromEffectiveDate, toEffectiveDate } = (query ?? {}) as RangeQuery;
  const { activation } = servicingOf(state).contract.terms;
  const today = env.today(recordOf(state).zone);
  const to = toEffectiveDate === undefined ? today : dayOfText(toEffectiveDate);
  const earliest = mostDays === null ? activation : (Math.max(activation, addDays(to, 1 - mostDays)) as Day);
  const asked = fromEffectiveDate === undefined ? earliest : dayOfText(fromEffectiveDate);
  const from = asked > activation ? asked : activation;
  const expected = mostDays === null ? 'from before to' : `at most ${mostDays} days`;
  if (to < from || to > today + MAX_PROJECTED_DAYS || (mostDays !== null && to - from >= mostDays)) {
    refuse('badRequest', 'The range of days cannot be answered.', { errors: [{ path: 'toEffectiveDate', expected, message: 'not such a range' }] });
  }
  return { from, to };
}

export const getPayoff: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.payoff',
  on: 'target',
  read({ state, env, query, request }): PayoffReply {
    requirePerson(state, request.params['personId'], env);
    return payoffReply(state, env, (query as PayoffQuery).payoffDate);
  },
};

type PayoffEnv = Pick<Context['env'], 'today' | keyof EvolveEnv>;

/** What pays the loan off on a day from today on, as it is quoted and as a letter says it. */
export function payoffReply(state: LoanState, env: PayoffEnv, asked: string | null | undefined): PayoffReply {
  requireMove(state, 'quote');
  const today = env.today(recordOf(state).zone);
  const day = asked == null ? today : dayOfText(asked);
  if (day < today || day > addDays(today, MAX_PAYOFF_DAYS)) {
    refuse('badRequest', 'The pay-off is quoted for today and the next 30 days.', {
      errors: [{ path: 'payoffDate', expected: `${dateText(today)} to ${dateText(addDays(today, MAX_PAYOFF_DAYS))}`, message: 'out of range' }],
    });
  }
  const payoff = payoffOf(ledgerOn(state, env, today), day);
  return {
    isLocked: false,
    payoffDate: dateText(day),
    payoffAmount: amount(payoff.payoffCents),
    principalAmount: amount(payoff.principalCents),
    interestAmount: amount(payoff.interestCents),
    feesAmount: amount(payoff.feesCents),
    dailyInterestAmount: amount(centsOfInterest(payoff.dailyInterest)),
    unroundedDailyInterestAmount: unrounded(payoff.dailyInterest),
    goodThroughDate: dateText(day),
    promoPayoffAmount: null,
    pendingPaymentsAmount: amount(payoff.processingCents),
  };
}
