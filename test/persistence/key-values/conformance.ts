import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';
import type { SharedChange, SharedKeyValue } from '../../../actors/index.js';
import { KeyValueConflict } from '../../../persistence/index.js';
import { Random } from '../../random.js';
import { SEED } from '../../seed.js';

type Test = { teardown(run: () => void | Promise<void>): void };

/** A shared store, which is opened by one process after the other, and by several at once. */
export interface KeyValueSetup {
  open(): Promise<SharedKeyValue>;
}

export const bytes = (text: string): Uint8Array => Buffer.from(text);
export const textOf = (value: Uint8Array | null | undefined): string | null => (value == null ? null : Buffer.from(value).toString());
const pairOf = ({ key, value }: Pick<SharedChange, 'key' | 'value'>): readonly [string, string | null] => [key, textOf(value)];

/** Requirements of every shared key-value store, on any storage. */
export function conforms(name: string, setUp: (t: Test) => KeyValueSetup | Promise<KeyValueSetup>): void {
  test(`${name}: all processes read what one writes`, async (t) => {
    const { open } = await setUp(t);
    const [one, other] = [await open(), await open()];
    t.equal(await other.get('leases.1'), undefined);
    const revision = await one.create('leases.1', bytes('a'));
    t.match(await other.get('leases.1'), { key: 'leases.1', revision });
    t.equal(textOf((await other.get('leases.1'))?.value), 'a');
    const later = await other.update('leases.1', bytes('b'), revision);
    t.ok(later > revision);
    t.equal(textOf((await one.get('leases.1'))?.value), 'b');
    await one.delete('leases.1', later);
    t.equal(await other.get('leases.1'), undefined);
  });

  test(`${name}: a write over an old revision is refused`, async (t) => {
    const { open } = await setUp(t);
    const [one, other] = [await open(), await open()];
    const first = await one.create('a', bytes('1'));
    await t.rejects(other.create('a', bytes('x')), KeyValueConflict);
    const second = await one.update('a', bytes('2'), first);
    await t.rejects(other.update('a', bytes('x'), first), KeyValueConflict);
    await t.rejects(other.delete('a', first), KeyValueConflict);
    t.equal(textOf((await other.get('a'))?.value), '2');
    await one.delete('a', second);
    await t.rejects(other.update('a', bytes('x'), second), KeyValueConflict, 'what was deleted is not there');
    t.ok((await other.create('a', bytes('3'))) > second, 'and can be made again');
  });

  test(`${name}: of many writes over the same revision one succeeds`, async (t) => {
    const { open } = await setUp(t);
    const stores = await Promise.all([1, 2, 3, 4].map(() => open()));
    const made = await Promise.allSettled(stores.map((store, at) => store.create('a', bytes(String(at)))));
    t.equal(made.filter(({ status }) => status === 'fulfilled').length, 1);
    for (let round = 0; round < 10; round += 1) {
      const { revision = 0 } = (await stores[0]?.get('a')) ?? {};
      const written = await Promise.allSettled(stores.map((store, at) => store.update('a', bytes(`${round}.${at}`), revision)));
      t.equal(written.filter(({ status }) => status === 'fulfilled').length, 1);
    }
  });

  test(`${name}: a list has the keys below its prefix`, async (t) => {
    const store = await (await setUp(t)).open();
    for (const key of ['leases.1', 'leases.10', 'leases', 'leasesbutnot.1', 'workers.w1', 'leases.1.deep'])
      await store.create(key, bytes(key));
    const gone = await store.create('leases.2', bytes('gone'));
    await store.delete('leases.2', gone);
    const keys = async (prefix: string): Promise<readonly string[]> => (await store.list(prefix)).map(({ key }) => key);
    t.same(await keys('leases'), ['leases.1', 'leases.10', 'leases.1.deep']);
    t.same(await keys('workers'), ['workers.w1']);
    t.same(await keys('nothing'), []);
    t.equal((await keys('')).length, 6);
    t.ok((await store.list('')).every(({ key, value }) => textOf(value) === key));
  });

  test(`${name}: a watch yields what is there, then each change`, async (t) => {
    const { open } = await setUp(t);
    const [one, other] = [await open(), await open()];
    const first = await one.create('leases.1', bytes('a'));
    await one.create('workers.w1', bytes('of another prefix'));
    const watching = watched(t, other, 'leases');
    await until(() => watching.length === 1);
    const second = await one.update('leases.1', bytes('b'), first);
    await until(() => watching.length === 2);
    await one.create('leases.2', bytes('c'));
    await until(() => watching.length === 3);
    await one.delete('leases.1', second);
    await until(() => watching.length === 4);
    t.same(watching.map(pairOf), [
      ['leases.1', 'a'],
      ['leases.1', 'b'],
      ['leases.2', 'c'],
      ['leases.1', null],
    ]);
    t.same(
      watching.map(({ revision }) => revision),
      watching.map(({ revision }) => revision).sort((a, b) => a - b),
    );
  });

  test(`${name}: a watch ends with what is there, after changes in any order`, async (t) => {
    t.comment(`seed ${SEED}`);
    const random = new Random(SEED);
    const { open } = await setUp(t);
    const stores = [await open(), await open()];
    const seen = watched(t, await open(), 'a');
    const expected = new Map<string, string>();
    for (let step = 0; step < 200; step += 1) {
      const store = stores[random.below(2)] ?? (await open());
      const key = `a.${random.below(6)}`;
      const { revision } = (await store.get(key)) ?? {};
      if (revision === undefined) await store.create(key, bytes(String(step)));
      else if (random.below(3) === 0) await store.delete(key, revision);
      else await store.update(key, bytes(String(step)), revision);
      if ((await store.get(key)) === undefined) expected.delete(key);
      else expected.set(key, String(step));
    }
    const believed = (): Map<string, string> =>
      new Map(
        seen
          .map(pairOf)
          .reduce((all, [key, text]) => (text === null ? (all.delete(key), all) : all.set(key, text)), new Map<string, string>()),
      );
    await until(() => Buffer.from(sorted(believed())).equals(Buffer.from(sorted(expected))));
    t.equal(sorted(believed()), sorted(expected));
  });

  test(`${name}: a watch ends at its signal`, async (t) => {
    const store = await (await setUp(t)).open();
    const ending = new AbortController();
    const changes: SharedChange[] = [];
    const ended = (async () => {
      for await (const change of store.watch('', ending.signal)) changes.push(change);
    })();
    await store.create('a', bytes('1'));
    await until(() => changes.length === 1);
    ending.abort();
    await ended;
    t.same(changes.length, 1);
  });
}

const sorted = (map: ReadonlyMap<string, string>): string => JSON.stringify([...map].sort());

/** The changes that a watch yields until the test ends. */
export function watched(t: Test, store: SharedKeyValue, prefix: string): readonly SharedChange[] {
  const changes: SharedChange[] = [];
  const ending = new AbortController();
  const ended = (async () => {
    for await (const change of store.watch(prefix, ending.signal)) changes.push(change);
  })();
  t.teardown(async () => {
    ending.abort();
    await ended;
  });
  return changes;
}

/** Longest wait for a condition, in milliseconds: a busy machine is slow. */
const COMES_MS = 60_000;

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + COMES_MS; performance.now() < end; await pause(10)) if (await holds()) return;
  throw new Error('it does not come to that');
}
