import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOnSignal } from '../cli/children.js';
import { textTable } from '../cli/loan-views.js';
import { inParallel, newTestKey, startService } from '../cli/service-client.js';
import { ageBenchmark } from './age.js';
import { authorizationsBenchmark } from './authorizations.js';
import {
  type BenchContext,
  type Benchmark,
  portfolioBenchmark,
  budgetText,
  historyBenchmark,
  type Measure,
  memoryBenchmark,
} from './benchmark.js';
import { makePortfolio, type Lender, PAYMENT } from './make-portfolio.js';
import { campaignsBenchmark } from './campaigns.js';
import { clusterBenchmark, postgresBenchmark } from './cluster.js';
import { startPostgres } from './compare/postgres.js';
import { startPosting } from './compare/posting-process.js';
import { generalLedgerBenchmark } from './general-ledger.js';
import { generateLoadApart } from './load/generator-process.js';
import { attackApart } from './load/hostile-process.js';
import type { LoadResult } from './load/open-loop.js';
import { latenciesOf, machine, type Machine, median, offerRates, wireRequest } from './machine.js';
import { massBenchmark } from './mass.js';
import { importBenchmark } from './import-rate.js';
import { recoveryBenchmark } from './recovery.js';
import { metro2Benchmark } from './metro2.js';
import { replayBenchmark } from './replay.js';
import { statementsBenchmark } from './statements.js';
import { soakBenchmark } from './soak.js';
import { streamsBenchmark } from './streams.js';
import { takeoverBenchmark } from './takeover.js';
import { tapesBenchmark } from './tapes.js';

const READS_A_SECOND = 100;
const WRITES_A_SECOND = 40;
const SECONDS = 10;
const CONNECTIONS = 8;
const PARALLEL = 64;
const SLOW = 60;
const SEED = 11;

/** The effect of a hostile client on another one: the same reads and writes alone, and beside it. */
const hostileBenchmark: Benchmark = {
  name: 'hostile',
  title:
    `Reads and writes of one client (${READS_A_SECOND} and ${WRITES_A_SECOND} a second), ` +
    `alone and beside a hostile client (${PARALLEL} requests at once, ${SLOW} slow connections)`,
  size: { standard: 500, unit: 'loans' },
  async run({ access, folder, size, report }: BenchContext): Promise<readonly Measure[]> {
    const dataFolder = join(folder, 'data');
    const [testKey, liveKey] = [newTestKey(), `live_${randomBytes(32).toString('base64url')}`];
    const local = await access.open({ dataFolder, testKey, liveKey, logLevel: 'warn' });
    const { loans } = await makePortfolio(local, size ?? 500, report);
    await local.close();
    const service = await startService({ dataFolder, testKey, nodeOptions: ['--max-semi-space-size=64'] });
    try {
      const headers = { Authorization: `Bearer ${testKey}` };
      const paths = loans.map(({ personId, loanId }) => `/api/people/${personId}/loans/${loanId}`);
      const reads = paths.map((path) => `GET ${path}/balances HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${testKey}\r\n\r\n`);
      const writes = paths.map((path) => wireRequest('POST', `${path}/transactions`, headers, PAYMENT));
      const offered = async (label: string): Promise<readonly Measure[]> => {
        const plan = { port: service.port, connections: CONNECTIONS, seconds: SECONDS };
        const [read, written] = await Promise.all([
          generateLoadApart({ ...plan, ratePerSecond: READS_A_SECOND, requests: reads }),
          generateLoadApart({ ...plan, ratePerSecond: WRITES_A_SECOND, requests: writes }),
        ]);
        return [...measuresOf(`${label}, reads`, read), ...measuresOf(`${label}, writes`, written)];
      };
      await offered('warm-up');
      const alone = await offered('alone');
      const hostile = await attackApart({ port: service.port, key: liveKey, parallel: PARALLEL, slow: SLOW, seed: SEED });
      const beside = await offered('beside the hostile client');
      const { sent, statuses, byKind, requested, operations, failures, missed } = await hostile.stop();
      report(
        `the hostile client, ${requested} of ${operations} operations: ${JSON.stringify(byKind)} ${[...failures, ...missed].join('\n')}`,
      );
      return [
        ...alone,
        ...beside,
        { name: 'requests of the hostile client', value: sent, unit: '' },
        { name: 'answers that say that the service has failed', value: statuses['500'] ?? 0, unit: '', budget: { atMost: 0 } },
        { name: 'attacks that have missed their target', value: missed.length, unit: '', budget: { atMost: 0 } },
      ];
    } finally {
      await service.stop();
    }
  },
};

