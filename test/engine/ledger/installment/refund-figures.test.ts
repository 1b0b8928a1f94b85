import { test } from 'tap';
import { allocationOf, cents, type LedgerFact, type LedgerTerms, recordLedger, type Refund } from '../../../../engine/index.js';
import { figuresIn } from './figures.js';
import { at, day, LATE_FEE, loan, type LoanShape, money, pay, text } from './loans.js';

/*
 * All figures of a loan after a refund, by hand. 1,000.00 bear 1.00 a night, five rows of 210.00 with 10.00 of the origination fee each.
 *
 *   2024-01-11   10.00 interest, 200.00 principal, 10.00 + 6.00 fees                  226.00
 *   2024-01-13   a fee of 7.00 that is due by itself; on the 16th the late fee of 10.00
 *   2024-02-11   31.00 interest, 179.00 principal, 10.00 + 7.00 + 10.00 fees          237.00
 */
const terms = (shape: Partial<LoanShape> = {}): LedgerTerms => {
  const own = loan({
    principal: '1000.00',
    rate: '0.365',
    activation: '2024-01-01',
    firstDue: '2024-01-11',
    rows: 5,
    originationFee: { amountCents: cents(5000), logic: 'spread' },
    settings: { lateFees: [{ ...LATE_FEE, triggerDays: 5 }] },
    ...shape,
  });
  return { ...own, rows: own.rows.map((row) => ({ ...row, amountCents: money('210.00') })) };
};
const SEPARATE = { originationFee: { amountCents: cents(5000), logic: 'separate' } } as const;

const charge = (fee: number, date: string, amount: string, chargeLogic: 'nextDueDate' | 'immediate'): LedgerFact => ({
  type: 'feeCharged',
  fee,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money(amount),
  chargeLogic,
  effective: at(date),
  sequence: fee,
  recordedDay: day(date),
});

/** All is refunded with 1,000.00 unless the shape says otherwise. */
const refund = (transaction: number, date: string, amount: string, shape: Partial<Refund> = {}): Refund => ({
  type: 'refund',
  transaction,
  amountCents: money(amount),
  fullCents: money('1000.00'),
  isOriginationFeeRefunded: false,
  areLateFeesCanceled: false,
  areOtherFeesCanceled: false,
  effective: at(date, 60_000),
  sequence: transaction,
  recordedDay: day(date),
  ...shape,
});

const FEES = [charge(300, '2024-01-05', '6.00', 'nextDueDate'), charge(301, '2024-01-13', '7.00', 'immediate')];

/** All figures at the end of the day of the refund 900, then its allocation and the fees that it canceled. */
function after(own: LedgerTerms, facts: readonly LedgerFact[], date: string): readonly string[] {
  const recorded = recordLedger(own, facts, day(date));
  return [
    ...figuresIn(recorded.state),
    ...allocationOf(recorded, 900).map(({ bucket, obligation, amountCents }) => `${bucket} ${obligation} ${text(amountCents)}`),
    ...recorded.ledgerEvents.flatMap((one) =>
      one.type === 'feeCanceled' ? [`taken back: ${one.fee ?? `late ${one.obligation}`} ${text(one.amountCents)}`] : [],
    ),
  ];
}

test('a full refund cancels interest and fees, and owes the paid part to the borrower', async (t) => {
  // 100.00 paid 16.00 fees, 10.00 interest, 74.00 principal. 926.00 were left, so 74.00 are over; 26.00 are returned.
  const facts = [...FEES, pay(1, '2024-01-20', '100.00'), refund(900, '2024-01-21', '1000.00')];
  t.same(after(terms(), facts, '2024-01-21'), [
    'paidOff: originationShare 10.00',
    'totals: interestAccrued 19.9260000000, refunds 1000.00, reversedInterest 9.9260000000, reversedFees 57.00, ' +
      'returned 26.00, feesCharged 73.00, payments 100.00, paidPrincipal 1000.00, paidInterest 10.00, paidFees 16.00, ' +
      'paidOver 74.00, reimbursement 100.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 canceled of obligation 0: amount 6.00',
    'fee 301 canceled by itself: amount 7.00',
    'fee late 0 canceled by itself: amount 10.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 100.00, credits 126.00',
    'payment 1: amount 100.00, principal 74.00, interest 10.00, fees 16.00',
    'refund 900: amount 1000.00, principal 926.00, over 74.00',
    'nonDuePrincipal null 800.00',
    'overduePrincipal 0 126.00',
    'paidOver null 74.00',
    'taken back: 300 6.00',
    'taken back: 301 7.00',
    'taken back: late 0 10.00',
  ]);
});

