import { randomUUID } from 'node:crypto';
import { test, type Test } from 'tap';
import { must } from '../../engine/index.js';
import type { Answer } from '../service/service.js';
import { testCluster, type TestCluster } from './test-cluster.js';

/** Longest wait until what was hurt serves again, in milliseconds. */
const HEALED_MS = 60_000;

interface Created {
  readonly key: string;
  readonly id: string;
}

/** Makes borrowers without a pause until it is stopped, each under a key of its own; keeps what was acknowledged and what was not. */
class Load {
  readonly acknowledged: Created[] = [];
  readonly unanswered: string[] = [];
  #isStopped = false;
  readonly #running: Promise<unknown>;

  constructor(private readonly cluster: TestCluster, gateway = 0) {
    this.#running = Promise.all(Array.from({ length: 6 }, () => this.#run(gateway)));
  }

  /** The first external ids of a cluster that has just started wait for claims that nobody can know of to end. */
  async underWay(): Promise<boolean> {
    return until(async () => this.acknowledged.length >= 24);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(gateway: number): Promise<void> {
    while (!this.#isStopped) {
      const key = randomUUID();
      const answer = await createUnder(this.cluster, key, gateway);
      if (answer === null || answer.status === 503) this.unanswered.push(key);
      else if (answer.status === 200) this.acknowledged.push({ key, id: idOf(answer) });
      else throw new Error(`a borrower was answered ${answer.status}: ${JSON.stringify(answer.json)}`);
    }
  }
}

const idOf = ({ json }: Answer): string => String((json['data'] as { readonly id: string }).id);

/** Null when the connection broke. */
async function createUnder({ ask }: TestCluster, key: string, gateway = 0): Promise<Answer | null> {
  try {
    return await ask('POST', '/people', { externalId: `x-${key}`, name: { firstName: 'Ada', lastName: 'Verde' } }, gateway, { 'idempotency-key': key });
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause; // that of `fetch`
    return null;
  }
}

/** The same until it is no longer refused for a while: what was hurt may still be healing. */
async function answeredUnder(cluster: TestCluster, key: string, gateway: number): Promise<Answer> {
  for (const end = Date.now() + HEALED_MS; Date.now() < end; await pause(200)) {
    const answer = await createUnder(cluster, key, gateway);
    if (answer !== null && answer.status !== 503) return answer;
  }
  throw new Error(`${key} was refused for ${HEALED_MS} ms`);
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(holds: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + HEALED_MS; Date.now() < end; await pause(100)) if (await holds()) return true;
  return false;
}

/** Each acknowledged borrower is there, and each request that is sent again is answered the same or carried out now: once in all. */
async function nothingIsLost(t: Test, cluster: TestCluster, { acknowledged, unanswered }: Load, gateway = 0): Promise<void> {
  t.ok(acknowledged.length > 0, `${acknowledged.length} acknowledged, ${unanswered.length} not`);
  for (const { key, id } of acknowledged) {
    const again = await answeredUnder(cluster, key, gateway);
    if (again.status !== 200 || idOf(again) !== id || !again.replayed) t.same(again, { status: 200, id }, `the retry of ${id}`);
    const read = await cluster.ask('GET', `/people/${id}`, undefined, gateway);
    if (read.status !== 200) t.equal(read.status, 200, `${id} is there`);
  }
  for (const key of unanswered) t.equal((await answeredUnder(cluster, key, gateway)).status, 200);
  const { json } = await cluster.ask('GET', '/people?limit=1', undefined, gateway);
  t.equal(json['total'], acknowledged.length + unanswered.length, 'nothing was applied twice');
}

const serves = (cluster: TestCluster, gateway = 0) => async (): Promise<boolean> =>
  (await Promise.all(Array.from({ length: 8 }, () => createProbe(cluster, gateway)))).every(Boolean);

/** Reads over all units. */
async function createProbe({ ask }: TestCluster, gateway: number): Promise<boolean> {
  return (await ask('GET', '/people?limit=1', undefined, gateway).catch(() => null))?.status === 200;
}

test('kill -9 of a worker: the other takes its units over, and nothing acknowledged is lost or applied twice', async (t) => {
  const cluster = await testCluster(t, { workers: 2 });
  t.ok(await until(serves(cluster)));
  const load = new Load(cluster);
  t.ok(await load.underWay());
  await must(cluster.workers[0], 'a worker').end('SIGKILL');
  await pause(1_000);
  t.ok(await until(serves(cluster)), 'all units are served again');
  await pause(1_000);
  await load.stop();
  await nothingIsLost(t, cluster, load);
});

test('a worker that is stopped past its lease and goes on: what it wrote meanwhile counts nowhere, and it ends', async (t) => {
  const cluster = await testCluster(t, { workers: 2 });
  t.ok(await until(serves(cluster)));
  const load = new Load(cluster);
  t.ok(await load.underWay());
  const zombie = must(cluster.workers[0], 'a worker');
  zombie.signal('SIGSTOP');
  await pause(1_000);
  t.ok(await until(serves(cluster)), 'the other has taken over');
  zombie.signal('SIGCONT');
  await pause(2_000);
  await load.stop();
  await zombie.ended;
  t.ok(await until(serves(cluster)));
  await nothingIsLost(t, cluster, load);
});

test('kill -9 of a gateway: whoever asks another gets the same', async (t) => {
  const cluster = await testCluster(t, { workers: 1, gateways: 2 });
  t.ok(await until(serves(cluster)));
  const load = new Load(cluster);
  t.ok(await load.underWay());
  const stopping = load.stop();
  await must(cluster.gateways[0], 'a gateway').end('SIGKILL');
  await stopping;
  await nothingIsLost(t, cluster, load, 1);
});

test('kill -9 of the server: requests are refused within bounds, and go on when it is back', async (t) => {
  const cluster = await testCluster(t, { workers: 1 });
  t.ok(await until(serves(cluster)));
  const load = new Load(cluster);
  t.ok(await load.underWay());
  await cluster.server.stop('SIGKILL');
  const begun = Date.now();
  const { status } = must(await createUnder(cluster, randomUUID()), 'an answer');
  t.equal(status, 503);
  t.ok(Date.now() - begun < 30_000, 'within bounds');
  await cluster.server.start();
  t.ok(await until(serves(cluster)), 'it comes back by itself');
  await load.stop();
  await nothingIsLost(t, cluster, load);
});

test('a worker that leaves gives its units away, and one that comes gets some', async (t) => {
  const cluster = await testCluster(t, { workers: 2 });
  t.ok(await until(serves(cluster)));
  const load = new Load(cluster);
  t.ok(await load.underWay());
  await must(cluster.workers[0], 'a worker').end('SIGTERM');
  t.ok(await until(serves(cluster)));
  const newcomer = await cluster.addWorker('worker-3');
  await pause(3_000);
  await must(cluster.workers[1], 'the other').end('SIGTERM');
  t.ok(await until(serves(cluster)), 'all is with the one that came');
  t.ok(newcomer.pid > 0);
  await load.stop();
  await nothingIsLost(t, cluster, load);
});
