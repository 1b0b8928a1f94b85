import type { Reading } from '../rule.js';
import { PERIODS_A_TO_M } from './limitations-a-to-m.js';
import { PERIODS_N_TO_Z } from './limitations-n-to-z.js';
import { type Period, quoted } from './reading.js';

/*
 * In which time a suit on a loan may be brought. A place has the shortest period that its texts give to a contract in writing, to an
 * account if they name it, and to contracts of other states if they have a period of their own. In Illinois, Iowa, Kentucky, Missouri,
 * Montana and West Virginia a contract not in writing counts as well, because a line of credit may be one. No place has a period without a
 * text: the texts of Idaho, Massachusetts and Mississippi were not found, and those of the territories were not looked for. These places
 * have the shortest period that any text gives. A loan that may be a credit sale of goods has the four years of sales. Not known to the
 * guard: a contract that nobody signed, and the law of another state that a contract chooses or a court borrows.
 */

const PERIODS: Readonly<Record<string, readonly Period[]>> = { ...PERIODS_A_TO_M, ...PERIODS_N_TO_Z };

const shortest = (periods: readonly Period[]): number => Math.min(...periods.map(({ years }) => years));

/** Years by state, where a text was read. */
export const LIMITATION_YEARS: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(PERIODS).map(([place, periods]) => [place, shortest(periods)]),
);

/** Years in every other place. */
export const SHORTEST_YEARS = shortest(Object.values(PERIODS).flat());

/** After this time a debt may be too old for a suit in the place. */
export const limitationYears = (place: string): number => LIMITATION_YEARS[place] ?? SHORTEST_YEARS;

/** Uniform Commercial Code 2-725, as one of the states has it that copied it. */
const SALES = quoted(4, '2026-11-27', 'N.J. Stat. 12A:2-725(1)', 'whychat.me/States/state-nj.html', {
  quote: 'An action for breach of any contract for sale must be commenced within four years after the cause of action has accrued',
  summary: 'the Uniform Commercial Code, which the states have in common; some give more time',
});
export const SALE_YEARS = SALES.years;

/** Its text names sales, and gives consumer transactions the same time (Ohio Rev. Code 2305.07(C)). */
const SALES_INCLUDED: ReadonlySet<string> = new Set(['OH']);

/** The same for a loan that may be a credit sale of goods. */
export const limitationYearsOfSale = (place: string): number =>
  SALES_INCLUDED.has(place) ? limitationYears(place) : Math.min(limitationYears(place), SALE_YEARS);

export const readingsOf = (place: string): readonly Reading[] => (PERIODS[place] ?? []).map(({ reading }) => reading);

export const LIMITATION_READINGS: readonly Reading[] = [...Object.values(PERIODS).flat(), SALES].map(({ reading }) => reading);
