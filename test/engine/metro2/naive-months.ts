import { addDays, civil, type Day, dayOf, daysInMonth } from '../../../engine/index.js';

/** What a loan looked like at the end of one day. */
export interface NaiveDay {
  readonly day: Day;
  readonly status: 'active' | 'frozen' | 'accelerated' | 'chargedOff' | 'paidOff' | 'canceled';
  readonly daysLate: number;
  readonly isOwed: boolean;
}

interface NaiveMonth {
  readonly status: string;
  readonly rating: string | null;
  readonly history: string;
  readonly firstDelinquency: Day | null;
}

const isLastOfMonth = (day: Day): boolean => civil(addDays(day, 1)).day === 1;

const digitOf = (daysLate: number): string => String(Math.min(6, Math.floor(daysLate / 30)));

/** The same as the product's derivation, computed day by day: a list of days in, one pass over all of them for each question. */
export function naiveMonth(days: readonly NaiveDay[], asOf: Day, isLine: boolean): NaiveMonth | null {
  const past = days.filter(({ day }) => day <= asOf);
  const now = past.at(-1);
  if (now === undefined || now.status === 'canceled') return null;
  const monthEnds = past.filter(({ day }) => isLastOfMonth(day) && day < firstOfMonth(asOf));
  const codes = monthEnds.map(({ day }) => codeAt(days, day, isLine)).reverse();
  const history = codes.join('').slice(0, 24).padEnd(24, 'B');
  if (now.status === 'paidOff') {
    const before = beforeClosing(past);
    const rating = digitOf(before.daysLate);
    return { status: '13', rating, history, firstDelinquency: rating === '0' ? null : before.firstDelinquency };
  }
  if (now.status === 'chargedOff') {
    const chargedOffOn = firstDayOfRun(past, 'chargedOff');
    const first = delinquencyAt(past, addDays(chargedOffOn, -1)) ?? chargedOffOn;
    return { status: '97', rating: null, history, firstDelinquency: first < chargedOffOn ? first : chargedOffOn };
  }
  const status = ['11', '71', '78', '80', '82', '83', '84'][Number(digitOf(now.daysLate))] ?? '';
  return { status, rating: null, history, firstDelinquency: status === '11' ? null : delinquencyAt(past, asOf) };
}

const firstOfMonth = (day: Day): Day => dayOf(civil(day).year, civil(day).month, 1);

function codeAt(days: readonly NaiveDay[], end: Day, isLine: boolean): string {
  const past = days.filter(({ day }) => day <= end);
  const at = past.at(-1);
  if (at === undefined) return 'B';
  if (at.status === 'paidOff') return digitOf(beforeClosing(past).daysLate);
  if (at.status === 'canceled') return 'D';
  if (at.status === 'chargedOff') return 'L';
  const digit = digitOf(at.daysLate);
  return isLine && digit === '0' && !at.isOwed ? 'E' : digit;
}

/** The first day of the present run of days with a status. */
function firstDayOfRun(past: readonly NaiveDay[], status: NaiveDay['status']): Day {
  let first = past.length - 1;
  while (first > 0 && past[first - 1]?.status === status) first -= 1;
  return past[first]?.day as Day;
}

/** The closing day would have been one day later than the day before it, had nothing been paid. */
function beforeClosing(past: readonly NaiveDay[]): { readonly daysLate: number; readonly firstDelinquency: Day | null } {
  const closedOn = firstDayOfRun(past, 'paidOff');
  const before = past.find(({ day }) => day === addDays(closedOn, -1));
  if (before === undefined || before.daysLate === 0) return { daysLate: 0, firstDelinquency: null };
  const daysLate = before.status === 'frozen' ? before.daysLate : before.daysLate + 1;
  return { daysLate, firstDelinquency: delinquencyAt(past, before.day) ?? (daysLate >= 30 ? closedOn : null) };
}

/** The first day with 30 days late since the last day without any. */
function delinquencyAt(past: readonly NaiveDay[], until: Day): Day | null {
  const known = past.filter(({ day }) => day <= until);
  const lastGood = known.findLastIndex(({ daysLate }) => daysLate === 0);
  return known.slice(lastGood + 1).find(({ daysLate }) => daysLate >= 30)?.day ?? null;
}

export const lastOfMonth = (day: Day): Day => dayOf(civil(day).year, civil(day).month, daysInMonth(civil(day).year, civil(day).month));
