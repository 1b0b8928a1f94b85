import { join } from 'node:path';
import type { Benchmark } from './benchmark.js';
import { keepPortfolio } from './kept-portfolio.js';
import { bytesIn } from './machine.js';

/** The value of the index from the beginning of all loans that follow one. */
export const INDEX = 0.03;

/** Makes a portfolio that other benchmarks measure: making it takes longer than they do. */
export const portfolioBenchmark: Benchmark = {
  name: 'book',
  title: 'Booking of a portfolio, kept for `mass` and `cluster` where --book names a folder',
  size: { standard: 10_000, unit: 'loans' },
  async run(context) {
    const begun = performance.now();
    const {
      dataFolder,
      portfolio: { loans },
    } = await keepPortfolio(context, context.keptIn ?? join(context.folder, 'portfolio'), context.size ?? 10_000, {
      months: context.months ?? 0,
      index: INDEX,
    });
    const seconds = (performance.now() - begun) / 1000;
    return [
      { name: 'booked', value: loans.length, unit: 'loans' },
      { name: 'in', value: Math.round(seconds), unit: 's' },
      { name: 'on the disk, a loan', value: Math.round(bytesIn(dataFolder) / loans.length / 102.4) / 10, unit: 'KB' },
    ];
  },
};
