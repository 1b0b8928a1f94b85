import { test } from 'tap';
import type { ShardsReport } from '../../actors/index.js';
import { tenor } from '../bench/tenor.js';
import { tenorHere } from '../bench/tenor-here.js';
import { until } from './load.js';
import { testCluster } from './test-cluster.js';

test('an operator sees who owns which shard, through a gateway and without one', async (t) => {
  const cluster = await testCluster(t);
  const url = cluster.gateways[0]?.url ?? '';
  /** A worker of a busy machine may be silent at the first request. */
  const reported = async (): Promise<ShardsReport | null> => {
    const { code, out } = await tenorHere({ TENOR_URL: url }, 'shards', '--json');
    return code === 0 ? (JSON.parse(out) as ShardsReport) : null;
  };
  t.ok(await until(async () => (await reported())?.processes.length === 2));
  t.ok(await until(async () => (await reported())?.units.every(({ state }) => state === 'serving') === true));
  const report = await reported();
  t.equal(report?.units.length, 17);
  t.strictSame(report?.processes.map(({ name }) => name).sort(), ['worker-1', 'worker-2']);
  t.ok(
    await until(async () => {
      const { code, out } = await tenor({}, 'shards', '--nats', cluster.nats);
      return code === 0 && /u00 +0-3 +worker-[12] +\d+ +serving/.test(out);
    }),
  );
  t.match(await tenor({}, 'shards', '--nats', cluster.nats, '--cluster', 'another'), { code: 1 });

  await Promise.all(cluster.workers.map((worker) => worker.end('SIGKILL')));
  t.match(await tenor({}, 'shards', '--nats', cluster.nats), { code: 1, out: /u00 is silent: its worker does not answer/ });

  await cluster.server.stop('SIGKILL');
  const readiness = async (): Promise<{ readonly parts?: { readonly nats?: string } }> =>
    (await (await fetch(`${url}/health/ready`)).json()) as { readonly parts?: { readonly nats?: string } };
  t.ok(await until(async () => (await readiness()).parts?.nats === 'away'), 'the gateway has seen that its bus is away');
  t.match(await readiness(), { status: 'notReady' });
  t.match(await tenorHere({ TENOR_URL: url }, 'shards'), {
    code: 1,
    error: /answered 503: The state of the shards is not available at the moment/,
  });
});
