import { join } from 'node:path';
import { must } from '../../engine/index.js';
import { type RunningCluster, runCluster } from '../cluster/run-cluster.js';
import { newTestKey, startService } from '../service/service-process.js';
import type { BenchContext, Measure } from './benchmark.js';
import { bookLoans, type Booked, type Books, bookThrough } from './book-loans.js';
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
  stop(): Promise<void>;
}

/** Books the portfolio once for each of `workers`, serves it and measures it, one after the other. */
export async function measureEach(
  context: BenchContext, count: number, books: Books, measured: (served: ServedBook, tell: BenchContext['tell']) => Promise<readonly Measure[]>,
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

type Context = Pick<BenchContext, 'door' | 'folder' | 'tell'>;

/** `workers`: of a cluster with one gateway and a NATS server of its own; 0 is one process. */
const serveBook = (context: Context, workers: number, count: number, books: Books): Promise<ServedBook> =>
  (workers === 0 ? servedByOneProcess(context, count, books) : servedByCluster(context, workers, count, books));

async function servedByOneProcess({ door, folder, tell }: Context, count: number, books: Books): Promise<ServedBook> {
  const dataFolder = join(folder, 'one-process');
  const testKey = newTestKey();
  const house = await door.open({ dataFolder, testKey, logLevel: 'warn' });
  const book = await bookLoans(house, count, tell, books);
  await house.close();
  const begun = performance.now();
  const service = await startService({ dataFolder, testKey, nodeOptions: AS_STARTED });
  return {
    name: 'one process', book, port: service.port, testKey, startSeconds: secondsSince(begun),
    processes: [{ name: 'service', pid: service.pid }],
    stop: async () => void (await service.stop()),
  };
}

async function servedByCluster({ door, folder, tell }: Context, workers: number, count: number, books: Books): Promise<ServedBook> {
  const data = join(folder, `cluster-of-${workers}`);
  const testKey = newTestKey();
  const run = (): Promise<RunningCluster> =>
    runCluster({ workers, gateways: 1, port: 0, data, environment: { TENOR_TEST_KEY: testKey, NODE_OPTIONS: AS_STARTED.join(' ') } });
  const booking = await run();
  await unitsPlaced();
  let book: Booked;
  try {
    const house = await door.openGateway({ dataFolder: data, nats: booking.nats, node: 'booking', testKey, logLevel: 'warn' });
    book = await bookThrough(house, count, tell, { ...books, isKeyed: true });
    await house.close();
  } finally {
    await booking.stop();
  }
  const begun = performance.now();
  const cluster = await run();
  const members = [...cluster.workers, ...cluster.gateways];
  return {
    name: workers === 1 ? 'one worker' : `${workers} workers`, book, testKey, startSeconds: secondsSince(begun),
    port: Number(new URL(must(cluster.gateways[0]?.url, 'a gateway has an address')).port),
    processes: [{ name: 'nats-server', pid: cluster.server.pid }, ...members.map(({ name, pid }) => ({ name, pid }))],
    stop: () => cluster.stop(),
  };
}

/** Longest that workers who have come together take to share the units, in milliseconds. */
const PLACED_MS = 5_000;

export const unitsPlaced = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PLACED_MS));

const secondsSince = (begun: number): number => (performance.now() - begun) / 1000;

/** As `npm start` does. */
const AS_STARTED = ['--max-semi-space-size=64'];
