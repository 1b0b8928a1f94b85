import {
  addDays,
  balancesOf,
  type Cents,
  type Day,
  dayAt,
  earliest,
  interestByDay,
  type InterestDay,
  greatest,
  latest,
  lineInterestDays,
  NO_COMING_FEES,
  payoffOf,
  subtract,
  subtractAccrued,
  ZERO,
} from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { EvolveEnv, QueryContext, QuerySpec } from '../../kernel/actor.js';
import {
  amount,
  type AnyId,
  type DateText,
  type DateTimeText,
  dateText,
  dateTimeText,
  dayOfText,
  millisecondsOf,
  orNull,
  rateValue,
  unrounded,
} from '../../wire.js';
import { activatedOf, activationOf, recordOf, requireMove, requirePerson } from '../context.js';
import { drawIdOf, drawOf } from '../draws/draw.js';
import { comingFeesOf } from '../fees/coming.js';
import { installment } from '../ledger/installment.js';
import { ledgersOn } from '../views/daily-balances.js';
import { lineBalancesOfDraw, linePayoff } from '../line/ledger.js';
import { computedThrough, isLine, isLineRecord, recordedThrough, type RunningLedger, runningOn, toReadOn } from '../ledger/running.js';
import { sparedByPromos } from '../promo-programs/program.js';
import { withHolds } from '../purchases/credit.js';
import type { LoanState } from '../state.js';
import { reimbursedBy } from '../transactions/reimbursement.js';
import {
  type BalanceOptions,
  balancesReply,
  centsOfInterest,
  dailyBalance,
  type ShownBalances,
  shownBalancesOf,
  sumOfInterest,
} from '../views/balances.js';
import type { BalanceHistoryReply, BalancesReply, BlockReply, InterestReply, PayoffReply } from '../views/read-types.js';
import { recordedTail } from '../views/recorded-tail.js';
import { loanToCome } from '../views/to-come.js';

export interface GetBalancesQuery extends BalanceOptions {
  /** The last day that counts. For a coming day, balances are projected without payments. */
  readonly toEffectiveDate?: DateText;
  /** Shows what was known at that moment: the second time axis. */
  readonly recordedAsOf?: DateTimeText;
}

export interface RangeQuery {
  /** Only this draw of a line of credit. */
  readonly drawId?: AnyId;
  readonly fromEffectiveDate?: DateText;
  readonly toEffectiveDate?: DateText;
}

export interface PayoffQuery {
  readonly payoffDate?: DateText;
  /** The payoff of this draw of a line of credit. */
  readonly drawId?: AnyId;
}

/** Most days of a series of balances, and most days ahead of a payoff. */
const MAX_HISTORY_DAYS = 366;
const MAX_PAYOFF_DAYS = 30;

/** Most days of a projection: a term of sixty years. */
const MAX_PROJECTED_DAYS = 21_915;

type Context<Query = unknown> = QueryContext<LoanState, Query>;

export const getBalances: QuerySpec<LoanState, GetBalancesQuery> = {
  kind: 'loan',
  type: 'loan.balances',
  on: 'target',
  read(context) {
    const { state, env, request } = context;
    requirePerson(state, request.params['personId'], env);
    const query = context.query;
    const ledger = ledgerFor(context, query);
    if (ledger === null) return { ...balancesReply(null, query), ...ofLine(context, null) };
    const coming = isOfNow(query) ? comingFeesOf(state, env, ledger.day) : NO_COMING_FEES;
    const balances = withPromos(shownBalancesOf(ledger, state, coming), context, ledger.day);
    const shown = isOfNow(query) ? withHolds(balances, context) : balances;
    const reply = balancesReply(shown, query, reimbursedBy(state, ledger.day, knownAtOf(query)));
    return { ...reply, ...ofLine(context, shown.credit) };
  },
};

/** The most important figures of a line, at the top of the reply. */
function ofLine({ state, env, query }: Context<GetBalancesQuery>, credit: ShownBalances['credit']): Partial<BalancesReply> {
  if (recordOf(state).type !== 'lineOfCredit') return {};
  return {
    availableCreditAmount: orNull(amount, credit?.availableCents),
    creditLimitAmount: orNull(amount, credit?.limitCents),
    utilizationAmount: orNull(amount, credit?.utilizedCents),
    calculatedAt: dateTimeText(knownAtOf(query) ?? env.now),
  };
}

