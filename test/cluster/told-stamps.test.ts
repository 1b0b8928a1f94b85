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
  const { place } = await events().after(tenant, {}, await events().newest(), 10);
  h.nowMs -= LATE_MS;
  await h.restart();
  const made: readonly string[] = await Promise.all(
    Array.from({ length: 8 }, async () => ((await h.command('person.create', null, { name: NAME })).data as { readonly id: string }).id),
  );
  const read = await events().after(tenant, {}, place, 100);
  t.same(read.events.map(({ event }) => event.orderKey).sort(), [...made].sort());
});

test('whoever has a unit next begins behind all that a dead owner has told, which can tell no more', async (t) => {
  const store = new MemoryKeyValue();
  const [dead, heir] = [new PublishedWatermarks(store, UNIT), new PublishedWatermarks(store, UNIT)];
  t.equal(await dead.begin(), 0);
  await dead.mayTell(100 * SECOND);
  await dead.mayTell(101 * SECOND);
  const begun = await heir.begin();
  t.ok(begun >= 101 * SECOND);
  await dead.mayTell(begun); // what was written before the heir came: none of its events stands there
  await t.rejects(dead.mayTell(begun + 10 * SECOND), UNAVAILABLE);
  await dead.end();
  await heir.mayTell(begun + 20 * SECOND);
  t.ok((await new PublishedWatermarks(store, UNIT).begin()) >= begun + 20 * SECOND, 'the one that is gone takes nothing back');
});

test('an owner that leaves lets its heir begin right behind what it has told', async (t) => {
  const store = new MemoryKeyValue();
  const leaving = new PublishedWatermarks(store, UNIT);
  await leaving.begin();
  await leaving.mayTell(100 * SECOND);
  await leaving.end();
  t.equal(await new PublishedWatermarks(store, UNIT).begin(), 100 * SECOND);
});

test('a store that is away, or whose answers are lost, lets nothing be told that is not written', async (t) => {
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
  const told = new PublishedWatermarks(faulty, UNIT);
  await told.begin();
  for (const [at, trouble] of (['away', 'unheard'] as const).entries()) {
    how = trouble;
    await t.rejects(told.mayTell((at + 1) * 100 * SECOND), UNAVAILABLE);
    how = 'well';
    await told.mayTell((at + 1) * 100 * SECOND);
    t.ok((await stampIn(store)) >= (at + 1) * 100 * SECOND, trouble);
  }
});

test('who is asked all the time writes once in a second', async (t) => {
  const store = new MemoryKeyValue();
  const told = new PublishedWatermarks(store, UNIT);
  await told.begin();
  for (let stamp = 0; stamp < 10 * SECOND; stamp += SECOND / 100) await told.mayTell(stamp);
  const revision = must(await store.get(UNIT), 'a mark').revision;
  t.ok(revision <= 12, `${revision} writes`);
});

const stampIn = async (store: MemoryKeyValue): Promise<number> =>
  (JSON.parse(Buffer.from(must(await store.get(UNIT), 'a mark').value).toString()) as { readonly stamp: number }).stamp;
