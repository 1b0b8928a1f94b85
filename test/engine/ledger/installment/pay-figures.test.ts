import { test } from 'tap';
import {
  allocationOf,
  type ChargeLogic,
  cents,
  type DynamicFeeKind,
  type LedgerFact,
  type LedgerTerms,
  recordLedger,
} from '../../../../engine/index.js';
import { figuresIn } from './figures.js';
import { at, day, loan, type LoanShape, money, pay, text } from './loans.js';

/*
 * All figures of a loan after a payment, by hand. 1,000.00 bear 0.1 % a day, so that a night on 1,000.00 is 1.00. Five rows of 210.00:
 *
 *   2024-01-11   10 nights on 1,000.00: 10.00 interest, 200.00 principal
 *   2024-02-11   31 nights on 1,000.00: 31.00 interest, 179.00 principal, where the first row was not paid
 *
 * The origination fee of 50.00 brings 10.00 to each row.
 */
const terms = (shape: Partial<LoanShape> = {}): LedgerTerms => {
  const own = loan({ principal: '1000.00', rate: '0.365', activation: '2024-01-01', firstDue: '2024-01-11', rows: 5, ...shape });
  return { ...own, rows: own.rows.map((row) => ({ ...row, amountCents: money('210.00') })) };
};
const SPREAD = { amountCents: cents(5000), logic: 'spread' } as const;
const SEPARATE = { amountCents: cents(5000), logic: 'separate' } as const;

const charge = (fee: number, date: string, amount: string, chargeLogic: ChargeLogic, kind: DynamicFeeKind = 'otherFee'): LedgerFact => ({
  type: 'feeCharged',
  fee,
  feeTypeId: 'byHand',
  kind,
  amountCents: money(amount),
  chargeLogic,
  effective: at(date),
  sequence: fee,
  recordedDay: day(date),
});

/** All figures at the end of a day, then the allocation of the payment 1. */
function after(own: LedgerTerms, facts: readonly LedgerFact[], date: string): readonly string[] {
  const recorded = recordLedger(own, facts, day(date));
  const met = allocationOf(recorded, 1).map(({ bucket, obligation, amountCents }) => `${bucket} ${obligation} ${text(amountCents)}`);
  return [...figuresIn(recorded.state), ...met];
}

const MISSED = [charge(300, '2024-01-05', '6.00', 'nextDueDate')];

test('a payment pays overdue fees, interest and principal, and counts for the oldest obligation first', async (t) => {
  // 26.00 fees, 41.00 interest, and 233.00 of 379.00 principal. The first obligation lacked 226.00, the second 220.00.
  t.same(after(terms({ originationFee: SPREAD }), [...MISSED, pay(1, '2024-02-12', '300.00')], '2024-02-12'), [
    'active: nonDuePrincipal 621.00, overduePrincipal 146.00, nonDueInterest 1.0000000000, nonDueOriginationFee 30.00, ' +
      'originationShare 10.00, originationAsked 30.00',
    'totals: interestAccrued 42.0000000000, feesCharged 56.00, payments 300.00, paidPrincipal 233.00, paidInterest 41.00, ' +
      'paidFees 26.00, interestAccruedBeforePeriod 41.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 226.00',
    'obligation 1 2024-02-11 enforced: amount 220.00, base 210.00, principal 179.00, interest 31.00, fees 10.00, ' +
      'unroundedInterest 31.0000000000, remaining 146.00, payments 74.00, withoutLateFees 146.00',
    'payment 1: amount 300.00, principal 233.00, interest 41.00, fees 26.00',
    'overdueFees 0 20.00',
    'overdueFees 0 6.00',
    'overdueInterest 0 41.00',
    'overduePrincipal 0 159.00',
    'overduePrincipal 1 74.00',
  ]);
});

