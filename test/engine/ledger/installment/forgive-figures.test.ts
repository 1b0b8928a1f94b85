import { test } from 'tap';
import { type Bucket, cents, type LedgerFact, type LedgerSettings, type LedgerTerms, recordLedger } from '../../../../engine/index.js';
import { entriesIn, figuresIn } from './figures.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { at, day, loan, money, pay } from './loans.js';

/*
 * Figures after a small balance was forgiven, by hand. 1,000.00 bear 1.00 a night, five rows of 210.00 with 10.00 of the origination fee
 * each. On 2024-01-21 after 20 nights 1,076.00 are owed:
 *
 *   overdue 226.00: 200.00 principal, 10.00 interest, 10.00 and 6.00 fees      not due 850.00: 800.00 principal, 10.00 interest, 40.00 fee
 */
const terms = (smallBalance = '5.00', shape: Partial<LedgerSettings> = {}): LedgerTerms => {
  const own = loan({
    principal: '1000.00',
    rate: '0.365',
    activation: '2024-01-01',
    firstDue: '2024-01-11',
    rows: 5,
    originationFee: { amountCents: cents(5000), logic: 'spread' },
    settings: { smallBalanceCents: money(smallBalance), ...shape },
  });
  return { ...own, rows: own.rows.map((row) => ({ ...row, amountCents: money('210.00') })) };
};

