import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { test } from 'tap';
import type { EventSource } from '../../gateway/index.js';
import { LIMITS } from '../../gateway/limits.js';
import { EventStreams, SERVER_SENT_EVENTS } from '../../gateway/streams/event-streams.js';
import { gatewayFor, keyRecord, TEST_KEY } from './harness.js';
import { memoryLog } from './log.js';

const TENANT = { company: 'CP-TEST-CMP1', mode: 'test' } as const;

interface Reader {
  readonly response: IncomingMessage;
  readonly request: ClientRequest;
  /** Resolves with the ids of all events received, once there are this many. */
  ids(count: number): Promise<readonly string[]>;
}

async function openStream(port: number, path = '/api/events/stream', headers: Record<string, string> = {}): Promise<Reader> {
  const opened = request({ host: '127.0.0.1', port, path, headers: { 'X-API-KEY': TEST_KEY, ...headers } }).end();
  const [response] = (await once(opened, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => (text += chunk));
  const seen = (): string[] => [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
  return {
    response,
    request: opened,
    async ids(count) {
      while (seen().length < count) await once(response, 'data');
      return seen();
    },
  };
}

test('events come as they happen, of the caller only', async (t) => {
  const events = memoryLog();
  events.add('loan.created');
  const { gateway } = await gatewayFor(t, { events });
  const reader = await openStream(gateway.port);
  t.equal(reader.response.headers['content-type'], 'text/event-stream; charset=utf-8');
  events.add('loan.created', { mode: 'live' });
  events.add('loan.created', { company: 'CP-OTHR-CMP1' });
  events.add('payment.failed');
  t.strictSame(await reader.ids(1), ['EV-TEST-4'], 'from now on');
  reader.request.destroy();
});

test('a reader that comes back resumes by the last event and misses none', async (t) => {
  const events = memoryLog();
  for (let count = 0; count < 250; count++) events.add('loan.created');
  const { gateway } = await gatewayFor(t, { events });
  const first = await openStream(gateway.port, '/api/events/stream?startingAfter=EV-TEST-10');
  const seen = await first.ids(240);
  t.strictSame([seen[0], seen.at(-1), seen.length], ['EV-TEST-11', 'EV-TEST-250', 240]);
  first.request.destroy();
  for (let count = 0; count < 5; count++) events.add('loan.created');
  const second = await openStream(gateway.port, '/api/events/stream', { 'Last-Event-ID': 'EV-TEST-250' });
  t.strictSame(
    await second.ids(5),
    [251, 252, 253, 254, 255].map((position) => `EV-TEST-${position}`),
  );
  second.request.destroy();
});

test('a stream sends only events that match its filter', async (t) => {
  const events = memoryLog();
  const start = events.add('loan.created');
  for (const type of ['loan.created', 'payment.failed', 'loan.closed', 'payment.failed']) events.add(type);
  const { gateway } = await gatewayFor(t, { events });
  const reader = await openStream(gateway.port, `/api/events/stream?eventType=payment.failed,loan.closed&startingAfter=${start}`);
  t.strictSame(await reader.ids(3), ['EV-TEST-3', 'EV-TEST-4', 'EV-TEST-5']);
  reader.request.destroy();
});

test('an unknown event, a missing permission or none at all end before the stream begins', async (t) => {
  const { ask } = await gatewayFor(t, {
    events: memoryLog(),
    keys: [keyRecord(TEST_KEY), keyRecord('test_nothing_0123456789', { permissions: new Set() })],
  });
  t.match(await ask('/api/events/stream?startingAfter=EV-TEST-1'), { status: 400, json: { errorType: 'badRequest' } });
  t.equal((await ask('/api/events/stream', { key: 'test_nothing_0123456789' })).status, 403);
  t.equal((await ask('/api/events/stream', { key: false })).status, 401);
  t.equal((await ask('/api/events/socket')).status, 426, 'a socket path answers sockets');
  t.equal((await ask('/api/events/stream', { method: 'HEAD' })).status, 405);
});

test('a shutdown ends the streams', async (t) => {
  const { gateway } = await gatewayFor(t, { events: memoryLog() });
  const reader = await openStream(gateway.port);
  const ended = once(reader.response, 'end');
  await gateway.close();
  await ended;
  t.pass('ended without an error');
});

test('the log is not read for a full connection, an idle one stays open, and a stalled one is cut', async (t) => {
  const events = memoryLog();
  let now = 0;
  const written: string[] = [];
  const eventsInLast = (): number => (written.at(-1)?.match(/^id: /gm) ?? []).length;
  let takes = true;
  let onDrain = (): void => {};
  let wasCut = false;
  const streams = new EventStreams({ source: events, onFailure: (cause) => t.fail(String(cause)), nowMs: () => now });
  const { stream } = await streams.open({ tenant: TENANT, filter: {}, after: null, format: SERVER_SENT_EVENTS, requestId: 'r-1' });
  stream?.({
    write: (text) => {
      written.push(String(text));
      return takes;
    },
    together: (run) => run(),
    onDrain: (listener) => (onDrain = listener),
    onClose: () => {},
    end: () => {},
    cut: () => (wasCut = true),
  });
  streams.tick();
  t.strictSame(written, ['retry: 1000\n\n', ':\n\n']);
  takes = false;
  events.add('loan.created');
  t.equal(written.length, 3, 'what fills the connection is taken');
  const { reads } = events;
  for (let count = 0; count < 1000; count++) events.add('loan.created');
  t.equal(written.length, 3);
  t.equal(events.reads, reads, 'nothing is read for a full connection');
  now = LIMITS.streamStallMs - 1;
  streams.tick();
  t.notOk(wasCut);
  takes = true;
  onDrain();
  t.strictSame([written.length, eventsInLast()], [4, LIMITS.streamBatch], 'one batch at a time, in one piece');
  takes = false;
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(written.length, 5, 'other work passes between two batches');
  now += 2 * LIMITS.streamStallMs;
  streams.tick();
  t.ok(wasCut);
  t.equal(streams.cut, 1);
  streams.close();
});

test('a reader whose reading fails is cut and reported; the log and other readers are not affected', async (t) => {
  const log = memoryLog();
  const failures: unknown[] = [];
  let fails = false;
  const source: EventSource = {
    ...log,
    reader: async (tenant, filter) => {
      const read = await log.reader(tenant, filter);
      return (position, limit) => {
        if (fails && filter.loanId !== undefined) throw new Error('unreadable');
        return read(position, limit);
      };
    },
  };
  const streams = new EventStreams({ source, onFailure: (cause, context) => failures.push([cause, context]) });
  const readers = await Promise.all(
    [{ loanId: 'LN-AAAA-1111' }, {}].map(async (filter) => {
      const reader = { text: '', wasCut: false };
      const { stream } = await streams.open({ tenant: TENANT, filter, after: null, format: SERVER_SENT_EVENTS, requestId: 'r-1' });
      stream?.({
        write: (text) => {
          reader.text += String(text);
          return true;
        },
        together: (run) => run(),
        onDrain: () => {},
        onClose: () => {},
        end: () => {},
        cut: () => (reader.wasCut = true),
      });
      return reader;
    }),
  );
  fails = true;
  log.add('loan.created');
  t.match(readers, [{ wasCut: true }, { wasCut: false, text: /event: loan.created/ }]);
  t.match(failures, [[{ message: 'unreadable' }, { requestId: 'r-1', operation: 'streamEvents' }]]);
  streams.close();
});
