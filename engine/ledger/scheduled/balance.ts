import type { Day } from '../../calendar/index.js';
import { type Met, type Parts, type ScheduledLedger, sumOf } from './ledger.js';
import { askedBy, paidOfLater, type RowsBefore } from './rows-before.js';

/** Principal paid out up to the end of a day, including principal that is owed again. */
function paidOutBy(ledger: ScheduledLedger, day: Day): number {
  let cents = 0;
  for (const advance of ledger.advances) if (advance.day <= day) cents += advance.amountCents;
  for (const revival of ledger.revivals) if (revival.day <= day) cents += revival.amountCents;
  return cents;
}

/** The balance if every installment is paid exactly on its due date. */
export function scheduledBalance(ledger: ScheduledLedger, day: Day, before: RowsBefore | null = null): number {
  let cents = paidOutBy(ledger, day);
  for (const move of ledger.moves) if (move.day <= day) cents += move.amountCents;
  return cents - (before === null ? askedBy(ledger, day) : before.askedBy(day));
}

/** The same, less principal that was paid before its due date. */
export function expectedBalance(ledger: ScheduledLedger, day: Day, before: RowsBefore | null = null): number {
  let cents = scheduledBalance(ledger, day, before);
  if (isAfterAllMet(ledger, day)) return cents - (before === null ? paidOfLater(ledger, day) : before.paidOfLater(day));
  for (const { dueDay, met } of ledger.installments) if (dueDay > day && met.length > 0) cents -= principalMetBy(met, day);
  return cents;
}

/** The actual balance at the end of a day. */
export function actualBalance(ledger: ScheduledLedger, day: Day): number {
  let cents = paidOutBy(ledger, day);
  const isAfterAll = isAfterAllMet(ledger, day);
  for (const { met, paid } of ledger.installments) cents -= isAfterAll ? paid.principal : principalMetBy(met, day);
  return cents;
}

const isAfterAllMet = ({ metDays }: ScheduledLedger, day: Day): boolean => (metDays.at(-1) ?? day) <= day;

/** Principal paid to an installment up to a day, by binary search over its days. */
function principalMetBy(met: readonly Met[], day: Day): number {
  let [from, to] = [0, met.length];
  const last = met[to - 1];
  if (last === undefined || last.day <= day) return last?.principalSoFar ?? 0;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((met[middle]?.day ?? day) <= day) from = middle + 1;
    else to = middle;
  }
  return met[from - 1]?.principalSoFar ?? 0;
}

/**
 * Principal, and interest if `isWithInterest`, of the installments due by a day that was open at the end of that day or of a later one:
 * what is open now, and what was paid since. So each look reads the money of the running period alone.
 */
export function overdueSince(ledger: ScheduledLedger, dueBy: Day, isWithInterest: boolean): (day: Day) => number {
  const cents = (parts: Readonly<Parts>): number => parts.principal + (isWithInterest ? parts.interest : 0);
  const paidSince: { readonly day: Day; readonly cents: number }[] = [];
  let open = 0;
  for (const { dueDay, due, paid, met } of ledger.installments) {
    if (dueDay > dueBy) continue;
    open += cents(due) - cents(paid);
    for (let at = met.length - 1; at >= 0; at -= 1) {
      const one = met[at];
      if (one === undefined || one.day <= dueBy) break;
      paidSince.push({ day: one.day, cents: cents(one.parts) });
    }
  }
  return (day) =>
    Math.max(
      0,
      paidSince.reduce((sum, paid) => (paid.day > day ? sum + paid.cents : sum), open),
    );
}

/** Money paid to an installment before its due date, up to a day. Entries are the oldest first. */
export function paidAheadBy(met: readonly Pick<Met, 'day' | 'parts'>[], dueDay: Day, day: Day): number {
  let cents = 0;
  for (const { day: metDay, parts } of met) {
    if (metDay >= dueDay || metDay > day) break;
    cents += sumOf(parts);
  }
  return cents;
}
