import Big from 'big.js';
import type { Bucket, Day, LineSettings } from '../../../../engine/index.js';
import { type Holder, type NaiveObligation, type Part, type Standing, sum, ZERO } from './holder.js';
import { remainingOf } from './late-fees.js';

/** What orders change of a line kept by hand (servicing-behaviour 2 and 17, README 24). */
export interface NaiveBook {
  status: 'active' | 'frozen' | 'accelerated' | 'chargedOff';
  /** Since the last freezing. */
  frozenSince: Day;
  readonly holders: readonly Holder[];
  obligations: NaiveObligation[];
}

/** Days of freezing do not count against what was unpaid. */
export function thaw(book: NaiveBook, day: Day): void {
  for (const obligation of book.obligations) if (remainingOf(obligation).gt(0)) obligation.paused += day - book.frozenSince;
  book.status = 'active';
}

/** Everything is due as one obligation that keeps the oldest due date. */
export function accelerate(book: NaiveBook, day: Day): void {
  const oldest = book.obligations.find((obligation) => remainingOf(obligation).gt(0));
  const standing = oldest?.isEnforced === true ? 'overdue' : 'due';
  for (const { principal, interest, fees } of book.holders) {
    interest.nonDue = interest.nonDue.round(2, Big.roundDown);
    for (const amounts of [principal, interest]) moveAll(amounts, standing);
    for (const fee of fees) if (fee.open.gt(0)) Object.assign(fee, { standing, isCarried: true, fellDue: null });
  }
  const parts = book.holders.map(wholePart);
  const amount = sum(parts.map(({ remaining }) => remaining));
  const whole: NaiveObligation = {
    due: oldest?.due ?? day, amount, statement: day, parts, withoutLate: ZERO, paused: oldest?.paused ?? 0, isEnforced: oldest?.isEnforced ?? false,
  };
  book.obligations = [...book.obligations.filter((obligation) => remainingOf(obligation).eq(0)), whole];
  book.status = 'accelerated';
}

export function chargeOff(book: NaiveBook, day: Day): void {
  if (book.status !== 'accelerated') accelerate(book, day);
  for (const { principal, interest, fees } of book.holders) {
    for (const amounts of [principal, interest]) moveAll(amounts, 'chargedOff');
    for (const fee of fees) if (fee.open.gt(0)) fee.standing = 'chargedOff';
  }
  book.status = 'chargedOff';
}

/** What is owed in addition joins the one obligation. */
export function joinWhole(book: NaiveBook, holder: Holder, amount: Big): Standing {
  const whole = book.obligations.at(-1);
  if (whole === undefined) throw new Error('an acceleration makes an obligation');
  let part = whole.parts.find((known) => known.holder === holder);
  if (part === undefined) {
    part = { ...wholePart(holder), remaining: ZERO };
    whole.parts.push(part);
  }
  part.remaining = part.remaining.plus(amount);
  whole.amount = whole.amount.plus(amount);
  return book.status === 'chargedOff' ? 'chargedOff' : whole.isEnforced ? 'overdue' : 'due';
}

function wholePart(holder: Holder): Part {
  const { principal, interest, fees } = holder;
  const remaining = sum([principal, interest].flatMap((amounts) => Object.values(amounts))).plus(sum(fees.map(({ open }) => open)));
  return { holder, full: remaining, principal: sum(Object.values(principal)), interest: sum(Object.values(interest)), remaining, fulfilled: ZERO };
}

function moveAll(amounts: Record<Standing, Big>, to: Standing): void {
  const whole = sum(Object.values(amounts));
  const due = to === 'due' ? amounts.overdue : ZERO;
  Object.assign(amounts, { nonDue: ZERO, due: ZERO, overdue: due, chargedOff: ZERO });
  amounts[to] = whole.minus(due);
}

/** Of a line that is owed as one only the components have an order (servicing-behaviour 13.5). */
export function bucketsOf(status: NaiveBook['status'], { acceleratedWaterfall, chargedOffWaterfall }: LineSettings, waterfall: readonly Bucket[]): readonly string[] {
  const named = (standing: string, component: string): string => `${standing}${component.charAt(0).toUpperCase()}${component.slice(1)}`;
  if (status === 'chargedOff') return chargedOffWaterfall.map((component) => named('chargedOff', component));
  if (status !== 'accelerated') return waterfall;
  return acceleratedWaterfall.flatMap((component) => ['overdue', 'due', 'nonDue'].map((standing) => named(standing, component)));
}
