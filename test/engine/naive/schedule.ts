import { Big } from 'big.js';
import type { LedgerTerms, PaymentTerm, RowTerm } from '../../../engine/index.js';
import { amountOf, dayFraction, DOWN, HALF_UP, max, min, rounded, UP, ZERO } from './parts.js';

/** A future due date. A `closing` one takes the balance that is left after the last row; a deferred one has no amount. */
export interface NaiveRow {
  readonly date: number;
  readonly amount: Big;
  readonly kind: 'level' | 'forced' | 'interestOnly' | 'deferred' | 'closing';
}

/** The non-due balances, and how much interest may still be charged. */
export interface Owed {
  readonly principal: Big;
  readonly interest: Big;
  readonly room: Big | null;
  /** Money paid in advance: it fulfills future rows, the oldest first, each with its part of the origination fee. */
  readonly ahead: Big;
  readonly fee: FeeToCome;
}

/** The origination fee that has not fallen due: the share of a row, the sum of all future rows, and the unpaid part. */
export interface FeeToCome {
  readonly share: Big;
  readonly asked: Big;
  readonly open: Big;
}

/** How a row uses money paid in advance and its share of the fee: what the fee does not need pays the loan. */
export function rowOf(
  ahead: Big,
  fee: FeeToCome,
  base: Big,
  left: Big | null,
): { readonly share: Big; readonly prepaid: Big; readonly toFee: Big; readonly paid: Big } {
  const wanted = min(fee.share, fee.asked);
  const share = left === null ? wanted : max(ZERO, min(wanted, left.plus(ahead).plus(fee.open).minus(base)));
  const prepaid = min(ahead, base.plus(share));
  const rest = base.plus(share).minus(prepaid);
  const toFee = [share, rest, fee.open].reduce(min);
  return { share, prepaid, toFee, paid: rest.minus(toFee) };
}

/** A row without an amount, with the interest of one unit up to its date. */
interface Planned {
  readonly date: number;
  readonly growth: Big;
  readonly term: RowTerm;
}

export interface Amortization {
  readonly terms: Pick<LedgerTerms, 'interestFrom' | 'dayCount' | 'accrualMethod'>;
  /** The annual rate of a day. */
  readonly rateOn: (day: number) => Big;
  readonly from: number;
  readonly owed: Owed;
}

/** Digits that are kept when factors are multiplied; without a bound each row would double their number. */
const DIGITS = 34;

/** The interest of one unit from one day to another, day by day; if interest compounds, also on that interest. */
function growthOf({ terms, rateOn }: Amortization, from: number, to: number): Big {
  let growth = ZERO;
  for (let day = Math.max(from, terms.interestFrom); day < to; day += 1) {
    const daily = rateOn(day).times(dayFraction(terms.dayCount, day));
    growth = terms.accrualMethod === 'simple' ? growth.plus(daily) : growth.plus(growth.plus(1).times(daily)).round(DIGITS);
  }
  return growth;
}

function plan(input: Amortization, dates: readonly number[], termOf: (position: number) => RowTerm): readonly Planned[] {
  let from = input.from;
  return dates.map((date, position) => {
    const row = { date, growth: growthOf(input, from, date), term: termOf(position) };
    from = date;
    return row;
  });
}

const bearing = (terms: Amortization['terms'], principal: Big, interest: Big): Big =>
  terms.accrualMethod === 'simple' ? principal : principal.plus(interest);

/**
 * The balance after the last row for a level amount. Linear: a payment below its interest counts as a negative payment of
 * principal.
 */
function leftAfter({ terms, owed }: Amortization, rows: readonly Planned[], level: Big, isLinear: boolean): Big {
  let { principal, interest, room, ahead, fee } = owed;
  for (const { growth, term } of rows) {
    let earned = bearing(terms, principal, interest).times(growth).round(DIGITS);
    if (!isLinear && room !== null) {
      earned = min(earned, room);
      room = room.minus(earned);
    }
    interest = interest.plus(earned);
    if (term.type === 'skipped') continue;
    const interestAsked = ahead.gt(0) ? earned : interest;
    const asked = term.type === 'interestOnly' ? interestAsked : term.type === 'level' ? level : amountOf(term.amountCents);
    const { share, prepaid, toFee, paid: payment } = rowOf(ahead, fee, asked, null);
    ahead = ahead.minus(prepaid);
    fee = { share: fee.share, asked: fee.asked.minus(share), open: fee.open.minus(toFee) };
    if (isLinear || payment.gte(interest)) {
      principal = principal.minus(payment.minus(interest));
      interest = ZERO;
    } else interest = interest.minus(payment);
  }
  return principal.plus(interest);
}