function measuresOf(name: string, { latenciesMs, sent, answered, failed }: LoadResult): readonly Measure[] {
  const { p50Ms, p99Ms, worstMs } = latenciesOf(latenciesMs);
  const isRead = name.endsWith('reads');
  return [
    { name: `${name}, p50`, value: p50Ms, unit: 'ms' },
    { name: `${name}, p99`, value: p99Ms, unit: 'ms', ...(isRead ? { budget: { atMost: 50 } } : {}) },
    { name: `${name}, longest`, value: worstMs, unit: 'ms' },
    { name: `${name}, without success`, value: failed + sent - answered, unit: '', budget: { atMost: 0 } },
  ];
}

const RATES = [500, 1_000, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 16_000, 20_000, 25_000];
/** As `npm start` does. */
const AS_STARTED = ['--max-semi-space-size=64'];
const BUDGET = { atLeast: 20_000 };

/** Payments over REST at rising fixed rates, and the same posting written with Fastify and PostgreSQL. */
const restBenchmark: Benchmark = {
  name: 'rest',
  title: 'Payments a second over REST, durable, at fixed rates (open loop, 64 connections), beside Fastify and PostgreSQL',
  size: { standard: 2_000, unit: 'loans' },
  async run(context) {
    return [...(await payTenor(context)), ...(await payPosting(context))];
  },
};

async function payTenor({ access, folder, size, report }: BenchContext): Promise<readonly Measure[]> {
  const dataFolder = join(folder, 'data');
  const testKey = newTestKey();
  const local = await access.open({ dataFolder, testKey, logLevel: 'warn' });
  const { loans } = await makePortfolio(local, size ?? 2_000, report);
  await local.close();
  const service = await startService({ dataFolder, testKey, nodeOptions: AS_STARTED });
  try {
    const headers = { Authorization: `Bearer ${testKey}` };
    const requests = loans.map(({ personId, loanId }) =>
      wireRequest('POST', `/api/people/${personId}/loans/${loanId}/transactions`, headers, PAYMENT),
    );
    return await offerRates({ label: 'Tenor', port: service.port, requests, rates: RATES, budget: BUDGET, report });
  } finally {
    await service.stop();
  }
}

async function payPosting({ folder, size, report }: BenchContext): Promise<readonly Measure[]> {
  const postgres = await startPostgres(join(folder, 'postgres'));
  try {
    const posting = await startPosting(postgres.port, size ?? 2_000);
    try {
      const requests = Array.from({ length: size ?? 2_000 }, (_, index) =>
        wireRequest('POST', `/loans/${index + 1}/payments`, {}, { amountCents: 100 }),
      );
      return await offerRates({ label: 'Fastify and PostgreSQL', port: posting.port, requests, rates: RATES, report });
    } finally {
      await posting.stop();
    }
  } finally {
    await postgres.stop();
  }
}

const REPEATS = 3;
const IN_FLIGHT = 2_048;
const LOANS = 2_000;

/** Commands through the engine without HTTP: decided, applied, journaled with their events, flushed, answered. */
const shardBenchmark: Benchmark = {
  name: 'shard',
  title: 'Commands a second through the shards of one process, durable, without HTTP',
  size: { standard: 20_000, unit: 'commands a repeat' },
  async run({ access, folder, size, report }) {
    const service = await access.open({ dataFolder: join(folder, 'data'), logLevel: 'warn' });
    try {
      const lender = await makePortfolio(service, LOANS, report);
      const commands = size ?? 20_000;
      const update = await repeat(lender, commands, 'loan.update', (index) => ({ nickname: `n${index}` }), report);
      const payment = await repeat(lender, commands, 'transaction.create', () => PAYMENT, report);
      return [
        { name: 'loan updates', value: update.perSecond, unit: '/s', budget: { atLeast: 100_000 } },
        { name: 'payments', value: payment.perSecond, unit: '/s', budget: { atLeast: 100_000 } },
        { name: 'payments, p50 with 2,048 in flight', value: payment.p50Ms, unit: 'ms' },
        { name: 'payments, p99 with 2,048 in flight', value: payment.p99Ms, unit: 'ms' },
      ];
    } finally {
      await service.close();
    }
  },
};

