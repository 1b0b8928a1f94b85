import Big from 'big.js';
import { type Day, type DrawActivated, type LineSettings, type LineTerms, must, type RateTimeline } from '../../../../../engine/index.js';

/** The parts of the naive line: the line and its draws, their balances, and the obligations of statements. */

export type DueStatus = 'nonDue' | 'due' | 'overdue' | 'chargedOff';
type Amounts = Record<DueStatus, Big>;

export interface NaiveFee {
  open: Big;
  dueStatus: DueStatus;
  /** It falls due with the next statement; otherwise when nothing else is left. */
  readonly isNext: boolean;
  /** It falls due on no earlier due date: for a part of a fee that is spread. */
  from: Day | null;
  /** It was charged with the draw or one of its purchases. */
  readonly isOfDraw: boolean;
  /** The day on which it was recorded: before, no statement includes it and no money is allocated to it. */
  readonly knownFrom: Day;
  /** It came with a migration, charged by another system. */
  readonly isSeeded: boolean;
  isCarried: boolean;
  /** The due date with which it fell due. */
  fellDue: Day | null;
  /** Of a late fee: as it was charged. */
  readonly late: { readonly amount: Big; readonly day: Day; readonly of: NaiveObligation } | null;
}

/** A draw, or the line itself, which has nothing but fees. */
export interface Holder {
  readonly terms: DrawActivated | null;
  isCanceled: boolean;
  /** The rates of its terms until they are changed. */
  rates: RateTimeline | null;
  limit: Big | null;
  readonly principal: Amounts;
  readonly interest: Amounts;
  readonly fees: NaiveFee[];
  inGrace: boolean;
  /** Interest accrued since the last statement. */
  accrued: Big;
  bought: Big;
  /** Of an amortized draw: its future rows. */
  isAmortized: boolean;
  rows: readonly { readonly date: Day; readonly amount: Big }[];
}

export interface Part {
  readonly holder: Holder;
  readonly full: Big;
  readonly principal: Big;
  /** The interest that is part of it. */
  readonly interest: Big;
  remaining: Big;
  fulfilled: Big;
}

export interface NaiveObligation {
  /** The ordinal of its period; null: the whole balance is one obligation. */
  readonly ordinal: number | null;
  readonly due: Day;
  amount: Big;
  readonly statement: Day;
  readonly parts: Part[];
  /** Frozen days, which postpone its enforcement. */
  paused: number;
  isEnforced: boolean;
  /** Paid, within the tolerance of the product. */
  isFulfilled: boolean;
  /** Its amount without fees. */
  readonly base: Big;
  /** What would remain of it without late fees. */
  withoutLate: Big;
}

export const ZERO = new Big(0);
export const sure = <Value>(value: Value | null | undefined): Value => must(value, 'what a draw has');
export const least = (a: Big, b: Big): Big => (a.lt(b) ? a : b);
export const most = (a: Big, b: Big): Big => (a.gt(b) ? a : b);
export const sum = (values: readonly Big[]): Big => values.reduce((total, value) => total.plus(value), ZERO);
export const money = (cents: number): Big => new Big(cents).div(100);
export const share = (of: Big, rate: number): Big => of.times(rate).div(1e8).round(2, Big.roundHalfUp);
/** Rounded down to the cent. A sum of thirds that makes a whole cent lacks its last digit, and counts as whole. */
export const wholeCents = (amount: Big): Big => amount.round(24, Big.roundHalfUp).round(2, Big.roundDown);
export const noAmounts = (): Amounts => ({ nonDue: ZERO, due: ZERO, overdue: ZERO, chargedOff: ZERO });

export const holderOf = (terms: DrawActivated | null, rates: RateTimeline | null): Holder => ({
  terms,
  isCanceled: false,
  rates,
  limit: terms?.limitCents == null ? null : money(terms.limitCents),
  principal: noAmounts(),
  interest: noAmounts(),
  fees: [],
  inGrace: terms?.grace.isApplicable ?? false,
  accrued: ZERO,
  bought: ZERO,
  isAmortized: false,
  rows: [],
});

export const owedBy = (holder: Holder): Big =>
  wholeCents(sum([...Object.values(holder.principal), ...Object.values(holder.interest), ...holder.fees.map(({ open }) => open)]));

export const overOwnLimit = (draw: Holder): Big => {
  const { limit } = draw;
  return limit === null ? ZERO : most(ZERO, owedBy(draw).minus(limit));
};