test('the refund that completes the full amount does so, and a later one cancels nothing more', async (t) => {
  const begun = [...FEES, pay(1, '2024-01-20', '100.00')];
  // A night on 626.00 more.
  t.same(after(terms(), [...begun, refund(901, '2024-01-20', '300.00'), refund(900, '2024-01-21', '700.00')], '2024-01-21'), [
    'paidOff: originationShare 10.00',
    'totals: interestAccrued 19.6260000000, refunds 1000.00, reversedInterest 9.6260000000, reversedFees 57.00, ' +
      'returned 26.00, feesCharged 73.00, payments 100.00, paidPrincipal 1000.00, paidInterest 10.00, paidFees 16.00, ' +
      'paidOver 74.00, reimbursement 100.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 canceled of obligation 0: amount 6.00',
    'fee 301 canceled by itself: amount 7.00',
    'fee late 0 canceled by itself: amount 10.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 100.00, credits 126.00',
    'payment 1: amount 100.00, principal 74.00, interest 10.00, fees 16.00',
    'refund 901: amount 300.00, principal 300.00',
    'refund 900: amount 700.00, principal 626.00, over 74.00',
    'nonDuePrincipal null 500.00',
    'overduePrincipal 0 126.00',
    'paidOver null 74.00',
    'taken back: 300 6.00',
    'taken back: 301 7.00',
    'taken back: late 0 10.00',
  ]);
  t.same(after(terms(), [...begun, refund(901, '2024-01-20', '1000.00'), refund(900, '2024-01-21', '20.00')], '2024-01-21'), [
    'paidOff: originationShare 10.00',
    'totals: interestAccrued 19.0000000000, refunds 1020.00, reversedInterest 9.0000000000, reversedFees 57.00, ' +
      'returned 26.00, feesCharged 73.00, payments 100.00, paidPrincipal 1000.00, paidInterest 10.00, paidFees 16.00, ' +
      'paidOver 94.00, reimbursement 100.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 canceled of obligation 0: amount 6.00',
    'fee 301 canceled by itself: amount 7.00',
    'fee late 0 canceled by itself: amount 10.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 100.00, credits 126.00',
    'payment 1: amount 100.00, principal 74.00, interest 10.00, fees 16.00',
    'refund 901: amount 1000.00, principal 926.00, over 74.00',
    'refund 900: amount 20.00, over 20.00',
    'paidOver null 20.00',
    'taken back: 300 6.00',
    'taken back: 301 7.00',
    'taken back: late 0 10.00',
  ]);
});

test('a partial refund lowers principal from the end, and counts for the oldest obligation', async (t) => {
  // 621.00 that are not due, 179.00 due, 100.00 overdue. 279.00 of it count: 226.00 and 53.00. What is overdue is due with the newer.
  t.same(after(terms(), [...FEES, refund(900, '2024-02-11', '900.00')], '2024-02-11'), [
    'active: duePrincipal 100.00, dueInterest 41.00, nonDueOriginationFee 30.00, dueOriginationFee 20.00, ' +
      'originationShare 10.00, originationAsked 30.00, openFees 23.00',
    'totals: interestAccrued 41.0000000000, refunds 900.00, feesCharged 73.00, paidPrincipal 900.00, ' +
      'interestAccruedBeforePeriod 41.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00, open 6.00',
    'fee 301 due of obligation 1: amount 7.00, open 7.00',
    'fee late 0 due of obligation 1: amount 10.00, open 10.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, credits 226.00',
    'obligation 1 2024-02-11: amount 237.00, base 210.00, principal 179.00, interest 31.00, fees 27.00, ' +
      'unroundedInterest 31.0000000000, remaining 184.00, credits 53.00, withoutLateFees 174.00',
    'refund 900: amount 900.00, principal 900.00',
    'nonDuePrincipal null 621.00',
    'duePrincipal 0 179.00',
    'overduePrincipal 0 47.00',
    'overduePrincipal 1 53.00',
  ]);
});

