import { type Day, type DayCountMethod, dayUnits } from '../../calendar/index.js';
import { RATE_ONE, YEAR_UNITS } from '../../money/index.js';
import { type RateTimeline, rateOn } from '../../rates/index.js';

export interface LevelTerms {
  readonly start: Day;
  readonly principalCents: number;
  /** Unpaid interest, which bears no interest; in cents with fractions. */
  readonly openingInterestCents: number;
  readonly dueDates: readonly Day[];
  /** Amounts of forced rows; null: a level row. Absent: all rows are level. */
  readonly forcedCents?: readonly (number | null)[];
  /** Money paid in advance, which the oldest rows take. Absent: none. */
  readonly prepaidCents?: number;
  readonly rates: RateTimeline;
  readonly dayCount: DayCountMethod;
}

/** An estimate closer than this to a whole cent is not used: doubles are exact to about 1e-6 of a cent here. */
const DOUBT_CENTS = 1e-3;

/** Doubles have six digits after whole cents of this size. */
const LARGEST_CENTS = 1e9;

/** Each try uses the rows that the level of the previous try pays in advance. The second or third try finds the same rows. */
const MAX_TRIES = 8;

/**
 * The first rows, which money paid in advance covers completely, and the first row that it does not cover. That row pays
 * `levels * level + otherCents`: all amounts so far less the money paid in advance.
 */
interface Start {
  readonly rows: number;
  readonly levels: number;
  readonly otherCents: number;
  /** Interest that is not paid by these rows. */
  readonly interestCents: number;
}

/**
 * The level payment rounded up to the cent, in doubles, because replays compute it for millions of loans. It is the same as
 * the exact level. Null if the estimate is too close to a whole cent, or if a row would not cover its interest: then the
 * caller must use `amortize`.
 */
export function estimateLevelCents(terms: LevelTerms): number | null {
  if (terms.principalCents > LARGEST_CENTS) return null;
  const growths = growthsOf(terms);
  let start = startOf(terms, growths, null);
  let level = levelFrom(terms, growths, start);
  for (let tried = 0; level !== null && (terms.prepaidCents ?? 0) > 0; tried += 1) {
    if (tried === MAX_TRIES) return null;
    const next = startOf(terms, growths, level);
    if (tried > 0 && next.rows === start.rows) break;
    start = next;
    level = levelFrom(terms, growths, start);
  }
  if (level === null) return null;
  const cents = Math.ceil(level);
  const isInDoubt = cents - level < DOUBT_CENTS || cents - level > 1 - DOUBT_CENTS;
  return isInDoubt || !coversInterest(terms, growths, start, level) ? null : cents;
}

/** `level` null: without money in advance. The last row takes the rest in any case. */
function startOf(terms: LevelTerms, growths: readonly number[], level: number | null): Start {
  const prepaidCents = level === null ? 0 : (terms.prepaidCents ?? 0);
  let levels = 0;
  let forcedCents = 0;
  let interestCents = terms.openingInterestCents;
  for (let row = 0; ; row += 1) {
    const forced = terms.forcedCents?.[row] ?? null;
    if (forced === null) levels += 1;
    else forcedCents += forced;
    if (levels * (level ?? 1) + forcedCents > prepaidCents || row >= growths.length - 1) {
      return { rows: row, levels, otherCents: forcedCents - prepaidCents, interestCents };
    }
    interestCents += terms.principalCents * (growths[row] ?? 0);
  }
}

/** The level is `owed / paid`; both grow with the interest of each row (see `solveLevel`). */
function levelFrom(terms: LevelTerms, growths: readonly number[], start: Start): number | null {
  let owed = terms.principalCents;
  let owedInterest = start.interestCents;
  let paid = 0;
  for (let row = start.rows; row < growths.length; row += 1) {
    const growth = growths[row] ?? 0;
    const forced = row === start.rows ? start.otherCents : (terms.forcedCents?.[row] ?? null);
    const levels = row === start.rows ? start.levels : forced === null ? 1 : 0;
    owed += owed * growth + owedInterest - (forced ?? 0);
    paid += paid * growth + levels;
    owedInterest = 0;
  }
  return paid === 0 || owed <= 0 ? null : owed / paid;
}

/**
 * Whether every row pays more than its interest and leaves a balance for the next rows: only then is the balance linear in
 * the payment.
 */
function coversInterest(terms: LevelTerms, growths: readonly number[], start: Start, level: number): boolean {
  let balance = terms.principalCents;
  let openInterest = start.interestCents;
  for (let row = start.rows; row < growths.length; row += 1) {
    const payment = row === start.rows ? start.levels * level + start.otherCents : (terms.forcedCents?.[row] ?? level);
    const interest = balance * (growths[row] ?? 0) + openInterest;
    if (balance < 0 || interest + 1 > payment) return false;
    balance += interest - payment;
    openInterest = 0;
  }
  return true;
}

function growthsOf(terms: LevelTerms): readonly number[] {
  let from = terms.start;
  return terms.dueDates.map((date) => {
    const growth = growthOf(terms, from, date);
    from = date;
    return growth;
  });
}

/** The interest of one cent over `[from, to)`. */
function growthOf({ rates, dayCount }: LevelTerms, from: Day, to: Day): number {
  let growth = 0;
  let at = from;
  while (at < to) {
    const segment = rateOn(rates, at);
    const until = segment.until < to ? segment.until : to;
    growth += segment.net * dayUnits(dayCount, at, until);
    at = until;
  }
  return growth / (RATE_ONE * YEAR_UNITS);
}
