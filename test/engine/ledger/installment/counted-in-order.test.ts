import { test } from 'tap';
import {
  balancesOf,
  type Bucket,
  computeLedger,
  DEFAULT_PAYMENT_WATERFALL,
  type LedgerFact,
  type LedgerState,
  obligationsOf,
  overdueOf,
  recordLedger,
} from '../../../../engine/index.js';
import { day, LATE_FEE, loan, money, pay, SMALL_LOAN, text } from './loans.js';
import { areObligationsWhole } from './sums.js';

/*
 * Money counts toward obligations in their order, regardless of how the waterfall orders components.
 */

const after = (first: readonly Bucket[]): readonly Bucket[] => [
  ...first,
  ...DEFAULT_PAYMENT_WATERFALL.filter((bucket) => !first.includes(bucket)),
];

const INTEREST_FIRST = after(['overdueInterest', 'dueInterest', 'nonDueInterest']);
const FEES_LAST = [
  ...DEFAULT_PAYMENT_WATERFALL.filter((bucket) => !bucket.endsWith('Fees')),
  'overdueFees',
  'dueFees',
  'nonDueFees',
] as const;

const under = (paymentWaterfall: readonly Bucket[], more: object = {}) => loan({ ...SMALL_LOAN, settings: { paymentWaterfall, ...more } });

const overduePart = (ledger: LedgerState): string => text(balancesOf(ledger).overdue.totalCents);

test('a borrower who pays the overdue amount is current, even if interest that is not due takes a part first', async (t) => {
  const paid = computeLedger(under(INTEREST_FIRST), [pay(1, '2024-02-25', '109.76')], day('2024-02-25'));
  t.match(obligationsOf(paid)[0], { isFulfilled: true, remainingCents: 0, paymentsCents: 10_976 });
  t.match(overdueOf(paid), { isOverdue: false, overdueCents: 0 });
  t.match(
    paid.payments.at(0),
    { interestCents: 1_539 + 591, principalCents: 10_976 - 1_539 - 591 },
    'the waterfall splits the money as ever',
  );
  t.equal(overduePart(paid), '0.00', 'what the interest took of the overdue principal is not due any more');
  t.match(
    obligationsOf(paid)[1],
    { isFulfilled: false, remainingCents: 10_976, overpaymentsCents: 0 },
    'the next obligation counts nothing of it',
  );
  const short = computeLedger(under(INTEREST_FIRST), [pay(1, '2024-02-25', '109.72')], day('2024-02-25'));
  t.match(overdueOf(short), { isOverdue: true, overdueCents: 4 });
  t.ok(areObligationsWhole(short));
});

test('money above what obligations lack counts for the open one, as before', async (t) => {
  const paid = computeLedger(under(INTEREST_FIRST), [pay(1, '2024-02-25', '119.76')], day('2024-02-25'));
  t.match(obligationsOf(paid)[0], { isFulfilled: true });
  t.match(obligationsOf(paid)[1], { overpaymentsCents: 1_000, remainingCents: 9_976 });
});

test('a fee for which other money was counted waits for the next due date', async (t) => {
  const late = { lateFees: [LATE_FEE] };
  // 10.00 on 2024-03-01 fall due with the second row; 219.52 + 10.00 are overdue from 2024-03-16 on.
  const owing = computeLedger(under(FEES_LAST, late), [], day('2024-03-20'));
  t.equal(overduePart(owing), '229.52');
  const paid = computeLedger(under(FEES_LAST, late), [pay(1, '2024-03-20', '229.52')], day('2024-03-20'));
  t.match(overdueOf(paid), { isOverdue: false });
  t.equal(paid.openFeesCents, 1_000, 'principal that is not due came before it');
  t.equal(text(balancesOf(paid).due.feesCents), '10.00');
  const next = computeLedger(under(FEES_LAST, late), [pay(1, '2024-03-20', '229.52')], day('2024-04-15'));
  // Money that counted for the fee is now ahead for the row that includes the fee, so no more than the row is lacking.
  t.match(obligationsOf(next)[2], { obligationCents: 10_976 + 1_000, remainingCents: 10_976 });
});

test('the allocation names the obligation that has counted each part of the money', async (t) => {
  const { allocations } = recordLedger(under(INTEREST_FIRST), [pay(1, '2024-02-25', '109.76')], day('2024-02-25'));
  t.same(
    allocations.map(({ bucket, obligation, amountCents }) => [bucket, obligation, amountCents]),
    [
      ['overdueInterest', 0, 1_539],
      ['nonDueInterest', 0, 591],
      ['overduePrincipal', 0, 8_846],
    ],
  );
});

test('days that were computed under rules 2 do not change', async (t) => {
  const paid = computeLedger(under(INTEREST_FIRST, { rules: 2 }), [pay(1, '2024-02-25', '109.76')], day('2024-02-25'));
  t.match(overdueOf(paid), { isOverdue: true, overdueCents: 591 });
});

/** Three rows of 30.00. */
const THREE_ROWS = { principal: '90.00', rate: '0', activation: '2024-01-01', firstDue: '2024-02-01', rows: 3 } as const;

test('after a fee with counted money is paid, nothing is due without an obligation', async (t) => {
  const charged: LedgerFact = {
    type: 'feeCharged',
    effective: { day: day('2024-01-10'), seconds: 7_200 },
    sequence: 1,
    recordedDay: day('2024-01-10'),
    fee: 1,
    feeTypeId: 'byHand',
    kind: 'otherFee',
    amountCents: money('2.00'),
    chargeLogic: 'nextDueDate',
  };
  // The first obligation lacks 32.00, the second one 30.00; 30.00 are overdue, and 2.50 meet what is not due.
  const facts = [charged, pay(2, '2024-03-01', '32.50')];
  const terms = loan({ ...THREE_ROWS, settings: { paymentWaterfall: after(['overduePrincipal', 'nonDuePrincipal']) } });
  const paid = computeLedger(terms, facts, day('2024-03-01'));
  t.match(obligationsOf(paid)[1], { remainingCents: 2_950 });
  t.match(paid, { duePrincipalCents: 2_950, nonDuePrincipalCents: 2_800, openFeesCents: 200 });
  const credited = computeLedger(terms, [...facts, pay(3, '2024-03-01', '2.00', { kind: 'credit' })], day('2024-03-01'));
  t.match(obligationsOf(credited)[1], { remainingCents: 2_750 });
  t.match(credited, { duePrincipalCents: 2_750, nonDuePrincipalCents: 3_000, openFeesCents: 0 });
  t.ok(areObligationsWhole(credited));
});

test('an origination fee with counted money falls due again under either setting', async (t) => {
  const terms = {
    ...loan({ ...THREE_ROWS, settings: { paymentWaterfall: FEES_LAST } }),
    originationFee: { amountCents: money('50.01'), logic: 'firstPayment' as const },
  };
  // 80.01 are due; 111.00 pay all of the 90.00, and 21.00 of the fee. Of what is not due, 29.01 count for the first obligation: 30.99 are
  // ahead.
  for (const prepay of [true, false]) {
    const paid = computeLedger(terms, [pay(1, '2024-02-01', '111.00', { prepay })], day('2024-02-01'));
    const [first, second] = obligationsOf(paid);
    t.match(first, { isFulfilled: true });
    t.match(second, { obligationCents: 5_901, overpaymentsCents: 3_099 });
  }
});
