import { test } from 'tap';
import type { ShardsReport } from '../../actors/index.js';
import { tenor } from '../bench/tenor.js';
import { lossyWire, natsServer } from '../nats.js';
import { pause, until } from './load.js';
import { testCluster } from './test-cluster.js';

/** Long enough for three failed attempts to open a unit, in milliseconds. */
const AWAY_MS = 18_000;

test('a worker whose server goes away while it opens its units opens them once it is back, however often it has tried', {
  timeout: 580_000,
}, async (t) => {
  const nats = await natsServer(t);
  const wire = await lossyWire(t, nats.port);
  const records = await nats.records('tenor-members');
  const starting = testCluster(t, {
    workers: 1,
    gateways: 0,
    nats: nats.url,
    launches: { 'worker-1': { command: [], environment: { TENOR_NATS: wire.url } } },
  });
  t.ok(await until(async () => (await records.list('leases')).length > 0), 'it has taken units');
  wire.cut();
  await pause(AWAY_MS);
  wire.mend();
  await starting;
  t.ok(
    await until(async () => {
      const { out } = await tenor({}, 'shards', '--nats', nats.url, '--json');
      return out !== '' && (JSON.parse(out) as ShardsReport).units.every(({ state }) => state === 'serving');
    }),
    'all are served',
  );
});