const isFalling = ({ dueStatus, isNext, from }: NaiveFee, due: Day): boolean =>
  dueStatus === 'due' || (dueStatus === 'nonDue' && isNext && (from ?? due) <= due);

/** A statement's date and its due date. */
export interface Stated {
  readonly day: Day;
  readonly due: Day;
}

/** Fees that became due on their own, or fall due with the statement of a due date. */
export const fallingFees = ({ fees }: Holder, { day, due }: Stated): readonly NaiveFee[] =>
  fees.filter((fee) => fee.open.gt(0) && !fee.isCarried && fee.knownFrom < day && isFalling(fee, due));

/** If the whole balance is asked for, the fees that wait are included. */
export function withWaiting(holder: Holder, asked: Big, whole: Big, at: Stated): Big {
  return asked.gte(whole) ? whole.plus(sum(waitingFees(holder, at).map(({ open }) => open))) : asked;
}

const waitingFees = ({ fees }: Holder, { day, due }: Stated): readonly NaiveFee[] =>
  fees.filter((fee) => fee.open.gt(0) && fee.dueStatus === 'nonDue' && fee.knownFrom < day && !isFalling(fee, due));

/** Fees, then interest, then principal become due, less what was paid in advance. Returns the fees. */
export function fallDue(holder: Holder, { asked, ahead }: { readonly asked: Big; readonly ahead: Big }, at: Stated): Big {
  const falling = fallingFees(holder, at);
  const certain = sum(falling.map(({ open }) => open))
    .plus(holder.principal.nonDue)
    .plus(holder.interest.nonDue);
  const carried = asked.gte(certain) ? [...falling, ...waitingFees(holder, at)] : falling;
  let left = asked.minus(ahead);
  for (const fee of carried) {
    fee.dueStatus = 'due';
    fee.isCarried = true;
    fee.fellDue = at.due;
    left = left.minus(fee.open);
  }
  for (const amounts of [holder.interest, holder.principal]) {
    const part = least(left, amounts.nonDue);
    amounts.nonDue = amounts.nonDue.minus(part);
    amounts.due = amounts.due.plus(part);
    left = left.minus(part);
  }
  return sum(carried.map(({ open }) => open));
}

/** The part of a holder's due balances that belongs to minimum payments that are enforced later. */
export function laterDues(holder: Holder, later: readonly NaiveObligation[]): { readonly principal: Big; readonly interest: Big } {
  const parts = later.flatMap((obligation) => obligation.parts.filter((part) => part.holder === holder));
  const interest = least(holder.interest.due, sum(parts.map((part) => least(part.interest, part.remaining))));
  const fees = sum(holder.fees.map(({ fellDue, open }) => (later.some(({ due }) => due === fellDue) ? open : ZERO)));
  return {
    interest,
    principal: most(
      ZERO,
      least(
        holder.principal.due,
        sum(parts.map(({ remaining }) => remaining))
          .minus(interest)
          .minus(fees),
      ),
    ),
  };
}

/** Due balances become overdue, except those that are not enforced yet. */
export function becomeOverdue(holder: Holder, later: readonly NaiveObligation[]): void {
  const kept = laterDues(holder, later);
  for (const [amounts, left] of [
    [holder.principal, kept.principal],
    [holder.interest, kept.interest],
  ] as const) {
    amounts.overdue = amounts.overdue.plus(amounts.due).minus(left);
    amounts.due = left;
  }
  for (const fee of holder.fees) {
    if (fee.dueStatus === 'due' && fee.isCarried && !later.some(({ due }) => due === fee.fellDue)) fee.dueStatus = 'overdue';
  }
}

/** The first day that bears interest: the day of the draw, or the day after it. */
export const interestFromOf = ({ interestFrom, activation }: LineTerms, draw: DrawActivated): Day =>
  (draw.effective.day + interestFrom - activation) as Day;

/** Principal that bears interest and, if interest compounds, the unpaid interest and fees that bear it too. */
export function bearingOf({ principal, interest, fees }: Holder, { isAccruingOnOverdue }: LineSettings, { accrualMethod }: LineTerms): Big {
  const bearing = principal.nonDue.plus(principal.due).plus(isAccruingOnOverdue ? principal.overdue : ZERO);
  if (accrualMethod === 'simple') return bearing;
  const unpaid = bearing.plus(sum(Object.values(interest)));
  return accrualMethod === 'compound' ? unpaid : unpaid.plus(sum(fees.map(({ open }) => open)));
}
