import { join } from 'node:path';
import { inParallel } from '../service/client.js';
import type { Benchmark, BenchContext, Measure } from './benchmark.js';
import { type Aging, type OldLender, openOldLender } from './old-loans.js';
import { median } from './statistics.js';

/** Entries of a history at which its cost is measured. */
const SIZES = [100, 1_000, 4_000, 10_000] as const;
/** A history of 10,000 entries is five years long. */
const ENTRIES_A_MONTH = 167;
const START = { year: 2020, month: 0 } as const;

/** Calls that wait for one flush together: what remains is the work of the processor. */
const IN_FLIGHT = 32;
const CALLS = 64;
/** Of reads, which are short. */
const READS = 512;
/** Entries, and rounds of each call, of the objects that warm the code. */
const WARM_ENTRIES = 200;
const WARM_ROUNDS = 4;
const ROUNDS = 5;
/** The budget: the oldest costs at most so many times what the youngest does. */
const BUDGET = 2;

/** What one call costs on an object with a short and with a long history. */
export const ageBenchmark: Benchmark = {
  name: 'age',
  title: 'Processor time of a call by the length of the history behind it',
  size: { standard: SIZES.at(-1) ?? 0, unit: 'entries at most' },
  async run(context) {
    const { door, folder, size } = context;
    const house = await door.open({ dataFolder: join(folder, 'data'), logLevel: 'warn' });
    try {
      const lender = await openOldLender(house, dateOf(0));
      context.tell('warming');
      for (const each of lender.warming) {
        await inParallel(range(0, WARM_ENTRIES), IN_FLIGHT, (entry) => each.grow(entry));
        for (const call of each.measured) await inParallel(range(0, CALLS * WARM_ROUNDS), IN_FLIGHT, () => call.run());
      }
      return await curveOf(
        lender,
        SIZES.filter((entries) => entries <= (size ?? Infinity)),
        context,
      );
    } finally {
      await house.close();
    }
  },
};

/** Lets all histories grow together, month by month, and stops at each size. */
async function curveOf({ aging, advance }: OldLender, sizes: readonly number[], { tell }: BenchContext): Promise<readonly Measure[]> {
  const figures = new Map<string, number[]>();
  let length = 0;
  for (const size of sizes) {
    while (length < size) {
      const added = Math.min(size - length, ENTRIES_A_MONTH - (length % ENTRIES_A_MONTH));
      for (const each of aging) await inParallel(range(length, length + added), IN_FLIGHT, (entry) => each.grow(entry));
      length += added;
      if (length % ENTRIES_A_MONTH === 0) await advance(dateOf(length / ENTRIES_A_MONTH));
    }
    for (const each of aging) await measure(each, size, figures, tell);
  }
  return [...figures].flatMap(([name, values]) => measuresOf(name, values, sizes));
}

async function measure(
  { name, unit, measured }: Aging,
  size: number,
  figures: Map<string, number[]>,
  tell: BenchContext['tell'],
): Promise<void> {
  for (const { name: call, adds, run } of measured) {
    const calls = adds ? CALLS : READS;
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = process.cpuUsage();
      await inParallel(range(0, calls), IN_FLIGHT, run);
      const { user, system } = process.cpuUsage(before);
      rounds.push((user + system) / calls);
    }
    const microseconds = Math.round(median(rounds));
    const title = `${name}: ${call}`;
    figures.set(title, [...(figures.get(title) ?? []), microseconds]);
    tell(`${title}, ${size.toLocaleString('en-US')} ${unit}: ${microseconds} us`);
  }
}

function measuresOf(name: string, values: readonly number[], sizes: readonly number[]): readonly Measure[] {
  const growth = Math.round(((values.at(-1) ?? 0) / (values[0] ?? 1)) * 100) / 100;
  return [
    ...values.map((value, position) => ({ name: `${name} at ${(sizes[position] ?? 0).toLocaleString('en-US')}`, value, unit: 'us' })),
    { name: `${name}, oldest to youngest`, value: growth, unit: 'x', budget: { atMost: BUDGET } },
  ];
}

const dateOf = (month: number): string => new Date(Date.UTC(START.year, START.month + month, 3)).toISOString().slice(0, 10);

const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, index) => from + index);
