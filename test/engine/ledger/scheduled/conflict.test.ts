import { test } from 'tap';
import { conflictOf, type InstalmentKeeping } from '../../../../engine/index.js';
import { PLAIN_KEEPING } from '../installment/kept-loans.js';

const PROGRESSIVE: Partial<InstalmentKeeping> = { recalculation: { type: 'progressive', isOverdueBearing: true } };
const CUMULATIVE: Partial<InstalmentKeeping> = { recalculation: { type: 'cumulative', rest: 'daily', isCompounding: false } };

test('settings of a loan by installment go together, or the words say what one asks of the other', async (t) => {
  const words = (...parts: readonly Partial<InstalmentKeeping>[]): string | null => conflictOf(Object.assign({}, PLAIN_KEEPING, ...parts));
  const flat: Partial<InstalmentKeeping> = { interest: { type: 'flat', periodsPerYear: 12 } };
  const equal: Partial<InstalmentKeeping> = { principal: { type: 'equal' } };
  const ordered: Partial<InstalmentKeeping> = { chargebackOrder: ['principal', 'interest', 'fees', 'penalties'] };
  // The schedule's own interest goes with everything.
  t.same(
    [words(), words(flat), words(equal), words(ordered), words({ excess: 'last' }), words({ creditExcess: 'spread' })],
    [null, null, null, null, null, null],
  );
  for (const recalculated of [PROGRESSIVE, CUMULATIVE]) {
    t.equal(words(recalculated), null);
    t.match(words(recalculated, flat), 'flat interest is never recalculated');
    t.match(words(recalculated, equal), 'within level instalments alone');
    t.match(words(recalculated, { excess: 'last' }), 'meets the next instalments');
    t.match(words(recalculated, { creditExcess: 'spread' }), 'meets the next instalments');
  }
  t.equal(words(PROGRESSIVE, ordered), null);
  t.match(words(CUMULATIVE, ordered), 'no order of charge-backs');
});
