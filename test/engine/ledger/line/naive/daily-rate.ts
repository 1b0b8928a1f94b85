import Big from 'big.js';
import { civil, type Day, isLeapYear, type LineTerms, must, type RateTimeline } from '../../../../../engine/index.js';

Big.DP = 40;

/** Digits that are kept: daily compounding would double their number each day. */
export const DIGITS = 34;

/** The annual rate of a day, after promotional rates. */
export const annualRate = ({ segments }: RateTimeline, day: number): Big =>
  new Big(
    must(
      segments.find(({ from, until }) => from <= day && day < until),
      'a rate',
    ).net,
  ).div(1e8);

/** The interest of one unit of principal on a day. */
export function dailyRate({ dayCount }: LineTerms, rates: RateTimeline, day: Day): Big {
  const annual = annualRate(rates, day);
  const { year, month, day: dayOfMonth } = civil(day);
  switch (dayCount) {
    case 'daily365':
      return annual.div(365);
    case 'daily360':
      return annual.div(360);
    case 'actualActual':
      return annual.div(isLeapYear(year) ? 366 : 365);
    case 'monthly30360': {
      const isLastOfFebruary = month === 2 && civil((day + 1) as Day).month === 3;
      const days = dayOfMonth === 31 ? 0 : isLastOfFebruary ? 30 - dayOfMonth + 1 : 1;
      return annual.times(days).div(360);
    }
  }
}
