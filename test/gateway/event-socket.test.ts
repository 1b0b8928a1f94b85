import { once } from 'node:events';
import { test } from 'tap';
import { WebSocket } from 'ws';
import { gatewayFor, keyRecord, TEST_KEY } from './harness.js';
import { memoryLog } from './log.js';

const urlOf = (port: number, query = ''): string => `ws://127.0.0.1:${port}/api/events/socket${query}`;
const headers = { 'X-API-KEY': TEST_KEY };

async function ids(socket: WebSocket, count: number): Promise<string[]> {
  const seen: string[] = [];
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      seen.push((JSON.parse(data.toString('utf8')) as { id: string }).id);
      if (seen.length === count) resolve(seen);
    });
  });
}

test('a socket gets one message an event and resumes by the last one', async (t) => {
  const events = memoryLog();
  for (let count = 0; count < 300; count++) events.add('loan.created');
  const { gateway } = await gatewayFor(t, { events });
  const socket = new WebSocket(urlOf(gateway.port, '?startingAfter=EV-TEST-5'), { headers });
  const seen = await ids(socket, 295);
  t.strictSame([seen[0], seen.at(-1)], ['EV-TEST-6', 'EV-TEST-300']);
  const next = ids(socket, 1);
  events.add('loan.closed');
  t.strictSame(await next, ['EV-TEST-301']);
  socket.send('readers have nothing to say');
  socket.terminate();
});

test('a socket is refused like any request', async (t) => {
  const { gateway } = await gatewayFor(t, {
    events: memoryLog(),
    keys: [keyRecord(TEST_KEY), keyRecord('test_nothing_0123456789', { permissions: new Set() })],
  });
  const refusalOf = async (url: string, sent: Record<string, string>): Promise<number> => {
    const socket = new WebSocket(url, { headers: sent });
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    return response.statusCode;
  };
  t.equal(await refusalOf(urlOf(gateway.port), {}), 401);
  t.equal(await refusalOf(urlOf(gateway.port), { 'X-API-KEY': 'test_nothing_0123456789' }), 403);
  t.equal(await refusalOf(urlOf(gateway.port, '?startingAfter=EV-NONE-1'), headers), 400);
  t.equal(await refusalOf(urlOf(gateway.port).replace('socket', 'nowhere'), headers), 404);
});

test('a shutdown says goodbye to the sockets', async (t) => {
  const { gateway } = await gatewayFor(t, { events: memoryLog() });
  const socket = new WebSocket(urlOf(gateway.port), { headers });
  await once(socket, 'open');
  const closed = once(socket, 'close');
  await gateway.close();
  t.equal((await closed)[0], 1001);
});

test('a reader that takes nothing is cut, and what waits for it is bounded', async (t) => {
  const events = memoryLog();
  const start = events.add('loan.created');
  for (let count = 0; count < 20_000; count++) events.add('loan.created');
  const { gateway } = await gatewayFor(t, { events });
  const socket = new WebSocket(urlOf(gateway.port, `?startingAfter=${start}`), { headers });
  await once(socket, 'open');
  socket.pause();
  let reads: number;
  do {
    reads = events.reads;
    for (let passes = 0; passes < 50; passes++) await new Promise((resolve) => setImmediate(resolve));
  } while (events.reads !== reads);
  t.ok(reads < 200, 'the log is not read further for a full connection');
  socket.resume();
  const seen = await ids(socket, 15_000);
  t.equal(new Set(seen).size, seen.length, 'and goes on without repeating');
  socket.terminate();
});
