import { existsSync, readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShardsReport } from '../../actors/index.js';
import { must, fieldOf, ownJson } from '../../engine/index.js';
import { areBeingKept, KEPT_VIEWS, openExport } from '../../persistence/index.js';
import { exportJournal, openKeysFolders, restoreJournal } from '../backup/restore-journal.js';
import { startNats } from '../cli/nats-server.js';
import { natsFolder, runCluster, type RunningCluster } from '../cli/run-cluster.js';
import { Client, HttpFailure, newTestKey, startService } from '../cli/service-client.js';
import type { BenchContext, Measure } from './benchmark.js';
import { type Portfolio, type PortfolioOptions, makePortfolioThrough } from './make-portfolio.js';
import { copyDataFolder, keepPortfolio, keptPortfolio } from './kept-portfolio.js';

export type Loan = Portfolio['loans'][number];

/** Size of a sample of the portfolio, with loans of each unit. */
const SAMPLE = 256;
/** Milliseconds until a loan whose worker is gone is requested again. */
const AGAIN_MS = 20;
/** Milliseconds between two checks for records that no snapshot holds, and how many of them are accepted. */
const LOOK_MS = 1_000;
const STORED_RECORDS = 10_000;
/** Longest wait for a unit to be owned, in milliseconds: a worker without snapshots reads the whole journal. */
const OWNER_MS = 3_600_000;

