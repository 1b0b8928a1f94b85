import Big from 'big.js';
import { civil, type Day, type DrawActivated, isLeapYear, type LineTerms, must } from '../../../../engine/index.js';

/** What a unit of a draw earns on a day (servicing-behaviour 4.3). */
export function dailyRate({ dayCount }: LineTerms, { rates }: DrawActivated, day: Day): Big {
  const segment = must(rates.segments.find(({ from, until }) => from <= day && day < until), 'a rate');
  const annual = new Big(segment.net).div(1e8);
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
