import { join } from 'node:path';
import type { House } from '../house.js';
import { openReaders, type StreamReaders } from '../load/stream-readers.js';
import { inParallel } from '../service/client.js';
import { newTestKey } from '../service/service-process.js';
import type { Benchmark, Measure } from './benchmark.js';
import { bookLoans, type Lender, PAYMENT } from './book-loans.js';

const CONNECTIONS = 200;
const IN_FLIGHT = 256;
const MEGABYTE = 1024 * 1024;

/** Events to many readers at once: each gets what it wants, in order and once, or the benchmark fails. */
export const streamsBenchmark: Benchmark = {
  name: 'streams',
  title: `Events a second in sum over ${CONNECTIONS} streams (server-sent events), durable before they are sent`,
  size: { standard: 2_000, unit: 'payments' },
  async run({ door, folder, size, tell }) {
    const testKey = newTestKey();
    const house = await door.open({ dataFolder: join(folder, 'data'), port: '0', testKey, logLevel: 'warn' });
    const payments = size ?? 2_000;
    try {
      const lender = await bookLoans(house, CONNECTIONS, tell);
      const serving = await house.serve();
      const port = Number(new URL(serving.url).port);
      const setting: Setting = { house, lender, port, testKey, tell };
      try {
        const all = await measure(setting, lender.loans.map(() => '/api/events/stream'), Math.ceil(payments / 4));
        const own = await measure(setting, lender.loans.map(({ loanId }) => `/api/events/stream?loanId=${loanId}`), payments);
        return [...measuresOf('each reader gets all', all, '>= 20,000/s'), ...measuresOf('each reader gets the events of one loan', own)];
      } finally {
        await serving.close();
      }
    } finally {
      await house.close();
    }
  },
};

interface Setting {
  readonly house: House;
  readonly lender: Lender;
  readonly port: number;
  readonly testKey: string;
  tell(line: string): void;
}

interface Measured {
  readonly delivered: number;
  readonly perSecond: number;
  readonly recordedPerSecond: number;
  readonly grownBytes: number;
  /** Of this process, which records and delivers. */
  readonly processorMs: number;
}

async function measure({ house, lender, port, testKey, tell }: Setting, paths: readonly string[], payments: number): Promise<Measured> {
  const readers = await openReaders({ port, testKey, paths });
  try {
    const isShared = new Set(paths).size === 1;
    const before = house.engine.events.newestStamp(lender.tenant);
    const memory = memoryInUse();
    const processor = process.cpuUsage();
    const begun = performance.now();
    await inParallel(Array.from({ length: payments }, (_, index) => index), IN_FLIGHT, async (index) => {
      const loan = lender.loans[index % lender.loans.length];
      await lender.execute('transaction.create', loan?.loanId ?? '', PAYMENT, { personId: loan?.personId ?? '' });
    });
    const events = house.engine.events.after(lender.tenant, { afterStamp: before }, Number.MAX_SAFE_INTEGER).length;
    const recordedMs = performance.now() - begun;
    const delivered = isShared ? events * paths.length : events;
    await allCame(readers, delivered, isShared);
    const seconds = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(processor);
    const measured = {
      processorMs: (user + system) / 1000,
      delivered, perSecond: Math.round(delivered / seconds), recordedPerSecond: Math.round((events * 1000) / recordedMs), grownBytes: memoryInUse() - memory,
    };
    tell(`${measured.delivered} events delivered, ${measured.perSecond}/s`);
    return measured;
  } finally {
    readers.stop();
  }
}

/** Rejects when one has got too many, or not the same as the others. */
async function allCame(readers: StreamReaders, wanted: number, isShared: boolean): Promise<void> {
  for (;;) {
    const tallies = await readers.tallies();
    const sum = tallies.reduce((total, { events }) => total + events, 0);
    if (sum > wanted) throw new Error(`${sum} events came, ${wanted} were told of`);
    if (sum === wanted) {
      if (isShared && new Set(tallies.map(({ digest }) => digest)).size !== 1) throw new Error('the readers did not get the same');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function memoryInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

const measuresOf = (name: string, { delivered, perSecond, recordedPerSecond, grownBytes, processorMs }: Measured, budget?: string): readonly Measure[] => [
  { name: `${name}: delivered in sum`, value: perSecond, unit: '/s', ...(budget === undefined ? {} : { budget }) },
  { name: `${name}: recorded meanwhile`, value: recordedPerSecond, unit: '/s' },
  { name: `${name}: events`, value: delivered, unit: 'events' },
  { name: `${name}: processor time an event, recording it included`, value: Math.round((processorMs * 10_000) / delivered) / 10, unit: 'us' },
  { name: `${name}: memory more than before`, value: Math.round(grownBytes / MEGABYTE), unit: 'MB' },
];
