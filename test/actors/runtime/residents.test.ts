import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'tap';
import { Residents } from '../../../actors/runtime/residents.js';
import type { Resident } from '../../../actors/runtime/world.js';

const BOUND = 100;
const named = (key: string): Resident => ({ key }) as Resident;

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await turn();
}

test('above the bound those that nobody has asked for lie down, and what is touched or unstored stays', async (t) => {
  const unstored = new Set(['u-1', 'u-2']);
  const residents = new Residents(({ key }) => !unstored.has(key), BOUND);
  for (const key of ['u-1', 'u-2', 'wanted']) residents.set(named(key));
  for (let n = 0; n < 20 * BOUND; n++) {
    residents.set(named(`n-${n}`));
    residents.get('wanted');
    if (n % 10 === 0) await turn();
  }
  await turns(20);
  t.equal(residents.size, BOUND);
  t.ok(['u-1', 'u-2', 'wanted'].every((key) => residents.has(key)));
});

test('nobody lies down before the turn of a command has ended', async (t) => {
  const residents = new Residents(() => true, BOUND);
  for (let n = 0; n < 10 * BOUND; n++) residents.set(named(`n-${n}`));
  t.equal(residents.size, 10 * BOUND);
  await turns(20);
  t.equal(residents.size, BOUND);
});

test('where nobody may rest the search ends', async (t) => {
  let looks = 0;
  const residents = new Residents(() => (looks++, false), BOUND);
  for (let n = 0; n < 2 * BOUND; n++) residents.set(named(`n-${n}`));
  await turns(20);
  const before = looks;
  await turns(20);
  t.equal(looks, before);
});
