import type { Day } from '../calendar/index.js';
import type { AccountingEvent } from './accounting-events.js';
import type { Cause } from './believed.js';
import type { CourseItem } from './course.js';
import { type Keeping, lossRoles, type Parts } from './parts.js';

/** By day: the days overdue from which the interest of a loan is not recognized; null: it always is. */
export type NonaccrualAfter = (day: Day) => number | null;

/** Events whose parts lower interest that is owed without paying it. */
type Lowering = Extract<
  AccountingEvent,
  { readonly type: 'serviceCredit' | 'smallBalanceForgiven' | 'interestRefund' | 'refund' | 'chargeOff' }
>;

const LOWERING: ReadonlySet<AccountingEvent['type']> = new Set<Lowering['type']>([
  'serviceCredit',
  'smallBalanceForgiven',
  'interestRefund',
  'refund',
  'chargeOff',
]);

const isLowering = (event: AccountingEvent): event is Lowering => LOWERING.has(event.type);

/**
 * Follows a loan on accrual basis: once it is too late, its interest leaves the books and is only a memorandum. That is the oldest
 * interest, so that payments take it first. What payments bring of it under cost recovery is held back until the loan ends.
 *
 *   recognized ──(days overdue reach the setting)──► nonaccrual ──(nothing is overdue)──► recognized
 */
export class Nonaccrual {
  #isOn = false;
  /** Interest on the books, in the memorandum, and payments of it that are held back. */
  #receivable = 0;
  #memo = 0;
  #heldBack = 0;

  constructor(
    private readonly keeping: Keeping,
    private readonly after: NonaccrualAfter,
  ) {}

  /** What a day overdue changes. `earlierInterest`: of the unpaid interest, that of earlier years. */
  late(
    day: Day,
    daysOverdue: number | null,
    { cause, earlierInterest }: { readonly cause: Cause; readonly earlierInterest: () => number },
  ): readonly CourseItem[] {
    const threshold = this.after(day);
    if (daysOverdue === null || threshold === null) {
      this.#isOn = false;
      return [];
    }
    if (this.#isOn || daysOverdue < threshold) return [];
    this.#isOn = true;
    const interest = this.#receivable;
    this.#receivable = 0;
    this.#memo += interest;
    if (interest === 0) return [];
    const priorYearInterest = Math.max(0, Math.min(interest, earlierInterest()));
    return [{ cause, day, isDaily: false, event: { type: 'nonaccrual', interest, priorYearInterest } }];
  }

  /** What an item of the loan posts instead. */
  follow(item: CourseItem): readonly CourseItem[] {
    const { event } = item;
    if (event.type === 'accrual') return this.#accrued(item, event);
    if (event.type === 'interestRounding' || event.type === 'interestWaived')
      return this.#lowered(item, event.amount, (amount) => ({ ...event, amount }));
    if (event.type === 'payment') return this.#paid(item, event);
    if (event.type === 'takenBack') return this.#takenBack(item, event);
    if (event.type === 'capitalization') return this.#capitalized(item, event.parts);
    if (event.type === 'promoExercised') return this.#lowered(item, event.unpaid, (unpaid) => ({ ...event, unpaid }));
    if (event.type === 'migrated') return this.#kept(item, event.parts.interest ?? 0);
    return isLowering(event) ? this.#credited(item, event) : [item];
  }

  /** The loan is paid off: what was held back is earned after all. */
  ended(day: Day, cause: Cause): readonly CourseItem[] {
    return this.#released(day, cause, 'interestIncome');
  }

  #accrued(item: CourseItem, event: Extract<AccountingEvent, { readonly type: 'accrual' }>): readonly CourseItem[] {
    if (!this.#isOn) return this.#kept(item, event.amount);
    this.#memo += event.amount;
    return [{ ...item, event: { ...event, isNonaccrual: true } }];
  }

  #kept(item: CourseItem, interest: number): readonly CourseItem[] {
    this.#receivable += interest;
    return [item];
  }

