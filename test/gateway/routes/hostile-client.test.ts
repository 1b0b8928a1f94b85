import { test } from 'tap';
import { ATTACK_KINDS, type AttackKind, HostileClient } from '../../../bench/measure/load/hostile-client.js';
import { OddRequests } from '../../../bench/measure/load/odd-requests.js';
import { Random } from '../../../bench/measure/import-rate.js';
import { openApiDocument, RESOURCE_ROUTES } from '../../../gateway/index.js';
import { ask, type HttpAnswer } from '../harness.js';
import { idOf, listOf, openHttpLender } from './http-lender.js';
import { NAME } from '../../people.js';
import { SEED } from '../../seed.js';

const ROUNDS = 60;
/** Rounds until each operation was requested at the latest: what that takes depends on the machine. */
const MOST_ROUNDS = 20_000;

/** Statuses that show that an attack did its work, and was not refused for a path or object that does not exist. */
const REACHED: Readonly<Record<AttackKind, readonly string[]>> = {
  'odd request': ['200', '400'],
  'heavy read': ['200'],
  conversion: ['200', '422', '503'],
  template: ['200', '422'],
  upload: ['200'],
  'large body': ['400', '413'],
};

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
  for (let round = 0; round < ROUNDS || (!hostile.hasRequestedAll && round < MOST_ROUNDS); round++) {
    const made = await other('POST', '/people', { externalId: `p-${round}`, name: NAME });
    if (made.status >= 300) bad.push(`${made.status} ${made.text.slice(0, 200)}`);
    else written.push(idOf(made));
    const read = await other('GET', `/people/ext-p-${round}`);
    if (read.status !== 200 || idOf(read) !== written.at(-1)) bad.push(`a write is not read: ${read.status} ${read.text.slice(0, 200)}`);
  }
  hostile.stop();
  const { sent, byKind, operations, requested, missed, failures } = await attacking;
  t.comment(`${sent} hostile requests beside ${written.length} writes: ${JSON.stringify(byKind)}`);
  t.strictSame(bad, []);
  t.strictSame(
    listOf(await other('GET', '/people?limit=100')).map(({ id }) => id),
    [...written].reverse().slice(0, 100),
    'in the order in which they were written',
  );
  t.strictSame([failures, lender.failures, lender.h.reports], [[], [], []], 'nothing says that the service has failed');
  t.ok(operations > RESOURCE_ROUTES.length, `${operations} operations`);
  t.equal(requested, operations, 'each operation was requested');
  t.strictSame(missed, [], 'its own objects exist');
  for (const kind of ATTACK_KINDS) {
    const statuses = byKind[kind];
    t.ok(
      REACHED[kind].some((status) => statuses[status] !== undefined),
      `${kind}: ${JSON.stringify(statuses)}`,
    );
    if (kind !== 'odd request') t.equal(statuses['404'], undefined, `each ${kind} has found its target`);
  }
});

test('a hostile client that cannot prepare its attacks says which request was refused', async (t) => {
  const lender = await openHttpLender(t, 'oneProcess');
  const hostile = new HostileClient({ port: lender.port, key: 'test_nobody', parallel: 1, slow: 0, seed: SEED });
  await t.rejects(hostile.prepare(), { message: /POST \/people is answered 401/ });
});

test('odd requests take each operation of a document in turn, and spare the objects of later requests', (t) => {
  const own = new Map([
    ['personId', 'BO-OWN'],
    ['contactId', 'CT-OWN'],
  ]);
  const odd = new OddRequests(openApiDocument(RESOURCE_ROUTES), own, new Random(SEED));
  t.equal(odd.operations, RESOURCE_ROUTES.length);
  const patterns = RESOURCE_ROUTES.map(({ method, path }) => ({
    method,
    path: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
    route: path,
  }));
  const reached = new Set<string>();
  for (let count = 0; count < odd.operations; count++) {
    const { method, path } = odd.next();
    const [plain = ''] = path.split('?');
    for (const one of patterns) if (one.method === method && one.path.test(plain)) reached.add(`${method} ${one.route}`);
    if (method === 'DELETE') t.notMatch(plain, /(BO|CT)-OWN$/);
  }
  t.strictSame(
    RESOURCE_ROUTES.map(({ method, path }) => `${method} ${path}`).filter((route) => !reached.has(route)),
    [],
  );
  t.equal(odd.requested, odd.operations);
  t.end();
});
