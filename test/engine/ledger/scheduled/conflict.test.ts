import { test } from 'tap';
import { conflictOf, type ScheduledKeeping } from '../../../../engine/index.js';
import { PLAIN_KEEPING } from '../installment/kept-loans.js';

const PROGRESSIVE: Partial<ScheduledKeeping> = { recalculation: { type: 'progressive', isOverdueBearing: true } };
const CUMULATIVE: Partial<ScheduledKeeping> = { recalculation: { type: 'cumulative', rest: 'daily', isCompounding: false } };

test('contradicting settings of a loan with scheduled interest are refused with the reason', async (t) => {
  const conflict = (...parts: readonly Partial<ScheduledKeeping>[]): string | null =>
    conflictOf(Object.assign({}, PLAIN_KEEPING, ...parts));
  const flat: Partial<ScheduledKeeping> = { interest: { type: 'flat', periodsPerYear: 12 } };
  const equal: Partial<ScheduledKeeping> = { principal: { type: 'equal' } };
  const ordered: Partial<ScheduledKeeping> = { chargebackOrder: ['principal', 'interest', 'fees', 'penalties'] };
  // Interest of the schedule is compatible with all other settings.
  t.same(
    [conflict(), conflict(flat), conflict(equal), conflict(ordered), conflict({ excess: 'last' }), conflict({ creditExcess: 'spread' })],
    [null, null, null, null, null, null],
  );
  for (const recalculated of [PROGRESSIVE, CUMULATIVE]) {
    t.equal(conflict(recalculated), null);
    t.match(conflict(recalculated, flat), 'flat interest is never recalculated');
    t.match(conflict(recalculated, equal), 'within level installments alone');
    t.match(conflict(recalculated, { excess: 'last' }), 'meets the next installments');
    t.match(conflict(recalculated, { creditExcess: 'spread' }), 'meets the next installments');
  }
  t.equal(conflict(PROGRESSIVE, ordered), null);
  t.match(conflict(CUMULATIVE, ordered), 'no order of charge-backs');
});
