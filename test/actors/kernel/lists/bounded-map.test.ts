import { isDeepStrictEqual } from 'node:util';
import { test } from 'tap';
import { BoundedMap } from '../../../../actors/kernel/lists/bounded-map.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';

test('above its limit the entry is dropped that was set or renewed longest ago', (t) => {
  const map = new BoundedMap<string, number>(3);
  for (const [at, key] of ['a', 'b', 'c'].entries()) map.set(key, at);
  t.equal(map.get('a'), 0, 'which leaves the order as it is');
  t.equal(map.renew('b'), 1);
  map.set('d', 3);
  t.strictSame(
    [...map],
    [
      ['c', 2],
      ['b', 1],
      ['d', 3],
    ],
  );
  map.set('c', 20);
  map.set('e', 4);
  t.strictSame(
    [...map].map(([key]) => key),
    ['d', 'c', 'e'],
  );
  t.equal(map.get('c'), 20);
  t.equal(map.renew('a'), undefined);
  t.equal(map.delete('a'), false);
  t.equal(map.delete('c'), true);
  t.equal(map.size, 2);
  t.end();
});

test('the entry that an iteration has given last may be deleted', (t) => {
  const map = new BoundedMap<number, number>(10);
  for (let key = 0; key < 10; key += 1) map.set(key, key);
  const seen: number[] = [];
  for (const [key] of map) {
    seen.push(key);
    if (key % 2 === 0) map.delete(key);
  }
  t.strictSame(seen, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  t.strictSame(
    [...map].map(([key]) => key),
    [1, 3, 5, 7, 9],
  );
  t.end();
});

test(`whatever is done, it has the entries and the order of a plain list (TENOR_SEED=${SEED})`, (t) => {
  const random = new Random(SEED);
  const limit = 8;
  const map = new BoundedMap<number, number>(limit);
  let list: (readonly [number, number])[] = [];
  const without = (key: number) => list.filter(([known]) => known !== key);
  for (let step = 0; step < 5_000; step += 1) {
    const key = random.below(16);
    const known = list.find(([each]) => each === key);
    const found: unknown[] = [];
    const wanted: unknown[] = [];
    switch (random.below(4)) {
      case 0:
        found.push(map.delete(key));
        wanted.push(known !== undefined);
        list = without(key);
        break;
      case 1:
        found.push(map.renew(key));
        wanted.push(known?.[1]);
        if (known !== undefined) list = [...without(key), known];
        break;
      default:
        map.set(key, step);
        list = [...without(key), [key, step] as const].slice(-limit);
    }
    found.push([...map], map.size, map.get(key));
    wanted.push(list, list.length, list.find(([each]) => each === key)?.[1]);
    if (!isDeepStrictEqual(found, wanted)) throw new Error(`step ${step}: ${JSON.stringify(found)}, and not ${JSON.stringify(wanted)}`);
  }
  t.pass('holds');
  t.end();
});
