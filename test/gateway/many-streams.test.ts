import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'tap';
import { WebSocket } from 'ws';
import { idOf, listOf, openHttpLender } from './routes/http-lender.js';
import { NAME } from '../people.js';

const READERS = 40;
const PEOPLE = 150;
/** So long that a few of them fill an unread connection. */
const LONG = Object.fromEntries(Array.from({ length: 50 }, (_, key) => [`key-${key}`, 'x'.repeat(400)]));

interface Reader {
  readonly seen: string[];
  close(): void;
}

/**
 * Opens a connection that ends by itself again after the last event, as a client does: some connections are lost, since the clients share
 * a process with the server.
 */
function resuming(after: string, connect: (from: string, seen: string[], ended: () => void) => () => void): Reader {
  const seen: string[] = [];
  let isClosed = false;
  let end = (): void => undefined;
  const open = (): void => {
    let isOver = false;
    end = connect(seen.at(-1) ?? after, seen, () => {
      if (isOver || isClosed) return;
      isOver = true;
      setImmediate(open);
    });
  };
  open();
  return {
    seen,
    close: () => {
      isClosed = true;
      end();
    },
  };
}

const serverSent = (port: number, key: string, after: string): Reader =>
  resuming(after, (from, seen, ended) => {
    const opened = request({
      host: '127.0.0.1',
      port,
      path: '/api/events/stream',
      headers: { 'X-API-KEY': key, 'Last-Event-ID': from },
    }).end();
    let rest = '';
    opened.on('response', (response: IncomingMessage) => {
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => {
          const blocks = (rest + chunk).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) {
            const id = /^id: (.*)$/m.exec(block)?.[1];
            if (id !== undefined) seen.push(id);
          }
        })
        .on('error', ended)
        .on('close', ended);
    });
    opened.on('error', ended);
    return () => opened.destroy();
  });

const overSocket = (port: number, key: string, after: string): Reader =>
  resuming(after, (from, seen, ended) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/events/socket?startingAfter=${from}`, { headers: { 'X-API-KEY': key } });
    socket
      .on('message', (data: Buffer) => seen.push((JSON.parse(data.toString('utf8')) as { readonly id: string }).id))
      .on('error', ended)
      .on('close', ended);
    return () => socket.terminate();
  });

test('forty readers get every event once and in order, whatever one that takes nothing does', async (t) => {
  const { ask, port, keys, failures } = await openHttpLender(t);
  idOf(await ask('POST', '/people', { name: NAME }));
  const [before] = listOf(await ask('GET', '/events?limit=1'));
  const after = String(before?.['id']);
  const slow = request({
    host: '127.0.0.1',
    port,
    path: '/api/events/stream',
    headers: { 'X-API-KEY': keys.test, 'Last-Event-ID': after },
  }).end();
  const [stalled] = (await once(slow, 'response')) as [IncomingMessage];
  stalled.on('error', () => undefined).pause();
  const readers = Array.from({ length: READERS }, (_, index) => (index % 2 === 0 ? serverSent : overSocket)(port, keys.test, after));
  t.teardown(() => readers.forEach((reader) => reader.close()));
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      for (let made = 0; made < PEOPLE / 10; made++)
        await ask('PUT', `/people/${idOf(await ask('POST', '/people', { name: NAME }))}`, { metaData: LONG });
    }),
  );
  const expected: string[] = [];
  for (let last = after; ; ) {
    const page = listOf(await ask('GET', `/events?order=asc&limit=100&startingAfter=${last}`)).map(({ id }) => String(id));
    expected.push(...page);
    if (page.length < 100) break;
    last = page.at(-1) ?? last;
  }
  t.ok(expected.length >= PEOPLE);
  while (readers.some(({ seen }) => seen.length < expected.length)) await new Promise((resolve) => setTimeout(resolve, 10));
  for (const { seen } of readers) t.strictSame(seen, expected);
  slow.destroy();
  const resumed = serverSent(port, keys.test, expected[9] ?? '');
  while (resumed.seen.length < expected.length - 10) await new Promise((resolve) => setTimeout(resolve, 10));
  t.strictSame(resumed.seen, expected.slice(10), 'who was cut goes on behind the last event that it has seen');
  resumed.close();
  t.strictSame(failures, []);
});
