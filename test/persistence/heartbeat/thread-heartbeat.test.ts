import { setTimeout as pause } from 'node:timers/promises';
import { type Test, test } from 'tap';
import type { SharedKeyValue } from '../../../actors/index.js';
import { ThreadHeartbeat } from '../../../persistence/index.js';
import { natsServer } from '../../nats.js';
import { until } from '../key-values/conformance.js';

const KEY = 'workers.w1';
const ALIVE = Buffer.from('alive');
/** Longest time for which a thread is kept busy until a beat has come meanwhile, in milliseconds. */
const BUSY_MS = 30_000;

interface House {
  readonly server: Awaited<ReturnType<typeof natsServer>>;
  readonly records: SharedKeyValue;
  readonly pulse: ThreadHeartbeat;
}

async function house(t: Test, stallMs = 10_000): Promise<House> {
  const server = await natsServer(t);
  const records = await server.records();
  const pulse = await ThreadHeartbeat.start({ nats: server.url, name: 'a pulse', bucket: 'tenor', key: KEY, beatMs: 50, stallMs });
  t.teardown(() => pulse.stop());
  pulse.resume(await records.create(KEY, Buffer.from('new')), performance.now());
  return { server, records, pulse };
}

const revisionOf = async (records: SharedKeyValue): Promise<number> => (await records.get(KEY))?.revision ?? 0;

test('a worker whose thread is busy without a turn for anything else goes on to beat', async (t) => {
  const { records, pulse } = await house(t);
  await pulse.beat(ALIVE);
  const { revision } = pulse;
  const busySince = performance.now();
  while (pulse.sentAt < busySince && performance.now() < busySince + BUSY_MS) Math.sqrt(busySince);
  t.ok(pulse.revision > revision, 'it beats while the thread has no turn');
  t.ok(pulse.sentAt >= busySince, 'and the worker sees it at once, on its own clock');
  t.ok(pulse.sentAt <= performance.now());
  const standing = await revisionOf(records);
  t.ok(standing >= revision);
});

test('a worker that does not say that it lives is kept alive for its bound, and no longer', async (t) => {
  const { records, pulse } = await house(t, 200);
  await pulse.beat(ALIVE);
  const seen = new Set<number>();
  await until(async () => {
    const revision = await revisionOf(records);
    if (seen.has(revision)) return true;
    seen.add(revision);
    await pause(300);
    return false;
  });
  const { sentAt } = pulse;
  await until(async () => {
    await pulse.beat(ALIVE);
    return pulse.sentAt > sentAt;
  });
});

test('a new record stands there when its beat resolves', async (t) => {
  const { records, pulse } = await house(t);
  for (const word of ['alive', 'leaving']) {
    await pulse.beat(Buffer.from(word));
    t.equal(Buffer.from((await records.get(KEY))?.value ?? []).toString(), word);
  }
});

test('a record that somebody else has changed ends its beats until it is told from where to go on', async (t) => {
  const { records, pulse } = await house(t);
  await pulse.beat(ALIVE);
  await until(async () => {
    const revision = await revisionOf(records);
    return records.update(KEY, Buffer.from('of another'), revision).then(
      () => true,
      () => false,
    ); // it beats all the while
  });
  await until(async () =>
    pulse.beat(ALIVE).then(
      () => false,
      (cause: { readonly code?: unknown }) => cause.code === 'keyValueConflict',
    ),
  );
  const standing = await revisionOf(records);
  await pause(200);
  t.equal(await revisionOf(records), standing);
  pulse.resume(standing);
  await until(async () => (await revisionOf(records)) > standing);
  await pulse.beat(ALIVE);
});

test('beats that are not answered are counted, and it goes on when the server is back', async (t) => {
  const { server, pulse } = await house(t);
  await pulse.beat(ALIVE);
  await server.restart();
  const { sentAt } = pulse;
  await until(async () => {
    await pulse.beat(ALIVE);
    return pulse.sentAt > sentAt;
  });
  t.ok(pulse.missed >= 0);
});

test('it beats no more once it is stopped, and says so to who goes on', async (t) => {
  const { records, pulse } = await house(t);
  await pulse.beat(ALIVE);
  await pulse.stop();
  const standing = await revisionOf(records);
  t.equal(pulse.revision, standing);
  await pause(200);
  t.equal(await revisionOf(records), standing);
  await t.rejects(pulse.beat(ALIVE));
});

test('where no server answers it cannot be started', async (t) => {
  const starting = ThreadHeartbeat.start({
    nats: 'nats://127.0.0.1:1',
    name: 'a pulse',
    bucket: 'tenor',
    key: KEY,
    beatMs: 50,
    stallMs: 200,
  });
  await t.rejects(starting, { message: /127\.0\.0\.1/ });
});
