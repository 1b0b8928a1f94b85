import { test } from 'tap';
import type { ShardsReport } from '../../actors/index.js';
import { tenor } from '../bench/tenor.js';
import { tenorHere } from '../bench/tenor-here.js';
import { until } from './load.js';
import { testCluster } from './test-cluster.js';

test('an operator sees who owns which shard, through a gateway and without one', async (t) => {
  const cluster = await testCluster(t);
  const { code, out } = await tenorHere({ TENOR_URL: cluster.gateways[0]?.url ?? '' }, 'shards', '--json');
  const { units, processes } = JSON.parse(out) as ShardsReport;
  t.equal(code, 0);
  t.equal(units.length, 17);
  t.ok(units.every(({ state }) => state === 'serving' || state === 'recovering'));
  t.strictSame(processes.map(({ name }) => name).sort(), ['worker-1', 'worker-2']);
  t.match(await tenor({}, 'shards', '--nats', cluster.nats), { code: 0, out: /u00 +0-3 +worker-[12] +\d+ +(serving|recovering)/ });
  t.match(await tenor({}, 'shards', '--nats', cluster.nats, '--cluster', 'another'), { code: 1 });

  await Promise.all(cluster.workers.map((worker) => worker.end('SIGKILL')));
  t.match(await tenor({}, 'shards', '--nats', cluster.nats), { code: 1, out: /u00 is silent: its worker does not answer/ });

  await cluster.server.stop('SIGKILL');
  const url = cluster.gateways[0]?.url ?? '';
  t.ok(await until(async () => (await fetch(`${url}/health/ready`)).status === 503), 'the gateway has seen that its bus is away');
  t.match(await (await fetch(`${url}/health/ready`)).json(), { status: 'notReady', parts: { nats: 'away' } });
  t.match(await tenorHere({ TENOR_URL: url }, 'shards'), { code: 1, error: /answered 503: The shards cannot be told at the moment/ });
});
