import { join } from 'node:path';
import { Client, inParallel, type ServiceProcess, startService } from '../cli/service-client.js';
import type { BenchContext, Benchmark, Measure } from './benchmark.js';
import { generateLoadApart } from './load/generator-process.js';
import { latenciesOf, wireRequest } from './machine.js';
import { activeDraw, activeLoanOf, LINE, made, newProduct } from './old-loans.js';

const LINES = 500;
const IN_FLIGHT = 32;
const CONNECTIONS = 32;
/** Authorizations a second. */
const RATES = [50, 200, 500] as const;
const SECONDS = 20;
const WARM_UP = { ratePerSecond: 500, seconds: 5 } as const;
/** What a card issuer waits at most for its answer, in milliseconds. */
const BUDGET_MS = 50;

/** How long a card issuer waits for the answer whether a purchase fits in the available credit. */
export const authorizationsBenchmark: Benchmark = {
  name: 'authorizations',
  title: 'Authorizations of card purchases on lines of credit, each durable when it is answered, at a fixed rate',
  size: { standard: LINES, unit: 'lines' },
  async run({ folder, size, report }): Promise<readonly Measure[]> {
    const service = await startService({ dataFolder: join(folder, 'data'), nodeOptions: ['--max-semi-space-size=64'] });
    try {
      return await waits(service, await drawsOf(service, size ?? LINES), report);
    } finally {
      await service.stop();
    }
  },
};

/** The address of a draw of each line. */
async function drawsOf({ port, testKey }: ServiceProcess, count: number): Promise<readonly string[]> {
  const client = new Client(port, testKey, IN_FLIGHT);
  try {
    const person = `/people/${await made(client, '/people', { name: { firstName: 'Ada', lastName: 'Alder' } })}`;
    const loanTypeId = await newProduct(client, LINE.type, {});
    return await inParallel(Array.from({ length: count }), IN_FLIGHT, async () =>
      activeDraw(client, await activeLoanOf(client, person, { ...LINE, loanTypeId })),
    );
  } finally {
    client.close();
  }
}

async function waits(
  { port, testKey }: ServiceProcess,
  draws: readonly string[],
  report: BenchContext['report'],
): Promise<readonly Measure[]> {
  const headers = { Authorization: `Bearer ${testKey}` };
  const requests = draws.map((draw) => wireRequest('POST', `/api${draw}/purchases`, headers, { amount: 0.01, status: 'authorized' }));
  const plan = { port, connections: CONNECTIONS, requests };
  await generateLoadApart({ ...plan, ...WARM_UP });
  const measures: Measure[] = [];
  for (const ratePerSecond of RATES) {
    const { failed, firstFailure, latenciesMs } = await generateLoadApart({ ...plan, ratePerSecond, seconds: SECONDS });
    if (failed > 0) throw new Error(`${failed} authorizations were not accepted: ${firstFailure ?? ''}`);
    const { p50Ms, p99Ms } = latenciesOf(latenciesMs);
    report(`${ratePerSecond} authorizations a second: p50 ${p50Ms} ms, p99 ${p99Ms} ms`);
    measures.push(
      { name: `at ${ratePerSecond}/s, p50`, value: p50Ms, unit: 'ms' },
      { name: `at ${ratePerSecond}/s, p99`, value: p99Ms, unit: 'ms', budget: { atMost: BUDGET_MS } },
    );
  }
  return measures;
}
