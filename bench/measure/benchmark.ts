import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../actors/index.js';
import type { Access } from '../access.js';
import { makePortfolio } from './make-portfolio.js';
import { keepPortfolio } from './kept-portfolio.js';

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

/** Bytes on the disk of a folder and all below it. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).blocks * 512, 0);
}

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
