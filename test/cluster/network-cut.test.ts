import { test } from 'tap';
import type { Member } from '../../bench/index.js';
import { natsServer } from '../nats.js';
import { host, machineAddress, whyNoHosts } from '../network-namespace.js';
import { Load, pause, serves, until } from './load.js';
import { testCluster } from './test-cluster.js';

/** Longer than the lease of a worker, in milliseconds. */
const CUT_MS = 4_000;
/** Longest time until a gateway that is cut off refuses, and recovers, in milliseconds. */
const REFUSED_MS = 45_000;

const skip = whyNoHosts() ?? false;

test('hosts whose network is cut: a worker past its lease is fenced, a gateway refuses in time, and nothing is lost', {
  skip,
  timeout: 580_000,
}, async (t) => {
  const [workersHost, gatewaysHost] = [host(t), host(t)];
  const [workersWire, gatewaysWire, publicLink] = [workersHost.link(), gatewaysHost.link(), gatewaysHost.link()];
  const { url: nats } = await natsServer(t, { host: machineAddress(t) });
  const cluster = await testCluster(t, {
    workers: 2,
    gateways: 2,
    nats,
    launches: {
      'worker-1': { command: workersHost.command, environment: {} },
      'gateway-2': { command: gatewaysHost.command, environment: { TENOR_HOST: publicLink.address } },
    },
  });
  const [cutOff] = cluster.workers as readonly [Member];
  t.ok(await until(serves(cluster, 0)));
  t.ok(await until(serves(cluster, 1)));

  const load = await Load.underWay(t, cluster);
  workersWire.cut();
  gatewaysWire.cut();
  await pause(CUT_MS);
  t.ok(await until(serves(cluster)), 'the other worker has taken over');
  const begun = performance.now();
  const refused = await cluster.ask('GET', '/people?limit=1', undefined, 1);
  t.match(refused, { status: 503 });
  t.ok(Number(refused.retryAfterSeconds) > 0 && performance.now() - begun < REFUSED_MS, 'in time, with a time after which to try again');
  t.ok(await load.goesOn(), 'while the other gateway serves');
  workersWire.mend();
  gatewaysWire.mend();
  await cutOff.ended;
  t.ok(await until(serves(cluster, 1)), 'the gateway comes back by itself');
  await load.nothingIsLost(t, 1);
});
