import { test } from 'tap';
import { gatewayFor, scriptedEngine } from './harness.js';
import { THING_ROUTES } from './routes.js';

test('replies name the version of the interface, and a request for another version is refused', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  const answer = await ask('/api/things/1', { headers: { 'X-API-Version': '2023-11-29' } });
  t.equal(answer.status, 200);
  t.equal(answer.headers['x-api-version'], '2023-11-29');
  const other = await ask('/api/things/1', { headers: { 'X-API-Version': '2022-05-03' } });
  t.equal(other.status, 400);
  t.match(other.json['errors'], [{ path: 'X-API-Version', expected: '2023-11-29' }]);
});

test('a valid request id is returned, and an invalid one is replaced', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  t.equal((await ask('/api/things/1', { headers: { 'X-Request-Id': 'my-id' } })).headers['x-request-id'], 'my-id');
  for (const id of ['two words', 'x'.repeat(129)]) {
    t.match((await ask('/api/things/1', { headers: { 'X-Request-Id': id } })).headers['x-request-id'], /^[0-9a-f-]{36}$/);
  }
  const refused = await ask('/api/none', { headers: { 'X-Request-Id': 'my-id' } });
  t.equal(refused.json['requestId'], 'my-id');
  t.equal(refused.headers['x-request-id'], 'my-id');
});

test('replies are JSON that must not be cached', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  const { headers } = await ask('/api/things/1');
  t.equal(headers['content-type'], 'application/json; charset=utf-8');
  t.equal(headers['cache-control'], 'no-store');
  t.equal(headers['x-content-type-options'], 'nosniff');
});

test('the id of an operation stands beside the object', async (t) => {
  const engine = scriptedEngine({
    execute: () => ({ data: { id: 'XX-AAAA-1111' }, operationId: 'a'.repeat(32), replayed: false, status: 202, message: 'Running' }),
  });
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const answer = await ask('/api/things?sync=true', { method: 'POST', body: {} });
  t.equal(answer.status, 202);
  t.strictSame(answer.json, { status: 202, message: 'Running', data: { id: 'XX-AAAA-1111', operationId: 'a'.repeat(32) } });
});
