import type { Door } from '../house.js';

/** One number that was measured, with what it stands beside. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the design asks for, in words. */
  readonly budget?: string;
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
  run(context: BenchContext): Promise<readonly Measure[]>;
}
