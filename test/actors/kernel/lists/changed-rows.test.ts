import fc from '../../../fast-check.js';
import { test } from 'tap';
import { ChangedRows } from '../../../../actors/kernel/lists/changed-rows.js';

test('what has changed since a stamp is found, or said to be forgotten', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), step: fc.integer({ min: -2, max: 3 }) }), { maxLength: 60 }),
      fc.integer({ min: 0, max: 80 }),
      (puts, since) => {
        const changed = new ChangedRows(8);
        const rows = new Map<string, number>();
        let stamp = 10;
        for (const { id, step } of puts) {
          stamp = Math.max(0, stamp + step);
          rows.set(id, stamp);
          changed.put({ id, updatedStamp: stamp });
        }
        const found = changed.since(since);
        const wanted = [...rows].filter(([, last]) => last >= since).map(([id]) => id);
        return found === null ? puts.length >= 16 : wanted.every((id) => found.includes(id));
      },
    ),
  );
  t.pass('over random histories');
});

test('rows that a start reads in any order are remembered by their stamps', async (t) => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...Array(64).keys()], { minLength: 30 }), (stamps) => {
      const changed = new ChangedRows(8);
      for (const stamp of stamps) changed.put({ id: `row ${stamp}`, updatedStamp: stamp });
      const newest = [...stamps].sort((a, b) => b - a).slice(0, 8);
      const found = changed.since(newest.at(-1) ?? 0);
      return found !== null && newest.every((stamp) => found.includes(`row ${stamp}`));
    }),
  );
  t.pass('the newest are never forgotten');
});

test('a row that changes again and again takes the place of no other', async (t) => {
  const changed = new ChangedRows(4);
  changed.put({ id: 'once', updatedStamp: 1 });
  for (let stamp = 2; stamp < 100; stamp += 1) changed.put({ id: 'often', updatedStamp: stamp });
  t.same(changed.since(1)?.toSorted(), ['often', 'once']);
});

test('rows that change one after the other are forgotten in their order', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 200 }), (changes) => {
      const changed = new ChangedRows(8);
      const rows = new Map<string, number>();
      for (const [stamp, row] of changes.entries()) {
        rows.set(`row ${row}`, stamp);
        changed.put({ id: `row ${row}`, updatedStamp: stamp });
      }
      const newest = [...rows].sort(([, one], [, other]) => other - one).slice(0, 8);
      const from = newest.at(-1)?.[1] ?? 0;
      const isSaid = changed.since(0) !== null || rows.size > 8;
      return (
        isSaid &&
        changed.since(from)?.toSorted().join() ===
          newest
            .map(([id]) => id)
            .toSorted()
            .join()
      );
    }),
  );
  t.pass('over random histories');
});
