import { join } from 'node:path';
import type { Benchmark } from './benchmark.js';
import { bytesIn } from './bytes-in.js';
import { keepBook } from './kept-book.js';

/** What the index stands at from the beginning of all loans that follow one. */
export const INDEX = 0.03;

/** A portfolio for others to measure, whose booking takes longer than they do. */
export const bookBenchmark: Benchmark = {
  name: 'book',
  title: 'Booking of a portfolio, kept for `mass` and `cluster` where --book names a folder',
  size: { standard: 10_000, unit: 'loans' },
  async run(context) {
    const begun = performance.now();
    const {
      dataFolder,
      book: { loans },
    } = await keepBook(context, context.keptIn ?? join(context.folder, 'book'), context.size ?? 10_000, {
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