/** The balances with the interest that active promotions can save; not for balances as known at an earlier moment. */
export function withPromos(shown: ShownBalances, { state, env, query }: Context, day: Day, draw: number | null = null): ShownBalances {
  if (state.promoPrograms.length === 0 || knownAtOf(query ?? {}) !== null) return shown;
  return { ...shown, sparedCents: sparedByPromos(state, env, day, draw) ?? ZERO };
}

/** Whether the query names neither a day nor a moment. */
export const isOfNow = ({ toEffectiveDate, recordedAsOf }: GetBalancesQuery): boolean =>
  toEffectiveDate === undefined && recordedAsOf === undefined;

const knownAtOf = ({ recordedAsOf }: Pick<GetBalancesQuery, 'recordedAsOf'>): number | null =>
  recordedAsOf === undefined ? null : millisecondsOf(recordedAsOf);

/**
 * The ledger through a day as known at a moment; both default to now. Null if the loan was not active by then: its balances are zero. The
 * caller must not move it.
 */
export function ledgerFor(
  { state, env }: Context,
  query: Pick<GetBalancesQuery, 'toEffectiveDate' | 'recordedAsOf'>,
): RunningLedger | null {
  const { zone, timestamps } = recordOf(state);
  const known = knownAtOf(query);
  if (known !== null) requireKnown(known, timestamps.createdAt, env.now);
  const activated = activationOf(state);
  if (activated === null || (known !== null && known < activated.recordedAt)) return null;
  const { activation } = activated.contract.terms;
  const today = env.today(zone);
  const lastKnown = known === null ? today : earliest(today, dayAt(zone, known));
  const day = query.toEffectiveDate === undefined ? lastKnown : dayOfText(query.toEffectiveDate);
  requireDays(day, activation, today);
  const last = day > activation ? day : activation;
  return known === null && last >= activated.summary.through ? toReadOn(state, env, last) : computedThrough(state, env, last, known);
}

function requireKnown(known: number, createdAt: number, now: number): void {
  if (known > now) {
    refuse('badRequest', 'The moment is to come.', {
      errors: [{ path: 'recordedAsOf', expected: `${dateTimeText(now)} or earlier`, message: 'is to come' }],
    });
  }
  if (known < createdAt) refuse('notFound', 'The loan was not known at that moment.');
}

function requireDays(day: Day, activation: Day, today: Day): void {
  const last = addDays(today, MAX_PROJECTED_DAYS);
  if (day >= activation && day <= last) return;
  const message = day < activation ? 'is before the first balances' : 'is after the last day that is projected';
  refuse('ruleViolation', 'The loan has no balances on that day.', {
    errors: [{ path: 'toEffectiveDate', expected: `${dateText(activation)} to ${dateText(last)}`, message }],
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
    const draw = drawAsked(context);
    const days: BlockReply[] = [];
    ledgersOn(state, env, daysThrough(from, to), (ledger) => {
      days.push(dailyBalance(ledger.day, isLine(ledger) ? lineBalancesOfDraw(ledger, draw) : balancesOf(ledger)));
    });
    return { isLocked: false, fromEffectiveDate: dateText(from), toEffectiveDate: dateText(to), days };
  },
};

const daysThrough = (from: Day, to: Day): readonly Day[] => Array.from({ length: to - from + 1 }, (_, days) => addDays(from, days));

/** The number of the draw that a query names; null: the whole loan. */
function drawAsked({ state, query }: Context): number | null {
  const { drawId } = (query ?? {}) as RangeQuery;
  return drawId === undefined ? null : drawOf(state, drawId).draw;
}

export const getInterest: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.interest',
  on: 'target',
  read(context): InterestReply {
    const { state, env, request } = context;
    requirePerson(state, request.params['personId'], env);
    const { from, to } = rangeOf(context, null);
    const days = interestDays(context, from, to);
    const total = sumOfInterest(days.map((day) => day.interest));
    const before = sumOfInterest(days.map((day) => day.interestBeforeDiscount));
    return {
      isLocked: false,
      fromEffectiveDate: dateText(from),
      toEffectiveDate: dateText(to),
      totalInterestAmount: amount(centsOfInterest(total)),
      totalDiscountAmount: amount(centsOfInterest(subtractAccrued(before, total))),
      days: days.map((day) => ({
        date: dateText(day.day),
        principalAmount: amount(day.principalCents),
        rate: rateValue(day.rate),
        rateType: 'interestRate',
        interestAmount: amount(centsOfInterest(day.interest)),
        interestBeforeDiscountAmount: amount(centsOfInterest(day.interestBeforeDiscount)),
        unroundedInterestAmount: unrounded(day.interest),
        ...(day.draw === undefined ? {} : { drawId: drawIdOf(state, day.draw) }),
      })),
    };
  },
};

