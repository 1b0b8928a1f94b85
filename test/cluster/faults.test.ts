import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { test, type Test } from 'tap';
import type { Member } from '../../bench/index.js';
import { isRefusedInTime, Load, pause, serves, unitsOf, until } from './load.js';
import { testCluster } from './test-cluster.js';

/* One cluster from fault to fault, in the order in which its processes come and go. */

const JOURNAL = 'tenor-journal';

test('a cluster under load whose parts are stopped, killed and taken away', { timeout: 580_000 }, async (t) => {
  const cluster = await testCluster(t, { workers: 2, gateways: 2 });
  const [one, two] = cluster.workers as readonly [Member, Member];
  t.ok(await until(serves(cluster)));
  let heir: Member | null = null;
  const step = (name: string, run: (t: Test) => Promise<void>): Promise<unknown> => t.test(name, run);

  await step('a worker that is stopped past its lease and goes on: what it wrote meanwhile counts nowhere, and it ends', async (t) => {
    const load = await Load.underWay(t, cluster);
    one.signal('SIGSTOP');
    await pause(1_000);
    t.ok(await until(serves(cluster)), 'the other has taken over');
    one.signal('SIGCONT');
    await one.ended;
    t.ok(await load.goesOn());
    await load.nothingIsLost(t);
  });

  await step('a worker that comes gets some units, and one that leaves gives its own away', async (t) => {
    const load = await Load.underWay(t, cluster);
    heir = await cluster.addWorker('worker-3');
    t.ok(await until(async () => (await unitsOf(cluster, 'worker-3')) > 0), 'some units');
    await two.end('SIGTERM');
    t.ok(await until(serves(cluster)), 'all is with the one that came');
    t.ok(await load.goesOn());
    await load.nothingIsLost(t);
  });

  await step('kill -9 of a worker: the other takes its units over, and nothing acknowledged is lost or applied twice', async (t) => {
    await cluster.addWorker('worker-4');
    t.ok(await until(async () => (await unitsOf(cluster, 'worker-4')) > 0), 'some units');
    const load = await Load.underWay(t, cluster);
    await heir?.end('SIGKILL');
    await pause(1_000);
    t.ok(await until(serves(cluster)), 'all units are served again');
    t.ok(await load.goesOn());
    await load.nothingIsLost(t);
  });

  await step('kill -9 of the server: requests are refused within bounds, and go on when it is back', async (t) => {
    const load = await Load.underWay(t, cluster);
    await cluster.server.stop('SIGKILL');
    await isRefusedInTime(t, cluster, load);
    await cluster.server.start();
    t.ok(await until(serves(cluster)), 'it comes back by itself');
    t.ok(await load.goesOn());
    await load.nothingIsLost(t);
  });

  await step(
    'a stream without room: writes are refused before anything is stored, reads go on, and it goes on by itself once there is room',
    async (t) => {
      const connection = await connect({ servers: cluster.nats });
      const { streams } = await jetstreamManager(connection);
      const load = await Load.underWay(t, cluster);
      await streams.update(JOURNAL, { max_bytes: (await streams.info(JOURNAL)).state.bytes + 20_000 });
      t.ok(await load.isRefused(), 'writes are refused');
      await isRefusedInTime(t, cluster, load);
      t.ok(await until(serves(cluster)), 'reads go on as soon as what could not be stored is dropped');
      await isRefusedInTime(t, cluster, load);
      t.ok(await until(serves(cluster)), 'whatever is refused');
      await streams.update(JOURNAL, { max_bytes: -1 });
      await connection.close();
      t.ok(await load.goesOn());
      await load.nothingIsLost(t);
    },
  );

  await step('a gateway that stands still and goes on: others do not notice, and it answers the same', async (t) => {
    const [still] = cluster.gateways;
    still?.signal('SIGSTOP');
    const load = await Load.underWay(t, cluster, 1);
    await load.stop();
    still?.signal('SIGCONT');
    await load.nothingIsLost(t, 0);
  });

  await step('kill -9 of a gateway: clients of another one get the same answers', async (t) => {
    const load = await Load.underWay(t, cluster);
    const stopping = load.stop();
    await cluster.gateways[0]?.end('SIGKILL');
    await stopping;
    await load.nothingIsLost(t, 1);
  });
});
