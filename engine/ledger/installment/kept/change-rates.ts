import { addDays } from '../../../calendar/index.js';
import { type InstalmentFact, ratesSince } from '../../scheduled/index.js';
import { beginEntry, enter } from '../entering.js';
import type { RatesChanged } from '../../core/facts.js';
import { holds } from '../../core/rules.js';
import type { LedgerState } from '../state.js';
import { addToBook, settle } from './book.js';

/** The rows to come are solved again; interest that was owed from the beginning changes at once. */
export function changeInstalmentRates(state: LedgerState, { recordedDay }: RatesChanged): void {
  const before = beginEntry(state);
  const { day } = state;
  const late = recordedDay > day ? { knownDay: recordedDay } : {};
  if (holds(state, 'ratesSolvedFromChange'))
    addToBook(state, { type: 'ratesReplaced', day, rates: nightsSince(state), solved: 'fromChange', ...late });
  else addToBook(state, { type: 'ratesReplaced', day, rates: ratesSince(state.rates, day) });
  settle(state);
  enter(state, before, 'interestAccrual');
}

type Rates = Extract<InstalmentFact, { type: 'ratesReplaced' }>['rates'];

/** The rates of the nights to come. A new rate may count for the night that ends on its day; rates of the contract begin as contracted. */
function nightsSince({ terms, rates, day, orders }: LedgerState): Rates {
  if (terms.keeping?.newRateCountsFrom !== 'nightBefore') return ratesSince(rates, day);
  const contracted = new Set(terms.rates.segments.map(({ from, net }) => `${from} ${net}`));
  const edges = new Set(orders.idle.flatMap(({ from, until }) => [from, until]));
  const nights = rates.segments.map(({ from, net }) => {
    const isNew = !contracted.has(`${from} ${net}`) && !edges.has(from);
    return { from: isNew ? addDays(from, -1) : from, annualRate: net };
  });
  const last = day > terms.activation ? addDays(day, -1) : day;
  const held = nights.findLast(({ from }) => from <= last);
  const coming = nights.filter(({ from }) => from > last);
  return held === undefined ? coming : [{ ...held, from: last }, ...coming];
}
