import type Big from 'big.js';
import type { AmortizedPayment, Day, DrawActivated, LineTerms, RateTimeline } from '../../../../../engine/index.js';
import { type Amortization, changedRows, levelOver, type Owed } from '../../../naive/schedule.js';
import { annualRate } from './daily-rate.js';
import { type Holder, interestFromOf, money, ZERO } from './holder.js';

/** The number of due dates that are simulated first for an amount, since most balances are paid off soon. */
const TRIED = [60, 600];

export interface Plan {
  readonly terms: LineTerms;
  readonly draw: DrawActivated;
  readonly rates: RateTimeline;
  readonly principal: Big;
  readonly payment: AmortizedPayment;
  readonly day: Day;
  /** The line's due dates, from the first that a row may have. */
  readonly dueDates: (count: number) => readonly Day[];
}

/** The amount of each due date until a balance is paid off: a level amount, or a given one. */
function rowsOf({ terms, draw, rates, principal, payment, day, dueDates }: Plan): readonly { readonly date: Day; readonly amount: Big }[] {
  const owed: Owed = { principal, interest: ZERO, room: null, ahead: ZERO, fee: { share: ZERO, asked: ZERO, open: ZERO } };
  const { dayCount, accrualMethod } = terms;
  const input: Amortization = {
    terms: { dayCount, accrualMethod, interestFrom: interestFromOf(terms, draw) },
    rateOn: (on) => annualRate(rates, on),
    from: Math.max(day, interestFromOf(terms, draw)),
    owed,
  };
  const made = (
    dates: readonly Day[],
    asked: Parameters<typeof changedRows>[1]['payment'],
  ): readonly { readonly date: number; readonly amount: Big }[] | null =>
    changedRows(input, { kept: [], dates, terms: dates.map(() => ({ type: 'level' })), payment: asked }, () => null);
  if (payment.type === 'periods') {
    const dates = dueDates(payment.count);
    const level = levelOver(input, dates) ?? ZERO;
    return (made(dates, { type: 'level' }) ?? []).map((_row, position) => ({ date: dates[position] ?? day, amount: level }));
  }
  for (const count of TRIED) {
    const rows = made(dueDates(count), { type: 'openEnded', amountCents: payment.amountCents });
    if (rows !== null) return rows.map(({ date, amount }) => ({ date: date as Day, amount }));
  }
  return dueDates(TRIED.at(-1) ?? 0).map((date) => ({ date, amount: money(payment.amountCents) }));
}

/** Adds the rows of a plan; rows of several plans on one due date are summed. */
export function addPlan(holder: Holder, plan: Plan): void {
  holder.isAmortized = true;
  if (plan.principal.eq(0)) return;
  // The balances of all earlier rows were paid or refunded.
  if (plan.principal.eq(holder.principal.nonDue)) holder.rows = [];
  const amounts = new Map(holder.rows.map(({ date, amount }) => [date, amount]));
  for (const { date, amount } of rowsOf(plan)) amounts.set(date, (amounts.get(date) ?? ZERO).plus(amount));
  holder.rows = [...amounts].map(([date, amount]) => ({ date, amount })).sort((a, b) => a.date - b.date);
  if (plan.draw.fee.logic === 'spread') spreadFees(holder);
}

/** Moves the rows after a day to the given dates in order, and the parts of a spread fee with them. */
export function moveRows(holder: Holder, after: number, dueDates: (count: number) => readonly Day[]): void {
  const moving = holder.rows.filter(({ date }) => date > after).map(({ date }) => date);
  const dates = dueDates(moving.length);
  const to = (date: Day): Day => (moving.includes(date) ? (dates[moving.indexOf(date)] ?? date) : date);
  holder.rows = holder.rows.map((row) => ({ ...row, date: to(row.date) }));
  for (const fee of holder.fees) if (fee.from !== null && fee.dueStatus === 'nonDue') fee.from = to(fee.from);
}

/** Spreads a fee over the rows in equal parts; the remainder goes to the last. */
function spreadFees(holder: Holder): void {
  const { rows } = holder;
  const fees = holder.fees.flatMap((fee) => {
    if (!fee.isOfDraw || fee.dueStatus !== 'nonDue' || fee.from !== null || fee.open.eq(0) || rows.length === 0) return [fee];
    const part = fee.open.div(rows.length).round(2, 0);
    return rows.flatMap(({ date }, position) => {
      const open = position === rows.length - 1 ? fee.open.minus(part.times(position)) : part;
      return open.eq(0) && position > 0 ? [] : [{ ...fee, open, from: date }];
    });
  });
  holder.fees.splice(0, holder.fees.length, ...fees);
}