test('a partial refund above all principal pays interest, and the rest is owed to the borrower', async (t) => {
  // 300.00 paid 226.00 overdue, 17.00 due, 40.00 + 9.00 + 8.00 ahead. A night on 792.00: 0.792, of which 0.79 are paid.
  const facts = [...FEES, pay(1, '2024-01-20', '300.00'), refund(900, '2024-01-21', '860.00', { fullCents: money('2000.00') })];
  t.same(after(terms(), facts, '2024-01-21'), [
    'paidOff: originationShare 10.00',
    'totals: interestAccrued 19.7920000000, forgoneRounding 0.0020000000, refunds 860.00, feesCharged 73.00, ' +
      'payments 300.00, paidPrincipal 1000.00, paidInterest 19.79, paidFees 73.00, paidOver 67.21, reimbursement 67.21, ' +
      'interestAccruedBeforePeriod 10.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00',
    'fee 301 due by itself: amount 7.00',
    'fee late 0 due by itself: amount 10.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 226.00',
    'payment 1: amount 300.00, principal 208.00, interest 19.00, fees 73.00',
    'refund 900: amount 860.00, principal 792.00, interest 0.79, over 67.21',
    'nonDuePrincipal null 792.00',
    'nonDueInterest null 0.79',
    'paidOver null 67.21',
  ]);
});

const order = (type: 'accelerate' | 'chargeOff'): LedgerFact => ({
  type,
  reason: 'term',
  effective: at('2024-01-20'),
  sequence: 500,
  recordedDay: day('2024-01-20'),
});

test('a refund of an accelerated or charged-off loan lowers the single obligation', async (t) => {
  // 1,000.00, 19 nights, 50.00 + 23.00 fees: 1,092.00.
  const part = refund(900, '2024-01-21', '1040.00', { fullCents: money('2000.00') });
  t.same(after(terms(), [...FEES, order('chargeOff'), part], '2024-01-21'), [
    'chargedOff: chargedOffOriginationFee 29.00, originationShare 10.00, openFees 23.00',
    'totals: interestAccrued 19.0000000000, refunds 1040.00, feesCharged 73.00, paidPrincipal 1000.00, paidInterest 19.00, ' +
      'paidFees 21.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 chargedOff of obligation 60000: amount 6.00, open 6.00',
    'fee 301 chargedOff of obligation 60000: amount 7.00, open 7.00',
    'fee late 0 chargedOff of obligation 60000: amount 10.00, open 10.00',
    'obligation 60000 2024-01-11 enforced: amount 1092.00, base 1019.00, principal 1000.00, interest 19.00, fees 73.00, ' +
      'unroundedInterest 19.0000000000, remaining 52.00, credits 1040.00, withoutLateFees 42.00',
    'refund 900: amount 1040.00, principal 1000.00, interest 19.00, fees 21.00',
    'chargedOffPrincipal 60000 1000.00',
    'chargedOffInterest 60000 19.00',
    'chargedOffFees 60000 21.00',
  ]);
  t.same(after(terms(), [...FEES, order('chargeOff'), refund(900, '2024-01-21', '1000.00')], '2024-01-21'), [
    'chargedOff: originationShare 10.00',
    'totals: interestAccrued 19.0000000000, refunds 1000.00, reversedInterest 19.0000000000, reversedFees 73.00, ' +
      'feesCharged 73.00, paidPrincipal 1000.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 canceled of obligation 60000: amount 6.00',
    'fee 301 canceled of obligation 60000: amount 7.00',
    'fee late 0 canceled of obligation 60000: amount 10.00',
    'obligation 60000 2024-01-11 fulfilled enforced: amount 1092.00, base 1019.00, principal 1000.00, interest 19.00, ' +
      'fees 73.00, unroundedInterest 19.0000000000, credits 1092.00',
    'refund 900: amount 1000.00, principal 1000.00',
    'chargedOffPrincipal 60000 1000.00',
    'taken back: 300 6.00',
    'taken back: 301 7.00',
    'taken back: late 0 10.00',
  ]);
  t.same(after(terms(), [...FEES, order('accelerate'), part], '2024-01-21'), [
    'accelerated: overdueOriginationFee 29.00, originationShare 10.00, openFees 23.00',
    'totals: interestAccrued 19.0000000000, refunds 1040.00, feesCharged 73.00, paidPrincipal 1000.00, paidInterest 19.00, ' +
      'paidFees 21.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 overdue of obligation 60000: amount 6.00, open 6.00',
    'fee 301 overdue of obligation 60000: amount 7.00, open 7.00',
    'fee late 0 overdue of obligation 60000: amount 10.00, open 10.00',
    'obligation 60000 2024-01-11 enforced: amount 1092.00, base 1019.00, principal 1000.00, interest 19.00, fees 73.00, ' +
      'unroundedInterest 19.0000000000, remaining 52.00, credits 1040.00, withoutLateFees 42.00',
    'refund 900: amount 1040.00, principal 1000.00, interest 19.00, fees 21.00',
    'overduePrincipal 60000 1000.00',
    'overdueInterest 60000 19.00',
    'overdueFees 60000 21.00',
  ]);
  t.same(after(terms(), [...FEES, order('accelerate'), refund(900, '2024-01-21', '1000.00')], '2024-01-21'), [
    'paidOff: originationShare 10.00',
    'totals: interestAccrued 19.0000000000, refunds 1000.00, reversedInterest 19.0000000000, reversedFees 73.00, ' +
      'feesCharged 73.00, paidPrincipal 1000.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 canceled of obligation 60000: amount 6.00',
    'fee 301 canceled of obligation 60000: amount 7.00',
    'fee late 0 canceled of obligation 60000: amount 10.00',
    'obligation 60000 2024-01-11 fulfilled enforced: amount 1092.00, base 1019.00, principal 1000.00, interest 19.00, ' +
      'fees 73.00, unroundedInterest 19.0000000000, credits 1092.00',
    'refund 900: amount 1000.00, principal 1000.00',
    'overduePrincipal 60000 1000.00',
    'taken back: 300 6.00',
    'taken back: 301 7.00',
    'taken back: late 0 10.00',
  ]);
});

