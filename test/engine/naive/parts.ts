import { Big } from 'big.js';
import {
  civil,
  type Day,
  daysInMonth,
  type DueDateRule,
  type FeeAmount,
  type FeeBase,
  type FeeCharged,
  isLeapYear,
} from '../../../engine/index.js';

/** The parts of the naive ledger: obligations with their unpaid amounts, fees, and the pots that receive money. */
export interface Obligation {
  /** The position of its row; null: the obligation of the whole balance. */
  readonly ordinal: number | null;
  readonly dueDay: number;
  /** Frozen days since the due date, which do not count as days overdue. */
  pausedDays: number;
  isOverdue: boolean;
  amount: Big;
  fulfilled: Big;
  /** The fulfilled part and the amount as if there were no late fees. */
  fulfilledWithoutLateFees: Big;
  amountWithoutLateFees: Big;
  principal: Big;
  interest: Big;
  originationFee: Big;
  isBlocked: boolean;
  /** The rest was within the tolerance of an earlier day. */
  isMet?: boolean;
  /** A row of the contract, not the closing row. */
  readonly isRow: boolean;
  /** Its amount without fees. */
  readonly base: Big;
}

export interface Fee {
  readonly name: string;
  /** The type of a late fee; null: a manual fee. */
  readonly feeTypeId: string | null;
  readonly amount: Big;
  readonly isLate: boolean;
  readonly chargeLogic: string;
  readonly chargeDay: number;
  readonly knownDay: number;
  open: Big;
  /** The obligation with which it fell due. */
  within: Obligation | null;
  isDueAlone: boolean;
}

export type NewFee = Pick<Fee, 'name' | 'feeTypeId' | 'amount' | 'isLate' | 'chargeLogic' | 'chargeDay' | 'knownDay'>;

export function dueStatusOf({ within, isDueAlone }: Fee): string {
  if (within !== null) return within.isOverdue ? 'overdue' : 'due';
  return isDueAlone ? 'due' : 'nonDue';
}

export type NaiveStatus = 'active' | 'frozen' | 'accelerated' | 'chargedOff' | 'paidOff';

/** The figures of the naive ledger as text. */
export interface NaiveLedger {
  readonly status: NaiveStatus;
  readonly balances: Readonly<Record<string, string>>;
  readonly paid: Readonly<Record<string, string>>;
  readonly obligations: readonly string[];
  readonly fees: readonly string[];
  readonly interestAccrued: string;
}

export const ZERO = new Big(0);
export const HALF_UP = 1;
export const DOWN = 0;
export const UP = 3;

export const min = (a: Big, b: Big): Big => (a.lt(b) ? a : b);
export const max = (a: Big, b: Big): Big => (a.gt(b) ? a : b);
export const sum = (values: readonly Big[]): Big => values.reduce((total, value) => total.plus(value), ZERO);

/** Rounded to cents. Divisions end after forty decimals; rounding to twenty first restores exact halves and whole cents. */
export const rounded = (value: Big, mode: 0 | 1): Big => value.round(20, HALF_UP).round(2, mode);
export const amountOf = (cents: number): Big => new Big(cents).div(100);

export const feeByHand = (fact: FeeCharged, day: number): NewFee => ({
  name: `hand ${fact.fee}`,
  feeTypeId: null,
  amount: amountOf(fact.amountCents),
  isLate: false,
  chargeLogic: fact.chargeLogic,
  chargeDay: day,
  knownDay: Math.max(day, fact.recordedDay),
});

export interface Pot {
  readonly kind: 'principal' | 'interest' | 'fees';
  readonly isMet: boolean;
  readonly isEarly: boolean;
  readonly isLate: boolean;
  readonly get: () => Big;
  readonly set: (value: Big) => void;
}

export function earlyPot(kind: Pot['kind'], get: () => Big, set: (value: Big) => void): Pot {
  return { kind, isMet: false, isEarly: true, isLate: false, get, set };
}

export function obligationPot(obligation: Obligation, part: 'principal' | 'interest' | 'originationFee', kind: Pot['kind']): Pot {
  return { kind, isMet: true, isEarly: false, isLate: false, get: () => obligation[part], set: (value) => (obligation[part] = value) };
}

export function feePot(fee: Fee): Pot {
  return {
    kind: 'fees',
    isMet: fee.within !== null,
    isEarly: false,
    isLate: fee.isLate,
    get: () => fee.open,
    set: (value) => (fee.open = value),
  };
}

/** The fraction of a year that a day is. */
export function dayFraction(dayCount: string, value: number): Big {
  const { year, month, day } = civil(value as Day);
  const one = new Big(1);
  switch (dayCount) {
    case 'daily365':
      return one.div(365);
    case 'daily360':
      return one.div(360);
    case 'actualActual':
      return one.div(isLeapYear(year) ? 366 : 365);
    default:
      if (day === 31) return ZERO;
      return new Big(month === 2 && day === daysInMonth(year, 2) ? 30 - day + 1 : 1).div(360);
  }
}

/** The first date of the rule after a day, found by testing each day. */
export function nextDateOfRule(rule: DueDateRule, day: number): number {
  for (let date = day + 1; ; date += 1) {
    const { year, month, day: dayOfMonth } = civil(date as Day);
    const weekday = ((date + 3) % 7) + 1;
    const clamp = (wanted: number): number => Math.min(wanted, daysInMonth(year, month));
    if ((rule.type === 'monthly' || rule.type === 'singleTerm') && dayOfMonth === clamp(rule.day)) return date;
    if (rule.type === 'twiceMonthly') {
      const second = clamp(rule.days[1]);
      const first = Math.min(clamp(rule.days[0]), second - 1);
      if (dayOfMonth === first || dayOfMonth === second) return date;
    }
    if ((rule.type === 'weekly' || rule.type === 'everyTwoWeeks') && weekday === rule.weekday) return date;
  }
}

/** The due date after another one, which may have been moved off the rule: a month has one due date, and two weeks are more than one. */
export function dueDateAfter(rule: DueDateRule, last: number): number {
  const isMonthly = rule.type === 'monthly' || rule.type === 'singleTerm';
  const { year, month, day } = civil(last as Day);
  if (isMonthly) return nextDateOfRule(rule, last - day + daysInMonth(year, month));
  return nextDateOfRule(rule, rule.type === 'everyTwoWeeks' ? last + 7 : last);
}

/** The amount of a late fee before its caps. */
export function feeOf(amount: FeeAmount, bases: Readonly<Record<FeeBase, Big>>): Big {
  if (amount.type === 'tiered') {
    const tier = amount.tiers.find((one) => one.upToCents === null || bases[amount.base].lte(amountOf(one.upToCents)));
    if (tier === undefined) return ZERO;
    return tier.amountCents === null
      ? bases[amount.base]
          .times(tier.percentage ?? 0)
          .div(100_000_000)
          .round(2, HALF_UP)
      : amountOf(tier.amountCents);
  }
  const fixed = amount.type === 'percentage' ? ZERO : amountOf(amount.amountCents);
  const percentage = amount.type === 'fixed' ? ZERO : bases[amount.base].times(amount.percentage).div(100_000_000).round(2, HALF_UP);
  return { fixed, percentage, greaterOf: max(fixed, percentage), lesserOf: min(fixed, percentage) }[amount.type];
}

/** Raises an obligation. A rest within the tolerance is open again. */
export function raise(obligation: Obligation, amount: Big, withoutLateFees: Big): void {
  obligation.amount = obligation.amount.plus(amount);
  obligation.amountWithoutLateFees = obligation.amountWithoutLateFees.plus(withoutLateFees);
  obligation.isMet = false;
}
