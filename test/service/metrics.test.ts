import { test } from 'tap';
import { METRICS } from '../../gateway/index.js';
import { testCluster } from '../cluster/test-cluster.js';
import { redisServer } from '../redis.js';
import { tempFolder } from '../temp-folder.js';
import { Service } from './service.js';

test('processes publish exactly the metrics of the table', async (t) => {
  const service = await Service.start(tempFolder(t));
  t.teardown(() => service.stop());
  const { url: redis } = await redisServer(t);
  const cluster = await testCluster(t, { workers: 1, environment: { TENOR_REDIS: redis } });
  const published = new Set<string>();
  for (const url of [service.url, cluster.gateways[0]?.url, cluster.workers[0]?.url]) {
    if (url === undefined || url === null) continue;
    for (const name of namesOf(await (await fetch(`${url}/metrics`)).text())) published.add(name);
  }
  const own = [...published].filter((name) => name.startsWith('tenor_'));
  t.strictSame(own.sort(), Object.keys(METRICS).sort());
});

const namesOf = (text: string): readonly string[] => [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
