import { join } from 'node:path';
import type { OperationView } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { Client, HttpFailure } from '../service/client.js';
import { newTestKey, startService } from '../service/service-process.js';
import type { Benchmark, Measure } from './benchmark.js';
import { bookLoans, type Lender, monthsAgo } from './book-loans.js';
import { latenciesOf } from './statistics.js';

const MONTHS = 12;
/** Reads that are due a second while mass work runs, whatever it does. */
const READS_PER_SECOND = 100;
const CONNECTIONS = 32;
/** Milliseconds between two looks at the operation. */
const LOOK_MS = 100;
const DAY_MS = 86_400_000;
/** Days of which each loan has a due date among them. */
const DAYS = 35;
/** As `npm start` does. */
const AS_STARTED = ['--max-semi-space-size=64'];

interface Watched {
  readonly operation: OperationView;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly latenciesMs: Float64Array;
}

/** An index rate that replays a whole book, and days of business closed over it, with reads served meanwhile. */
export const massBenchmark: Benchmark = {
  name: 'mass',
  title: 'Mass index-rate replay and closing of days, durable, with reads served meanwhile',
  size: { standard: 100_000, unit: 'loans' },
  async run({ door, folder, size, tell }) {
    const dataFolder = join(folder, 'data');
    const testKey = newTestKey();
    const house = await door.open({ dataFolder, testKey, logLevel: 'warn' });
    const lender = await bookLoans(house, size ?? 100_000, tell, { months: MONTHS, index: 0.03 });
    await house.close();
    const service = await startService({ dataFolder, testKey, nodeOptions: AS_STARTED });
    const client = new Client(service.port, testKey, CONNECTIONS);
    try {
      const rate = await watched(client, lender, () => client.data('POST', `/loan-types/${lender.loanTypeId}/index-rates`, { annualRate: 0.05, startDate: monthsAgo(MONTHS / 2) }));
      tell(`the index rate took ${rate.seconds.toFixed(1)} s: ${JSON.stringify(rate.operation.counts)}`);
      const days = await closeDays(client, lender);
      tell(`${DAYS} days took ${days.seconds.toFixed(1)} s`);
      return [...measuresOf('index rate into the past', rate, lender.loans.length), ...measuresOf(`${DAYS} days closed, each loan due in them`, days, lender.loans.length)];
    } finally {
      client.close();
      await service.stop();
    }
  },
};

async function closeDays(client: Client, lender: Lender): Promise<Watched> {
  const { id, now } = await client.data('POST', '/test-clocks', {});
  const to = new Date(Date.parse(String(now)) + DAYS * DAY_MS).toISOString();
  return watched(client, lender, () => client.data('POST', `/test-clocks/${String(id)}/advance`, { to }));
}

function measuresOf(what: string, { operation, seconds, cpuSeconds, latenciesMs }: Watched, loans: number): readonly Measure[] {
  const { p50Ms, p99Ms } = latenciesOf([...latenciesMs]);
  const rounded = (value: number): number => Math.round(value * 100) / 100;
  const isIndex = operation.kind.startsWith('indexRate');
  return [
    { name: what, value: rounded(seconds), unit: 's', ...(isIndex ? { budget: '1,000,000 loans <= 30 s' } : {}) },
    { name: `${what}: loans a second`, value: Math.round(loans / seconds), unit: '1/s' },
    { name: `${what}: processor, a million loans`, value: Math.round((cpuSeconds * 1_000_000) / loans), unit: 's' },
    { name: `${what}: reads meanwhile, p50`, value: rounded(p50Ms), unit: 'ms' },
    { name: `${what}: reads meanwhile, p99`, value: rounded(p99Ms), unit: 'ms', budget: '<= 50 ms' },
  ];
}

/** From the order to the end of its operation; reads fall due at a fixed rate meanwhile. */
async function watched(client: Client, { loans }: Lender, order: () => Promise<Readonly<Record<string, unknown>>>): Promise<Watched> {
  const latencies: number[] = [];
  const cpuBefore = await processorSeconds(client);
  const begun = performance.now();
  const { operationId } = await order();
  let isRunning = true;
  const reading = (async () => {
    for (let sent = 0; isRunning; sent += 1) {
      const due = begun + (sent * 1000) / READS_PER_SECOND;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      const { personId, loanId } = must(loans[(sent * 7919) % loans.length], 'a loan');
      void client.data('GET', `/people/${personId}/loans/${loanId}/balances`).then(() => latencies.push(performance.now() - due), () => latencies.push(Number.NaN));
    }
  })();
  const operation = await ended(client, String(operationId));
  const seconds = (performance.now() - begun) / 1000;
  isRunning = false;
  await reading;
  const cpuSeconds = (await processorSeconds(client)) - cpuBefore;
  if (operation.status !== 'succeeded' || latencies.some(Number.isNaN)) throw new Error(`Not all went well: ${JSON.stringify(operation)}`);
  return { operation, seconds, cpuSeconds, latenciesMs: Float64Array.from(latencies) };
}

async function ended(client: Client, operationId: string): Promise<OperationView> {
  for (;;) {
    try {
      const operation = (await client.data('GET', `/operations/${operationId}`)) as unknown as OperationView;
      if (operation.status !== 'running') return operation;
    } catch (cause) {
      if (!(cause instanceof HttpFailure) || cause.status !== 503) throw cause;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** What the service has taken of its processors. */
async function processorSeconds(client: Client): Promise<number> {
  const [, seconds] = /^process_cpu_seconds_total (\S+)/m.exec(await client.text('GET', '/metrics')) ?? [];
  return Number(must(seconds, 'the service tells its processor time'));
}