test('an origination fee is canceled only on the day of activation, whatever its option', async (t) => {
  const flag = { isOriginationFeeRefunded: true };
  const fee = charge(300, '2024-01-01', '6.00', 'immediate');
  const paid = pay(1, '2024-01-01', '20.00', { seconds: 55_000 });
  t.same(after(terms(SEPARATE), [fee, paid, refund(900, '2024-01-01', '100.00', flag)], '2024-01-01'), [
    'active: nonDuePrincipal 900.00, originationShare 10.00, openFees 6.00',
    'totals: refunds 100.00, reversedFees 30.00, returned 20.00, feesCharged 56.00, payments 20.00, paidPrincipal 100.00, ' +
      'paidFees 20.00, reimbursement 20.00',
    'fee 300 due by itself: amount 6.00, open 6.00',
    'payment 1: amount 20.00, fees 20.00',
    'refund 900: amount 100.00, principal 100.00',
    'nonDuePrincipal null 100.00',
  ]);
  t.same(after(terms(SEPARATE), [paid, refund(900, '2024-01-02', '100.00', flag)], '2024-01-02'), [
    'active: nonDuePrincipal 900.00, nonDueInterest 1.0000000000, dueOriginationFee 30.00, originationShare 10.00',
    'totals: interestAccrued 1.0000000000, refunds 100.00, feesCharged 50.00, payments 20.00, paidPrincipal 100.00, paidFees 20.00',
    'payment 1: amount 20.00, fees 20.00',
    'refund 900: amount 100.00, principal 100.00',
    'nonDuePrincipal null 100.00',
  ]);
  t.same(after(terms(), [refund(900, '2024-01-01', '100.00', flag)], '2024-01-01'), [
    'active: nonDuePrincipal 900.00, originationShare 10.00',
    'totals: refunds 100.00, reversedFees 50.00, feesCharged 50.00, paidPrincipal 100.00',
    'refund 900: amount 100.00, principal 100.00',
    'nonDuePrincipal null 100.00',
  ]);
  t.same(after(terms(SEPARATE), [paid, refund(900, '2024-01-02', '1000.00')], '2024-01-02'), [
    'paidOff: originationShare 10.00',
    'totals: interestAccrued 1.0000000000, refunds 1000.00, reversedInterest 1.0000000000, reversedFees 30.00, ' +
      'returned 20.00, feesCharged 50.00, payments 20.00, paidPrincipal 1000.00, paidFees 20.00, reimbursement 20.00',
    'payment 1: amount 20.00, fees 20.00',
    'refund 900: amount 1000.00, principal 1000.00',
    'nonDuePrincipal null 1000.00',
  ]);
});
