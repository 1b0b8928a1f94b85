import { type Test, test } from 'tap';
import { UNITS } from '../../actors/index.js';
import { unlessBroken } from '../service/patience.js';
import { isRefusedInTime, Load, pause, serves, unitsOf, until } from './load.js';
import { testCluster, type TestCluster } from './test-cluster.js';

/** As long as an upgrade of the server takes, or the move of a virtual machine. */
const OUTAGE_MS = 12_000;
/** A silent server counts as away after this time. */
const NOTICED_MS = 7_000;
/** Longer than the time after which the others count a silent worker as dead, and the grace after an outage. */
const SETTLED_MS = 10_000;

/**
 * A command of the shared unit is carried out within this time after the server is back; in 5 seconds on a machine without other work.
 * A consumer of JetStream that waits for its own defaults takes longer: heartbeats of 15 seconds, requests that expire after 30.
 */
const SHARED_MS = 15_000;
/** Between two tries of such a command, in milliseconds. A try that came too early may wait until it is refused. */
const AGAIN_MS = 250;

/** The time until a command of the shared unit is carried out, in milliseconds. */
async function sharedCommandMs({ ask }: TestCluster, company: string, name: string): Promise<number> {
  const begun = performance.now();
  const tries: Promise<number | null>[] = [];
  const done: number[] = [];
  while (done.length === 0 && performance.now() - begun < 2 * SHARED_MS) {
    const body = { name: `${name} ${tries.length}` };
    const tried = ask('POST', `/companies/${company}/loan-labels`, body)
      .catch(unlessBroken)
      .then((answer) => {
        if (answer !== null && answer.status < 300) done.push(performance.now() - begun);
        return answer?.status ?? null;
      });
    tries.push(tried);
    await pause(AGAIN_MS);
  }
  await Promise.all(tries);
  return Math.min(...done);
}

/** How the server goes away, and comes back. */
const OUTAGES: readonly {
  readonly name: string;
  leave(cluster: TestCluster): Promise<void> | void;
  back(cluster: TestCluster): Promise<void> | void;
}[] = [
  { name: 'killed and started again', leave: ({ server }) => server.stop('SIGKILL'), back: ({ server }) => server.start() },
  {
    name: 'paused, with its connections open',
    leave: ({ server }) => void process.kill(server.pid, 'SIGSTOP'),
    back: ({ server }) => void process.kill(server.pid, 'SIGCONT'),
  },
];

test('an outage of the server of twelve seconds ends no worker and loses nothing, and commands are refused in time', {
  timeout: 400_000,
}, async (t) => {
  const cluster = await testCluster(t, { workers: 2, gateways: 1 });
  const ended = new Set<string>();
  for (const { name, ended: end } of cluster.workers) void end.then(() => ended.add(name));
  t.ok(await until(serves(cluster)));
  const [company] = (await cluster.insist('GET', '/companies')).json['data'] as readonly { readonly id: string }[];
  const placed = async (): Promise<readonly number[]> => Promise.all(cluster.workers.map(({ name }) => unitsOf(cluster, name)));
  t.ok(await until(async () => (await placed()).every((units) => units >= Math.floor(UNITS.length / 2))), 'the units are shared');
  for (const each of OUTAGES) await t.test(`a server ${each.name}`, (step) => outage(step, each));

  async function outage(step: Test, { name, leave, back }: (typeof OUTAGES)[number]): Promise<void> {
    const before = await placed();
    const load = await Load.underWay(step, cluster);
    const leftMs = performance.now();
    await leave(cluster);
    await pause(NOTICED_MS);
    await isRefusedInTime(step, cluster, load);
    await pause(OUTAGE_MS - (performance.now() - leftMs));
    await back(cluster);
    const sharedMs = await sharedCommandMs(cluster, company?.id ?? '', name);
    step.ok(sharedMs < SHARED_MS, `a shared command after ${Math.round(sharedMs)} ms`);
    step.ok(await until(serves(cluster)), 'it comes back by itself');
    step.comment(`served ${Math.round(performance.now() - leftMs - OUTAGE_MS)} ms after the server was back`);
    await pause(SETTLED_MS);
    step.same([...ended], [], 'each worker lives');
    step.same(await placed(), before, 'and has the units that it had');
    step.ok(await load.goesOn());
    await load.nothingIsLost(step);
  }
});
