import { test, type Test } from 'tap';
import { must } from '../../../engine/index.js';
import { ANN } from '../../actors/borrower/lender.js';
import { ask as askAt, type HttpAnswer } from '../harness.js';
import { dataOf, type HttpLender, idOf, listOf, openHttpLender, servePortfolio } from './http-lender.js';

type Asked = (method: string, path: string, body?: object, key?: string) => Promise<HttpAnswer>;

/** Asks in the test mode, under an idempotency key where one is named. */
const asks =
  ({ keys }: HttpLender, port: () => number, key: 'test' | 'live' = 'test'): Asked =>
  (method, path, body, idempotencyKey) =>
    askAt(port(), `/api${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
      key: keys[key],
      headers: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
    });

const eventIds = async (ask: Asked, query = ''): Promise<unknown[]> =>
  listOf(await ask('GET', `/events?limit=100${query}`)).map((event) => event['id']);

interface Ran {
  readonly lastEvent: string;
  readonly person: string;
  readonly operation: string;
  readonly clock: string;
}

/** A suite of tests that sends the same requests under the same keys each time; returns the last event that it read. */
async function suite(t: Test, ask: Asked): Promise<Ran> {
  const made = await ask('POST', '/test-clocks', { startDate: '2026-03-02' }, 'clock');
  t.match(made, { status: 201, json: { data: { status: 'ready' } } });
  t.equal(made.headers['idempotent-replayed'], undefined);
  const person = await ask('POST', '/people', ANN, 'person');
  t.equal(person.status, 200);
  t.equal(person.headers['idempotent-replayed'], undefined);
  const operations = listOf(await ask('GET', '/operations'));
  const operation = String(operations.find(({ resultObjectId }) => resultObjectId === idOf(person))?.['operationId']);
  t.match(await ask('GET', `/operations/${operation}`), { status: 200 });
  const [lastEvent] = await eventIds(ask);
  return { lastEvent: String(must(lastEvent, 'an event')), person: idOf(person), operation, clock: `/test-clocks/${idOf(made)}` };
}

/** What is left of a suite once its test mode is emptied. */
async function isGone(t: Test, ask: Asked, { lastEvent, person, operation }: Ran): Promise<void> {
  t.match(await ask('GET', `/people/${person}`), { status: 404 });
  t.match(await ask('GET', `/operations/${operation}`), { status: 404 });
  t.same(await eventIds(ask), []);
  t.same(await eventIds(ask, `&order=asc&startingAfter=${lastEvent}`), [], 'a cursor from before is valid');
  t.same(await eventIds(ask, '&createdAtAfter=2020-01-01T00:00:00Z'), []);
  t.match(await ask('GET', `/events/${lastEvent}`), { status: 404 });
}

test('an emptied test mode has no events, operations and stored replies; a suite of tests can run again', async (t) => {
  const lender = await openHttpLender(t);
  const ask = asks(lender, () => lender.port);
  const live = asks(lender, () => lender.port, 'live');
  const lived = await live('POST', '/people', ANN, 'person');
  const before = await eventIds(live);

  const first = await suite(t, ask);
  const emptied = await ask('DELETE', first.clock, undefined, 'empty');
  t.equal(emptied.status, 200);
  await isGone(t, ask, first);
  t.same(listOf(await ask('GET', '/operations')), []);
  const again = await ask('DELETE', first.clock, undefined, 'empty');
  t.same([again.status, again.text, again.headers['idempotent-replayed']], [200, emptied.text, 'true']);

  const second = await suite(t, ask);
  t.not(second.person, first.person);
  const retried = await ask('POST', '/people', ANN, 'person');
  t.match([retried.headers['idempotent-replayed'], idOf(retried)], ['true', second.person]);
  const news = await eventIds(ask);
  t.same(await eventIds(ask, `&order=asc&startingAfter=${first.lastEvent}`), news.toReversed(), 'a reader goes on behind its last event');

  t.same(await eventIds(live), before, 'nothing of the live mode is touched');
  const livedAgain = await live('POST', '/people', ANN, 'person');
  t.match([livedAgain.headers['idempotent-replayed'], livedAgain.text], ['true', lived.text]);
});

test('the configuration stays, and so do the replies to its writes', async (t) => {
  const lender = await openHttpLender(t);
  const ask = asks(lender, () => lender.port);
  const role = { alias: 'collector', permissions: ['note:read'] };
  const made = await ask('POST', '/roles', role, 'role');
  await ask('DELETE', (await suite(t, ask)).clock);
  const again = await ask('POST', '/roles', role, 'role');
  t.match([again.headers['idempotent-replayed'], again.text], ['true', made.text]);
  t.match(await ask('GET', `/roles/${idOf(again)}`), { status: 200 });
});

test('it stays so after a start from snapshots and from the journal', async (t) => {
  const lender = await openHttpLender(t, 'oneProcess');
  let { port } = lender;
  const { h } = lender;
  const ask = asks(lender, () => port);
  const restart = async (): Promise<void> => {
    await h.restart();
    ({ port } = (await servePortfolio(t, h)).gateway);
  };
  const first = await suite(t, ask);
  await h.engine.snapshot(); // so that its events and replies are on the disk
  await ask('DELETE', first.clock);
  await restart();
  await isGone(t, ask, first);
  await h.engine.snapshot();
  await restart();
  await isGone(t, ask, first);
  const second = await suite(t, ask);
  await h.close();
  h.forgetSnapshots();
  await restart();
  t.match(dataOf(await ask('GET', `/people/${second.person}`)), { id: second.person });
  t.match(await ask('GET', `/events/${first.lastEvent}`), { status: 404 });
  t.match(await ask('GET', `/events/${second.lastEvent}`), { status: 200 });
  const retried = await ask('POST', '/people', ANN, 'person');
  t.match([retried.headers['idempotent-replayed'], idOf(retried)], ['true', second.person]);
});