/** The level amount that pays the loan off, rounded up to the cent; null: no row is level. */
function levelOf(input: Amortization, rows: readonly Planned[]): Big | null {
  if (!rows.some(({ term }) => term.type === 'level')) return null;
  const noFee = { share: ZERO, asked: ZERO, open: ZERO };
  const asIfNothingAhead = { ...input, owed: { ...input.owed, ahead: ZERO, fee: noFee } };
  const owed = leftAfter(asIfNothingAhead, rows, ZERO, true);
  const perUnit = owed.minus(leftAfter(asIfNothingAhead, rows, new Big(1), true));
  const linear = max(ZERO, owed.div(perUnit).round(10, HALF_UP));
  const isFeePaidAhead = !input.owed.fee.asked.eq(input.owed.fee.open);
  if (input.owed.ahead.gt(0) || isFeePaidAhead) return searched(input, rows, enough(input, rows, linear)).round(2, UP);
  if (linear.eq(0)) return ZERO;
  const isExact = leftAfter(input, rows, linear, false).abs().lt('0.0000001');
  return (isExact ? linear : searched(input, rows, linear)).round(2, UP);
}

/** The level amount of a balance over some due dates; null: there is none. */
export const levelOver = (input: Amortization, dates: readonly number[]): Big | null =>
  levelOf(
    input,
    plan(input, dates, () => LEVEL),
  );

/** The level amount by bisection to ten decimals, for loans with payments below their interest or with a cap on interest. */
function searched(input: Amortization, rows: readonly Planned[], highest: Big): Big {
  let low = ZERO;
  let high = highest.times(TENTHS).plus(1);
  while (high.minus(low).gt(1)) {
    const middle = low.plus(high).div(2).round(0, DOWN);
    if (leftAfter(input, rows, middle.div(TENTHS), false).gt(0)) low = middle;
    else high = middle;
  }
  return high.div(TENTHS);
}

/** Some level amount that is high enough to pay the loan off. */
function enough(input: Amortization, rows: readonly Planned[], level: Big): Big {
  let most = level.plus(1);
  while (leftAfter(input, rows, most, false).gt(0)) most = most.times(3);
  return most;
}

const TENTHS = 10_000_000_000;

export const ownTerm = ({ kind, amount }: NaiveRow): RowTerm | null => {
  if (kind === 'deferred') return { type: 'skipped' };
  if (kind === 'interestOnly') return { type: 'interestOnly' };
  return kind === 'forced' ? forcedAt(amount) : null;
};

export const forcedAt = (amount: Big): RowTerm => ({ type: 'forced', amountCents: amount.times(100).toNumber() as never });

/** The upper bound of the amount of a due date; null: none. */
export type MostOn = (date: number) => Big | null;

/** One new level for rows without an amount of their own. If a row would exceed its bound, all rows with a bound have that amount. */
export function relevelled(input: Amortization, rows: readonly NaiveRow[], mostOn: MostOn): readonly NaiveRow[] {
  const levelFor = (held: MostOn): readonly NaiveRow[] => {
    const terms = rows.map((row) => ownTerm(row) ?? heldTo(held(row.date)));
    const level = levelOf(
      input,
      plan(
        input,
        rows.map(({ date }) => date),
        (position) => terms[position] ?? LEVEL,
      ),
    );
    const interestAsked = madeRows(input, { kept: [], dates: rows.map(({ date }) => date), terms, payment: { type: 'level' } });
    return rows.map((row, position) => {
      if (row.kind === 'interestOnly') return { ...row, amount: interestAsked?.[position]?.amount ?? row.amount };
      return ownTerm(row) === null ? { ...row, amount: held(row.date) ?? level ?? row.amount } : row;
    });
  };
  const free = levelFor(() => null);
  return free.some((row) => ownTerm(row) === null && row.amount.gt(mostOn(row.date) ?? row.amount)) ? levelFor(mostOn) : free;
}

