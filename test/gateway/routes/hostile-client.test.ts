import { test } from 'tap';
import { HostileClient } from '../../../bench/measure/load/hostile-client.js';
import { ask, type HttpAnswer } from '../harness.js';
import { idOf, listOf, openHttpLender } from './http-lender.js';
import { NAME } from '../../people.js';
import { SEED } from '../../seed.js';

const ROUNDS = 60;

test('while one client does its worst, all that another asks is done, in its order', async (t) => {
  t.comment(`seed ${SEED}`);
  const lender = await openHttpLender(t, 'oneProcess');
  const other = (method: string, path: string, body?: object): Promise<HttpAnswer> =>
    ask(lender.port, `/api${path}`, { method, key: lender.keys.live, ...(body === undefined ? {} : { body }) });
  const hostile = new HostileClient({ port: lender.port, key: lender.keys.test, parallel: 24, slow: 20, seed: SEED });
  await hostile.prepare();
  const attacking = hostile.run();
  const written: string[] = [];
  const bad: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const made = await other('POST', '/people', { externalId: `p-${round}`, name: NAME });
    if (made.status >= 300) bad.push(`${made.status} ${made.text.slice(0, 200)}`);
    else written.push(idOf(made));
    const read = await other('GET', `/people/ext-p-${round}`);
    if (read.status !== 200 || idOf(read) !== written.at(-1)) bad.push(`a write is not read: ${read.status} ${read.text.slice(0, 200)}`);
  }
  hostile.stop();
  const { sent, statuses, failures } = await attacking;
  t.comment(`${sent} hostile requests: ${JSON.stringify(statuses)}`);
  t.strictSame(bad, []);
  t.strictSame(
    listOf(await other('GET', '/people?limit=100')).map(({ id }) => id),
    [...written].reverse(),
    'in the order in which they were written',
  );
  t.strictSame([failures, lender.failures, lender.h.reports], [[], [], []], 'nothing says that the service has failed');
  t.ok(sent > ROUNDS, `${sent} hostile requests`);
});
