import { test } from 'tap';
import { allocationOf, type Bucket, cents, type LedgerFact, type LedgerTerms, recordLedger } from '../../../../engine/index.js';
import { figuresIn } from './figures.js';
import { at, day, loan, money, pay, text } from './loans.js';

/*
 * How money counts toward obligations if the waterfall pays non-due balances before due ones. 1,000.00 bear 1.00 a night, five
 * rows of 210.00 with 10.00 of the origination fee each:
 *
 *   2024-01-11   10.00 interest, 200.00 principal, 10.00 fee    220.00
 *   2024-02-11   31.00 interest, 179.00 principal, 10.00 fee    220.00, where the first row was not paid
 */
const terms = (paymentWaterfall: readonly Bucket[]): LedgerTerms => {
  const own = loan({
    principal: '1000.00',
    rate: '0.365',
    activation: '2024-01-01',
    firstDue: '2024-01-11',
    rows: 5,
    originationFee: { amountCents: cents(5000), logic: 'spread' },
    settings: { paymentWaterfall },
  });
  return { ...own, rows: own.rows.map((row) => ({ ...row, amountCents: money('210.00') })) };
};

/** Interest and fees before all principal. */
const PRINCIPAL_LAST: readonly Bucket[] = [
  'overdueFees',
  'dueFees',
  'overdueInterest',
  'dueInterest',
  'nonDueInterest',
  'nonDueFees',
  'overduePrincipal',
  'duePrincipal',
  'nonDuePrincipal',
];

/** Non-due balances before due ones. */
const NON_DUE_FIRST: readonly Bucket[] = [
  'nonDueFees',
  'nonDuePrincipal',
  'duePrincipal',
  'dueInterest',
  'dueFees',
  'overduePrincipal',
  'overdueInterest',
  'overdueFees',
  'nonDueInterest',
];

const FEE: LedgerFact = {
  type: 'feeCharged',
  fee: 300,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money('6.00'),
  chargeLogic: 'nextDueDate',
  effective: at('2024-01-05'),
  sequence: 300,
  recordedDay: day('2024-01-05'),
};

/** All figures at the end of the day of the payment 1, then its allocation. */
function after(waterfall: readonly Bucket[], facts: readonly LedgerFact[], date: string): readonly string[] {
  const recorded = recordLedger(terms(waterfall), facts, day(date));
  const met = allocationOf(recorded, 1).map(({ bucket, obligation, amountCents }) => `${bucket} ${obligation} ${text(amountCents)}`);
  return [...figuresIn(recorded.state), ...met];
}

test('an overdue obligation counts money for coming interest and fees, and as much principal is not due any more', async (t) => {
  // 20.00 meet what is overdue, 10.00 interest and 30.00 fees to come. The obligation lacks 160.00: 40.00 of 200.00 principal return.
  t.same(after(PRINCIPAL_LAST, [pay(1, '2024-01-21', '60.00')], '2024-01-21'), [
    'active: nonDuePrincipal 840.00, overduePrincipal 160.00, nonDueOriginationFee 10.00, originationShare 10.00, ' +
      'originationAsked 10.00',
    'totals: interestAccrued 20.0000000000, feesCharged 50.00, payments 60.00, paidInterest 20.00, paidFees 40.00, ' +
      'interestAccruedBeforePeriod 10.0000000000',
    'obligation 0 2024-01-11 enforced: amount 220.00, base 210.00, principal 200.00, interest 10.00, fees 10.00, ' +
      'unroundedInterest 10.0000000000, remaining 160.00, payments 60.00, withoutLateFees 160.00',
    'payment 1: amount 60.00, interest 20.00, fees 40.00',
    'overdueFees 0 10.00',
    'overdueInterest 0 10.00',
    'nonDueInterest 0 10.00',
    'nonDueFees 0 30.00',
  ]);
});

test('of two overdue obligations the newer counts it once the older is fulfilled', async (t) => {
  // 61.00 + 31.00 ahead + 208.00 principal: 220.00 and 80.00. Of 171.00 principal that are left overdue, 31.00 return.
  t.same(after(PRINCIPAL_LAST, [pay(1, '2024-02-12', '300.00')], '2024-02-12'), [
    'active: nonDuePrincipal 652.00, overduePrincipal 140.00, originationShare 10.00',
    'totals: interestAccrued 42.0000000000, feesCharged 50.00, payments 300.00, paidPrincipal 208.00, paidInterest 42.00, ' +
      'paidFees 50.00, interestAccruedBeforePeriod 41.0000000000',
    'obligation 0 2024-01-11 fulfilled enforced: amount 220.00, base 210.00, principal 200.00, interest 10.00, fees 10.00, ' +
      'unroundedInterest 10.0000000000, payments 220.00',
    'obligation 1 2024-02-11 enforced: amount 220.00, base 210.00, principal 179.00, interest 31.00, fees 10.00, ' +
      'unroundedInterest 31.0000000000, remaining 140.00, payments 80.00, withoutLateFees 140.00',
    'payment 1: amount 300.00, principal 208.00, interest 42.00, fees 50.00',
    'overdueFees 0 20.00',
    'overdueInterest 0 41.00',
    'nonDueInterest 1 1.00',
    'nonDueFees 1 30.00',
    'overduePrincipal 0 159.00',
    'overduePrincipal 1 49.00',
  ]);
});