async function repeat(
  { loans, execute }: Lender,
  commands: number,
  type: string,
  bodyOf: (index: number) => object,
  report: (line: string) => void,
) {
  const rates: number[] = [];
  const latencies: number[] = [];
  for (let run = 1; run <= REPEATS; run++) {
    const begun = performance.now();
    await inParallel(
      Array.from({ length: commands }, (_, index) => index),
      IN_FLIGHT,
      async (index) => {
        const loan = loans[index % loans.length];
        const asked = performance.now();
        await execute(type, loan?.loanId ?? '', bodyOf(index), { personId: loan?.personId ?? '' });
        latencies.push(performance.now() - asked);
      },
    );
    rates.push(Math.round((commands * 1000) / (performance.now() - begun)));
    report(`${type}: ${rates.at(-1) ?? 0}/s`);
  }
  return { perSecond: median(rates), ...latenciesOf(latencies) };
}

export const BENCHMARKS: readonly Benchmark[] = [
  replayBenchmark,
  metro2Benchmark,
  shardBenchmark,
  ageBenchmark,
  authorizationsBenchmark,
  importBenchmark,
  memoryBenchmark,
  historyBenchmark,
  recoveryBenchmark,
  portfolioBenchmark,
  massBenchmark,
  statementsBenchmark,
  generalLedgerBenchmark,
  campaignsBenchmark,
  tapesBenchmark,
  clusterBenchmark,
  takeoverBenchmark,
  postgresBenchmark,
  restBenchmark,
  streamsBenchmark,
  hostileBenchmark,
  soakBenchmark,
];

export interface BenchReport {
  readonly name: string;
  readonly title: string;
  readonly command: string;
  readonly date: string;
  readonly machine: Machine;
  readonly size: number | null;
  readonly measures: readonly Measure[];
  readonly seconds: number;
}

/** Runs one benchmark in a folder of its own and keeps its figures as JSON in the folder `results`. */
export async function runBenchmark(benchmark: Benchmark, context: Omit<BenchContext, 'folder'>, results: string): Promise<BenchReport> {
  const { size, keptIn } = context;
  const folder = await mkdtemp(join(keptIn === null ? tmpdir() : await madeFolder(keptIn), `tenor-bench-${benchmark.name}-`));
  const stay = endOnSignal(() => rmSync(folder, { recursive: true, force: true }));
  const about = machine();
  const begun = performance.now();
  try {
    const measures = await benchmark.run({ ...context, folder });
    const report: BenchReport = {
      name: benchmark.name,
      title: benchmark.title,
      command: `npm run bench -- ${[benchmark.name, ...flagsOf(context)].join(' ')}`,
      date: new Date().toISOString().slice(0, 10),
      machine: about,
      size: size ?? benchmark.size?.standard ?? null,
      measures,
      seconds: Math.round((performance.now() - begun) / 1000),
    };
    mkdirSync(results, { recursive: true });
    writeFileSync(join(results, `${benchmark.name}.json`), `${JSON.stringify(report, null, 2)}\n`);
    return report;
  } finally {
    await rm(folder, { recursive: true, force: true });
    stay();
  }
}

/** The flags as they were given, without the folder of the portfolio, which changes no figure. */
const flagsOf = ({ size, months, days, minutes, workers }: Omit<BenchContext, 'folder'>): readonly string[] => [
  ...(size === null ? [] : [`--size ${size}`]),
  ...(months === null ? [] : [`--months ${months}`]),
  ...(days === null ? [] : [`--days ${days}`]),
  ...(minutes === null ? [] : [`--minutes ${minutes}`]),
  ...(workers.join() === '0' ? [] : [`--workers ${workers.join()}`]),
];

async function madeFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  return path;
}

export function textOfReport({ title, command, date, machine: on, measures, seconds }: BenchReport): string {
  return [
    '',
    title,
    `  ${command}, ${date}, ${seconds} s`,
    `  ${on.processors} x ${on.processor}, ${on.memoryGB} GB, ${on.system}, Node ${on.node}, ` +
      `revision ${on.commit ?? 'unknown'}, load before ${on.loadBefore}`,
    '',
    textTable(
      ['measure', 'value', 'unit', 'budget'],
      measures.map((measure) => [measure.name, measure.value, measure.unit, budgetText(measure)]),
    ),
    '',
  ].join('\n');
}
