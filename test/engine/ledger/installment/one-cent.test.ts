import { test } from 'tap';
import {
  type Allocation,
  comingPeriod,
  computeLedger,
  type LedgerFact,
  overdueOf,
  payoffOf,
  recordLedger,
  stateDigest,
} from '../../../../engine/index.js';
import { assignCounted } from '../../../../engine/ledger/core/count-in-order.js';
import { fulfil } from '../../../../engine/ledger/installment/fulfil.js';
import { keepAllocation } from '../../../../engine/ledger/core/recorder.js';
import { at, day, LATE_FEE, loan, pay, SETTINGS, SMALL_LOAN, text, money } from './loans.js';

/* A single cent is reported like any other amount. */

test('a cent that no obligation lacks, or that none has counted, is reported', async (t) => {
  const counted: unknown[] = [];
  const state = computeLedger(loan(SMALL_LOAN), [], day('2024-01-21'));
  fulfil(state, 1, { how: 'payment', onPart: (obligation, amountCents) => void counted.push([obligation, amountCents]) });
  t.same(counted, [[null, 1]]);
  const part = { obligation: null, amountCents: 101, isAhead: true } as const;
  t.same(assignCounted([part, { obligation: 4, amountCents: 1 }], [{ obligation: 0, amountCents: 100 }]), [
    { obligation: 0, amountCents: 100, isAhead: true },
    { obligation: null, amountCents: 1, isAhead: true },
    { obligation: 4, amountCents: 1 },
  ]);
});

test('a digest reads obligations within the tolerance again, down to the last cent', async (t) => {
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

test('one waiver cancels one late fee', async (t) => {
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

test('money that was overpaid in parts pays later charges, part after part', async (t) => {
  const over = (amountCents: number, transaction = 1): Allocation => ({ transaction, bucket: 'paidOver', obligation: null, amountCents });
  const kept = (...allocations: readonly Allocation[]): readonly Allocation[] => {
    const all: Allocation[] = [];
    for (const allocation of allocations) keepAllocation(all, allocation);
    return all;
  };
  t.same(kept(over(5), over(3), over(-4)), [over(3), over(1)]);
  t.same(kept(over(5), over(3), over(-6)), [over(2)]);
  t.same(kept(over(5), over(3), over(-8)), []);
  t.same(kept(over(5), over(3, 2), over(-3, 2)), [over(5)]);
});

test('a paid-off loan has nothing due, and a current loan has no oldest overdue obligation', async (t) => {
  const terms = loan({ ...SMALL_LOAN, originationFee: { amountCents: money('24.00'), logic: 'spread' } });
  const before = computeLedger(terms, [], day('2024-01-31'));
  t.match(overdueOf(before), { isOverdue: false, daysOverdue: 0, overdueCents: 0, overdueSince: null, oldestObligation: null });
  const paid = computeLedger(terms, [pay(1, '2024-01-31', text(payoffOf(before, day('2024-01-31')).payoffCents))], day('2024-01-31'));
  t.match(paid, { status: 'paidOff', prepaidCents: 0, lateFeeAheadCents: 0, originationAskedCents: 0 });
});

test('the period of the next statement ends with the next due date, and a paid-off loan has none', async (t) => {
  const terms = loan(SMALL_LOAN);
  const coming = (date: string): unknown => {
    const period = comingPeriod(computeLedger(terms, [], day(date)));
    return period === null ? null : [period.ordinal, period.startDay, period.dueDay, period.status];
  };
  t.same(coming('2024-02-14'), [0, day('2024-01-20'), day('2024-02-15'), 'open']);
  // On the due date itself the next one is to come.
  t.same(coming('2024-02-15'), [1, day('2024-02-15'), day('2024-03-15'), 'open']);
  t.equal(comingPeriod(computeLedger(terms, [pay(1, '2024-01-31', '1300.00')], day('2024-02-01'))), null);
});