test('money for due balances counts for overdue obligations first', async (t) => {
  t.same(after(PRINCIPAL_LAST, [pay(1, '2024-02-11', '300.00')], '2024-02-11'), [
    'active: nonDuePrincipal 651.00, duePrincipal 140.00, originationShare 10.00',
    'totals: interestAccrued 41.0000000000, feesCharged 50.00, payments 300.00, paidPrincipal 209.00, paidInterest 41.00, ' +
      'paidFees 50.00, interestAccruedBeforePeriod 41.0000000000',
    'obligation 0 2024-01-11 fulfilled enforced: amount 220.00, base 210.00, principal 200.00, interest 10.00, fees 10.00, ' +
      'unroundedInterest 10.0000000000, payments 220.00',
    'obligation 1 2024-02-11: amount 220.00, base 210.00, principal 179.00, interest 31.00, fees 10.00, ' +
      'unroundedInterest 31.0000000000, remaining 140.00, payments 80.00, withoutLateFees 140.00',
    'payment 1: amount 300.00, principal 209.00, interest 41.00, fees 50.00',
    'overdueFees 0 10.00',
    'dueFees 0 10.00',
    'overdueInterest 0 10.00',
    'dueInterest 0 31.00',
    'nonDueFees 1 30.00',
    'overduePrincipal 0 159.00',
    'overduePrincipal 1 41.00',
    'duePrincipal 1 9.00',
  ]);
  // 30.00 ahead and 41.00 of what is due: the older obligation counts all 100.00. It lacks 120.00 of 191.00 principal; 41.00 are due.
  t.same(after(PRINCIPAL_LAST, [pay(1, '2024-02-11', '100.00')], '2024-02-11'), [
    'active: nonDuePrincipal 651.00, duePrincipal 220.00, overduePrincipal 120.00, originationShare 10.00',
    'totals: interestAccrued 41.0000000000, feesCharged 50.00, payments 100.00, paidPrincipal 9.00, paidInterest 41.00, ' +
      'paidFees 50.00, interestAccruedBeforePeriod 41.0000000000',
    'obligation 0 2024-01-11 enforced: amount 220.00, base 210.00, principal 200.00, interest 10.00, fees 10.00, ' +
      'unroundedInterest 10.0000000000, remaining 120.00, payments 100.00, withoutLateFees 120.00',
    'obligation 1 2024-02-11: amount 220.00, base 210.00, principal 179.00, interest 31.00, fees 10.00, ' +
      'unroundedInterest 31.0000000000, remaining 220.00, withoutLateFees 220.00',
    'payment 1: amount 100.00, principal 9.00, interest 41.00, fees 50.00',
    'overdueFees 0 10.00',
    'dueFees 0 10.00',
    'overdueInterest 0 10.00',
    'dueInterest 0 31.00',
    'nonDueFees 0 30.00',
    'overduePrincipal 0 9.00',
  ]);
});

