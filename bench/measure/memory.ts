import { join } from 'node:path';
import type { Engine } from '../../actors/index.js';
import type { BenchContext, Benchmark, Measure } from './benchmark.js';
import { bytesIn } from './machine.js';
import { makePortfolio } from './make-portfolio.js';

/** A pause in which actors above the bound leave the cache, in milliseconds. */
const REST_MS = 500;
const COLLECTIONS = 3;

/**
 * What a loan takes: in memory, in the journal and in the snapshots. A part of the actors stays in the cache (`CACHED_ACTORS_OF_LOAN`);
 * their memory is part of the figure.
 */
export const memoryBenchmark = bytesOfLoans('memory', 'Bytes a loan: in resident memory, in the journal, in the snapshots', 100_000, 0);

/** The same for loans that have been paid for two years. */
export const historyBenchmark = bytesOfLoans('history', 'Bytes a loan with 24 months of history', 10_000, 24);

/** Actors that stay in the cache, for each loan. A loan and its borrower are two actors, so one actor in twenty stays. */
const CACHED_ACTORS_OF_LOAN = 0.1;

function bytesOfLoans(name: string, title: string, standard: number, months: number): Benchmark {
  return { name, title, size: { standard, unit: 'loans' }, run: (context) => measureBytes(context, context.size ?? standard, months) };
}

async function measureBytes({ access, folder, report }: BenchContext, count: number, months: number): Promise<readonly Measure[]> {
  const dataFolder = join(folder, 'data');
  const cachedActors = Math.max(100, Math.round(count * CACHED_ACTORS_OF_LOAN));
  const service = await access.open({ dataFolder, logLevel: 'warn', cachedActors });
  try {
    await makePortfolio(service, 200, () => undefined, { months }); // code and caches are there before the first measurement
    const before = await settledMemory();
    const [journalBefore, snapshotsBefore] = [bytesIn(join(dataFolder, 'journal')), bytesIn(join(dataFolder, 'snapshots'))];
    const { loans } = await makePortfolio(service, count, report, { months });
    await service.engine.snapshot();
    const rested = await atRest(service.engine);
    report(`${rested.toLocaleString('en-US')} actors are in the cache`);
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
      { name: 'resident memory a loan', value: each(after.rss - before.rss), unit: 'B' },
      { name: 'journal a loan (whole segments)', value: each(bytesIn(join(dataFolder, 'journal')) - journalBefore), unit: 'B' },
      { name: 'snapshots a loan', value: each(bytesIn(join(dataFolder, 'snapshots')) - snapshotsBefore), unit: 'B' },
    ];
  } finally {
    await service.close();
  }
}

/** Waits while actors above the bound leave the cache in steps after the snapshot; returns how many remain. */
async function atRest({ world: { actorCache } }: Engine): Promise<number> {
  for (let before = Infinity; actorCache.size < before; ) {
    before = actorCache.size;
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  return actorCache.size;
}

/**
 * After garbage collections, where node was started with `--expose-gc`, as `npm run bench` does. Memory outside of the heap is freed some
 * time after its owner.
 */
async function settledMemory(): Promise<NodeJS.MemoryUsage> {
  for (let collection = 0; collection < COLLECTIONS; collection++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  return process.memoryUsage();
}