const LEVEL: RowTerm = { type: 'level' };
const heldTo = (most: Big | null): RowTerm => (most === null ? LEVEL : forcedAt(most));

export interface NewRows {
  /** Rows before the first day of the change, which keep their amounts. */
  readonly kept: readonly NaiveRow[];
  readonly dates: readonly number[];
  readonly terms: readonly RowTerm[];
  readonly payment: PaymentTerm;
}

/** The rows after a change, up to the one that pays the balance off; null if none does. */
export function changedRows(input: Amortization, change: NewRows, mostOn: MostOn): readonly NaiveRow[] | null {
  const free = madeRows(input, change);
  const isLevel = (position: number): boolean => (change.terms[position] ?? LEVEL).type === 'level';
  const added = free?.slice(change.kept.length) ?? [];
  if (!added.some((row, position) => isLevel(position) && row.amount.gt(mostOn(row.date) ?? row.amount))) return free;
  const terms = change.dates.map((date, position) => (isLevel(position) ? heldTo(mostOn(date)) : (change.terms[position] ?? LEVEL)));
  const held = madeRows(input, { ...change, terms });
  return (
    held?.map((row, position) =>
      position < change.kept.length || !isLevel(position - change.kept.length) ? row : { ...row, kind: 'level' },
    ) ?? free
  );
}

function madeRows(input: Amortization, change: NewRows): readonly NaiveRow[] | null {
  const { kept, payment } = change;
  const dates = [...kept.map(({ date }) => date), ...change.dates];
  const terms = [...kept.map((row) => ownTerm(row) ?? forcedAt(row.amount)), ...change.terms];
  const planned = plan(input, dates, (position) => terms[position] ?? { type: 'level' });
  const level = payment.type === 'level' ? (levelOf(input, planned) ?? ZERO) : amountOf(payment.amountCents);
  const isClosed = payment.type !== 'openEnded' && planned.at(-1)?.term.type !== 'forced';
  const amounts: Big[] = [];
  let { principal, interest, room, ahead, fee } = input.owed;
  planned.forEach(({ growth, term }, position) => {
    if (principal.eq(0) && interest.eq(0)) return;
    let earned = bearing(input.terms, principal, interest).times(growth);
    if (room !== null) {
      earned = min(earned, room);
      room = room.minus(earned);
    }
    const accrued = interest.plus(earned);
    const due = rounded(accrued, HALF_UP);
    const owed = principal.plus(due);
    const isLast = isClosed && position === planned.length - 1;
    const wanted = min(asked(term, level, ahead.gt(0) ? rounded(earned, HALF_UP) : due), owed.plus(ahead));
    const amount = isLast ? max(wanted, owed) : wanted;
    const row = rowOf(ahead, fee, amount, owed);
    const paid = isLast ? owed : term.type === 'skipped' ? ZERO : row.paid;
    const paidInterest = min(due, paid);
    amounts.push(amount);
    if (term.type !== 'skipped') {
      ahead = ahead.minus(row.prepaid);
      fee = { share: fee.share, asked: fee.asked.minus(row.share), open: fee.open.minus(row.toFee) };
    }
    principal = principal.minus(paid.minus(paidInterest));
    interest = paidInterest.eq(due) ? ZERO : accrued.minus(paidInterest);
  });
  if (payment.type === 'openEnded' && principal.gt(0)) return null;
  const made = amounts.slice(kept.length).map((amount, position): NaiveRow => {
    const term = change.terms[position]?.type;
    const kind = term === 'forced' || term === 'interestOnly' ? term : term === 'skipped' ? 'deferred' : 'level';
    return { date: change.dates[position] ?? 0, amount, kind };
  });
  return [...kept, ...made];
}

function asked(term: RowTerm, level: Big, interest: Big): Big {
  if (term.type === 'skipped') return ZERO;
  if (term.type === 'interestOnly') return interest;
  return term.type === 'level' ? level : amountOf(term.amountCents);
}
