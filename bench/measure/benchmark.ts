import type { Door } from '../house.js';

/** One number that was measured, with what it stands beside. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly budget?: Budget;
}

/** Of benchmarks that measure clusters beside one process. */
export const needsNats = ({ workers }: Pick<BenchContext, 'workers'>): readonly string[] =>
  workers.some((count) => count > 0) ? ['nats-server'] : [];

/** What the design asks for, in the unit of the measure. */
export interface Budget {
  readonly atMost?: number;
  readonly atLeast?: number;
  /** How many loans it is set for. Fewer may take less, and are held to it all the same. */
  readonly forLoans?: number;
}

export const isMissed = ({ value, budget: { atMost = Infinity, atLeast = -Infinity } = {} }: Measure): boolean =>
  value > atMost || value < atLeast;

/** `<= 5, for 1,000,000 loans`; a budget that is missed says so. */
export function budgetText(measure: Measure): string {
  const { budget } = measure;
  if (budget === undefined) return '';
  const { atMost, atLeast, forLoans } = budget;
  const bounds = [
    ...(atMost === undefined ? [] : [`<= ${atMost.toLocaleString('en-US')}`]),
    ...(atLeast === undefined ? [] : [`>= ${atLeast.toLocaleString('en-US')}`]),
  ].join(' and ');
  const whom = forLoans === undefined ? '' : `, for ${forLoans.toLocaleString('en-US')} loans`;
  return `${isMissed(measure) ? 'MISSED ' : ''}${bounds}${whom}`;
}

export interface BenchContext {
  readonly door: Door;
  /** A folder of this run, thrown away after it. */
  readonly folder: string;
  /** How large, where a benchmark has a size. */
  readonly size: number | null;
  /** Of history, where a benchmark's loans have one; null is what it takes by itself. */
  readonly months: number | null;
  /** Of business that are closed, where a benchmark closes some; null is what it takes by itself. */
  readonly days: number | null;
  /** That a load lasts, where a benchmark has one that lasts; null is what it takes by itself. */
  readonly minutes: number | null;
  /** Where the portfolio lies that all settings take a copy of, and stays; null: each books its own. */
  readonly keptIn: string | null;
  /** Of the clusters that are measured beside each other, where a benchmark has them; 0 is one process. */
  readonly workers: readonly number[];
  tell(line: string): void;
}

export interface Benchmark {
  readonly name: string;
  readonly title: string;
  /** The size without `--size`, and what it counts; null = it has none. */
  readonly size: { readonly standard: number; readonly unit: string } | null;
  /** Programs that it starts, beside Tenor: looked for before it begins. */
  needs?(context: Pick<BenchContext, 'workers'>): readonly string[];
  run(context: BenchContext): Promise<readonly Measure[]>;
}
