import { join } from 'node:path';
import { Client, inParallel, type ServiceProcess, startService } from '../cli/service-client.js';
import type { Benchmark, Measure } from './benchmark.js';
import { type Aging, type OldLender, openOldLender } from './old-loans.js';
import { median } from './machine.js';

/** Entries of a history at which its cost is measured. */
const SIZES = [100, 1_000, 4_000, 10_000] as const;
/** A history of 10,000 entries is five years long. */
const ENTRIES_A_MONTH = 167;
const START = { year: 2020, month: 0 } as const;

/** Calls that share one flush, so that the processor's work is what is measured. */
const IN_FLIGHT = 32;
const CALLS = 64;
/** Of reads, which are short. */
const READS = 512;
/** Of reads that compute a part of the ledger. */
const SLOW_READS = 32;
/** Entries, and rounds of each call, of the objects that warm the code up. */
const WARM_ENTRIES = 200;
const WARM_ROUNDS = 4;
const ROUNDS = 5;
/** Closed months that are printed. */
const MONTHS = 3;
/** The budget: how many times more a call on the oldest object may cost than one on the youngest. */
const BUDGET = 2;

/** What one call over REST costs the service on an object with a short and with a long history. */
export const ageBenchmark: Benchmark = {
  name: 'age',
  title: 'Processor time of a call by the length of the history behind it',
  size: { standard: SIZES.at(-1) ?? 0, unit: 'entries at most' },
  async run(context) {
    const { folder, size } = context;
    const service = await startService({ dataFolder: join(folder, 'data'), nodeOptions: ['--max-semi-space-size=64'] });
    const client = new Client(service.port, service.testKey, IN_FLIGHT);
    try {
      const lender = await openOldLender(client, dateOf(0));
      context.report('warming');
      for (const each of lender.warming) {
        await inParallel(range(0, WARM_ENTRIES), IN_FLIGHT, (entry) => each.grow(entry));
        for (const { isSlow, run } of each.measured)
          await inParallel(range(0, (isSlow ? SLOW_READS : CALLS) * WARM_ROUNDS), IN_FLIGHT, run);
      }
      const sizes = SIZES.filter((entries) => entries <= (size ?? Infinity));
      return await curveOf(lender, sizes, { report: (line) => context.report(line), spent: spentBy(service) });
    } finally {
      client.close();
      await service.stop();
    }
  },
};

interface Watch {
  readonly report: (line: string) => void;
  /** Processor time of the service for the work, in milliseconds. */
  spent(work: () => Promise<unknown>): Promise<number>;
}

/** From the service's own metrics. Reading them takes some milliseconds, too: the time of an extra reading is subtracted. */
function spentBy({ url }: ServiceProcess): Watch['spent'] {
  const read = async (): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]) * 1_000;
  };
  return async (work) => {
    const [first, before] = [await read(), await read()];
    await work();
    return (await read()) - before - (before - first);
  };
}

/** Lets all histories grow together, month by month, and stops at each size. */
async function curveOf({ aging, advance }: OldLender, sizes: readonly number[], watch: Watch): Promise<readonly Measure[]> {
  const figures = new Map<string, number[]>();
  let length = 0;
  for (const size of sizes) {
    const months: number[] = [];
    while (length < size) {
      const added = Math.min(size - length, ENTRIES_A_MONTH - (length % ENTRIES_A_MONTH));
      for (const each of aging) await inParallel(range(length, length + added), IN_FLIGHT, (entry) => each.grow(entry));
      length += added;
      if (length % ENTRIES_A_MONTH !== 0) continue;
      const date = dateOf(length / ENTRIES_A_MONTH);
      months.push(await watch.spent(() => advance(date)));
    }
    for (const each of aging) await measure(each, size, figures, watch);
    if (months.length > 0)
      watch.report(
        `a month closed, the last of them at ${size.toLocaleString('en-US')}: ${months.slice(-MONTHS).map(Math.round).join(', ')} ms`,
      );
  }
  return [...figures].flatMap(([name, values]) => measuresOf(name, values, sizes));
}

async function measure({ name, unit, measured }: Aging, size: number, figures: Map<string, number[]>, watch: Watch): Promise<void> {
  for (const { name: call, adds, isSlow, run } of measured) {
    const calls = isSlow ? SLOW_READS : adds ? CALLS : READS;
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push((await watch.spent(() => inParallel(range(0, calls), IN_FLIGHT, run))) / calls);
    }
    const microseconds = Math.round(median(rounds) * 1_000);
    const title = `${name}: ${call}`;
    figures.set(title, [...(figures.get(title) ?? []), microseconds]);
    watch.report(`${title}, ${size.toLocaleString('en-US')} ${unit}: ${microseconds} us`);
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
