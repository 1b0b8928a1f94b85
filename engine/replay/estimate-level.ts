import { type Day, type DayCountMethod, dayUnits } from '../calendar/index.js';
import { RATE_ONE, YEAR_UNITS } from '../money/index.js';
import { type RateTimeline, rateOn } from '../rates/index.js';

export interface LevelTerms {
  readonly start: Day;
  readonly principalCents: number;
  /** Unpaid interest, which bears none itself; in cents and parts of them. */
  readonly openingInterestCents: number;
  readonly dueDates: readonly Day[];
  /** The amounts of rows that keep theirs; null: a level row. Absent: all rows are level. */
  readonly forcedCents?: readonly (number | null)[];
  readonly rates: RateTimeline;
  readonly dayCount: DayCountMethod;
}

/** An estimate that lies nearer to a whole cent than this is not trusted: doubles are good to about 1e-6 of a cent here. */
const DOUBT_CENTS = 1e-3;

/** Doubles carry whole cents of this size and still six digits behind them. */
const LARGEST_CENTS = 1e9;

/**
 * The level payment rounded up to the cent, in doubles: a replay computes it for millions of loans, and it comes out the
 * same as the exact one unless it lies in doubt. Then, and where a row would not cover its interest, the answer is
 * null and `amortize` must decide.
 */
export function estimateLevelCents(terms: LevelTerms): number | null {
  if (terms.principalCents > LARGEST_CENTS) return null;
  const growths = growthsOf(terms);
  let owed = terms.principalCents;
  let owedInterest = terms.openingInterestCents;
  let paid = 0;
  for (let row = 0; row < growths.length; row += 1) {
    const growth = growths[row] ?? 0;
    const forced = terms.forcedCents?.[row] ?? null;
    owed += owed * growth + owedInterest - (forced ?? 0);
    paid += paid * growth + (forced === null ? 1 : 0);
    owedInterest = 0;
  }
  if (paid === 0 || owed <= 0) return null;
  const level = owed / paid;
  const cents = Math.ceil(level);
  const isInDoubt = cents - level < DOUBT_CENTS || cents - level > 1 - DOUBT_CENTS;
  return isInDoubt || !coversInterest(terms, growths, level) ? null : cents;
}

/**
 * Whether every row pays more than its interest and leaves something for the rows after it: only then is the balance
 * linear in the payment.
 */
function coversInterest(terms: LevelTerms, growths: readonly number[], level: number): boolean {
  let balance = terms.principalCents;
  let openInterest = terms.openingInterestCents;
  for (let row = 0; row < growths.length; row += 1) {
    const payment = terms.forcedCents?.[row] ?? level;
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

/** What one cent earns over `[from, to)`. */
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
