import { addDays, type Day } from '../calendar/index.js';
import type { AccountingEvent } from './accounting-events.js';
import { earnedStraight } from './amortize.js';
import type { Cause } from './believed.js';
import type { CourseItem } from './course.js';
import { type Keeping, lossRoles } from './parts.js';

/** What the lender keeps of the principal that it pays to a merchant. */
export interface MerchantDiscount {
  readonly cause: Cause;
  /** The fact of the payout that it lowers. */
  readonly meets: string;
  readonly amount: number;
  readonly day: Day;
  /** Days on which a part of it is earned, ascending, the last one with the rest. Empty: it is earned at once. */
  readonly earnedOn: readonly Day[];
}

/** The end of a loan: by charge-off, what is still deferred lowers the loss. */
export interface LoanEnd {
  readonly day: Day;
  readonly chargeOff: { readonly isFraud: boolean } | null;
}

/** What a discount posts through a day: less is paid out, and it is earned in equal parts. At the end of the loan the rest is. */
export function merchantDiscountItems(
  { cause, meets, amount, day, earnedOn }: MerchantDiscount,
  {
    through,
    end,
    keeping,
    dayCause,
  }: { readonly through: Day; readonly end: LoanEnd | null; readonly keeping: Keeping; readonly dayCause: (day: Day) => Cause },
): readonly CourseItem[] {
  if (day > through) return [];
  const isDeferred = earnedOn.length > 0 && keeping.basis === 'accrual';
  const item = (of: Cause, on: Day, event: AccountingEvent): CourseItem => ({ cause: of, day: on, isDaily: false, event });
  const items: CourseItem[] = [{ ...item(cause, day, { type: 'merchantDiscount', amount, isDeferred }), meets }];
  if (!isDeferred) return items;
  let earned = 0;
  for (const [at, on] of earnedOn.entries()) {
    if (on > through || (end !== null && on >= end.day)) break;
    const now = earnedStraight(amount, at + 1, earnedOn.length);
    items.push(item(dayCause(on), on, { type: 'amortization', of: 'merchantDiscount', amount: now - earned }));
    earned = now;
  }
  if (end !== null && end.day <= through && earned < amount)
    items.push(item(dayCause(end.day), end.day, restOf(amount - earned, end, keeping)));
  return items;
}

function restOf(amount: number, { chargeOff }: LoanEnd, keeping: Keeping): AccountingEvent {
  if (chargeOff === null || keeping.settings.deferredAtChargeOff === 'recognizeRest')
    return { type: 'amortization', of: 'merchantDiscount', amount };
  const loss = lossRoles(keeping, chargeOff.isFraud).principal;
  return { type: 'moved', rule: 'merchantDiscountLost', amount, from: { role: loss }, to: { role: 'merchantDiscountDeferred' } };
}

/** Whether a day may bring something by itself. */
export const isDayOfDiscount = ({ earnedOn }: Pick<MerchantDiscount, 'earnedOn'>, day: Day): boolean =>
  earnedOn.includes(day) || earnedOn.includes(addDays(day, -1));