test('a credit does the same, but is not money of the borrower', async (t) => {
  t.same(after(terms({ originationFee: SPREAD }), [...MISSED, pay(1, '2024-02-12', '300.00', { kind: 'credit' })], '2024-02-12'), [
    'active: nonDuePrincipal 621.00, overduePrincipal 146.00, nonDueInterest 1.0000000000, nonDueOriginationFee 30.00, ' +
      'originationShare 10.00, originationAsked 30.00',
    'totals: interestAccrued 42.0000000000, feesCharged 56.00, credits 300.00, paidPrincipal 233.00, paidInterest 41.00, ' +
      'paidFees 26.00, interestAccruedBeforePeriod 41.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00, credited 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, credits 226.00',
    'obligation 1 2024-02-11 enforced: amount 220.00, base 210.00, principal 179.00, interest 31.00, fees 10.00, ' +
      'unroundedInterest 31.0000000000, remaining 146.00, credits 74.00, withoutLateFees 146.00',
    'credit 1: amount 300.00, principal 233.00, interest 41.00, fees 26.00',
    'overdueFees 0 20.00',
    'overdueFees 0 6.00',
    'overdueInterest 0 41.00',
    'overduePrincipal 0 159.00',
    'overduePrincipal 1 74.00',
  ]);
});

test('money above the due amounts pays non-due fees, interest and principal, and is paid in advance', async (t) => {
  // 446.00 were overdue. Of 154.00 the origination fee takes 30.00, the night 1.00, principal 123.00.
  t.same(after(terms({ originationFee: SPREAD }), [...MISSED, pay(1, '2024-02-12', '600.00')], '2024-02-12'), [
    'active: nonDuePrincipal 498.00, originationShare 10.00, originationAsked 30.00, prepaid 154.00',
    'totals: interestAccrued 42.0000000000, feesCharged 56.00, payments 600.00, paidPrincipal 502.00, paidInterest 42.00, ' +
      'paidFees 56.00, interestAccruedBeforePeriod 41.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 226.00',
    'obligation 1 2024-02-11 fulfilled enforced: amount 220.00, base 210.00, principal 179.00, interest 31.00, fees 10.00, ' +
      'unroundedInterest 31.0000000000, payments 220.00',
    'payment 1: amount 600.00, principal 502.00, interest 42.00, fees 56.00',
    'overdueFees 0 20.00',
    'overdueFees 0 6.00',
    'overdueInterest 0 41.00',
    'overduePrincipal 0 159.00',
    'overduePrincipal 1 220.00',
    'nonDueFees null 30.00',
    'nonDueInterest null 1.00',
    'nonDuePrincipal null 123.00',
  ]);
});

test('money for principal only lowers the balance and counts for no coming row', async (t) => {
  const paid = { ...pay(1, '2024-02-12', '600.00'), principalOnlyCents: money('50.00') };
  t.same(after(terms({ originationFee: SPREAD }), [...MISSED, paid], '2024-02-12'), [
    'active: nonDuePrincipal 498.00, originationShare 10.00, originationAsked 30.00, prepaid 104.00, unassigned 50.00',
    'totals: interestAccrued 42.0000000000, feesCharged 56.00, payments 600.00, paidPrincipal 502.00, paidInterest 42.00, ' +
      'paidFees 56.00, interestAccruedBeforePeriod 41.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 226.00, base 210.00, principal 200.00, interest 10.00, fees 16.00, ' +
      'unroundedInterest 10.0000000000, payments 226.00',
    'obligation 1 2024-02-11 fulfilled enforced: amount 220.00, base 210.00, principal 179.00, interest 31.00, fees 10.00, ' +
      'unroundedInterest 31.0000000000, payments 220.00',
    'payment 1: amount 600.00, principal 502.00, interest 42.00, fees 56.00',
    'overdueFees 0 20.00',
    'overdueFees 0 6.00',
    'overdueInterest 0 41.00',
    'overduePrincipal 0 159.00',
    'overduePrincipal 1 220.00',
    'nonDueFees null 30.00',
    'nonDueInterest null 1.00',
    'nonDuePrincipal null 123.00',
  ]);
});

const TWO_FEES = [charge(300, '2024-01-05', '6.00', 'nextDueDate'), charge(301, '2024-01-06', '7.00', 'immediate', 'modificationFee')];

test('a separate origination fee is paid by itself before the first due date', async (t) => {
  t.same(after(terms({ originationFee: SEPARATE }), [...TWO_FEES, pay(1, '2024-01-07', '20.00')], '2024-01-07'), [
    'active: nonDuePrincipal 1000.00, nonDueInterest 6.0000000000, dueOriginationFee 30.00, originationShare 10.00, openFees 13.00',
    'totals: interestAccrued 6.0000000000, feesCharged 63.00, payments 20.00, paidFees 20.00',
    'fee 300 nonDue by itself: amount 6.00, open 6.00',
    'fee 301 due by itself: amount 7.00, open 7.00',
    'payment 1: amount 20.00, fees 20.00',
    'dueFees null 20.00',
  ]);
});

