import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { must } from '../../engine/index.js';
import { openExport } from '../../persistence/index.js';
import { startNats } from '../cli/nats-server.js';
import { natsFolder, runCluster, type RunningCluster } from '../cli/run-cluster.js';
import { exportJournal } from '../backup/export-journal.js';
import { openKeysFolders } from '../backup/keys-folder.js';
import { restoreJournal } from '../backup/restore-journal.js';
import { Client } from '../cli/service-client.js';
import { newTestKey, startService } from '../cli/service-process.js';
import { answered, sampleOf } from './answered.js';
import type { BenchContext, Measure } from './benchmark.js';
import { type Booked, type Books, bookThrough } from './book-loans.js';
import { copyDataFolder, keepBook, keptBook } from './kept-book.js';
import type { Counted } from './processes.js';

/** A portfolio that is served by processes of its own, which have just started: nothing of it is in memory but what a start reads. */
export interface ServedBook {
  readonly name: string;
  readonly book: Booked;
  readonly port: number;
  readonly testKey: string;
  readonly processes: readonly Counted[];
  /** What the start of the processes took until they said that they serve, in seconds. */
  readonly startSeconds: number;
  /** Of a cluster: one more worker joins it. */
  addWorker(name: string): Promise<Counted>;
  stop(): Promise<void>;
}

/** Books the portfolio once for each of `workers`, serves it and measures it, one after the other. */
export async function measureEach(
  context: BenchContext,
  count: number,
  books: Books,
  measured: (served: ServedBook, tell: BenchContext['tell']) => Promise<readonly Measure[]>,
): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  for (const workers of context.workers) {
    const served = await serveBook(context, workers, count, books);
    try {
      measures.push(...(await measured(served, context.tell)));
    } finally {
      await served.stop();
    }
  }
  return measures;
}

type Context = Pick<BenchContext, 'door' | 'folder' | 'tell' | 'keptIn'>;

/** `workers`: of a cluster with one gateway and a NATS server of its own; 0 is one process. */
const serveBook = (context: Context, workers: number, count: number, books: Books): Promise<ServedBook> =>
  workers === 0 ? servedByOneProcess(context, count, books) : servedByCluster(context, workers, count, books);