/** Principal, then interest, then fees. */
const FEES_LAST: readonly Bucket[] = [
  'overduePrincipal',
  'duePrincipal',
  'nonDuePrincipal',
  'overdueInterest',
  'dueInterest',
  'nonDueInterest',
  'overdueFees',
  'dueFees',
  'nonDueFees',
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

const order = (type: 'accelerate' | 'freeze' | 'chargeOff', date: string): LedgerFact => ({
  type,
  reason: 'term',
  effective: at(date),
  sequence: 500,
  recordedDay: day(date),
});

/** All figures at the end of the day, then the entries of forgiven amounts. */
function after(own: LedgerTerms, facts: readonly LedgerFact[], date: string): readonly string[] {
  const { state, entries } = recordLedger(own, facts, day(date));
  return [...figuresIn(state), ...entriesIn(entries, 'smallBalanceForgiven')];
}

test('forgiven principal, interest and fees are a credit of the lender', async (t) => {
  // 1,030.00 meet all principal, 20.00 interest and 10.00 of the fees that are overdue: 6.00 overdue and 40.00 to come are left.
  t.same(after(terms('46.00', { paymentWaterfall: FEES_LAST }), [FEE, pay(1, '2024-01-21', '1030.00')], '2024-01-21'), [
    'paidOff: originationShare 10.00, unassigned 590.00',
    'totals: interestAccrued 20.0000000000, feesCharged 56.00, payments 1030.00, credits 46.00, paidPrincipal 1000.00, ' +
      'paidInterest 20.00, paidFees 56.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 due by itself: amount 6.00, credited 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 226.00',
    'payment 1: amount 1030.00, principal 1000.00, interest 20.00, fees 10.00',
    '2024-01-21: nonDue originationFees -40.0000000000, due dynamicFees -6.0000000000, counter counter 46.0000000000',
  ]);
  // All principal: 20.00 of interest and 56.00 of fees are left.
  t.same(after(terms('76.00', { paymentWaterfall: FEES_LAST }), [FEE, pay(1, '2024-01-21', '1000.00')], '2024-01-21'), [
    'paidOff: originationShare 10.00, unassigned 550.00',
    'totals: interestAccrued 20.0000000000, feesCharged 56.00, payments 1000.00, credits 76.00, paidPrincipal 1000.00, ' +
      'paidInterest 20.00, paidFees 56.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 due by itself: amount 6.00, credited 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 226.00',
    'payment 1: amount 1000.00, principal 1000.00',
    '2024-01-21: nonDue interest -20.0000000000, nonDue originationFees -50.0000000000, due dynamicFees -6.0000000000, ' +
      'counter counter 76.0000000000',
  ]);
  t.same(after(terms('75.99', { paymentWaterfall: FEES_LAST }), [FEE, pay(1, '2024-01-21', '1000.00')], '2024-01-21'), [
    'active: nonDueInterest 20.0000000000, nonDueOriginationFee 50.00, originationShare 10.00, originationAsked 50.00, ' +
      'openFees 6.00, prepaid 230.00, unassigned 550.00',
    'totals: interestAccrued 20.0000000000, feesCharged 56.00, payments 1000.00, paidPrincipal 1000.00, ' +
      'interestAccruedBeforePeriod 10.0000000000',
    'fee 300 due by itself: amount 6.00, open 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 226.00',
    'payment 1: amount 1000.00, principal 1000.00',
  ]);
});

test('accelerated and frozen loans forgive small balances like active ones, and charged-off loans do not', async (t) => {
  // Accelerated on the 20th with 19 nights: 1,075.00. Frozen since then as well.
  t.same(after(terms(), [FEE, order('accelerate', '2024-01-20'), pay(1, '2024-01-21', '1070.00')], '2024-01-21'), [
    'paidOff: originationShare 10.00',
    'totals: interestAccrued 19.0000000000, feesCharged 56.00, payments 1070.00, credits 5.00, paidPrincipal 1000.00, ' +
      'paidInterest 19.00, paidFees 56.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 overdue of obligation 60000: amount 6.00',
    'obligation 60000 2024-01-11 fulfilled enforced: amount 1075.00, base 1019.00, principal 1000.00, interest 19.00, ' +
      'fees 56.00, unroundedInterest 19.0000000000, payments 1070.00, credits 5.00, withoutLateFees 5.00',
    'payment 1: amount 1070.00, principal 995.00, interest 19.00, fees 56.00',
    '2024-01-21: overdue principal -5.0000000000, counter counter 5.0000000000',
  ]);
  t.same(after(terms(), [FEE, order('freeze', '2024-01-20'), pay(1, '2024-01-21', '1070.00')], '2024-01-21'), [
    'paidOff: originationShare 10.00',
    'totals: interestAccrued 19.0000000000, feesCharged 56.00, payments 1070.00, credits 5.00, paidPrincipal 1000.00, ' +
      'paidInterest 19.00, paidFees 56.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 226.00',
    'payment 1: amount 1070.00, principal 995.00, interest 19.00, fees 56.00',
    '2024-01-21: nonDue principal -5.0000000000, counter counter 5.0000000000',
  ]);
  t.same(after(terms(), [FEE, order('chargeOff', '2024-01-20'), pay(1, '2024-01-21', '1070.00')], '2024-01-21'), [
    'chargedOff: originationShare 10.00, openFees 5.00',
    'totals: interestAccrued 19.0000000000, feesCharged 56.00, payments 1070.00, paidPrincipal 1000.00, ' +
      'paidInterest 19.00, paidFees 51.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 chargedOff of obligation 60000: amount 6.00, open 5.00',
    'obligation 60000 2024-01-11 enforced: amount 1075.00, base 1019.00, principal 1000.00, interest 19.00, fees 56.00, ' +
      'unroundedInterest 19.0000000000, remaining 5.00, payments 1070.00, withoutLateFees 5.00',
    'payment 1: amount 1070.00, principal 1000.00, interest 19.00, fees 51.00',
  ]);
});

test('a loan with scheduled interest forgives its payoff amount up to the small balance, and not a cent more', async (t) => {
  const kept = keptTerms(terms('5.00'), { ...PLAIN_KEEPING, interest: { type: 'flat', periodsPerYear: 12 }, principal: { type: 'equal' } });
  // 1,000.00 and five times 30.42.
  t.same(after(kept, [pay(1, '2024-01-21', '1147.10')], '2024-01-21'), [
    'paidOff: ',
    'totals: interestAccrued 152.1000000000, payments 1147.10, credits 5.00, paidPrincipal 1000.00, paidInterest 152.10, ' +
      'interestAccruedBeforePeriod 152.1000000000',
    'obligation 0 2024-01-11 fulfilled enforced: amount 230.42, base 230.42, principal 200.00, interest 30.42, ' +
      'unroundedInterest 30.4200000000, payments 230.42',
    'payment 1: amount 1147.10, principal 995.00, interest 152.10',
    '2024-01-21: nonDue principal -5.0000000000, counter counter 5.0000000000',
  ]);
  t.same(after(kept, [pay(1, '2024-01-21', '1147.09')], '2024-01-21'), [
    'active: nonDuePrincipal 5.01, prepaid 916.67',
    'totals: interestAccrued 152.1000000000, payments 1147.09, paidPrincipal 994.99, paidInterest 152.10, ' +
      'interestAccruedBeforePeriod 152.1000000000',
    'obligation 0 2024-01-11 fulfilled enforced: amount 230.42, base 230.42, principal 200.00, interest 30.42, ' +
      'unroundedInterest 30.4200000000, payments 230.42',
    'payment 1: amount 1147.09, principal 994.99, interest 152.10',
  ]);
});

test('a small balance after a refund is forgiven, too, and nothing is forgiven without a setting', async (t) => {
  const refund: LedgerFact = {
    type: 'refund',
    transaction: 900,
    amountCents: money('1072.00'),
    fullCents: money('5000.00'),
    isOriginationFeeRefunded: false,
    areLateFeesCanceled: false,
    areOtherFeesCanceled: false,
    effective: at('2024-01-21'),
    sequence: 900,
    recordedDay: day('2024-01-21'),
  };
  t.same(after(terms(), [FEE, refund], '2024-01-21'), [
    'paidOff: originationShare 10.00',
    'totals: interestAccrued 20.0000000000, refunds 1072.00, feesCharged 56.00, credits 4.00, paidPrincipal 1000.00, ' +
      'paidInterest 20.00, paidFees 56.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00, credited 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, credits 226.00',
    'refund 900: amount 1072.00, principal 1000.00, interest 20.00, fees 52.00',
    '2024-01-21: nonDue originationFees -4.0000000000, counter counter 4.0000000000',
  ]);
  t.same(after(terms('0.00'), [FEE, refund], '2024-01-21'), [
    'active: nonDueOriginationFee 4.00, originationShare 10.00, originationAsked 40.00',
    'totals: interestAccrued 20.0000000000, refunds 1072.00, feesCharged 56.00, paidPrincipal 1000.00, paidInterest 20.00, ' +
      'paidFees 52.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00, credited 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, credits 226.00',
    'refund 900: amount 1072.00, principal 1000.00, interest 20.00, fees 52.00',
  ]);
});
