import { test } from 'tap';
import { testCluster } from './test-cluster.js';

const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Flo'];
const TAKEOVER_MS = 60_000;

test('whoever takes over the units of a dead worker can read the personal data of their borrowers', async (t) => {
  const { ask, workers } = await testCluster(t, { workers: 2, gateways: 1 });
  for (const firstName of NAMES) {
    const { status } = await ask('POST', '/people', { externalId: firstName, name: { firstName, lastName: 'Verde' } });
    t.equal(status, 200);
  }
  await workers[0]?.end('SIGKILL');
  for (const firstName of NAMES) t.match(await read(firstName), { name: { firstName, lastName: 'Verde' } });

  /** What a unit without an owner refuses for now is asked for again. */
  async function read(externalId: string): Promise<unknown> {
    for (const until = Date.now() + TAKEOVER_MS; ; ) {
      const { status, json } = await ask('GET', `/people/ext-${externalId}`);
      if (status !== 503 || Date.now() > until) return json['data'];
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
});
