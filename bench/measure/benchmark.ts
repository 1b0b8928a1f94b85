import type { Access } from '../access.js';

/** One measured number, with its budget. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly budget?: Budget;
}

/** Programs that benchmarks of clusters need. */
export const needsNats = ({ workers }: Pick<BenchContext, 'workers'>): readonly string[] =>
  workers.some((count) => count > 0) ? ['nats-server'] : [];

/** The target of the design, in the unit of the measure. */
export interface Budget {
  readonly atMost?: number;
  readonly atLeast?: number;
  /** How many loans it is set for. Runs with fewer loans are held to the same budget. */
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
  const size = forLoans === undefined ? '' : `, for ${forLoans.toLocaleString('en-US')} loans`;
  return `${isMissed(measure) ? 'MISSED ' : ''}${bounds}${size}`;
}

export interface BenchContext {
  readonly access: Access;
  /** A folder of this run, removed after it. */
  readonly folder: string;
  /** Size of the benchmark; null = its default. */
  readonly size: number | null;
  /** Months of history of the loans; null = the benchmark's default. */
  readonly months: number | null;
  /** Days of business to close; null = the benchmark's default. */
  readonly days: number | null;
  /** Minutes of load; null = the benchmark's default. */
  readonly minutes: number | null;
  /** Folder of the portfolio that all settings copy, kept after the run; null: each setting makes its own. */
  readonly keptIn: string | null;
  /** Numbers of workers of the clusters to measure; 0 is one process. */
  readonly workers: readonly number[];
  readonly report: (line: string) => void;
}

export interface Benchmark {
  readonly name: string;
  readonly title: string;
  /** The size without `--size`, and what it counts; null = it has none. */
  readonly size: { readonly standard: number; readonly unit: string } | null;
  /** Other programs that it starts; the command checks that they exist before it begins. */
  needs?(context: Pick<BenchContext, 'workers'>): readonly string[];
  run(context: BenchContext): Promise<readonly Measure[]>;
}
