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

/** Splits an accrual into days. */
function daysOf(terms: AccruedLedger['state']['terms'], accrual: Accrual): readonly InterestDay[] {
  const units = dayUnits(terms.dayCount, accrual.from, accrual.until);
  const days: InterestDay[] = [];
  const accruedBefore: bigint = accruedOf(accrual.interestBeforeDiscount);
  let leftBefore = accruedBefore;
  interestOfEachDay(terms, accrual, (day, interest) => {
    const next = addDays(day, 1);
    const share = BigInt(dayUnits(terms.dayCount, day, next));
    const before = units === 0 ? 0n : (accruedBefore * share) / BigInt(units);
    const interestBefore = next === accrual.until ? leftBefore : before;
    leftBefore -= interestBefore;
    days.push({
      day,
      principalCents: cents(accrual.principalCents),
      rate: accrual.rate,
      interest: accruedUnits(interest),
      interestBeforeDiscount: accruedUnits(interestBefore),
    });
  });
  return days;
}

/** The interest of each day of an accrual. If the lifetime cap stopped it, the first days have their full interest. */
export function interestOfEachDay(
  { dayCount }: AccruedLedger['state']['terms'],
  { from, until, principalCents, rate, interest }: Omit<Accrual, 'rateBeforeDiscount' | 'interestBeforeDiscount'>,
  see: (day: Day, interest: bigint) => void,
): void {
  const ofUnit = dayUnits(dayCount, from, until) === 0 ? 0n : BigInt(principalCents) * BigInt(rate);
  let left: bigint = accruedOf(interest);
  // Nearly all days of an accrual have as many units.
  let [units, whole] = [0, 0n];
  for (let day = from; day < until; ) {
    const next = addDays(day, 1);
    const share = dayUnits(dayCount, day, next);
    if (share !== units) [units, whole] = [share, ofUnit * BigInt(share)];
    const ofDay = next === until || whole > left ? left : whole;
    left -= ofDay;
    see(day, ofDay);
    day = next;
  }
}
