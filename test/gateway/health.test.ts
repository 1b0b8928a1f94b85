import { Registry } from 'prom-client';
import { test } from 'tap';
import { gate, gatewayFor, scriptedEngine } from './harness.js';
import { THING_ROUTES } from './routes.js';

test('the process is live while it runs and ready while its parts are', async (t) => {
  let ready = true;
  const { ask } = await gatewayFor(t, { readiness: () => ({ ready, parts: { journal: ready ? 'writable' : 'full' } }) });
  t.strictSame((await ask('/health/live', { key: false })).json, { status: 'live' });
  t.match(await ask('/health/ready', { key: false }), { status: 200, json: { status: 'ready', parts: { journal: 'writable' } } });
  ready = false;
  t.match(await ask('/health/ready', { key: false }), { status: 503, json: { status: 'notReady', parts: { journal: 'full' } } });
  t.equal((await ask('/health/live', { key: false })).status, 200);
});

test('requests are counted by operation and status, and never by what callers send', async (t) => {
  const registry = new Registry();
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, registry });
  await ask('/api/things/1');
  await ask('/api/things/2');
  await ask('/api/things/secret-name');
  await ask('/api/nowhere-special');
  const { text, headers } = await ask('/metrics', { key: false });
  t.match(headers['content-type'], /^text\/plain/);
  t.match(text, /tenor_http_requests_total\{operation="getThing",status="200"\} 2\n/);
  t.match(text, /tenor_http_requests_total\{operation="getThing",status="400"\} 1\n/);
  t.match(text, /tenor_http_requests_total\{operation="none",status="404"\} 1\n/);
  t.match(text, /tenor_http_request_seconds_count\{operation="getThing"\} 3\n/);
  t.match(text, /tenor_http_requests_in_flight 1\n/, 'this one');
  t.notMatch(text, /secret|special/);
  await ask('/api/things/3');
  const later = await ask('/metrics', { key: false });
  t.match(later.text, /tenor_http_requests_total\{operation="getThing",status="200"\} 3\n/, 'a read of the metrics does not change them');
  t.match(later.text, /tenor_http_request_seconds_count\{operation="getThing"\} 4\n/);
});

test('only operators read metrics and shards, and refusals are counted by reason', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, operators: ['10.1.0.0/16'], trustedProxies: ['127.0.0.1'] });
  const from = (address: string): object => ({ key: false, headers: { 'X-Forwarded-For': address } });
  await ask('/api/things/1', { key: false });
  t.equal((await ask('/metrics', from('10.2.0.1'))).status, 404);
  t.equal((await ask('/health/shards', from('10.2.0.1'))).status, 404);
  t.equal((await ask('/health/live', from('10.2.0.1'))).status, 200);
  t.match((await ask('/metrics', from('10.1.2.3'))).text, /tenor_http_refusals_total\{reason="unauthenticated"\} 1\n/);
  t.match((await ask('/health/shards', from('10.1.2.3'))).json, { units: [], processes: [] });
});

test('a shutdown finishes running requests and accepts no new ones, and a second call returns the same shutdown', async (t) => {
  const started = gate();
  const finished = gate();
  const engine = scriptedEngine({
    execute: async () => {
      started.open();
      await finished.opened;
      return { data: { id: 'XX-AAAA-1111' }, replayed: false };
    },
  });
  const { ask, gateway } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const running = ask('/api/things', { method: 'POST', body: {} });
  await started.opened;
  const closed = Promise.all([gateway.close(), gateway.close()]);
  await t.rejects(ask('/api/things/1'), 'no new connection');
  finished.open();
  t.equal((await running).status, 201);
  await closed;
  await gateway.close();
});
