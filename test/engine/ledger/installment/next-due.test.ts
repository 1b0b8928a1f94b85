import assert from 'node:assert/strict';
import fc from '../../../fast-check.js';
import { test } from 'tap';
import { cents, type Day, type LedgerFact, type LedgerState, type LedgerTerms, projectedRows } from '../../../../engine/index.js';
import { computeLedger } from '../../../../engine/ledger/installment/compute.js';
import type { NextDue } from '../../../../engine/ledger/core/overdue.js';
import { nextDueDay, nextDueOf } from '../../../../engine/ledger/installment/read-obligations.js';
import { PARAMETERS, RUNS, statusHistories } from './histories.js';
import { SEED } from '../../../seed.js';
import { at, day, loan, pay, SMALL_LOAN } from './loans.js';

/*
 * Lists and agendas need the next due date after each payment: it is read from the next row if possible, and must equal the
 * one of a projection.
 */

/** One history in fifty has money ahead. */
const ENOUGH_RUNS = 300;

const PREPAYING = { prepay: true } as const;

const dayAfter = (facts: readonly LedgerFact[], date: string, terms: LedgerTerms = loan(SMALL_LOAN)): Day | null =>
  nextDueDay(computeLedger(terms, facts, day(date)));

/** The next due date from the obligations and all rows of the projection. */
function projectedDue(state: LedgerState): NextDue | null {
  const { status, obligations } = state;
  const due = obligations.find(({ isFulfilled, isEnforced }) => !isFulfilled && !isEnforced);
  if (due !== undefined && (status === 'active' || status === 'accelerated'))
    return { day: due.dueDay, remainingCents: cents(due.remainingCents) };
  if (status !== 'active') return null;
  const row = [...projectedRows(state)].find(({ amountCents, prepaidCents }) => amountCents > prepaidCents);
  return row === undefined ? null : { day: row.date, remainingCents: cents(row.amountCents - row.prepaidCents) };
}

test('the next due amount is that of the projection, after any facts', async (t) => {
  t.comment(`seed ${SEED}`);
  let ahead = 0;
  fc.assert(
    fc.property(statusHistories, fc.integer({ min: -200, max: 100 }), ({ terms, facts, through }, days) => {
      const until = Math.max(terms.activation, through + days) as Day;
      const state = computeLedger(
        terms,
        facts.filter(({ effective, recordedDay }) => effective.day <= until && recordedDay <= until),
        until,
      );
      if (state.prepaidCents > 0) ahead += 1;
      const expected = projectedDue(state);
      assert.deepEqual([nextDueOf(state), nextDueDay(state)], [expected, expected?.day ?? null]);
    }),
    PARAMETERS,
  );
  t.ok(ahead > 0 || RUNS < ENOUGH_RUNS, `${ahead} of them with money ahead`);
});

test('a row that is partly paid in advance is the next one, and a fully paid row is not', async (t) => {
  const [first, second] = [...projectedRows(computeLedger(loan(SMALL_LOAN), [], day('2024-01-25')))];
  t.equal(dayAfter([pay(1, '2024-01-25', '60.00', PREPAYING)], '2024-01-25'), first?.date);
  t.equal(dayAfter([pay(1, '2024-01-25', '110.00', PREPAYING)], '2024-01-25'), second?.date);
});

test('an interest-only row is the next one if it has interest, and else not', async (t) => {
  const interestOnly: LedgerFact = {
    effective: at('2024-01-25'),
    sequence: 1,
    recordedDay: day('2024-01-25'),
    type: 'scheduleChanged',
    dueDates: [day('2024-03-15'), day('2024-04-15')],
    payment: { type: 'fixed', amountCents: cents(60_000) },
    from: day('2024-01-26'),
    rowTerms: [{ type: 'interestOnly' }],
  };
  t.equal(dayAfter([interestOnly], '2024-01-26'), day('2024-03-15'));
  t.equal(dayAfter([interestOnly], '2024-01-26', loan({ ...SMALL_LOAN, rate: '0' })), day('2024-04-15'));
});

test('money in advance that leaves less principal than a row needs a projection', async (t) => {
  const facts = [pay(1, '2024-01-25', '1150.00'), pay(2, '2024-01-26', '40.00', PREPAYING)];
  const state = computeLedger(loan(SMALL_LOAN), facts, day('2024-01-26'));
  t.same(nextDueOf(state), projectedDue(state));
});
