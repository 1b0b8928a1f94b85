import { setTimeout as pause } from 'node:timers/promises';
import { type Test, test } from 'tap';
import type { SharedKeyValue } from '../../../actors/index.js';
import { ThreadHeartbeat } from '../../../persistence/index.js';
import { natsServer } from '../../nats.js';
import { until } from '../key-values/conformance.js';

const KEY = 'workers.w1';
const ALIVE = Buffer.from('alive');
/** Longest time that the thread is kept busy to wait for a beat, in milliseconds. */
const BUSY_MS = 30_000;

interface Setup {
  readonly server: Awaited<ReturnType<typeof natsServer>>;
  readonly records: SharedKeyValue;
  readonly heartbeat: ThreadHeartbeat;
}

async function setUp(t: Test, stallMs = 10_000): Promise<Setup> {
  const server = await natsServer(t);
  const records = await server.records();
  const heartbeat = await ThreadHeartbeat.start({ nats: server.url, name: 'a heartbeat', bucket: 'tenor', key: KEY, beatMs: 50, stallMs });
  t.teardown(() => heartbeat.stop());
  heartbeat.resume(await records.create(KEY, Buffer.from('new')), performance.now());
  return { server, records, heartbeat };
}

const revisionOf = async (records: SharedKeyValue): Promise<number> => (await records.get(KEY))?.revision ?? 0;

test('a worker whose thread is busy without a pause still beats', async (t) => {
  const { records, heartbeat } = await setUp(t);
  await heartbeat.beat(ALIVE);
  const { revision } = heartbeat;
  const busySince = performance.now();
  while (heartbeat.sentAt < busySince && performance.now() < busySince + BUSY_MS) Math.sqrt(busySince);
  t.ok(heartbeat.revision > revision, 'it beats while the thread is busy');
  t.ok(heartbeat.sentAt >= busySince, 'the worker sees it at once, on its own clock');
  t.ok(heartbeat.sentAt <= performance.now());
  const current = await revisionOf(records);
  t.ok(current >= revision);
});

test('a worker that does not report that it lives is kept alive for the bound, and no longer', async (t) => {
  const { records, heartbeat } = await setUp(t, 200);
  await heartbeat.beat(ALIVE);
  const seen = new Set<number>();
  await until(async () => {
    const revision = await revisionOf(records);
    if (seen.has(revision)) return true;
    seen.add(revision);
    await pause(300);
    return false;
  });
  const { sentAt } = heartbeat;
  await until(async () => {
    await heartbeat.beat(ALIVE);
    return heartbeat.sentAt > sentAt;
  });
});

test('a new record is stored when its beat resolves', async (t) => {
  const { records, heartbeat } = await setUp(t);
  for (const record of ['alive', 'leaving']) {
    await heartbeat.beat(Buffer.from(record));
    t.equal(Buffer.from((await records.get(KEY))?.value ?? []).toString(), record);
  }
});

test('a record that somebody else has changed ends the beats until `resume` names its revision', async (t) => {
  const { records, heartbeat } = await setUp(t);
  await heartbeat.beat(ALIVE);
  await until(async () => {
    const revision = await revisionOf(records);
    return records.update(KEY, Buffer.from('of another'), revision).then(
      () => true,
      () => false,
    ); // it beats all the while
  });
  await until(async () =>
    heartbeat.beat(ALIVE).then(
      () => false,
      (cause: { readonly code?: unknown }) => cause.code === 'keyValueConflict',
    ),
  );
  const current = await revisionOf(records);
  await pause(200);
  t.equal(await revisionOf(records), current);
  heartbeat.resume(current);
  await until(async () => (await revisionOf(records)) > current);
  await heartbeat.beat(ALIVE);
});

test('unanswered beats are counted, and beats continue when the server is back', async (t) => {
  const { server, heartbeat } = await setUp(t);
  await heartbeat.beat(ALIVE);
  await server.restart();
  const { sentAt } = heartbeat;
  await until(async () => {
    await heartbeat.beat(ALIVE);
    return heartbeat.sentAt > sentAt;
  });
  t.ok(heartbeat.missed >= 0);
});

test('it does not beat after `stop`, and later calls of `beat` are rejected', async (t) => {
  const { records, heartbeat } = await setUp(t);
  await heartbeat.beat(ALIVE);
  await heartbeat.stop();
  const current = await revisionOf(records);
  t.equal(heartbeat.revision, current);
  await pause(200);
  t.equal(await revisionOf(records), current);
  await t.rejects(heartbeat.beat(ALIVE));
});

test('it does not start where no server answers', async (t) => {
  const starting = ThreadHeartbeat.start({
    nats: 'nats://127.0.0.1:1',
    name: 'a heartbeat',
    bucket: 'tenor',
    key: KEY,
    beatMs: 50,
    stallMs: 200,
  });
  await t.rejects(starting, { message: /127\.0\.0\.1/ });
});
