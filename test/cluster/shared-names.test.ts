import { test } from 'tap';
import { RUNTIME_LIMITS } from '../../actors/index.js';
import { testCluster } from './test-cluster.js';

test('an external id that two gateways give at once is given once', async (t) => {
  const { ask } = await testCluster(t, { workers: 2, gateways: 2 });
  const create = (gateway: number, externalId: string): Promise<{ readonly status: number }> =>
    ask('POST', '/people', { externalId, name: { firstName: 'Ada', lastName: 'Verde' } }, gateway);
  t.equal((await create(0, 'warm')).status, 200, `the first waits up to ${RUNTIME_LIMITS.claimMs} ms for claims of before the start to end`);
  for (let round = 0; round < 12; round += 1) {
    const statuses = await Promise.all([create(0, `b-${round}`), create(1, `b-${round}`)]);
    t.same(statuses.map(({ status }) => status).sort(), [200, 409], `round ${round}`);
    t.equal((await create(round % 2, `b-${round}`)).status, 409, 'it stays taken');
    t.equal((await ask('GET', `/people/ext-b-${round}`, undefined, round % 2)).status, 200);
  }
  t.equal(((await ask('GET', '/people?limit=100')).json as { readonly total: number }).total, 13);
});