  /** Of interest that is owed no more, or is owed again, the part that is a memorandum. */
  #ofMemo(interest: number): number {
    const ofMemo = this.#isOn ? interest : interest <= 0 ? 0 : Math.min(interest, Math.max(0, this.#memo));
    this.#memo -= ofMemo;
    this.#receivable -= interest - ofMemo;
    return ofMemo;
  }

  #lowered(item: CourseItem, interest: number, rest: (amount: number) => AccountingEvent): readonly CourseItem[] {
    const ofMemo = this.#ofMemo(interest);
    if (ofMemo === 0) return [item];
    const memo = memoItem(item, -ofMemo);
    const left = rest(interest - ofMemo);
    return interest === ofMemo && (left.type === 'interestRounding' || left.type === 'interestWaived')
      ? [memo]
      : [{ ...item, event: left }, memo];
  }

  #credited(item: CourseItem, event: Lowering): readonly CourseItem[] {
    const { interest = 0 } = event.parts;
    const ofMemo = this.#ofMemo(interest);
    const released =
      event.type === 'chargeOff' ? this.#released(item.day, item.cause, lossRoles(this.keeping, event.isFraud).principal) : [];
    if (ofMemo === 0) return [item, ...released];
    const parts: Parts = { ...event.parts, interest: interest - ofMemo };
    const capped =
      event.type === 'chargeOff'
        ? { ...event, parts, priorYearInterest: Math.min(event.priorYearInterest, Math.max(0, interest - ofMemo)) }
        : { ...event, parts };
    return [{ ...item, event: capped }, memoItem(item, -ofMemo), ...released];
  }

  #paid(item: CourseItem, event: Extract<AccountingEvent, { readonly type: 'payment' }>): readonly CourseItem[] {
    const { interest = 0 } = event.parts;
    const ofMemo = this.#ofMemo(interest);
    if (ofMemo === 0) return [item];
    this.#hold(ofMemo);
    if (ofMemo === interest) return [{ ...item, event: { ...event, isNonaccrual: true } }];
    const own: AccountingEvent = { ...event, parts: { ...event.parts, interest: interest - ofMemo } };
    return [
      { ...item, event: own },
      { ...item, event: { ...event, parts: { interest: ofMemo }, isNonaccrual: true } },
    ];
  }

  #takenBack(item: CourseItem, event: Extract<AccountingEvent, { readonly type: 'takenBack' }>): readonly CourseItem[] {
    const { interest = 0 } = event.parts;
    const ofMemo = -this.#ofMemo(-interest);
    if (ofMemo === 0) return [item];
    this.#hold(-ofMemo);
    const own: AccountingEvent = { ...event, parts: { ...event.parts, interest: interest - ofMemo } };
    const back: AccountingEvent = { type: 'payment', parts: { interest: -ofMemo }, counter: event.counter, isNonaccrual: true };
    return [
      { ...item, event: own },
      { ...item, event: back },
    ];
  }

  /** Principal that stands for interest which nobody has recognized. */
  #capitalized(item: CourseItem, parts: Parts): readonly CourseItem[] {
    const { interest = 0 } = parts;
    const ofMemo = this.#ofMemo(interest);
    if (ofMemo === 0) return [item];
    this.#heldBack += ofMemo;
    const held: AccountingEvent = {
      type: 'moved',
      rule: 'nonaccrualCapitalized',
      amount: ofMemo,
      from: { role: 'costRecoveryContra' },
      to: { role: 'principalReceivable' },
    };
    const own: AccountingEvent = { type: 'capitalization', parts: { ...parts, interest: interest - ofMemo } };
    return [{ ...item, event: own }, { ...item, event: held }, memoItem(item, -ofMemo)];
  }

  #hold(amount: number): void {
    if (this.keeping.settings.nonaccrualPayments === 'costRecovery') this.#heldBack += amount;
  }

  #released(day: Day, cause: Cause, role: 'interestIncome' | ReturnType<typeof lossRoles>['principal']): readonly CourseItem[] {
    const amount = this.#heldBack;
    this.#heldBack = 0;
    if (amount === 0) return [];
    const event: AccountingEvent = { type: 'moved', rule: 'costRecoveryEnded', amount, from: { role }, to: { role: 'costRecoveryContra' } };
    return [{ cause, day, isDaily: false, event }];
  }
}

/** Null where all interest is recognized: on cash basis, and where the lender has not set it. */
export function nonaccrualOf(keeping: Keeping): Nonaccrual | null {
  const { nonaccrualAfterDays } = keeping.settings;
  const { nonaccrualAfter = nonaccrualAfterDays === null ? null : () => nonaccrualAfterDays } = keeping;
  return keeping.basis === 'cash' || nonaccrualAfter === null ? null : new Nonaccrual(keeping, nonaccrualAfter);
}

/** Moves the memorandum alone. */
const memoItem = ({ isDaily: _daily, exact: _exact, ...item }: CourseItem, amount: number): CourseItem => ({
  ...item,
  isDaily: false,
  event: { type: 'accrual', amount, isNonaccrual: true },
});
