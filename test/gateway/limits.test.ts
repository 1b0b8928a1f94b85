import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'tap';
import { defineRoute } from '../../gateway/index.js';
import { LIMITS } from '../../gateway/limits.js';
import { gate, gatewayFor, scriptedEngine, TEST_KEY } from './harness.js';
import { THING_ROUTES } from './routes.js';

test('a body up to the limit is read, a larger one is 413', async (t) => {
  const engine = scriptedEngine({});
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const bodyOf = (bytes: number): string => `{"free":"${'x'.repeat(bytes - 11)}"}`;
  t.equal(Buffer.byteLength(bodyOf(LIMITS.bodyBytes)), LIMITS.bodyBytes);
  t.equal((await ask('/api/things', { method: 'POST', body: bodyOf(LIMITS.bodyBytes) })).status, 201);
  const over = await ask('/api/things', { method: 'POST', body: bodyOf(LIMITS.bodyBytes + 1) });
  t.equal(over.status, 413);
  t.equal(over.json['errorType'], 'payloadTooLarge');
  t.equal(engine.commands.length, 1);
});

test('a body of unknown length is cut at the limit', async (t) => {
  const engine = scriptedEngine({});
  const { gateway } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const head = `POST /api/things HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${TEST_KEY}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = Buffer.alloc(1024 * 1024, 0x20);
  const received = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(gateway.port, '127.0.0.1', () => {
      socket.write(head);
      for (let bytes = 0; bytes < LIMITS.bodyBytes; bytes += chunk.length)
        socket.write(Buffer.concat([Buffer.from('100000\r\n'), chunk, Buffer.from('\r\n')]));
      // One byte too many, and no end. More bytes would meet a closed connection, whose reset would discard the answer.
      socket.write('1\r\n \r\n');
    });
    socket.on('data', (data) => (text += data.toString('latin1')));
    socket.on('close', () => resolve(text));
  });
  t.match(received, /^HTTP\/1\.1 413 /);
  t.equal(engine.commands.length, 0);
});

test('a head beyond its limit is 431, an address within it is read', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  const headers = { 'Tenor-Unknown-Fields': 'ignore' };
  t.equal((await ask(`/api/things/1?x=${'y'.repeat(10_000)}`, { headers })).status, 200);
  t.equal((await ask(`/api/things/1?x=${'y'.repeat(LIMITS.headerBytes)}`, { headers })).status, 431);
});

test('metaData has at most 50 keys of at most 100 characters', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  const keys = (count: number, length = 3): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index).padStart(length, 'k'), 'v']));
  const send = async (metaData: object): Promise<unknown> =>
    (await ask('/api/things', { method: 'POST', body: { metaData } })).json['errors'];
  t.equal(await send(keys(50, 100)), undefined);
  t.match(await send(keys(51)), [{ path: 'metaData', expected: 'at most 50 keys' }]);
  t.match(await send(keys(1, 101)), [{ path: 'metaData', expected: 'keys of at most 100 characters' }]);
  t.match(await send({ long: 'v'.repeat(501) }), [{ path: 'metaData.long' }]);
  t.match(await send({ nested: {} }), [{ path: 'metaData.nested' }]);
});

test('one request too many at once is answered 503 and can be retried', async (t) => {
  const started = gate();
  const finished = gate();
  const engine = scriptedEngine({
    execute: async () => {
      if (engine.commands.length === 2) started.open();
      await finished.opened;
      return { data: {}, replayed: false };
    },
  });
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine, concurrentRequests: 2 });
  const running = [1, 2].map(() => ask('/api/things', { method: 'POST', body: {} }));
  await started.opened;
  const third = await ask('/api/things', { method: 'POST', body: {} });
  t.equal(third.status, 503);
  t.equal(third.json['errorType'], 'unavailable');
  t.equal(third.headers['retry-after'], '1');
  finished.open();
  for (const answer of await Promise.all(running)) t.equal(answer.status, 201);
  t.equal((await ask('/api/things', { method: 'POST', body: {} })).status, 201);
});

test('a request that takes too long is 503, and its work goes on', async (t) => {
  const finished = gate();
  const slow = defineRoute({
    method: 'GET',
    path: '/slow',
    operation: 'slow',
    summary: 'Slow',
    tags: ['Things'],
    permission: null,
    waitsMs: 5,
    handle: async () => {
      await finished.opened;
      return { data: {} };
    },
  });
  const { ask, failures } = await gatewayFor(t, { routes: [slow] });
  const answer = await ask('/api/slow');
  t.equal(answer.status, 503);
  t.equal(answer.headers['retry-after'], '5');
  finished.open();
  t.equal((await ask('/api/slow')).status, 200);
  t.strictSame(failures, []);
});

test('a client that disconnects affects no other request', async (t) => {
  const started = gate();
  const finished = gate();
  const engine = scriptedEngine({
    execute: async () => {
      started.open();
      await finished.opened;
      return { data: {}, replayed: false };
    },
  });
  const { gateway, ask, failures } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const socket = connect(gateway.port, '127.0.0.1', () => {
    socket.write(`POST /api/things HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${TEST_KEY}\r\nContent-Length: 2\r\n\r\n{}`);
  });
  await started.opened;
  socket.destroy();
  await once(socket, 'close');
  t.equal((await ask('/api/things/1')).status, 200);
  finished.open();
  t.equal((await ask('/api/things/1')).status, 200);
  t.strictSame(failures, []);
});