/** Requests the paid total of each loan until it is answered; returns how long each took, in milliseconds. */
export async function answered(
  client: Client,
  loans: readonly Loan[],
  check: (paidCents: number, at: number) => void,
): Promise<readonly number[]> {
  const begun = performance.now();
  return Promise.all(
    loans.map(async (loan, at) => {
      for (;;) {
        try {
          check(await paidOf(client, loan), at);
          return performance.now() - begun;
        } catch (cause) {
          if (!(cause instanceof HttpFailure) || cause.status !== 503 || performance.now() - begun > OWNER_MS) throw cause;
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }),
  );
}

/** Resolves when lists are answered: after a start the list index is still being read. */
export async function listed(client: Client): Promise<void> {
  for (const begun = performance.now(); ; ) {
    try {
      return void (await client.ask('GET', '/people?limit=1'));
    } catch (cause) {
      if (!(cause instanceof HttpFailure) || cause.status !== 503 || performance.now() - begun > OWNER_MS) throw cause;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Who has the shards, as the measured service itself says. */
export const shardsOf = async (client: Client): Promise<ShardsReport> => ownJson<ShardsReport>(await client.text('GET', '/health/shards'));

/** Resolves when snapshots hold almost all changes, so that a takeover reads a tail of usual length. */
export async function stored(client: Client): Promise<void> {
  for (const begun = performance.now(); performance.now() - begun < OWNER_MS; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    try {
      const { units } = await shardsOf(client);
      if (units.reduce((sum, { unstoredRecords }) => sum + unstoredRecords, 0) <= STORED_RECORDS) return;
    } catch (cause) {
      if (!(cause instanceof HttpFailure) || cause.status !== 503) throw cause;
    }
  }
  throw new Error('Snapshots do not hold the changes after an hour.');
}

async function paidOf(client: Client, { personId, loanId }: Loan): Promise<number> {
  const { paidBalances } = await client.data('GET', `/people/${personId}/loans/${loanId}/balances`);
  return cents(Number(fieldOf(paidBalances, 'paidTotalAmount')));
}

/** Spread evenly over the portfolio. */
export const sampleOf = (loans: readonly Loan[]): readonly Loan[] =>
  Array.from({ length: Math.min(SAMPLE, loans.length) }, (_, at) =>
    must(loans[Math.floor((at * loans.length) / Math.min(SAMPLE, loans.length))], 'a loan'),
  );

export const cents = (amount: number): number => Math.round(amount * 100);

/** A process whose processor time counts. */
export interface Counted {
  readonly name: string;
  readonly pid: number;
}

/** Ticks of the kernel's clock (`getconf CLK_TCK`), the same on all current Linux machines. */
const TICKS_PER_SECOND = 100;

/** Fields behind the name of the program, which is in brackets and may hold anything. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** Processor time of each process since its start, in seconds: from `/proc`, so on Linux only. */
export const processorSeconds = (processes: readonly Counted[]): readonly number[] =>
  processes.map(({ pid }) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = (field: number): number => Number(must(fields[field], 'a field of /proc'));
    return (ticks(USER_TICKS) + ticks(SYSTEM_TICKS)) / TICKS_PER_SECOND;
  });

/** Memory of each process that is not mapped from a file: from `/proc`, so on Linux only. */
export const memoryBytes = (processes: readonly Pick<Counted, 'pid'>[]): readonly number[] =>
  processes.map(({ pid }) => {
    const [, kilobytes] = must(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')), 'RssAnon');
    return Number(kilobytes) * 1024;
  });

/** A portfolio that is served by processes of its own, just started: in memory is only what a start reads. */
export interface ServedPortfolio {
  readonly name: string;
  readonly portfolio: Portfolio;
  readonly port: number;
  readonly testKey: string;
  readonly processes: readonly Counted[];
  /** Time from the start of the processes until they serve, in seconds. */
  readonly startSeconds: number;
  /** Of a cluster: one more worker joins it. */
  addWorker(name: string): Promise<Counted>;
  /** Of one process, in place of `stop`: it is stopped once its views are kept, and started again with these views or without any. */
  startAgain(views: 'kept' | 'none'): Promise<ServedPortfolio>;
  stop(): Promise<void>;
}

/** The portfolio, and settings of the processes that serve it. */
export interface ServedOptions extends PortfolioOptions {
  readonly environment?: NodeJS.ProcessEnv;
}

/** Makes, serves and measures the portfolio for each number of `workers`, one after the other. */
export async function measureEach(
  context: BenchContext,
  count: number,
  options: ServedOptions,
  measured: (served: ServedPortfolio, report: BenchContext['report']) => Promise<readonly Measure[]>,
): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  for (const workers of context.workers) {
    const served = await servePortfolio(context, workers, count, options);
    try {
      measures.push(...(await measured(served, context.report)));
    } finally {
      await served.stop();
    }
  }
  return measures;
}

type Context = Pick<BenchContext, 'access' | 'folder' | 'report' | 'keptIn'>;

/** `workers`: of a cluster with one gateway and a NATS server of its own; 0 is one process. */
const servePortfolio = (context: Context, workers: number, count: number, options: ServedOptions): Promise<ServedPortfolio> =>
  workers === 0 ? servedByOneProcess(context, count, options) : servedByCluster(context, workers, count, options);

async function servedByOneProcess(context: Context, count: number, options: ServedOptions): Promise<ServedPortfolio> {
  const { folder, keptIn } = context;
  const kept = await keepPortfolio(context, keptIn ?? join(folder, 'portfolio'), count, options);
  const { testKey, portfolio } = kept;
  const dataFolder = keptIn === null ? kept.dataFolder : join(folder, 'one-process');
  if (keptIn !== null) await copyDataFolder(kept.dataFolder, dataFolder);
  const start = async (): Promise<ServedPortfolio> => {
    const begun = performance.now();
    const service = await startService({ dataFolder, testKey, nodeOptions: AS_STARTED, environment: options.environment ?? {} });
    return {
      name: 'one process',
      portfolio,
      port: service.port,
      testKey,
      startSeconds: secondsSince(begun),
      processes: [{ name: 'service', pid: service.pid }],
      addWorker: () => Promise.reject(new Error('One process has no workers.')),
      startAgain: async (views) => {
        const ofViews = join(dataFolder, KEPT_VIEWS);
        while (areBeingKept(ofViews)) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        await service.stop();
        if (views === 'none') await rm(ofViews, { recursive: true, force: true });
        return start();
      },
      stop: async () => {
        await service.stop();
        if (keptIn !== null) await rm(dataFolder, { recursive: true, force: true });
      },
    };
  };
  return start();
}

async function servedByCluster(context: Context, workers: number, count: number, options: ServedOptions): Promise<ServedPortfolio> {
  const { keptIn, folder } = context;
  const data = join(folder, `cluster-of-${workers}`);
  const { testKey, portfolio } =
    keptIn === null
      ? await makeInCluster(context, data, workers, count, options)
      : await copyOfCluster(context, keptIn, data, count, options);
  const begun = performance.now();
  const environment = { ...environmentOf(testKey), ...options.environment };
  const cluster = await runCluster({ workers, gateways: 1, port: 0, data, environment });
  const members = [...cluster.workers, ...cluster.gateways];
  return {
    name: workers === 1 ? 'one worker' : `${workers} workers`,
    portfolio,
    testKey,
    startSeconds: secondsSince(begun),
    port: portOf(cluster),
    processes: [{ name: 'nats-server', pid: cluster.server.pid }, ...members.map(({ name, pid }) => ({ name, pid }))],
    addWorker: (node) => cluster.addWorker(node),
    startAgain: () => Promise.reject(new Error('In a cluster no views are kept.')),
    stop: async () => {
      await cluster.stop();
      await rm(data, { recursive: true, force: true }); // a large portfolio leaves no room for the next
    },
  };
}

type PortfolioAndKey = Pick<ServedPortfolio, 'portfolio' | 'testKey'>;

async function makeInCluster(
  { access, report }: Context,
  data: string,
  workers: number,
  count: number,
  options: PortfolioOptions,
): Promise<PortfolioAndKey> {
  const testKey = newTestKey();
  const booking = await runCluster({ workers, gateways: 1, port: 0, data, environment: environmentOf(testKey) });
  try {
    await unitsPlaced();
    const gateway = await access.openGateway({ dataFolder: data, nats: booking.nats, node: 'booking', testKey, logLevel: 'warn' });
    const portfolio = await makePortfolioThrough(gateway, count, report, { ...options, isKeyed: true });
    await gateway.close();
    return { portfolio, testKey };
  } finally {
    await booking.stop();
  }
}

/** The kept portfolio is moved into a cluster once; each setting copies that cluster. */
async function copyOfCluster(
  context: Context,
  keptIn: string,
  data: string,
  count: number,
  options: PortfolioOptions,
): Promise<PortfolioAndKey> {
  const kept = join(keptIn, 'cluster');
  const known = existsSync(kept) ? keptPortfolio(keptIn, count, options) : null;
  const { testKey, portfolio } = known ?? (await movedIntoCluster(context, keptIn, kept, count, options));
  await cp(kept, data, { recursive: true });
  return { portfolio, testKey };
}

async function movedIntoCluster(
  context: Context,
  keptIn: string,
  kept: string,
  count: number,
  options: PortfolioOptions,
): Promise<PortfolioAndKey> {
  const { dataFolder, testKey, portfolio } = await keepPortfolio(context, keptIn, count, options);
  if (!existsSync(kept)) {
    const moving = `${kept}-moving`;
    await rm(moving, { recursive: true, force: true });
    await moveIntoCluster(context, dataFolder, moving, portfolio);
    await storeSnapshots(context, moving, { testKey, portfolio });
    await rename(moving, kept);
  }
  return { testKey, portfolio };
}

/** By an export and a restore. */
async function moveIntoCluster({ access, report }: Context, dataFolder: string, data: string, { loans }: Portfolio): Promise<void> {
  const [folder, keysFolder] = [join(data, 'export'), join(data, 'export-keys')];
  await mkdir(data, { recursive: true });
  await copyFile(join(dataFolder, 'master.key'), join(data, 'master.key'));
  const server = await startNats({ folder: natsFolder(data) });
  const begun = performance.now();
  try {
    const source = await access.openSource({ dataFolder });
    await exportJournal({ source, folder, keysFolder, onProgress: () => undefined });
    await source.close();
    report(`${loans.length.toLocaleString('en-US')} loans were exported in ${secondsSince(begun).toFixed(1)} s`);
    const from = await openExport(folder);
    const target = await access.openTarget({ dataFolder: data, nats: server.url });
    const keys = await openKeysFolders([keysFolder], target.masterKey);
    await restoreJournal({ from, target, keys, untilMs: null, onProgress: () => undefined });
    for (const store of keys) await store.close();
    report(`and restored after ${secondsSince(begun).toFixed(1)} s`);
  } finally {
    await server.stop('SIGTERM');
    for (const path of [folder, keysFolder]) await rm(path, { recursive: true, force: true });
  }
}

/** A cluster without snapshots computes its whole stream: this is done once, before the measurement. */
async function storeSnapshots({ report }: Context, data: string, { testKey, portfolio }: PortfolioAndKey): Promise<void> {
  const begun = performance.now();
  const cluster = await runCluster({ workers: 2, gateways: 1, port: 0, data, environment: environmentOf(testKey), stopMs: STORED_MS });
  try {
    const client = new Client(portOf(cluster), testKey, 1);
    await answered(client, sampleOf(portfolio.loans), () => undefined);
    client.close();
    report(`computed by two workers ${secondsSince(begun).toFixed(1)} s after their start`);
  } finally {
    await cluster.stop();
  }
  report(`and stored as snapshots after ${secondsSince(begun).toFixed(1)} s`);
}

const portOf = ({ gateways }: RunningCluster): number => Number(new URL(must(gateways[0]?.url, 'a gateway has an address')).port);

/** Longest wait for the last snapshot of a whole portfolio, in milliseconds. */
const STORED_MS = 3_600_000;

const environmentOf = (testKey: string): NodeJS.ProcessEnv => ({
  TENOR_TEST_KEY: testKey,
  NODE_OPTIONS: [...AS_STARTED, process.env['NODE_OPTIONS'] ?? ''].join(' '),
});

/** Longest time that workers who start together take to share the units, in milliseconds. */
const PLACED_MS = 5_000;

export const unitsPlaced = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PLACED_MS));

const secondsSince = (begun: number): number => (performance.now() - begun) / 1000;

/** As `npm start` does. */
const AS_STARTED = ['--max-semi-space-size=64'];
