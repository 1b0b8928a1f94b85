import fc from '../../../fast-check.js';
import { test } from 'tap';
import { computePlacement, type Placement } from '../../../../actors/index.js';
import { SEED } from '../../../seed.js';
import { UNITS } from './members.js';

const NAMES = Array.from({ length: 9 }, (_, at) => `w${at}`);

/** Any units with any owners: live workers, dead ones, or none. */
const states = fc.record({
  units: fc.integer({ min: 1, max: 65 }).map((count) => UNITS.slice(65 - count)),
  workers: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 7 }),
  owners: fc
    .array(fc.option(fc.constantFrom(...NAMES), { nil: null }), { minLength: 65, maxLength: 65 })
    .map((names): Placement => new Map(names.flatMap((name, unit) => (name === null ? [] : [[UNITS[unit] ?? '', name]])))),
});

const countsOf = (placement: Placement, workers: readonly string[]): readonly number[] =>
  workers.map((worker) => [...placement.values()].filter((owner) => owner === worker).length);

function holds(property: fc.IPropertyWithHooks<never> | fc.IProperty<never> | fc.IProperty<unknown>): void {
  fc.assert(property as fc.IProperty<unknown>, { seed: SEED, numRuns: 500 });
}

test('every unit has one of the workers, and none has two more than another', (t) => {
  holds(
    fc.property(states, ({ units, workers, owners }) => {
      const placed = computePlacement({ units, workers, owners });
      const counts = countsOf(placed, workers);
      return (
        placed.size === units.length &&
        [...placed.values()].every((worker) => workers.includes(worker)) &&
        Math.max(...counts) - Math.min(...counts) <= 1
      );
    }),
  );
  t.end();
});

test('no balanced placement moves fewer', (t) => {
  holds(
    fc.property(states, ({ units, workers, owners }) => {
      const placed = computePlacement({ units, workers, owners });
      const kept = units.filter((unit) => placed.get(unit) === owners.get(unit)).length;
      const has = workers.map((worker) => units.filter((unit) => owners.get(unit) === worker).length);
      const each = Math.floor(units.length / workers.length);
      const larger = Math.min(units.length % workers.length, has.filter((count) => count > each).length);
      return kept === has.reduce((sum, count) => sum + Math.min(count, each), larger);
    }),
  );
  t.end();
});

test('the order of units, workers and owners does not matter', (t) => {
  holds(
    fc.property(states, ({ units, workers, owners }) => {
      const other = computePlacement({
        units: [...units].reverse(),
        workers: [...workers].reverse(),
        owners: new Map([...owners].reverse()),
      });
      return units.every((unit) => other.get(unit) === computePlacement({ units, workers, owners }).get(unit));
    }),
  );
  t.end();
});

test('while it is being carried out it stays the same', (t) => {
  holds(
    fc.property(states, fc.infiniteStream(fc.integer({ min: 0, max: 2 })), ({ units, workers, owners }, steps) => {
      const plan = computePlacement({ units, workers, owners });
      const underWay = new Map(owners);
      for (const unit of units) {
        const [step] = [steps.next().value as number];
        if (step === 0 || plan.get(unit) === owners.get(unit)) continue;
        underWay.delete(unit);
        const heir = plan.get(unit);
        if (step === 2 && heir !== undefined) underWay.set(unit, heir);
      }
      const again = computePlacement({ units, workers, owners: underWay });
      return units.every((unit) => again.get(unit) === plan.get(unit));
    }),
  );
  t.end();
});

test('nobody owns anything where nobody lives', (t) => {
  t.equal(computePlacement({ units: UNITS, workers: [], owners: new Map([['u01', 'w1']]) }).size, 0);
  t.end();
});

test('a worker that joins takes its share, and one that dies leaves it to the others', (t) => {
  const alone = computePlacement({ units: UNITS, workers: ['a'], owners: new Map() });
  const two = computePlacement({ units: UNITS, workers: ['a', 'b'], owners: alone });
  t.same(countsOf(two, ['a', 'b']), [33, 32]);
  const three = computePlacement({ units: UNITS, workers: ['a', 'b', 'c'], owners: two });
  t.same(countsOf(three, ['a', 'b', 'c']), [22, 22, 21]);
  t.equal([...three].filter(([unit, worker]) => two.get(unit) !== worker).length, 21);
  const without = computePlacement({ units: UNITS, workers: ['a', 'c'], owners: three });
  t.ok([...three].every(([unit, worker]) => worker === 'b' || without.get(unit) === worker));
  t.end();
});
