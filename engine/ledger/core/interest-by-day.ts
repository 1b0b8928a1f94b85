import { addDays, type Day, type DayCountMethod, dayUnits } from '../../calendar/index.js';
import { accruedUnits, cents } from '../../money/index.js';
import type { Accrual } from './entries.js';
import { accruedOf } from './interest.js';
import type { InterestDay } from './views.js';

/** The accruals from which interest by day is read, for both kinds of ledgers. */
export interface AccruedLedger {
  readonly state: { readonly terms: { readonly dayCount: DayCountMethod } };
  readonly accruals: readonly Accrual[];
}

/** Interest by day, `from` and `to` inclusive, as far as the ledger was computed. */
export function interestByDay(ledger: AccruedLedger, from: Day, to: Day): readonly InterestDay[] {
  const days = new Map<Day, InterestDay>();
  for (const accrual of ledger.accruals) {
    if (accrual.until <= from || accrual.from > to) continue;
    for (const found of daysOf(ledger.state.terms, accrual)) {
      if (found.day < from || found.day > to) continue;
      const known = days.get(found.day);
      days.set(found.day, known === undefined ? found : addedTo(known, found));
    }
  }
  return [...days.values()].sort((a, b) => a.day - b.day);
}

/** Frozen days with retroactive accrual have two accruals: zero, and then their interest. */
function addedTo(known: InterestDay, found: InterestDay): InterestDay {
  return {
    ...found,
    interest: accruedUnits(known.interest + found.interest),
    interestBeforeDiscount: accruedUnits(known.interestBeforeDiscount + found.interestBeforeDiscount),
  };
}

/** Splits an accrual into days. If the lifetime cap stopped it, the first days have their full interest. */
function daysOf(terms: AccruedLedger['state']['terms'], accrual: Accrual): readonly InterestDay[] {
  const units = dayUnits(terms.dayCount, accrual.from, accrual.until);
  const days: InterestDay[] = [];
  const accruedBefore: bigint = accruedOf(accrual.interestBeforeDiscount);
  let leftInterest: bigint = accruedOf(accrual.interest);
  let leftBefore = accruedBefore;
  for (let day = accrual.from; day < accrual.until; ) {
    const next = addDays(day, 1);
    const isLast = next === accrual.until;
    const share = BigInt(dayUnits(terms.dayCount, day, next));
    const whole = units === 0 ? 0n : BigInt(accrual.principalCents) * BigInt(accrual.rate) * share;
    const before = units === 0 ? 0n : (accruedBefore * share) / BigInt(units);
    const interest = isLast || whole > leftInterest ? leftInterest : whole;
    const interestBefore = isLast ? leftBefore : before;
    leftInterest -= interest;
    leftBefore -= interestBefore;
    days.push({
      day,
      principalCents: cents(accrual.principalCents),
      rate: accrual.rate,
      interest: accruedUnits(interest),
      interestBeforeDiscount: accruedUnits(interestBefore),
    });
    day = next;
  }
  return days;
}
