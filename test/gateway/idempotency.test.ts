import { test } from 'tap';
import { JsonText, Refusal } from '../../actors/index.js';
import { gatewayFor, type HttpQuestion, keyRecord, scriptedEngine, TEST_KEY } from './harness.js';
import { THING_ROUTES } from './routes.js';

const post = (body: object, key?: string): { readonly path: string; readonly question: HttpQuestion } => ({
  path: '/api/things',
  question: { method: 'POST', body, headers: key === undefined ? {} : { 'Idempotency-Key': key } },
});

test('retries of a request are one command, and different requests are different commands', async (t) => {
  const engine = scriptedEngine({});
  const other = 'test_other_0123456789ab';
  const { ask } = await gatewayFor(t, {
    routes: THING_ROUTES,
    engine,
    keys: [keyRecord(TEST_KEY), keyRecord(other, { company: 'CP-OTHR-CMP1' })],
  });
  const tries = [
    post({ name: 'a', amount: 1 }, 'k'),
    post({ amount: 1.0, name: 'a' }, 'k'),
    post({ name: 'b' }, 'k'),
    post({ name: 'a' }, 'k2'),
    post({ name: 'a' }),
    post({ name: 'a' }),
  ];
  for (const { path, question } of tries) await ask(path, question);
  await ask('/api/things', { ...post({ name: 'a', amount: 1 }, 'k').question, key: other });
  await ask('/api/things/1', { method: 'DELETE', headers: { 'Idempotency-Key': 'k' } });
  const [first, again, otherBody, otherKey, none, noneAgain, otherCompany, otherPath] = engine.commands;
  t.match(first?.commandId, /^[0-9a-f]{64}$/);
  t.equal(again?.commandId, first?.commandId, 'spacing and order do not count');
  t.strictSame(again?.idempotency, first?.idempotency);
  t.equal(otherBody?.commandId, first?.commandId);
  t.not(otherBody?.idempotency?.digest, first?.idempotency?.digest, 'the engine sees that the body differs');
  for (const command of [otherKey, none, noneAgain, otherCompany, otherPath]) t.not(command?.commandId, first?.commandId);
  t.not(none?.commandId, noneAgain?.commandId);
  t.equal(none?.idempotency, undefined);
});

test('a stored reply is sent again as it was, and says so', async (t) => {
  const engine = scriptedEngine({
    execute: () => ({
      data: new JsonText('{"id":"XX-AAAA-1111","amount":12.50}'),
      status: 201,
      operationId: 'f'.repeat(32),
      replayed: true,
    }),
  });
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const { path, question } = post({}, 'k');
  const answer = await ask(path, question);
  t.equal(answer.headers['idempotent-replayed'], 'true');
  t.equal(answer.text, `{"status":201,"message":"Created","data":{"id":"XX-AAAA-1111","amount":12.50,"operationId":"${'f'.repeat(32)}"}}`);
});

test('a stored reply that names its operation is sent again with one name, wherever it stands', async (t) => {
  const operationId = 'f'.repeat(32);
  const texts = [`{"operationId":"${operationId}"}`, `{"amount":12.50,"operationId":"${operationId}","items":[1]}`];
  for (const text of texts) {
    const engine = scriptedEngine({ execute: () => ({ data: new JsonText(text), status: 202, operationId, replayed: true }) });
    const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
    const { path, question } = post({}, 'k');
    t.equal((await ask(path, question)).text, `{"status":202,"message":"Accepted","data":${text}}`);
  }
  const nested = `{"items":[{"operationId":"${'a'.repeat(32)}"}]}`;
  const engine = scriptedEngine({ execute: () => ({ data: new JsonText(nested), operationId, replayed: true }) });
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const { path, question } = post({}, 'k');
  t.match((await ask(path, question)).json, { data: { items: [{ operationId: 'a'.repeat(32) }], operationId } });
});

test('a malformed key is a fault; reads ignore it', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  for (const key of ['x'.repeat(129), 'caf\u00e9s', '', ' ', '\u00e9']) {
    const { path, question } = post({}, key);
    const answer = await ask(path, question);
    t.equal(answer.status, 400, `the key "${key}"`);
    t.match(answer.json['errors'], [{ path: 'Idempotency-Key' }]);
  }
  t.equal((await ask('/api/things/1', { headers: { 'Idempotency-Key': 'x'.repeat(129) } })).status, 200);
});

test('a conflict of an idempotency key that the engine finds is answered 409', async (t) => {
  const engine = scriptedEngine({
    execute: () => {
      throw new Refusal('idempotencyConflict', 'This Idempotency-Key was already used with another body. Use a new key.');
    },
  });
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const { path, question } = post({}, 'k');
  t.match(await ask(path, question), { status: 409, json: { errorType: 'idempotencyConflict' } });
});
