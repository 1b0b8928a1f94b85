import { test } from 'tap';
import { isMissed } from '../../bench/measure/benchmark.js';
import { measuresOf, type Minute } from '../../bench/measure/soak.js';

const FLAT: Minute = {
  minute: 1,
  heapMB: 100,
  externalMB: 50,
  rssMB: 500,
  anonymousMB: 300,
  descriptors: 37,
  snapshotLag: 10,
  answered: 24_000,
  failed: 0,
  p50Ms: 2,
  p99Ms: 6,
};

/** What an hour misses, whose minutes differ from a flat one like this. */
function missedOf(differs: (minute: number) => Partial<Minute>): readonly string[] {
  const rows = Array.from({ length: 60 }, (_, at) => ({ ...FLAT, minute: at + 1, ...differs(at + 1) }));
  return measuresOf(rows)
    .filter(isMissed)
    .map(({ name }) => name);
}

test('an hour with flat lines misses no budget, whatever its first third does', (t) => {
  t.same(
    missedOf(() => ({})),
    [],
  );
  t.same(
    missedOf((minute) => (minute <= 20 ? { anonymousMB: 200 + minute * 5, p99Ms: 90, descriptors: 20 } : {})),
    [],
  );
  t.end();
});

test('what grows to the end of the hour is missed by its name', (t) => {
  t.same(
    missedOf((minute) => ({ heapMB: 100 + minute })),
    ['heap that a payment leaves'],
  );
  t.same(
    missedOf((minute) => ({ externalMB: 50 + minute })),
    ['external that a payment leaves'],
  );
  t.same(
    missedOf((minute) => ({ anonymousMB: 300 + 2 * minute })),
    ['anonymous that a payment leaves'],
  );
  t.same(
    missedOf((minute) => ({ descriptors: 37 + minute })),
    ['descriptors that are opened and not closed'],
  );
  t.same(
    missedOf((minute) => ({ p99Ms: 6 + minute })),
    ['p99, last third by the second'],
  );
  t.same(
    missedOf((minute) => ({ failed: Number(minute === 3) })),
    ['failed'],
  );
  t.end();
});
