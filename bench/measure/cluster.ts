import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../../engine/index.js';
import { Client } from '../cli/service-client.js';
import { type BenchContext, type Benchmark, type Measure, needsNats } from './benchmark.js';
import { PAYMENT } from './make-portfolio.js';
import { startPostgres } from './compare/postgres.js';
import { generateLoadApart } from './load/generator-process.js';
import { latenciesOf, median, offerRates, wireRequest } from './machine.js';
import { memoryOf, takeover } from './members.js';
import { answered, measureEach, processorSeconds, sampleOf, type ServedPortfolio, unitsPlaced } from './served-portfolio.js';

const RATES = [250, 500, 1_000, 2_000, 3_000, 4_000];
/** The rate at which the processor time of a payment is measured: all of them keep up with it. */
const STEADY = { connections: 64, ratePerSecond: 200, seconds: 10 };
const CONNECTIONS = 32;

/** One process beside clusters of one gateway: start, payments, processor time, memory, and the takeover of a worker that was killed. */
export const clusterBenchmark: Benchmark = {
  name: 'cluster',
  title: 'Start, payments over REST (open loop, 64 connections), memory and takeover of one process and of clusters with one gateway',
  size: { standard: 20_000, unit: 'loans' },
  needs: needsNats,
  run: (context) => measureEach(context, context.size ?? 20_000, { months: context.months ?? 0 }, measured),
};

async function measured(served: ServedPortfolio, report: BenchContext['report']): Promise<readonly Measure[]> {
  const { name, portfolio, port, testKey } = served;
  const client = new Client(port, testKey, CONNECTIONS);
  try {
    const sample = sampleOf(portfolio.loans);
    const started = performance.now();
    await answered(client, sample, () => undefined);
    const startSeconds = served.startSeconds + (performance.now() - started) / 1000;
    report(`${name}: all of a sample answered ${startSeconds.toFixed(1)} s after the start`);
    await unitsPlaced();
    const requests = portfolio.loans.map(({ personId, loanId }) =>
      wireRequest('POST', `/api/people/${personId}/loans/${loanId}/transactions`, { Authorization: `Bearer ${testKey}` }, PAYMENT),
    );
    const payments = await offerRates({ label: `${name}: payments`, port, requests, rates: RATES, report });
    const steady = await processorOfPayments(served, requests);
    return [
      { name: `${name}: start, to the first answers of all units`, value: rounded(startSeconds), unit: 's' },
      ...payments,
      ...steady,
      ...memoryOf(served),
      ...(await takeover(served, client, sample, report)),
    ];
  } finally {
    client.close();
  }
}

/** Processor time of each process for a payment, at one steady rate. */
async function processorOfPayments({ name, port, processes }: ServedPortfolio, requests: readonly string[]): Promise<readonly Measure[]> {
  const before = processorSeconds(processes);
  const { answered: payments } = await generateLoadApart({ port, ...STEADY, requests });
  return processorSeconds(processes).map((after, at) => ({
    name: `${name}: processor time of ${must(processes[at], 'a process').name}, a payment at ${STEADY.ratePerSecond}/s`,
    value: Math.round(((after - (before[at] ?? 0)) * 1_000_000) / payments),
    unit: 'us',
  }));
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

const REPEATS = 3;
const SECONDS = 10;
const CLIENTS = 32;
const SCALE = '10';

/** PostgreSQL on this machine: TPC-B by pgbench, durable. */
export const postgresBenchmark: Benchmark = {
  name: 'postgres',
  title: 'PostgreSQL: pgbench, TPC-B, durable, 32 clients',
  size: null,
  async run({ folder, report }) {
    const postgres = await startPostgres(join(folder, 'postgres'));
    try {
      report(postgres.version);
      const pgbench = (...more: readonly string[]): string =>
        execFileSync(
          join(postgres.programs, 'pgbench'),
          ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', 'bench', ...more, 'postgres'],
          { encoding: 'utf8', cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] },
        );
      pgbench('-i', '-q', '-s', SCALE);
      const rates: number[] = [];
      const latencies: number[] = [];
      for (let run = 1; run <= REPEATS; run++) {
        const logs = join(folder, `log-${run}`);
        mkdirSync(logs);
        const said = pgbench(
          '-c',
          String(CLIENTS),
          '-j',
          '2',
          '-T',
          String(SECONDS),
          '-M',
          'prepared',
          '-l',
          `--log-prefix=${join(logs, 'run')}`,
        );
        rates.push(Math.round(Number(/tps = ([\d.]+)/.exec(said)?.[1] ?? 0)));
        for (const name of readdirSync(logs)) {
          for (const line of readFileSync(join(logs, name), 'utf8').split('\n'))
            if (line !== '') latencies.push(Number(line.split(' ')[2]) / 1000);
        }
        report(`pgbench: ${rates.at(-1) ?? 0} transactions/s`);
      }
      const { p50Ms, p99Ms, p999Ms } = latenciesOf(latencies);
      return [
        { name: 'pgbench TPC-B', value: median(rates), unit: '/s' },
        { name: 'pgbench p50', value: p50Ms, unit: 'ms' },
        { name: 'pgbench p99', value: p99Ms, unit: 'ms' },
        { name: 'pgbench p99.9', value: p999Ms, unit: 'ms' },
      ];
    } finally {
      await postgres.stop();
    }
  },
};
