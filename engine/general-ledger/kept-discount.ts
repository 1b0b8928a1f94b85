import { addMonths, type Day } from '../calendar/index.js';
import { type Cents, cents, least, type Rate, shareOfCents, subtract, sum, ZERO } from '../money/index.js';
import { earnedStraight } from './amortize.js';

/** What a lender keeps of the money that it pays to a merchant for financed goods. */
export interface KeptDiscountTerms {
  /** Of each payout. Not used beside an amount. */
  readonly rate: Rate | null;
  /** The discount as a whole: the first payouts bear it. */
  readonly amountCents: Cents | null;
  /** Equal parts that are earned month by month from the day of each payout on: so many, or through a last day. Null: all on that day. */
  readonly months: { readonly count: number } | { readonly last: Day } | null;
}

/** Money for goods of a merchant. */
interface MerchantPayout {
  readonly day: Day;
  readonly amountCents: Cents;
}

export interface KeptDiscount {
  /** What was financed: the sum of the next two. */
  readonly financedCents: Cents;
  readonly discountCents: Cents;
  readonly merchantCents: Cents;
  /** Of the discount; the rest is earned on later days. */
  readonly earnedCents: Cents;
  readonly deferredCents: Cents;
}

/** The discount on the payouts through a day, and what of it is earned at the end of that day. */
export function keptDiscountOf(terms: KeptDiscountTerms, payouts: readonly MerchantPayout[], through: Day): KeptDiscount {
  const known = payouts.filter(({ day }) => day <= through).sort((a, b) => a.day - b.day);
  const borne = bornBy(terms, known);
  const financedCents = sum(known.map(({ amountCents }) => amountCents));
  const discountCents = sum(borne);
  const earnedCents = sum(known.map(({ day }, at) => earnedOf(borne[at] ?? ZERO, terms.months, day, through)));
  return {
    financedCents,
    discountCents,
    merchantCents: subtract(financedCents, discountCents),
    earnedCents,
    deferredCents: subtract(discountCents, earnedCents),
  };
}

/** What each payout bears. A share is rounded half up to the cent: the one place where a discount is rounded. */
function bornBy({ rate, amountCents }: KeptDiscountTerms, payouts: readonly MerchantPayout[]): readonly Cents[] {
  if (amountCents === null)
    return payouts.map((payout) => (rate === null ? ZERO : least(payout.amountCents, shareOfCents(payout.amountCents, rate, 'halfUp'))));
  let left = amountCents;
  return payouts.map((payout) => {
    const borne = least(left, payout.amountCents);
    left = subtract(left, borne);
    return borne;
  });
}

/** Months in which a discount is earned at most: those of the longest loan. */
const MOST_MONTHS = 600;

/** The ends of the months in which a discount is earned, ascending: the same day of later months, or the last day of a shorter one. */
export function earningDays(months: NonNullable<KeptDiscountTerms['months']>, from: Day): readonly Day[] {
  const count = 'count' in months ? Math.min(months.count, MOST_MONTHS) : MOST_MONTHS;
  const ends = Array.from({ length: count }, (_, at) => addMonths(from, at + 1));
  return 'count' in months ? ends : [...ends.filter((end) => end < months.last), months.last];
}

/** `earnedStraight` is where the parts are rounded. */
function earnedOf(discountCents: Cents, months: KeptDiscountTerms['months'], from: Day, through: Day): Cents {
  if (months === null) return discountCents;
  const days = earningDays(months, from);
  return cents(earnedStraight(discountCents, days.filter((day) => day <= through).length, days.length));
}
