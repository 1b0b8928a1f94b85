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

/** How long nothing may come before what is missing counts as lost, in milliseconds. */
const SILENCE_MS = 20_000;

/** Events to many readers at once: what each of them wants, in order and once. */
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
  readonly lost: number;
  readonly doubled: number;
  readonly memory: { readonly atStart: number; readonly atEnd: number };
  /** Of this process, which records and delivers. */
  readonly processorMs: number;
}

async function measure({ house, lender, port, testKey, tell }: Setting, paths: readonly string[], payments: number): Promise<Measured> {
  const readers = await openReaders({ port, testKey, paths });
  try {
    const isShared = new Set(paths).size === 1;
    const before = house.engine.events.newestStamp(lender.tenant);
    const atStart = memoryInUse();
    const processor = process.cpuUsage();
    const begun = performance.now();
    await inParallel(Array.from({ length: payments }, (_, index) => index), IN_FLIGHT, async (index) => {
      const loan = lender.loans[index % lender.loans.length];
      await lender.execute('transaction.create', loan?.loanId ?? '', PAYMENT, { personId: loan?.personId ?? '' });
    });
    const events = house.engine.events.after(lender.tenant, { afterStamp: before }, Number.MAX_SAFE_INTEGER).length;
    const recordedMs = performance.now() - begun;
    const delivered = isShared ? events * paths.length : events;
    const { came, doubled } = await whatCame(readers, delivered);
    const seconds = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(processor);
    const measured = {
      processorMs: (user + system) / 1000,
      delivered, perSecond: Math.round(delivered / seconds), recordedPerSecond: Math.round((events * 1000) / recordedMs),
      lost: delivered - (came - doubled), doubled, memory: { atStart, atEnd: memoryInUse() },
    };
    tell(`${measured.delivered} events delivered, ${measured.perSecond}/s`);
    return measured;
  } finally {
    readers.stop();
  }
}

/** Of all readers together, once as many have come as were told of, or none come any more. */
async function whatCame(readers: StreamReaders, wanted: number): Promise<{ readonly came: number; readonly doubled: number }> {
  for (let [before, since] = [0, performance.now()]; ; ) {
    const tallies = await readers.tallies();
    const came = tallies.reduce((total, { events }) => total + events, 0);
    const doubled = tallies.reduce((total, tally) => total + tally.doubled, 0);
    if (came - doubled >= wanted || performance.now() - since > SILENCE_MS) return { came, doubled };
    if (came !== before) [before, since] = [came, performance.now()];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function memoryInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

const measuresOf = (name: string, { delivered, perSecond, recordedPerSecond, lost, doubled, memory, processorMs }: Measured, budget?: string): readonly Measure[] => [
  { name: `${name}: delivered in sum`, value: perSecond, unit: '/s', ...(budget === undefined ? {} : { budget }) },
  { name: `${name}: recorded meanwhile`, value: recordedPerSecond, unit: '/s' },
  { name: `${name}: events`, value: delivered, unit: 'events' },
  { name: `${name}: lost`, value: lost, unit: 'events', budget: '0' },
  { name: `${name}: doubled`, value: doubled, unit: 'events', budget: '0' },
  { name: `${name}: processor time an event, recording it included`, value: Math.round((processorMs * 10_000) / delivered) / 10, unit: 'us' },
  { name: `${name}: memory at its start`, value: Math.round(memory.atStart / MEGABYTE), unit: 'MB' },
  { name: `${name}: memory at its end`, value: Math.round(memory.atEnd / MEGABYTE), unit: 'MB' },
];
