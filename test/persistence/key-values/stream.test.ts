import { test } from 'tap';
import type { SharedKeyValue } from '../../../actors/index.js';
import { KeyValueUnavailable, openStreamKeyValue } from '../../../persistence/index.js';
import { lossyWire, type NatsServer, natsServer, PATIENT_MS } from '../../nats.js';
import { bytes, textOf, until, watched } from './conformance.js';

const RETRYING = { maxReconnectAttempts: -1, reconnectTimeWait: 50 };
const TIMEOUT_MS = 300;
/** Within its bound, in milliseconds, and what a busy machine adds. */
const ENDS_MS = TIMEOUT_MS + 15_000;

async function openAt(server: NatsServer, url: string, timeoutMs = PATIENT_MS): Promise<SharedKeyValue> {
  return openStreamKeyValue({ connection: await server.connect({ ...RETRYING, servers: url }), bucket: 'tenor', timeoutMs });
}

/** Asks again while the store is away. */
async function insisting<T>(ask: () => Promise<T>): Promise<T> {
  let answer: { readonly value: T } | undefined;
  await until(async () => {
    answer = await ask().then((value) => ({ value }), unlessAway);
    return answer !== undefined;
  });
  if (answer === undefined) throw new Error('no answer');
  return answer.value;
}

function unlessAway(cause: unknown): undefined {
  if (!(cause instanceof KeyValueUnavailable)) throw cause;
}

test('a server that is restarted has everything, and a watch continues', async (t) => {
  const server = await natsServer(t);
  const [one, other] = [await openAt(server, server.url), await insisting(() => openAt(server, server.url, TIMEOUT_MS))];
  const first = await one.create('a', bytes('1'));
  const seen = watched(t, other, '');
  await until(() => seen.length === 1);
  await server.restart();
  const entry = await insisting(() => one.get('a'));
  t.match(entry, { revision: first });
  await one.update('a', bytes('2'), first);
  await one.create('b', bytes('3'));
  await until(() => seen.length === 3);
  t.same(
    seen.map(({ key, value }) => [key, textOf(value)]),
    [
      ['a', '1'],
      ['a', '2'],
      ['b', '3'],
    ],
  );
});

test('without the server every call ends within its bound, and calls and watches work again when it is back', async (t) => {
  const server = await natsServer(t);
  const wire = await lossyWire(t, server.port);
  const direct = await openAt(server, server.url);
  const first = await direct.create('a', bytes('1'));
  const store = await insisting(() => openAt(server, wire.url, TIMEOUT_MS));
  const seen = watched(t, store, '');
  await until(() => seen.length === 1);
  wire.isDeaf = true;
  const calls: readonly (() => Promise<unknown>)[] = [
    () => store.get('a'),
    () => store.list(''),
    () => store.create('b', bytes('2')),
    () => store.update('a', bytes('2'), first),
  ];
  for (const call of calls) {
    const since = performance.now();
    await t.rejects(call(), KeyValueUnavailable);
    t.ok(performance.now() - since < ENDS_MS);
  }
  await direct.create('c', bytes('3'));
  wire.isDeaf = false;
  t.equal(textOf((await insisting(() => store.get('a')))?.value), '2', 'what was not answered may have arrived');
  await until(() => seen.some(({ key }) => key === 'c'));
});

test('calls over a closed connection are refused as unavailable', async (t) => {
  const server = await natsServer(t);
  const connection = await server.connect();
  const store = await openStreamKeyValue({ connection, bucket: 'tenor' });
  await connection.close();
  await t.rejects(store.get('a'), KeyValueUnavailable);
  await t.rejects(openStreamKeyValue({ connection, bucket: 'tenor' }), KeyValueUnavailable);
});
