import { test } from 'tap';
import { computeLedger, type LedgerFact, recordLedger, stateDigest } from '../../../engine/index.js';
import { assignCounted } from '../../../engine/replay/count-in-order.js';
import { fulfil } from '../../../engine/replay/fulfil.js';
import { at, day, LATE_FEE, loan, pay, SETTINGS, SMALL_LOAN, text, money } from './loans.js';

/* A single cent is told like any other amount. */

test('a cent that no obligation lacks, or that none has counted, is told', async (t) => {
  const heard: unknown[] = [];
  const state = computeLedger(loan(SMALL_LOAN), [], day('2024-01-21'));
  fulfil(state, 1, { how: 'payment', onPart: (obligation, amountCents) => void heard.push([obligation, amountCents]) });
  t.same(heard, [[null, 1]]);
  const part = { obligation: null, amountCents: 101, isAhead: true } as const;
  t.same(assignCounted([part, { obligation: 4, amountCents: 1 }], [{ obligation: 0, amountCents: 100 }]), [
    { obligation: 0, amountCents: 100, isAhead: true },
    { obligation: null, amountCents: 1, isAhead: true },
    { obligation: 4, amountCents: 1 },
  ]);
});

test('a digest reads again what a tolerance has let pass, down to the last cent', async (t) => {
  const terms = loan({ ...SMALL_LOAN, settings: { overdueToleranceCents: money('0.50') } });
  // 109.76 are due on each date; the second payment brings the cent that the first one lacked.
  const facts = [pay(1, '2024-02-15', '109.75'), pay(2, '2024-03-15', '109.77')];
  const state = computeLedger(terms, facts.slice(0, 1), day('2024-02-16'));
  stateDigest(state);
  const before = computeLedger(terms, facts, day('2024-03-16'));
  t.equal(text(before.obligations[0]?.remainingCents ?? -1), '0.00');
  const digested = recordLedger(terms, facts.slice(0, 1), day('2024-03-14')).state;
  const one = stateDigest(digested);
  const [obligation] = digested.obligations;
  if (obligation !== undefined) obligation.remainingCents = 0;
  t.not(stateDigest(digested), one);
});

test('one waiver takes one late fee', async (t) => {
  const terms = loan({
    ...SMALL_LOAN,
    settings: { ...SETTINGS, lateFees: [LATE_FEE, { ...LATE_FEE, feeTypeId: 'later', triggerDays: 20 }] },
  });
  const waive = (feeTypeId: string, obligation: number): LedgerFact => ({
    type: 'feeCanceled',
    fee: { type: 'late', feeTypeId, obligation },
    effective: at('2024-04-10'),
    sequence: 9,
    recordedDay: day('2024-04-10'),
  });
  const fees = (facts: readonly LedgerFact[]): readonly string[] =>
    computeLedger(terms, facts, day('2024-04-10'))
      .fees.filter(({ isCanceled }) => !isCanceled)
      .map(({ feeTypeId, obligation }) => `${feeTypeId} ${obligation}`);
  t.same(fees([]), ['late 0', 'later 0', 'late 1', 'later 1']);
  t.same(fees([waive('late', 0)]), ['later 0', 'late 1', 'later 1']);
  t.same(fees([waive('later', 1)]), ['late 0', 'later 0', 'late 1']);
});