/** The payoff on a day that also earns the active promotions; null if there are none. */
function promoPayoff(state: LoanState, env: PayoffEnv, day: Day, draw: number | null): Cents | null {
  const sparedCents = sparedByPromos(state, env, day, draw);
  if (sparedCents === null) return null;
  const ledger = runningOn(state, env, day);
  const { outstanding } = isLine(ledger) ? lineBalancesOfDraw(ledger, draw) : balancesOf(ledger);
  return greatest(ZERO, subtract(outstanding.totalCents, sparedCents));
}

/** Interest day by day; for a line by draw. */
function interestDays(context: Context, from: Day, to: Day): readonly (InterestDay & { readonly draw?: number })[] {
  const { state, env } = context;
  const draw = drawAsked(context);
  // The interest of a day accrues at the start of the next one. Facts of the day may have booked some of it.
  const through = addDays(to, 1);
  const recorded = recordedTail(state, env, through, ({ day }) => day < from)?.recorded ?? recordedThrough(state, env, through);
  return isLineRecord(recorded) ? lineInterestDays(recorded, from, to, draw) : interestByDay(recorded, from, to);
}

/** The requested days within the life of the loan; by default from activation to today. */
function rangeOf({ state, env, query }: Context, mostDays: number | null): { readonly from: Day; readonly to: Day } {
  const { fromEffectiveDate, toEffectiveDate } = (query ?? {}) as RangeQuery;
  const { activation } = activatedOf(state).contract.terms;
  const today = env.today(recordOf(state).zone);
  const to = toEffectiveDate === undefined ? today : dayOfText(toEffectiveDate);
  const first = mostDays === null ? activation : latest(activation, addDays(to, 1 - mostDays));
  const asked = fromEffectiveDate === undefined ? first : dayOfText(fromEffectiveDate);
  const from = asked > activation ? asked : activation;
  const expected = mostDays === null ? 'a range that begins before it ends' : `at most ${mostDays} days`;
  if (to < from || to > today + MAX_PROJECTED_DAYS || (mostDays !== null && to - from >= mostDays)) {
    refuse('badRequest', 'The range of days is not valid.', {
      errors: [{ path: 'toEffectiveDate', expected, message: 'is not such a range' }],
    });
  }
  return { from, to };
}

export const getPayoff: QuerySpec<LoanState, PayoffQuery> = {
  kind: 'loan',
  type: 'loan.payoff',
  on: 'target',
  read({ state, env, query, request }): PayoffReply {
    requirePerson(state, request.params['personId'], env);
    const { payoffDate, drawId } = query;
    return payoffReply(state, env, payoffDate, drawId);
  },
};

type PayoffEnv = Pick<Context['env'], 'today' | keyof EvolveEnv>;

/** The payoff of the loan on a day from today on, for a quote and for a letter. */
export function payoffReply(state: LoanState, env: PayoffEnv, asked: string | null | undefined, drawId?: string): PayoffReply {
  requireMove(state, 'quote');
  const today = env.today(recordOf(state).zone);
  const day = asked == null ? today : dayOfText(asked);
  if (day < today || day > addDays(today, MAX_PAYOFF_DAYS)) {
    refuse('badRequest', `\`payoffDate\` must be within the next ${MAX_PAYOFF_DAYS} days.`, {
      errors: [
        { path: 'payoffDate', expected: `${dateText(today)} to ${dateText(addDays(today, MAX_PAYOFF_DAYS))}`, message: 'is out of range' },
      ],
    });
  }
  const draw = drawId === undefined ? null : drawOf(state, drawId).draw;
  const then = loanToCome(state, env, day);
  const payoff = state.line === null ? payoffOf(installment.runningOn(then, env, today), day) : linePayoff(then, env, { today, day, draw });
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
    promoPayoffAmount: orNull(amount, promoPayoff(then, env, day, draw)),
    pendingPaymentsAmount: amount(payoff.processingCents),
  };
}
