import { type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { test } from 'tap';
import type { Answered } from '../../gateway/dispatch.js';
import { LIMITS } from '../../gateway/limits.js';
import { gatewayFor, TEST_KEY } from './harness.js';
import { length, send } from './partial-requests.js';
import { THING_ROUTES } from './routes.js';

const MB = 1024 * 1024;
const KEY = `X-API-KEY: ${TEST_KEY}`;
const JSON_TYPE = 'Content-Type: application/json';

test('bodies of all addresses together are limited, and what ends makes room', async (t) => {
  const { gateway, ask } = await gatewayFor(t, { routes: THING_ROUTES, trustedProxies: ['127.0.0.1'] });
  const head = (address: string): readonly string[] => [
    'POST /api/things HTTP/1.1',
    JSON_TYPE,
    KEY,
    length(LIMITS.bodyBytes),
    `X-Forwarded-For: ${address}`,
  ];
  const most = Math.floor(LIMITS.bodyBytesInFlight / LIMITS.bodyBytes);
  const ofOne = Math.floor(LIMITS.bodyBytesOfAddress / LIMITS.bodyBytes);
  t.ok(ofOne < most, 'it takes several addresses');
  const waiting = Array.from({ length: most }, (_, at) => send(t, gateway.port, head(`203.0.113.${Math.floor(at / ofOne)}`)));
  await Promise.all(waiting.map(({ connected }) => connected));
  await pause(100);
  const body = Buffer.from(`{"free":"${'x'.repeat(LIMITS.bodyBytes - 11)}"}`);
  t.match(
    await send(t, gateway.port, head('203.0.113.200')).answered,
    /^HTTP\/1\.1 503 [^]*retry-after: 1/i,
    'an address that sends nothing else',
  );
  t.equal((await ask('/api/things/1')).status, 200, 'a request without a body is answered');
  waiting[0]?.socket.destroy();
  await pause(100);
  t.match(await send(t, gateway.port, head('203.0.113.200'), body).answered, /^HTTP\/1\.1 201 /);
});

test('the addresses of one network share what may be sent at once', async (t) => {
  const { gateway } = await gatewayFor(t, { routes: THING_ROUTES, trustedProxies: ['127.0.0.1'] });
  const head = (address: string): readonly string[] => [
    'POST /api/things HTTP/1.1',
    JSON_TYPE,
    KEY,
    length(LIMITS.bodyBytes),
    `X-Forwarded-For: ${address}`,
  ];
  const ofOne = Math.floor(LIMITS.bodyBytesOfAddress / LIMITS.bodyBytes);
  const waiting = Array.from({ length: ofOne }, (_, at) => send(t, gateway.port, head(`2001:db8:1:2::${at + 1}`)));
  await Promise.all(waiting.map(({ connected }) => connected));
  await pause(100);
  const body = Buffer.from(`{"free":"${'x'.repeat(LIMITS.bodyBytes - 11)}"}`);
  t.match(await send(t, gateway.port, head('2001:db8:1:2:a::1')).answered, /^HTTP\/1\.1 503 /);
  t.match(await send(t, gateway.port, head('2001:db8:1:3::1'), body).answered, /^HTTP\/1\.1 201 /, 'the next network');
});

test('forty connections that send 8 MB each without a credential do not keep a caller of the same address from sending', async (t) => {
  const { gateway, ask } = await gatewayFor(t, { routes: THING_ROUTES });
  t.ok(40 * 8 * MB > LIMITS.bodyBytesInFlight, 'more than all bodies may take');
  const anonymous = Array.from({ length: 40 }, () => send(t, gateway.port, ['POST /api/things HTTP/1.1', JSON_TYPE, length(8 * MB)]));
  for (const { socket } of anonymous) keepSending(socket, 8 * MB);
  const free = 'x'.repeat(LIMITS.bodyBytes - 100);
  const statuses: number[] = [];
  for (let round = 0; round < 10; round++) {
    statuses.push((await ask('/api/things', { method: 'POST', body: { free } })).status);
    statuses.push((await ask('/api/things/1')).status);
  }
  t.strictSame([...new Set(statuses)].sort(), [200, 201]);
  // Closing a connection that still sends may take the answer with it.
  for (const { answered } of anonymous) t.match(await answered, /^(?:HTTP\/1\.1 401 |$)/);
});

/** Sends a body in parts until all of it is sent, or the other side has closed. */
function keepSending(socket: Socket, bytes: number): void {
  const part = Buffer.alloc(64 * 1024, ' ');
  let left = bytes;
  const more = (): void => {
    while (left > 0 && socket.writable) {
      left -= part.length;
      if (!socket.write(part)) return void socket.once('drain', more);
    }
  };
  more();
}

test('a request that is refused behind its head is reported and counted like others, with its route and its caller', async (t) => {
  const answered: Answered[] = [];
  const registry = new Registry();
  const { gateway, ask } = await gatewayFor(t, {
    routes: THING_ROUTES,
    bodyMs: 60,
    registry,
    onAnswered: (one) => answered.push(one),
  });
  const last = (): Answered | undefined => answered.at(-1);
  const head = ['POST /api/things HTTP/1.1', JSON_TYPE, KEY, 'X-Request-Id: of-the-caller'];
  const known = {
    requestId: 'of-the-caller',
    method: 'POST',
    route: '/things',
    operation: 'createThing',
    caller: { keyId: 'AK-TEST-KEY1' },
  };

  t.match(await send(t, gateway.port, [...head, length(LIMITS.bodyBytes + 1)]).answered, /^HTTP\/1\.1 413 /);
  t.match(last(), { ...known, status: 413 }, 'a declared length that is too large');

  const chunked = send(t, gateway.port, [...head, 'Transfer-Encoding: chunked']);
  chunked.socket.write(`${(LIMITS.bodyBytes + 1).toString(16)}\r\n`);
  chunked.socket.write(Buffer.alloc(LIMITS.bodyBytes + 1, ' '));
  t.match(await chunked.answered, /^HTTP\/1\.1 413 /);
  t.match(last(), { ...known, status: 413 }, 'a length that turns out to be too large');

  t.match(await send(t, gateway.port, [...head, length(1_000)]).answered, /^HTTP\/1\.1 400 /);
  t.match(last(), { ...known, status: 400 }, 'a body that is too slow');
  t.ok((last()?.seconds ?? 0) >= 0.05, 'the time is that since its head');

  const { text } = await ask('/metrics', { key: false });
  t.match(text, /tenor_http_requests_total\{operation="createThing",status="413"\} 2/);
  t.match(text, /tenor_http_requests_total\{operation="createThing",status="400"\} 1/);
});

test('a body above the share of its address, and a request above the number that may be under way, are reported, too', async (t) => {
  const answered: Answered[] = [];
  const onAnswered = (one: Answered): void => void answered.push(one);
  const { gateway } = await gatewayFor(t, { routes: THING_ROUTES, onAnswered });
  const head = ['POST /api/things HTTP/1.1', JSON_TYPE, KEY, length(LIMITS.bodyBytes)];
  const held = Array.from({ length: LIMITS.bodyBytesOfAddress / LIMITS.bodyBytes }, () => send(t, gateway.port, head));
  await Promise.all(held.map(({ connected }) => connected));
  await pause(100);
  t.match(await send(t, gateway.port, head).answered, /^HTTP\/1\.1 503 /);
  t.match(answered, [{ method: 'POST', route: '/things', operation: 'createThing', status: 503, caller: { keyId: 'AK-TEST-KEY1' } }]);

  const small = await gatewayFor(t, { routes: THING_ROUTES, concurrentRequests: 1, onAnswered });
  await send(t, small.gateway.port, head).connected;
  await pause(100);
  t.equal((await small.ask('/api/things/1', { headers: { 'X-Request-Id': 'one-too-many' } })).status, 503);
  t.match(answered.at(-1), { requestId: 'one-too-many', method: 'GET', route: null, operation: 'none', status: 503, caller: null });
});
