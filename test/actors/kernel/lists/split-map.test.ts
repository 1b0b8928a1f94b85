import { isDeepStrictEqual } from 'node:util';
import { test } from 'tap';
import { SplitMap } from '../../../../actors/kernel/lists/split-map.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';

/** More than the entries from which on it is spread. */
const MANY = 40_000;

test('it has what a map has, before and after it is spread', (t) => {
  const random = new Random(SEED);
  const split = new SplitMap<number>();
  const whole = new Map<string, number>();
  const isAlike = (key: string): boolean => split.get(key) === whole.get(key) && split.size === whole.size;
  let faults = 0;
  for (let step = 0; step < 3 * MANY; step += 1) {
    // Short keys, and long ones that differ at their end or at their begin alone.
    const number = random.below(MANY);
    const key = ['', `LN-${number}`, `loan ${number} of the portfolio`][number % 3] ?? '';
    if (random.below(4) === 0) faults += Number(split.delete(key) !== whole.delete(key));
    else {
      split.set(key, step);
      whole.set(key, step);
    }
    faults += Number(!isAlike(key));
  }
  t.equal(faults, 0);
  t.ok(whole.size > 16_384, 'so many that it is spread');
  t.ok(isDeepStrictEqual([...split.keys()].sort(), [...whole.keys()].sort()));
  t.end();
});

test('the key that an iteration has given may be deleted', (t) => {
  const split = new SplitMap<true>();
  for (let number = 0; number < MANY; number += 1) split.set(`LN-${number}`, true);
  const seen = new Set<string>();
  for (const key of split.keys()) {
    seen.add(key);
    split.delete(key);
  }
  t.equal(seen.size, MANY);
  t.equal(split.size, 0);
  t.end();
});
