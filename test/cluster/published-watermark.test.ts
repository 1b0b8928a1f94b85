import { test } from 'tap';
import type { SharedKeyValue, Tenant } from '../../actors/index.js';
import { PublishedWatermarks } from '../../actors/kernel/cluster/published-watermark.js';
import { must } from '../../engine/index.js';
import { KeyValueUnavailable, MemoryKeyValue } from '../../persistence/index.js';
import { openHttpLender } from '../gateway/routes/http-lender.js';
import { NAME } from '../people.js';

const UNIT = 'u00';
const SECOND = 1_000_000;
const LATE_MS = 600_000;
const UNAVAILABLE = { errorType: 'unavailable' } as unknown as Error;

test('after a restart of a whole cluster on machines whose clocks are late, readers miss none of the events that follow', async (t) => {
  const { h, company } = await openHttpLender(t, 'cluster');
  const tenant: Tenant = { company, mode: 'test' };
  const events = () => must(h.cluster, 'a cluster').gateway.client.events;
  await h.command('person.create', null, { name: NAME });
  const { position } = await events().after(tenant, {}, await events().newest(), 10);
  h.nowMs -= LATE_MS;
  await h.restart();
  const made: readonly string[] = await Promise.all(
    Array.from({ length: 8 }, async () => ((await h.command('person.create', null, { name: NAME })).data as { readonly id: string }).id),
  );
  const read = await events().after(tenant, {}, position, 100);
  t.same(read.events.map(({ event }) => event.orderKey).sort(), [...made].sort());
});

test('the next owner of a unit begins above everything that a dead owner has published, which can publish no more', async (t) => {
  const store = new MemoryKeyValue();
  const [dead, heir] = [new PublishedWatermarks(store, UNIT), new PublishedWatermarks(store, UNIT)];
  t.equal(await dead.begin(), 0);
  await dead.mayPublish(100 * SECOND);
  await dead.mayPublish(101 * SECOND);
  const begun = await heir.begin();
  t.ok(begun >= 101 * SECOND);
  await dead.mayPublish(begun); // below the watermark written before: the next owner has no event there
  await t.rejects(dead.mayPublish(begun + 10 * SECOND), UNAVAILABLE);
  await dead.end();
  await heir.mayPublish(begun + 20 * SECOND);
  t.ok((await new PublishedWatermarks(store, UNIT).begin()) >= begun + 20 * SECOND, 'the one that is gone takes nothing back');
});

test('after an owner that leaves the next one begins right above what it has published', async (t) => {
  const store = new MemoryKeyValue();
  const leaving = new PublishedWatermarks(store, UNIT);
  await leaving.begin();
  await leaving.mayPublish(100 * SECOND);
  await leaving.end();
  t.equal(await new PublishedWatermarks(store, UNIT).begin(), 100 * SECOND);
});

test('while the store is away, or its answers are lost, nothing is published above the written watermark', async (t) => {
  const store = new MemoryKeyValue();
  let how: 'well' | 'away' | 'unheard' = 'well';
  const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (how === 'away') throw new KeyValueUnavailable(new Error('no answer'));
    const value = await ask();
    if (how === 'unheard') throw new KeyValueUnavailable(new Error('no answer'));
    return value;
  };
  const faulty: SharedKeyValue = {
    get: (key) => asked(() => store.get(key)),
    create: (key, value) => asked(() => store.create(key, value)),
    update: (key, value, revision) => asked(() => store.update(key, value, revision)),
    delete: (key, revision) => asked(() => store.delete(key, revision)),
    list: (prefix) => asked(() => store.list(prefix)),
    watch: (prefix, signal) => store.watch(prefix, signal),
  };
  const watermarks = new PublishedWatermarks(faulty, UNIT);
  await watermarks.begin();
  for (const [at, trouble] of (['away', 'unheard'] as const).entries()) {
    how = trouble;
    await t.rejects(watermarks.mayPublish((at + 1) * 100 * SECOND), UNAVAILABLE);
    how = 'well';
    await watermarks.mayPublish((at + 1) * 100 * SECOND);
    t.ok((await stampIn(store)) >= (at + 1) * 100 * SECOND, trouble);
  }
});

test('who is asked all the time writes once in a second', async (t) => {
  const store = new MemoryKeyValue();
  const watermarks = new PublishedWatermarks(store, UNIT);
  await watermarks.begin();
  for (let stamp = 0; stamp < 10 * SECOND; stamp += SECOND / 100) await watermarks.mayPublish(stamp);
  const revision = must(await store.get(UNIT), 'a mark').revision;
  t.ok(revision <= 12, `${revision} writes`);
});

const stampIn = async (store: MemoryKeyValue): Promise<number> =>
  (JSON.parse(Buffer.from(must(await store.get(UNIT), 'a mark').value).toString()) as { readonly stamp: number }).stamp;
