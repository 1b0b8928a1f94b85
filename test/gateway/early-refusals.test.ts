import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';
import { apiKeyAuthenticator, defineRoute } from '../../gateway/index.js';
import { LIMITS } from '../../gateway/limits.js';
import { gatewayFor, keyRecord, scriptedEngine, TEST_KEY } from './harness.js';
import { length, send } from './partial-requests.js';
import { THING_ROUTES } from './routes.js';

const MB = 1024 * 1024;

const KEY = `X-API-KEY: ${TEST_KEY}`;
const JSON_TYPE = 'Content-Type: application/json';

test('a body that is not allowed is refused by its head, before it arrives', async (t) => {
  const readOnly = keyRecord('test_0123456789readonly', { permissions: new Set(['thing:read']) });
  const { gateway, ask } = await gatewayFor(t, { routes: THING_ROUTES, keys: [keyRecord(TEST_KEY), readOnly] });
  const statusLine = async (...head: string[]): Promise<string> => (await send(t, gateway.port, head).answered).split('\r\n', 1)[0] ?? '';
  const large = length(8 * MB);
  t.match(await statusLine('POST /api/things HTTP/1.1', JSON_TYPE, large), /401/, 'without a credential');
  t.match(await statusLine('POST /api/things HTTP/1.1', JSON_TYPE, large, 'X-API-KEY: test_wrong'), /401/);
  t.match(await statusLine('POST /api/things HTTP/1.1', JSON_TYPE, large, 'X-API-KEY: test_0123456789readonly'), /403/);
  t.match(await statusLine('POST /api/nothing HTTP/1.1', JSON_TYPE, large, KEY), /404/);
  t.match(await statusLine('PATCH /api/things HTTP/1.1', JSON_TYPE, large, KEY), /405/);
  t.match(await statusLine('POST /api/things HTTP/1.1', 'Content-Type: text/xml', large, KEY), /415/);
  t.match(await statusLine('POST /api/things HTTP/1.1', JSON_TYPE, length(LIMITS.bodyBytes + 1), KEY), /413/);
  t.match(await statusLine('POST /api/things HTTP/1.1', JSON_TYPE, 'Transfer-Encoding: chunked'), /401/, 'of an unknown length');
  t.equal((await ask('/api/things/1')).status, 200);
});

test('a short body that is refused is skipped, and its connection stays open', async (t) => {
  const { gateway } = await gatewayFor(t, { routes: THING_ROUTES });
  const { socket, answered } = send(t, gateway.port, ['POST /api/things HTTP/1.1', JSON_TYPE, length(2)], '{}');
  t.match(await answered, /^HTTP\/1\.1 401 /);
  const second = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString('latin1'))));
  socket.write(`POST /api/things HTTP/1.1\r\nHost: x\r\n${KEY}\r\n${JSON_TYPE}\r\n${length(2)}\r\n\r\n{}`);
  t.match(await second, /^HTTP\/1\.1 201 /);
});

test('the number of bodies that one address sends at once is limited, and other addresses are not affected', async (t) => {
  const engine = scriptedEngine({});
  const { gateway, ask } = await gatewayFor(t, { routes: THING_ROUTES, engine, trustedProxies: ['127.0.0.1'] });
  const head = ['POST /api/things HTTP/1.1', JSON_TYPE, KEY, length(LIMITS.bodyBytes), 'X-Forwarded-For: 203.0.113.7'];
  const most = Math.floor(LIMITS.bodyBytesOfAddress / LIMITS.bodyBytes);
  const waiting = Array.from({ length: most }, () => send(t, gateway.port, head));
  await pause(100);
  t.match(await send(t, gateway.port, head).answered, /^HTTP\/1\.1 503 /);
  t.equal((await ask('/api/things', { method: 'POST', body: {} })).status, 201, 'another address');
  for (const { socket } of waiting) socket.destroy();
  await pause(100);
  const body = Buffer.from(`{"free":"${'x'.repeat(LIMITS.bodyBytes - 11)}"}`);
  t.match(await send(t, gateway.port, head, body).answered, /^HTTP\/1\.1 201 /, 'what was given up counts no more');
});

test('a body that comes too slowly is given up', async (t) => {
  const { gateway } = await gatewayFor(t, { routes: THING_ROUTES, bodyMs: 60 });
  const { socket, answered } = send(t, gateway.port, ['POST /api/things HTTP/1.1', JSON_TYPE, KEY, length(1_000)]);
  const drip = setInterval(() => socket.write(' '), 10);
  t.match(await answered, /^HTTP\/1\.1 400 [^]*arrived too slowly/);
  clearInterval(drip);
});

test('a body waits on its connection during authentication, and arrives unchanged', async (t) => {
  const keys = [keyRecord(TEST_KEY)];
  const known = apiKeyAuthenticator((hash) => keys.find((key) => key.hash === hash));
  const engine = scriptedEngine({});
  const { ask, gateway } = await gatewayFor(t, {
    routes: THING_ROUTES,
    engine,
    authenticator: { authenticate: async (credential) => pause(50).then(() => known.authenticate(credential)) },
  });
  const free = 'ä'.repeat(900_000);
  t.equal((await ask('/api/things', { method: 'POST', body: { free } })).status, 201);
  t.same((engine.commands[0]?.body as { free: string }).free === free, true);
  t.match(await send(t, gateway.port, ['POST /api/things HTTP/1.1', JSON_TYPE, 'X-API-KEY: test_wrong', length(8 * MB)]).answered, /401/);
});

test('without a credential a body is limited to a few bytes, also where no credential is required', async (t) => {
  const open = defineRoute({
    method: 'POST',
    path: '/open',
    operation: 'open',
    summary: 'Open to all',
    tags: ['Things'],
    permission: 'public',
    handle: () => ({ data: {} }),
  });
  const { gateway } = await gatewayFor(t, { routes: [{ ...open, ...{ body: THING_ROUTES[0]?.body } }] });
  const answerTo = (bytes: number): Promise<string> =>
    send(t, gateway.port, ['POST /api/open HTTP/1.1', JSON_TYPE, length(bytes)]).answered;
  t.match(await answerTo(LIMITS.openBodyBytes + 1), /^HTTP\/1\.1 413 /);
});

/** A megabyte whose bytes differ. */
const NAME = Array.from({ length: MB / 8 }, (_, at) => String(at).padStart(8, '-')).join('');

for (const [how, head, chunked] of [
  ['of a known length', (bytes: number) => length(bytes), false],
  ['of an unknown length', () => 'Transfer-Encoding: chunked', true],
] as const) {
  test(`a body ${how} that comes in parts is put together as it was sent`, async (t) => {
    const engine = scriptedEngine({});
    const { gateway } = await gatewayFor(t, { routes: THING_ROUTES, engine });
    const body = Buffer.from(JSON.stringify({ name: NAME }));
    const { socket, answered } = send(t, gateway.port, ['POST /api/things HTTP/1.1', KEY, JSON_TYPE, head(body.length)]);
    for (let at = 0; at < body.length; at += 300_007) {
      const part = body.subarray(at, at + 300_007);
      socket.write(chunked ? Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]) : part);
      await pause(5);
    }
    if (chunked) socket.write('0\r\n\r\n');
    t.match(await answered, /^HTTP\/1\.1 201 /);
    t.ok((engine.commands[0]?.body as { readonly name?: string }).name === NAME, 'each byte in order');
  });
}
