import { textIn } from '../../engine/index.js';
import { openReaders, type StreamReaders } from './load/stream-readers.js';
import { Client, inParallel } from '../cli/service-client.js';
import { type Benchmark, type Budget, type Measure, needsNats } from './benchmark.js';
import { type Portfolio, PAYMENT } from './make-portfolio.js';
import { measureEach, memoryBytes, processorSeconds, type ServedPortfolio } from './served-portfolio.js';

const CONNECTIONS = 200;
const IN_FLIGHT = 64;
const MEGABYTE = 1024 * 1024;
const PAGE = 100;

/** Milliseconds between two requests for the tallies. */
const LOOK_MS = 50;
/** Payments before a measurement, since processes that have just started must compile their code first. */
const WARMING = 1_000;
const MOMENTS = ['at the start', 'at half time', 'at the end'];

/** Silence after which no more events are expected, in milliseconds. */
const SILENCE_MS = 10_000;

/** Events to many readers at once: each gets the events that it wants, in order and once. */
export const streamsBenchmark: Benchmark = {
  name: 'streams',
  title: `Events a second in sum over ${CONNECTIONS} streams (server-sent events), durable before they are sent`,
  size: { standard: 2_000, unit: 'payments' },
  needs: needsNats,
  async run(context) {
    const payments = context.size ?? 2_000;
    return measureEach(context, CONNECTIONS, {}, async (served, report) => {
      const all = await measured(
        served,
        served.portfolio.loans.map(() => '/api/events/stream'),
        Math.ceil(payments / 4),
        report,
      );
      const own = await measured(
        served,
        served.portfolio.loans.map(({ loanId }) => `/api/events/stream?loanId=${loanId}`),
        payments,
        report,
      );
      return [
        ...measuresOf(`${served.name}: each reader gets all`, all, { atLeast: 20_000 }),
        ...measuresOf(`${served.name}: each reader gets the events of one loan`, own),
      ];
    });
  },
};

/** Processor time and memory of a process. */
interface Used {
  readonly name: string;
  readonly processorSeconds: number;
  /** Bytes at the start, after half of the payments, and at the end: a warm process no longer grows. */
  readonly memory: readonly number[];
}

interface Measured {
  readonly delivered: number;
  readonly perSecond: number;
  readonly recordedPerSecond: number;
  readonly lost: number;
  readonly doubled: number;
  readonly used: readonly Used[];
}

async function measured(
  { name, portfolio, port, testKey, processes }: ServedPortfolio,
  paths: readonly string[],
  payments: number,
  report: (line: string) => void,
): Promise<Measured> {
  const client = new Client(port, testKey, IN_FLIGHT);
  await pay(client, portfolio, WARMING);
  const readers = await openReaders({ port, testKey, paths });
  try {
    const last = textIn((await client.list('/events?limit=1'))[0], 'id');
    const [processor, begun] = [processorSeconds(processes), performance.now()];
    const memory = [memoryBytes(processes)];
    await pay(client, portfolio, payments, (index) => {
      if (index === Math.floor(payments / 2)) memory.push(memoryBytes(processes));
    });
    const recordedMs = performance.now() - begun;
    const { came, doubled, lastMs } = await whatCame(readers);
    memory.push(memoryBytes(processes));
    const processorThen = processorSeconds(processes);
    const events = await countAfter(client, last ?? '');
    const wanted = new Set(paths).size === 1 ? events * paths.length : events;
    const result = {
      delivered: came,
      perSecond: Math.round((came * 1000) / (lastMs - begun)),
      recordedPerSecond: Math.round((events * 1000) / recordedMs),
      lost: wanted - (came - doubled),
      doubled,
      used: processes.map((each, at) => ({
        name: each.name,
        processorSeconds: (processorThen[at] ?? 0) - (processor[at] ?? 0),
        memory: memory.map((bytes) => bytes[at] ?? 0),
      })),
    };
    report(`${name}: ${result.delivered} events delivered, ${result.perSecond}/s`);
    return result;
  } finally {
    readers.stop();
    client.close();
  }
}

async function pay(client: Client, { loans }: Portfolio, payments: number, begins: (index: number) => void = () => {}): Promise<void> {
  await inParallel(
    Array.from({ length: payments }, (_, index) => index),
    IN_FLIGHT,
    async (index) => {
      const loan = loans[index % loans.length];
      begins(index);
      await client.data('POST', `/people/${loan?.personId ?? ''}/loans/${loan?.loanId ?? ''}/transactions`, PAYMENT);
    },
  );
}

/** The events of all readers together, once no more arrive, and when the last ones arrived. */
async function whatCame(readers: StreamReaders): Promise<{ readonly came: number; readonly doubled: number; readonly lastMs: number }> {
  for (let [before, lastMs] = [0, performance.now()]; ; ) {
    const tallies = await readers.tallies();
    const came = tallies.reduce((total, { events }) => total + events, 0);
    if (came !== before) [before, lastMs] = [came, performance.now()];
    if (performance.now() - lastMs > SILENCE_MS)
      return { came, doubled: tallies.reduce((total, tally) => total + tally.doubled, 0), lastMs };
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Number of events of the log behind an event. */
async function countAfter(client: Client, eventId: string): Promise<number> {
  for (let [count, last] = [0, eventId]; ; ) {
    const page = await client.list(`/events?order=asc&limit=${PAGE}&startingAfter=${last}`);
    count += page.length;
    if (page.length < PAGE) return count;
    last = textIn(page.at(-1), 'id') ?? last;
  }
}

const measuresOf = (
  name: string,
  { delivered, perSecond, recordedPerSecond, lost, doubled, used }: Measured,
  budget?: Budget,
): readonly Measure[] => [
  { name: `${name}: delivered in sum`, value: perSecond, unit: '/s', ...(budget === undefined ? {} : { budget }) },
  { name: `${name}: recorded meanwhile`, value: recordedPerSecond, unit: '/s' },
  { name: `${name}: events`, value: delivered, unit: 'events' },
  { name: `${name}: lost`, value: lost, unit: 'events', budget: { atMost: 0 } },
  { name: `${name}: doubled`, value: doubled, unit: 'events', budget: { atMost: 0 } },
  ...used.flatMap(({ name: process, processorSeconds: seconds, memory }) => [
    {
      name: `${name}: ${process}, processor time an event delivered`,
      value: Math.round((seconds * 10_000_000) / delivered) / 10,
      unit: 'us',
    },
    ...memory.map((bytes, at) => ({
      name: `${name}: ${process}, memory ${MOMENTS[at] ?? ''}`,
      value: Math.round(bytes / MEGABYTE),
      unit: 'MB',
    })),
  ]),
];
