import fc from '../../fast-check.js';
import { test } from 'tap';
import { addDays, type Day, type LedgerFact, type LedgerTerms, projectedRows } from '../../../engine/index.js';
import { computeLedger } from '../../../engine/replay/compute.js';
import { nextDueDay, nextDueOf } from '../../../engine/replay/next-due.js';
import { PARAMETERS, statusHistories } from './histories.js';
import { SEED } from '../../seed.js';
import { day, loan, pay, SMALL_LOAN } from './loans.js';

/*
 * The next due date of lists and agendas is asked for after each payment: it is read off the next row where that has it, and must be the
 * one that a projection gives.
 */

const PREPAYING = { prepay: true } as const;

const dayAfter = (facts: readonly LedgerFact[], date: string, terms: LedgerTerms = loan(SMALL_LOAN)): Day | null =>
  nextDueDay(computeLedger(terms, facts, day(date)));

test('the next due date is that of a projection, after any facts', async (t) => {
  t.comment(`seed ${SEED}`);
  let ahead = 0;
  fc.assert(
    fc.property(statusHistories, fc.integer({ min: 0, max: 100 }), ({ terms, facts, through }, days) => {
      const state = computeLedger(terms, facts, addDays(through, days));
      if (state.prepaidCents > 0) ahead += 1;
      return nextDueDay(state) === (nextDueOf(state)?.day ?? null);
    }),
    PARAMETERS,
  );
  t.ok(ahead > 0, `${ahead} of them with money ahead`);
});

test('a row that money ahead has met in part is the next one, and one that it has met whole is not', async (t) => {
  const [first, second] = [...projectedRows(computeLedger(loan(SMALL_LOAN), [], day('2024-01-25')))];
  t.equal(dayAfter([pay(1, '2024-01-25', '60.00', PREPAYING)], '2024-01-25'), first?.date);
  t.equal(dayAfter([pay(1, '2024-01-25', '110.00', PREPAYING)], '2024-01-25'), second?.date);
});

test('money ahead that leaves less principal than a row asks for is projected', async (t) => {
  const facts = [pay(1, '2024-01-25', '1150.00'), pay(2, '2024-01-26', '40.00', PREPAYING)];
  const state = computeLedger(loan(SMALL_LOAN), facts, day('2024-01-26'));
  t.equal(nextDueDay(state), nextDueOf(state)?.day ?? null);
});