test('the first obligation includes the rest of it, with both fees', async (t) => {
  // 210.00 + 30.00 + 6.00 + 7.00.
  const facts = [...TWO_FEES, pay(2, '2024-01-07', '20.00'), pay(1, '2024-01-12', '253.00')];
  t.same(after(terms({ originationFee: SEPARATE }), facts, '2024-01-12'), [
    'active: nonDuePrincipal 800.00, nonDueInterest 1.0000000000, originationShare 10.00',
    'totals: interestAccrued 11.0000000000, feesCharged 63.00, payments 273.00, paidPrincipal 200.00, paidInterest 10.00, ' +
      'paidFees 63.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00',
    'fee 301 overdue of obligation 0: amount 7.00',
    'obligation 0 2024-01-11 fulfilled enforced: amount 253.00, base 210.00, principal 200.00, interest 10.00, fees 43.00, ' +
      'unroundedInterest 10.0000000000, payments 253.00',
    'payment 2: amount 20.00, fees 20.00',
    'payment 1: amount 253.00, principal 200.00, interest 10.00, fees 43.00',
    'overdueFees 0 30.00',
    'overdueFees 0 6.00',
    'overdueFees 0 7.00',
    'overdueInterest 0 10.00',
    'overduePrincipal 0 200.00',
  ]);
});

test('a charged-off loan is paid by component, and its fees by charge', async (t) => {
  const off: LedgerFact = { type: 'chargeOff', reason: 'term', effective: at('2024-01-20'), sequence: 500, recordedDay: day('2024-01-20') };
  // 1,000.00, 19.00 of 19 nights, 50.00 and 6.00. The waterfall of charged-off loans begins with principal.
  t.same(after(terms({ originationFee: SPREAD }), [...MISSED, off, pay(1, '2024-01-21', '1070.00')], '2024-01-21'), [
    'chargedOff: originationShare 10.00, openFees 5.00',
    'totals: interestAccrued 19.0000000000, feesCharged 56.00, payments 1070.00, paidPrincipal 1000.00, ' +
      'paidInterest 19.00, paidFees 51.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 chargedOff of obligation 60000: amount 6.00, open 5.00',
    'obligation 60000 2024-01-11 enforced: amount 1075.00, base 1019.00, principal 1000.00, interest 19.00, fees 56.00, ' +
      'unroundedInterest 19.0000000000, remaining 5.00, payments 1070.00, withoutLateFees 5.00',
    'payment 1: amount 1070.00, principal 1000.00, interest 19.00, fees 51.00',
    'chargedOffPrincipal 60000 1000.00',
    'chargedOffInterest 60000 19.00',
    'chargedOffFees 60000 50.00',
    'chargedOffFees 60000 1.00',
  ]);
});

test('an accelerated loan is paid by component as well', async (t) => {
  const whole: LedgerFact = { type: 'accelerate', effective: at('2024-01-20'), sequence: 500, recordedDay: day('2024-01-20') };
  t.same(after(terms({ originationFee: SPREAD }), [...MISSED, whole, pay(1, '2024-01-21', '1070.00')], '2024-01-21'), [
    'accelerated: overduePrincipal 5.00, originationShare 10.00',
    'totals: interestAccrued 19.0000000000, feesCharged 56.00, payments 1070.00, paidPrincipal 995.00, paidInterest 19.00, ' +
      'paidFees 56.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 overdue of obligation 60000: amount 6.00',
    'obligation 60000 2024-01-11 enforced: amount 1075.00, base 1019.00, principal 1000.00, interest 19.00, fees 56.00, ' +
      'unroundedInterest 19.0000000000, remaining 5.00, payments 1070.00, withoutLateFees 5.00',
    'payment 1: amount 1070.00, principal 995.00, interest 19.00, fees 56.00',
    'overdueFees 60000 50.00',
    'overdueFees 60000 6.00',
    'overdueInterest 60000 19.00',
    'overduePrincipal 60000 995.00',
  ]);
});
