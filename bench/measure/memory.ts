import { join } from 'node:path';
import type { Engine } from '../../actors/index.js';
import type { BenchContext, Benchmark, Measure } from './benchmark.js';
import { bookLoans } from './book-loans.js';
import { bytesIn } from './bytes-in.js';

/** A pause in which actors above the bound lie down, in milliseconds. */
const REST_MS = 500;
const COLLECTIONS = 3;

/**
 * What a loan takes: in memory, in the journal and in the snapshots. One actor in twenty stays awake (`residentActors`);
 * what those take is in the figure all the same.
 */
export const memoryBenchmark = bytesOfLoans('memory', 'Bytes a loan: resident, in the journal, in the snapshots', 100_000, 0);

/** The same for loans that have been paid for two years. */
export const historyBenchmark = bytesOfLoans('history', 'Bytes a loan with 24 months of history', 10_000, 24);

/** Of the number of loans: with their borrowers there are twice as many actors. */
const AWAKE_SHARE = 0.1;

function bytesOfLoans(name: string, title: string, standard: number, months: number): Benchmark {
  return { name, title, size: { standard, unit: 'loans' }, run: (context) => measureBytes(context, context.size ?? standard, months) };
}

async function measureBytes({ door, folder, tell }: BenchContext, count: number, months: number): Promise<readonly Measure[]> {
  const dataFolder = join(folder, 'data');
  const house = await door.open({ dataFolder, logLevel: 'warn', residentActors: Math.max(100, Math.round(count * AWAKE_SHARE)) });
  try {
    await bookLoans(house, 200, () => undefined, { months }); // code and caches are there before the first measurement
    const before = await settledMemory();
    const [journalBefore, snapshotsBefore] = [bytesIn(join(dataFolder, 'journal')), bytesIn(join(dataFolder, 'snapshots'))];
    const { loans } = await bookLoans(house, count, tell, { months });
    await house.engine.snapshot();
    const rested = await atRest(house.engine);
    tell(`${rested.toLocaleString('en-US')} actors are awake`);
    const after = await settledMemory();
    const each = (bytes: number): number => Math.round(bytes / loans.length);
    return [
      {
        name: 'JavaScript heap a loan with its borrower',
        value: each(after.heapUsed - before.heapUsed),
        unit: 'B',
        budget: { atMost: 3_072 },
      },
      { name: 'outside of the heap a loan', value: each(after.external - before.external), unit: 'B' },
      { name: 'resident set a loan', value: each(after.rss - before.rss), unit: 'B' },
      { name: 'journal a loan (whole segments)', value: each(bytesIn(join(dataFolder, 'journal')) - journalBefore), unit: 'B' },
      { name: 'snapshots a loan', value: each(bytesIn(join(dataFolder, 'snapshots')) - snapshotsBefore), unit: 'B' },
    ];
  } finally {
    await house.close();
  }
}

/** Actors above the bound lie down in steps after the snapshot; answers how many are awake then. */
async function atRest({ world: { residents } }: Engine): Promise<number> {
  for (let before = Infinity; residents.size < before; ) {
    before = residents.size;
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  return residents.size;
}

/**
 * After collections where node was started with `--expose-gc`; `npm run bench` does. What lies outside of the heap goes some time after
 * its owner.
 */
async function settledMemory(): Promise<NodeJS.MemoryUsage> {
  for (let collection = 0; collection < COLLECTIONS; collection++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  return process.memoryUsage();
}
