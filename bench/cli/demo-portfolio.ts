import { Random } from '../measure/random.js';

/** How a borrower of the demo pays. */
type Habit = 'onTime' | 'late' | 'stops' | 'backdated';

export interface DemoLoan {
  readonly number: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly state: string;
  readonly amount: number;
  readonly months: number;
  readonly rate: number;
  readonly habit: Habit;
}

const FIRST_NAMES = ['Ada', 'Ben', 'Clara', 'David', 'Elena', 'Frank', 'Grace', 'Hugo', 'Iris', 'Jonas', 'Kira', 'Leo'] as const;
const LAST_NAMES = ['Alder', 'Brook', 'Cole', 'Dale', 'Everett', 'Field', 'Grove', 'Hill', 'Irving', 'Jarvis', 'Knoll', 'Lake'] as const;
const STATES = ['IL', 'NY', 'CA', 'TX', 'WA', 'CO'] as const;
const MONTHS = [12, 24, 36, 60] as const;
const RATES = [0.0499, 0.0799, 0.1149, 0.1599, 0.2199] as const;

/** In every ten: seven pay on the day, two pay late, one stops after half a year. */
const HABITS: readonly Habit[] = ['onTime', 'onTime', 'late', 'onTime', 'onTime', 'onTime', 'late', 'onTime', 'onTime', 'stops'];

/** Which loan's check is found to have come in time. */
export const BACKDATED = 3;

/** Invented loans, the same for the same seed. */
export function demoPortfolio(loans: number, seed: number): readonly DemoLoan[] {
  const random = new Random(seed);
  return Array.from({ length: loans }, (_, index) => ({
    number: index + 1,
    firstName: random.pick(FIRST_NAMES),
    lastName: random.pick(LAST_NAMES),
    state: random.pick(STATES),
    amount: 1_000 + random.below(240) * 100,
    months: random.pick(MONTHS),
    rate: random.pick(RATES),
    habit: index === BACKDATED ? 'backdated' : (HABITS[index % HABITS.length] ?? 'onTime'),
  }));
}