async function servedByOneProcess(context: Context, count: number, books: Books): Promise<ServedBook> {
  const { folder, keptIn } = context;
  const kept = await keepBook(context, keptIn ?? join(folder, 'book'), count, books);
  const { testKey, book } = kept;
  const dataFolder = keptIn === null ? kept.dataFolder : join(folder, 'one-process');
  if (keptIn !== null) await copyDataFolder(kept.dataFolder, dataFolder);
  const begun = performance.now();
  const service = await startService({ dataFolder, testKey, nodeOptions: AS_STARTED });
  return {
    name: 'one process',
    book,
    port: service.port,
    testKey,
    startSeconds: secondsSince(begun),
    processes: [{ name: 'service', pid: service.pid }],
    addWorker: () => Promise.reject(new Error('One process has no workers.')),
    stop: async () => {
      await service.stop();
      if (keptIn !== null) await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

async function servedByCluster(context: Context, workers: number, count: number, books: Books): Promise<ServedBook> {
  const { keptIn, folder } = context;
  const data = join(folder, `cluster-of-${workers}`);
  const { testKey, book } =
    keptIn === null ? await bookInCluster(context, data, workers, count, books) : await copyOfCluster(context, keptIn, data, count, books);
  const begun = performance.now();
  const cluster = await runCluster({ workers, gateways: 1, port: 0, data, environment: environmentOf(testKey) });
  const members = [...cluster.workers, ...cluster.gateways];
  return {
    name: workers === 1 ? 'one worker' : `${workers} workers`,
    book,
    testKey,
    startSeconds: secondsSince(begun),
    port: portOf(cluster),
    processes: [{ name: 'nats-server', pid: cluster.server.pid }, ...members.map(({ name, pid }) => ({ name, pid }))],
    addWorker: (node) => cluster.addWorker(node),
    stop: async () => {
      await cluster.stop();
      await rm(data, { recursive: true, force: true }); // a large one leaves no room for the next
    },
  };
}

type BookOfKey = Pick<ServedBook, 'book' | 'testKey'>;

async function bookInCluster({ door, tell }: Context, data: string, workers: number, count: number, books: Books): Promise<BookOfKey> {
  const testKey = newTestKey();
  const booking = await runCluster({ workers, gateways: 1, port: 0, data, environment: environmentOf(testKey) });
  try {
    await unitsPlaced();
    const house = await door.openGateway({ dataFolder: data, nats: booking.nats, node: 'booking', testKey, logLevel: 'warn' });
    const book = await bookThrough(house, count, tell, { ...books, isKeyed: true });
    await house.close();
    return { book, testKey };
  } finally {
    await booking.stop();
  }
}

/** The portfolio is moved into a cluster once, and each setting takes a copy of that. */
async function copyOfCluster(context: Context, keptIn: string, data: string, count: number, books: Books): Promise<BookOfKey> {
  const kept = join(keptIn, 'cluster');
  const known = existsSync(kept) ? keptBook(keptIn, count, books) : null;
  const { testKey, book } = known ?? (await movedIntoCluster(context, keptIn, kept, count, books));
  await cp(kept, data, { recursive: true });
  return { book, testKey };
}

async function movedIntoCluster(context: Context, keptIn: string, kept: string, count: number, books: Books): Promise<BookOfKey> {
  const { dataFolder, testKey, book } = await keepBook(context, keptIn, count, books);
  if (!existsSync(kept)) {
    const moving = `${kept}-moving`;
    await rm(moving, { recursive: true, force: true });
    await moveIntoCluster(context, dataFolder, moving, book);
    await storeSnapshots(context, moving, { testKey, book });
    await rename(moving, kept);
  }
  return { testKey, book };
}

/** Through an export. */
async function moveIntoCluster({ door, tell }: Context, dataFolder: string, data: string, { loans }: Booked): Promise<void> {
  const [folder, keysFolder] = [join(data, 'export'), join(data, 'export-keys')];
  await mkdir(data, { recursive: true });
  await copyFile(join(dataFolder, 'master.key'), join(data, 'master.key'));
  const server = await startNats({ folder: natsFolder(data) });
  const begun = performance.now();
  try {
    const source = await door.openSource({ dataFolder });
    await exportJournal({ source, folder, keysFolder, onProgress: () => undefined });
    await source.close();
    tell(`${loans.length.toLocaleString('en-US')} loans were exported in ${secondsSince(begun).toFixed(1)} s`);
    const from = await openExport(folder);
    const target = await door.openTarget({ dataFolder: data, nats: server.url });
    const keys = await openKeysFolders([keysFolder], target.masterKey);
    await restoreJournal({ from, target, keys, untilMs: null, onProgress: () => undefined });
    for (const store of keys) await store.close();
    tell(`and restored after ${secondsSince(begun).toFixed(1)} s`);
  } finally {
    await server.stop('SIGTERM');
    for (const path of [folder, keysFolder]) await rm(path, { recursive: true, force: true });
  }
}

/** A cluster that finds no snapshots computes all of its stream: once, and not in what is measured. */
async function storeSnapshots({ tell }: Context, data: string, { testKey, book }: BookOfKey): Promise<void> {
  const begun = performance.now();
  const cluster = await runCluster({ workers: 2, gateways: 1, port: 0, data, environment: environmentOf(testKey), stopMs: STORED_MS });
  try {
    const client = new Client(portOf(cluster), testKey, 1);
    await answered(client, sampleOf(book.loans), () => undefined);
    client.close();
    tell(`computed by two workers ${secondsSince(begun).toFixed(1)} s after their start`);
  } finally {
    await cluster.stop();
  }
  tell(`and stored as snapshots after ${secondsSince(begun).toFixed(1)} s`);
}

const portOf = ({ gateways }: RunningCluster): number => Number(new URL(must(gateways[0]?.url, 'a gateway has an address')).port);

/** Longest wait for the last snapshot of a whole book, in milliseconds. */
const STORED_MS = 3_600_000;

const environmentOf = (testKey: string): NodeJS.ProcessEnv => ({
  TENOR_TEST_KEY: testKey,
  NODE_OPTIONS: [...AS_STARTED, process.env['NODE_OPTIONS'] ?? ''].join(' '),
});

/** Longest that workers who have come together take to share the units, in milliseconds. */
const PLACED_MS = 5_000;

export const unitsPlaced = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PLACED_MS));

const secondsSince = (begun: number): number => (performance.now() - begun) / 1000;

/** As `npm start` does. */
const AS_STARTED = ['--max-semi-space-size=64'];
