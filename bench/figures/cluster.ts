import { readFileSync } from 'node:fs';
import { must } from '../../engine/index.js';
import { generateLoadApart } from '../load/generator-process.js';
import { Client, inParallel } from '../service/client.js';
import { answered, cents, type Loan, paidOf, sampleOf } from './answered.js';
import type { BenchContext, Benchmark, Measure } from './benchmark.js';
import { PAYMENT } from './book-loans.js';
import { processorSeconds } from './processes.js';
import { offerRates, wireRequest } from './rates.js';
import { measureEach, type ServedBook, unitsPlaced } from './served-books.js';

const RATES = [250, 500, 1_000, 2_000, 3_000, 4_000];
/** The rate at which the processor time of a payment is told: one that all of them keep up with. */
const STEADY = { connections: 64, ratePerSecond: 200, seconds: 10 };
const CONNECTIONS = 32;

type Tell = BenchContext['tell'];

/** One process beside clusters of one gateway: start, payments, processor time, memory, and the takeover of a worker that was killed. */
export const clusterBenchmark: Benchmark = {
  name: 'cluster',
  title: 'Start, payments over REST (open loop, 64 connections), memory and takeover of one process and of clusters with one gateway',
  size: { standard: 20_000, unit: 'loans' },
  run: (context) => measureEach(context, context.size ?? 20_000, { months: context.months ?? 0 }, measured),
};

async function measured(served: ServedBook, tell: Tell): Promise<readonly Measure[]> {
  const { name, book, port, testKey } = served;
  const client = new Client(port, testKey, CONNECTIONS);
  try {
    const sample = sampleOf(book.loans);
    const started = performance.now();
    await answered(client, sample, () => undefined);
    const startSeconds = served.startSeconds + (performance.now() - started) / 1000;
    tell(`${name}: all of a sample answered ${startSeconds.toFixed(1)} s after the start`);
    await unitsPlaced();
    const requests = book.loans.map(({ personId, loanId }) => wireRequest('POST', `/api/people/${personId}/loans/${loanId}/transactions`, { Authorization: `Bearer ${testKey}` }, PAYMENT));
    const payments = await offerRates({ label: `${name}: payments`, port, requests, rates: RATES, tell });
    const steady = await processorOfPayments(served, requests);
    return [
      { name: `${name}: start, to the first answers of all units`, value: rounded(startSeconds), unit: 's' },
      ...payments, ...steady, ...memoryOf(served), ...(await takeover(served, client, sample, tell)),
    ];
  } finally {
    client.close();
  }
}

/** At one steady rate: what each process takes of the processors for a payment. */
async function processorOfPayments({ name, port, processes }: ServedBook, requests: readonly string[]): Promise<readonly Measure[]> {
  const before = processorSeconds(processes);
  const { answered: payments } = await generateLoadApart({ port, ...STEADY, requests });
  return processorSeconds(processes).map((after, at) => ({
    name: `${name}: processor time of ${must(processes[at], 'a process').name}, a payment at ${STEADY.ratePerSecond}/s`,
    value: Math.round(((after - (before[at] ?? 0)) * 1_000_000) / payments), unit: 'us',
  }));
}

const memoryOf = ({ name, processes, book }: ServedBook): readonly Measure[] => processes.flatMap((process) => {
  const kilobytes = Number(must(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8')), 'RssAnon')[1]);
  return [
    { name: `${name}: memory of ${process.name}`, value: Math.round(kilobytes / 1024), unit: 'MB' },
    { name: `${name}: memory of ${process.name}, a loan`, value: rounded(kilobytes / book.loans.length), unit: 'KB' },
  ];
});

/** The first worker is killed: until its heirs answer for each loan of the sample, with the payment that was acknowledged before. */
async function takeover({ name, processes }: ServedBook, client: Client, sample: readonly Loan[], tell: Tell): Promise<readonly Measure[]> {
  const [victim, ...heirs] = processes.filter((process) => process.name.startsWith('worker'));
  if (!victim || heirs.length === 0) return [];
  const before = await inParallel(sample, CONNECTIONS, (loan) => paidOf(client, loan));
  await inParallel(sample, CONNECTIONS, ({ personId, loanId }) => client.data('POST', `/people/${personId}/loans/${loanId}/transactions`, PAYMENT));
  process.kill(victim.pid, 'SIGKILL');
  const waits = await answered(client, sample, (paidCents, at) => {
    if (paidCents !== (before[at] ?? 0) + cents(PAYMENT.amount)) throw new Error(`${sample[at]?.loanId ?? ''} has lost an acknowledged payment.`);
  });
  const seconds = Math.max(...waits) / 1000;
  tell(`${name}: all loans of ${victim.name} were answered for ${seconds.toFixed(1)} s after its kill`);
  return [{ name: `${name}: takeover of a killed worker, to the answers of all units`, value: rounded(seconds), unit: 's', budget: '1,000,000 loans <= 5 s' }];
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
