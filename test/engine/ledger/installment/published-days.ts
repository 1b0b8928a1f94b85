import { addDays, type Day, type Rate } from '../../../../engine/index.js';
import { dayFrom, rateFrom } from '../../numbers.js';

/** Ledgers that are published day by day, with the words of their source. */
export type Row = Readonly<Record<string, string>>;

export interface DayVector {
  readonly id: string;
  readonly title: string;
  readonly loan: Row;
  readonly expected?: { readonly rows: readonly Row[] };
}

/** 0.8 % a day over 365 days. */
export const STANDARD_RATE = rateFrom('2.92');

/**
 * Interest is kept to its fraction, what a payment covers is cut down to whole cents, and the last installment asks for its scheduled
 * amount.
 */
export const PLAYED_BY_DAY: readonly string[] = ['fsp-l01', 'fsp-l06', 'fsp-l09', 'fsp-l10', 'fsp-l11'];

/** Their schedules are solved with interest that each row cuts down: here the caller gives them (`atOrigination.expectedPayments`). */
export const GIVEN_AMOUNTS: ReadonlySet<string> = new Set(['fsp-l09', 'fsp-l10', 'fsp-l11']);

const FIGURES = [
  'scheduled',
  'paymentDue',
  'netEffect',
  'interestForPeriod',
  'newInterest',
  'interestPaid',
  'principalPaid',
  'interestBalance',
  'principalBalance',
  'payoff',
] as const;

/** The figures of a day that are compared, as published. */
export const publishedFigures = (row: Row): Row =>
  Object.fromEntries(FIGURES.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));

/**
 * The rate that holds for a while; null: none. The source's rate of a day is that of the night which ends on it; here of the night
 * that begins. The schedule is made without it.
 */
export function promotionOf(text: string): { readonly from: Day; readonly until: Day; readonly rate: Rate } | null {
  const [, from, to, percents = '0'] = /^(\S+) to (\S+) at (?:zero|([\d.]+) % per year)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return null;
  return { from: addDays(dayFrom(from), -1), until: dayFrom(to), rate: rateFrom((Number(percents) / 100).toFixed(4)) };
}