test('principal, interest and the origination fee become non-due, and an unpaid fee keeps its due status', async (t) => {
  // All 60.00 are ahead: 40.00 fee and 20.00 principal, and the obligation counts them. 60.00 of overdue principal return.
  t.same(after(NON_DUE_FIRST, [FEE, pay(1, '2024-01-21', '60.00')], '2024-01-21'), [
    'active: nonDuePrincipal 840.00, overduePrincipal 140.00, nonDueInterest 10.0000000000, overdueInterest 10.00, ' +
      'overdueOriginationFee 10.00, originationShare 10.00, openFees 6.00',
    'totals: interestAccrued 20.0000000000, feesCharged 56.00, payments 60.00, paidPrincipal 20.00, paidFees 40.00, ' +
      'interestAccruedBeforePeriod 10.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00, open 6.00',
    'obligation 0 2024-01-11 enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, remaining 166.00, payments 60.00, withoutLateFees 166.00',
    'payment 1: amount 60.00, principal 20.00, fees 40.00',
    'nonDueFees 0 40.00',
    'nonDuePrincipal 0 20.00',
  ]);
  // 226.00 for the older, which closes: 220.00 return, the fee of 6.00 stays. The newer counts 14.00 of 220.00.
  t.same(after(NON_DUE_FIRST, [FEE, pay(1, '2024-02-11', '240.00')], '2024-02-11'), [
    'active: nonDuePrincipal 625.00, duePrincipal 165.00, nonDueInterest 10.0000000000, dueInterest 31.00, ' +
      'nonDueOriginationFee 10.00, dueOriginationFee 10.00, originationShare 10.00, originationAsked 10.00, openFees 6.00',
    'totals: interestAccrued 41.0000000000, feesCharged 56.00, payments 240.00, paidPrincipal 210.00, paidFees 30.00, ' +
      'interestAccruedBeforePeriod 41.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00, open 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 226.00',
    'obligation 1 2024-02-11: amount 220.00, base 210.00, principal 179.00, interest 31.00, fees 10.00, ' +
      'unroundedInterest 31.0000000000, remaining 206.00, payments 14.00, withoutLateFees 206.00',
    'payment 1: amount 240.00, principal 210.00, fees 30.00',
    'nonDueFees 0 30.00',
    'nonDuePrincipal 0 196.00',
    'nonDuePrincipal 1 14.00',
  ]);
  t.same(after(NON_DUE_FIRST, [FEE, pay(1, '2024-02-12', '240.00')], '2024-02-12'), [
    'active: nonDuePrincipal 651.00, overduePrincipal 139.00, nonDueInterest 1.0000000000, overdueInterest 41.00, ' +
      'overdueOriginationFee 20.00, originationShare 10.00, openFees 6.00',
    'totals: interestAccrued 42.0000000000, feesCharged 56.00, payments 240.00, paidPrincipal 210.00, paidFees 30.00, ' +
      'interestAccruedBeforePeriod 41.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00, open 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 226.00',
    'obligation 1 2024-02-11 enforced: amount 220.00, base 210.00, principal 179.00, interest 31.00, fees 10.00, ' +
      'unroundedInterest 31.0000000000, remaining 206.00, payments 14.00, withoutLateFees 206.00',
    'payment 1: amount 240.00, principal 210.00, fees 30.00',
    'nonDueFees 0 30.00',
    'nonDuePrincipal 0 196.00',
    'nonDuePrincipal 1 14.00',
  ]);
});

test('once all obligations are fulfilled, a fee with counted money is due by itself, and that money is in advance again', async (t) => {
  // The newer obligation lacked 206.00, and 6.00 are ahead; so are the 6.00 that the older one had counted for the fee.
  const all = [FEE, pay(2, '2024-02-11', '240.00', { seconds: 50_000 }), pay(1, '2024-02-11', '212.00')];
  t.same(after(NON_DUE_FIRST, all, '2024-02-11'), [
    'active: nonDuePrincipal 588.00, nonDueInterest 41.0000000000, nonDueOriginationFee 10.00, originationShare 10.00, ' +
      'originationAsked 10.00, openFees 6.00, prepaid 12.00',
    'totals: interestAccrued 41.0000000000, feesCharged 56.00, payments 452.00, paidPrincipal 412.00, paidFees 40.00, ' +
      'interestAccruedBeforePeriod 41.0000000000',
    'fee 300 due by itself: amount 6.00, open 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 226.00',
    'obligation 1 2024-02-11 fulfilled: amount 220.00, base 210.00, principal 179.00, interest 31.00, fees 10.00, ' +
      'unroundedInterest 31.0000000000, payments 220.00',
    'payment 2: amount 240.00, principal 210.00, fees 30.00',
    'payment 1: amount 212.00, principal 202.00, fees 10.00',
    'nonDueFees 1 10.00',
    'nonDuePrincipal 1 196.00',
    'nonDuePrincipal null 6.00',
  ]);
});

test('money for such a fee is in advance as far as no obligation lacks it', async (t) => {
  // A credit meets what is overdue first: 6.00 of fee, then 10.00, 31.00 and 165.00 that are due. The obligation lacked 206.00.
  const all = [FEE, pay(2, '2024-02-11', '240.00', { seconds: 50_000 }), pay(1, '2024-02-11', '212.00', { kind: 'credit' })];
  t.same(after(NON_DUE_FIRST, all, '2024-02-11'), [
    'active: nonDuePrincipal 625.00, nonDueInterest 10.0000000000, nonDueOriginationFee 10.00, originationShare 10.00, ' +
      'originationAsked 10.00, prepaid 6.00',
    'totals: interestAccrued 41.0000000000, feesCharged 56.00, payments 240.00, credits 212.00, paidPrincipal 375.00, ' +
      'paidInterest 31.00, paidFees 46.00, interestAccruedBeforePeriod 41.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00, credited 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 226.00',
    'obligation 1 2024-02-11 fulfilled: amount 220.00, base 210.00, principal 179.00, interest 31.00, fees 10.00, ' +
      'unroundedInterest 31.0000000000, payments 14.00, credits 206.00',
    'payment 2: amount 240.00, principal 210.00, fees 30.00',
    'credit 1: amount 212.00, principal 165.00, interest 31.00, fees 16.00',
    'overdueFees 1 6.00',
    'dueFees 1 10.00',
    'dueInterest 1 31.00',
    'duePrincipal 1 159.00',
    'duePrincipal null 6.00',
  ]);
});
