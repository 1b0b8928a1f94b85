import { test } from 'tap';
import { type LedgerFact, type LedgerTerms, type Part, payoffOf, recordLedger } from '../../../../engine/index.js';
import { entriesIn, figuresIn, scheduleIn } from './figures.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { at, day, loan, money, pay, text } from './loans.js';

/*
 * Five installments of 200.00 principal and flat interest of 36.5 % a year on 1,000.00: 30.42 each, owed from the beginning. A fee of 12.00
 * joins the first one. A payment of 200.00 meets 12.00, 30.42 and 157.58; a credit of 100.00 the 42.42 that are left, then of the next
 * one 30.42 interest and 27.16 principal.
 */
const keptBy = (chargebackOrder: readonly Part[]): LedgerTerms =>
  keptTerms(loan({ principal: '1000.00', rate: '0.365', activation: '2024-01-01', firstDue: '2024-01-11', rows: 5 }), {
    ...PLAIN_KEEPING,
    chargebackOrder,
    interest: { type: 'flat', periodsPerYear: 12 },
    principal: { type: 'equal' },
  });
const terms = keptBy(['fees', 'penalties', 'interest', 'principal']);

const back = (sequence: number, transaction: number, date: string, amount: string): LedgerFact => ({
  type: 'paymentChargedBack',
  chargeback: sequence,
  transaction,
  amountCents: money(amount),
  effective: at(date, 60_000),
  sequence,
  recordedDay: day(date),
});

const order = (type: 'accelerate' | 'chargeOff', date: string, sequence: number): LedgerFact => ({
  type,
  reason: 'term',
  effective: at(date),
  sequence,
  recordedDay: day(date),
});

const charge = (fee: number, amount: string, kind: 'otherFee' | 'lateFee' = 'otherFee'): LedgerFact => ({
  type: 'feeCharged',
  fee,
  feeTypeId: 'byHand',
  kind,
  amountCents: money(amount),
  chargeLogic: 'nextDueDate',
  effective: at('2024-01-05'),
  sequence: fee,
  recordedDay: day('2024-01-05'),
});

const PAID = [charge(10, '12.00'), pay(1, '2024-01-11', '200.00'), pay(2, '2024-01-11', '100.00', { kind: 'credit' })];
const ACCELERATED = [...PAID, order('accelerate', '2024-01-20', 20)];

/** All figures at the end of the day, then the entries of chargebacks. */
function after(facts: readonly LedgerFact[], date: string, own = terms): readonly string[] {
  const { state, entries } = recordLedger(own, facts, day(date));
  return [...figuresIn(state), ...entriesIn(entries, 'chargeback')];
}

test('amounts that are owed again join the running installment, part by part', async (t) => {
  t.same(after(PAID, '2024-01-11'), [
    'active: nonDuePrincipal 772.84, nonDueInterest 91.2600000000, prepaid 57.58',
    'totals: interestAccrued 152.1000000000, feesCharged 12.00, payments 200.00, credits 100.00, paidPrincipal 227.16, ' +
      'paidInterest 60.84, paidFees 12.00, interestAccruedBeforePeriod 152.1000000000',
    'fee 10 due of obligation 0: amount 12.00',
    'obligation 0 2024-01-11 fulfilled: amount 242.42, base 230.42, principal 200.00, interest 30.42, fees 12.00, ' +
      'unroundedInterest 30.4200000000, payments 200.00, credits 42.42',
    'payment 1: amount 200.00, principal 157.58, interest 30.42, fees 12.00',
    'credit 2: amount 100.00, principal 69.58, interest 30.42',
  ]);
  t.same(after([...PAID, back(30, 1, '2024-01-15', '30.00')], '2024-01-15'), [
    'active: nonDuePrincipal 772.84, nonDueInterest 109.2600000000, openFees 12.00, prepaid 57.58',
    'totals: interestAccrued 152.1000000000, feesCharged 12.00, payments 170.00, credits 100.00, paidPrincipal 227.16, ' +
      'paidInterest 42.84, interestAccruedBeforePeriod 152.1000000000',
    'fee 10 due of obligation 0: amount 12.00',
    'fee late null nonDue by itself: amount 12.00, open 12.00',
    'obligation 0 2024-01-11 fulfilled: amount 242.42, base 230.42, principal 200.00, interest 30.42, fees 12.00, ' +
      'unroundedInterest 30.4200000000, payments 200.00, credits 42.42',
    'payment 1: amount 200.00, principal 157.58, interest 30.42, fees 12.00',
    '  back: interest 18.00, fees 12.00',
    'credit 2: amount 100.00, principal 69.58, interest 30.42',
    '2024-01-15: nonDue interest 18.0000000000, nonDue dynamicFees 12.0000000000, counter counter -30.0000000000',
  ]);
  t.same(after([...PAID, back(30, 1, '2024-01-15', '30.00'), back(31, 1, '2024-01-16', '190.00')], '2024-01-16'), [
    'active: nonDuePrincipal 930.42, nonDueInterest 121.6800000000, openFees 12.00, prepaid 57.58',
    'totals: interestAccrued 152.1000000000, feesCharged 12.00, credits 100.00, paidPrincipal 69.58, paidInterest 30.42, ' +
      'interestAccruedBeforePeriod 152.1000000000',
    'fee 10 due of obligation 0: amount 12.00',
    'fee late null nonDue by itself: amount 12.00, open 12.00',
    'obligation 0 2024-01-11 fulfilled: amount 242.42, base 230.42, principal 200.00, interest 30.42, fees 12.00, ' +
      'unroundedInterest 30.4200000000, payments 200.00, credits 42.42',
    'payment 1: amount 200.00, principal 157.58, interest 30.42, fees 12.00',
    '  back: principal 157.58, interest 30.42, fees 12.00',
    'credit 2: amount 100.00, principal 69.58, interest 30.42',
    '2024-01-15: nonDue interest 18.0000000000, nonDue dynamicFees 12.0000000000, counter counter -30.0000000000',
    '2024-01-16: nonDue principal 157.5800000000, nonDue interest 12.4200000000, counter counter -170.0000000000',
  ]);
});

test('a chargeback of a credit is not money of the borrower', async (t) => {
  t.same(after([...PAID, back(30, 2, '2024-01-15', '30.00')], '2024-01-15'), [
    'active: nonDuePrincipal 772.84, nonDueInterest 121.2600000000, prepaid 57.58',
    'totals: interestAccrued 152.1000000000, feesCharged 12.00, payments 200.00, credits 70.00, paidPrincipal 227.16, ' +
      'paidInterest 30.84, paidFees 12.00, interestAccruedBeforePeriod 152.1000000000',
    'fee 10 due of obligation 0: amount 12.00',
    'obligation 0 2024-01-11 fulfilled: amount 242.42, base 230.42, principal 200.00, interest 30.42, fees 12.00, ' +
      'unroundedInterest 30.4200000000, payments 200.00, credits 42.42',
    'payment 1: amount 200.00, principal 157.58, interest 30.42, fees 12.00',
    'credit 2: amount 100.00, principal 69.58, interest 30.42',
    '  back: interest 30.00',
    '2024-01-15: nonDue interest 30.0000000000, counter counter -30.0000000000',
  ]);
});

test('the obligation of an accelerated loan includes it, due on its day and overdue from the next day on', async (t) => {
  // 772.84 of principal and 91.26 of interest; 12.00 of fee and 18.00 of interest come back.
  t.same(after([...ACCELERATED, back(30, 1, '2024-01-20', '30.00')], '2024-01-20'), [
    'accelerated: duePrincipal 772.84, dueInterest 109.26, openFees 12.00',
    'totals: interestAccrued 152.1000000000, feesCharged 12.00, payments 170.00, credits 100.00, paidPrincipal 227.16, ' +
      'paidInterest 42.84, interestAccruedBeforePeriod 152.1000000000',
    'fee 10 due of obligation 0: amount 12.00',
    'fee late null due of obligation 60000: amount 12.00, open 12.00',
    'obligation 0 2024-01-11 fulfilled: amount 242.42, base 230.42, principal 200.00, interest 30.42, fees 12.00, ' +
      'unroundedInterest 30.4200000000, payments 200.00, credits 42.42',
    'obligation 60000 2024-01-20: amount 894.10, base 864.10, principal 772.84, interest 91.26, ' +
      'unroundedInterest 91.2600000000, remaining 894.10, withoutLateFees 894.10',
    'payment 1: amount 200.00, principal 157.58, interest 30.42, fees 12.00',
    '  back: interest 18.00, fees 12.00',
    'credit 2: amount 100.00, principal 69.58, interest 30.42',
    '2024-01-20: due interest 18.0000000000, due dynamicFees 12.0000000000, counter counter -30.0000000000',
  ]);
  t.same(after([...ACCELERATED, back(30, 1, '2024-01-21', '30.00')], '2024-01-21'), [
    'accelerated: overduePrincipal 772.84, overdueInterest 109.26, openFees 12.00',
    'totals: interestAccrued 152.1000000000, feesCharged 12.00, payments 170.00, credits 100.00, paidPrincipal 227.16, ' +
      'paidInterest 42.84, interestAccruedBeforePeriod 152.1000000000',
    'fee 10 due of obligation 0: amount 12.00',
    'fee late null overdue of obligation 60000: amount 12.00, open 12.00',
    'obligation 0 2024-01-11 fulfilled: amount 242.42, base 230.42, principal 200.00, interest 30.42, fees 12.00, ' +
      'unroundedInterest 30.4200000000, payments 200.00, credits 42.42',
    'obligation 60000 2024-01-20 enforced: amount 894.10, base 864.10, principal 772.84, interest 91.26, ' +
      'unroundedInterest 91.2600000000, remaining 894.10, withoutLateFees 894.10',
    'payment 1: amount 200.00, principal 157.58, interest 30.42, fees 12.00',
    '  back: interest 18.00, fees 12.00',
    'credit 2: amount 100.00, principal 69.58, interest 30.42',
    '2024-01-21: overdue interest 18.0000000000, overdue dynamicFees 12.0000000000, counter counter -30.0000000000',
  ]);
});

test('two chargebacks restore each part once, in the order of the terms', async (t) => {
  // 30.00 as before; then 12.42 of interest and all 157.58 of principal, although 500.00 are asked for.
  const facts = [...ACCELERATED, back(30, 1, '2024-01-21', '30.00'), back(31, 1, '2024-01-21', '500.00')];
  t.same(after(facts, '2024-01-21'), [
    'accelerated: overduePrincipal 930.42, overdueInterest 121.68, openFees 12.00',
    'totals: interestAccrued 152.1000000000, feesCharged 12.00, credits 100.00, paidPrincipal 69.58, paidInterest 30.42, ' +
      'interestAccruedBeforePeriod 152.1000000000',
    'fee 10 due of obligation 0: amount 12.00',
    'fee late null overdue of obligation 60000: amount 12.00, open 12.00',
    'obligation 0 2024-01-11 fulfilled: amount 242.42, base 230.42, principal 200.00, interest 30.42, fees 12.00, ' +
      'unroundedInterest 30.4200000000, payments 200.00, credits 42.42',
    'obligation 60000 2024-01-20 enforced: amount 1064.10, base 864.10, principal 772.84, interest 91.26, ' +
      'unroundedInterest 91.2600000000, remaining 1064.10, withoutLateFees 1064.10',
    'payment 1: amount 200.00, principal 157.58, interest 30.42, fees 12.00',
    '  back: principal 157.58, interest 30.42, fees 12.00',
    'credit 2: amount 100.00, principal 69.58, interest 30.42',
    '2024-01-21: overdue interest 18.0000000000, overdue dynamicFees 12.0000000000, counter counter -30.0000000000',
    '2024-01-21: overdue principal 157.5800000000, overdue interest 12.4200000000, counter counter -170.0000000000',
  ]);
  const principalFirst = keptBy(['principal', 'interest', 'penalties', 'fees']);
  // 157.58 and 22.42, then 8.00 and 12.00.
  t.same(after([...ACCELERATED, back(30, 1, '2024-01-21', '180.00')], '2024-01-21', principalFirst), [
    'accelerated: overduePrincipal 930.42, overdueInterest 113.68',
    'totals: interestAccrued 152.1000000000, feesCharged 12.00, payments 20.00, credits 100.00, paidPrincipal 69.58, ' +
      'paidInterest 38.42, paidFees 12.00, interestAccruedBeforePeriod 152.1000000000',
    'fee 10 due of obligation 0: amount 12.00',
    'obligation 0 2024-01-11 fulfilled: amount 242.42, base 230.42, principal 200.00, interest 30.42, fees 12.00, ' +
      'unroundedInterest 30.4200000000, payments 200.00, credits 42.42',
    'obligation 60000 2024-01-20 enforced: amount 1044.10, base 864.10, principal 772.84, interest 91.26, ' +
      'unroundedInterest 91.2600000000, remaining 1044.10, withoutLateFees 1044.10',
    'payment 1: amount 200.00, principal 157.58, interest 30.42, fees 12.00',
    '  back: principal 157.58, interest 22.42',
    'credit 2: amount 100.00, principal 69.58, interest 30.42',
    '2024-01-21: overdue principal 157.5800000000, overdue interest 22.4200000000, counter counter -180.0000000000',
  ]);
  t.same(after([...ACCELERATED, back(30, 1, '2024-01-21', '180.00'), back(31, 1, '2024-01-21', '500.00')], '2024-01-21', principalFirst), [
    'accelerated: overduePrincipal 930.42, overdueInterest 121.68, openFees 12.00',
    'totals: interestAccrued 152.1000000000, feesCharged 12.00, credits 100.00, paidPrincipal 69.58, paidInterest 30.42, ' +
      'interestAccruedBeforePeriod 152.1000000000',
    'fee 10 due of obligation 0: amount 12.00',
    'fee late null overdue of obligation 60000: amount 12.00, open 12.00',
    'obligation 0 2024-01-11 fulfilled: amount 242.42, base 230.42, principal 200.00, interest 30.42, fees 12.00, ' +
      'unroundedInterest 30.4200000000, payments 200.00, credits 42.42',
    'obligation 60000 2024-01-20 enforced: amount 1064.10, base 864.10, principal 772.84, interest 91.26, ' +
      'unroundedInterest 91.2600000000, remaining 1064.10, withoutLateFees 1064.10',
    'payment 1: amount 200.00, principal 157.58, interest 30.42, fees 12.00',
    '  back: principal 157.58, interest 30.42, fees 12.00',
    'credit 2: amount 100.00, principal 69.58, interest 30.42',
    '2024-01-21: overdue principal 157.5800000000, overdue interest 22.4200000000, counter counter -180.0000000000',
    '2024-01-21: overdue interest 8.0000000000, overdue dynamicFees 12.0000000000, counter counter -20.0000000000',
  ]);
});

test('a single cent can be charged back, too', async (t) => {
  const { state } = recordLedger(
    keptBy(['interest', 'principal', 'penalties', 'fees']),
    [...ACCELERATED, back(30, 1, '2024-01-21', '0.01')],
    day('2024-01-21'),
  );
  t.equal(text(state.overdueInterestCents), '91.27');
  t.equal(text(state.obligations.at(-1)?.remainingCents ?? 0), '864.11');
});

test('after a forgiven small balance, a chargeback restores the named payment', async (t) => {
  const forgiving = {
    ...terms,
    settings: terms.settings.map(({ from, value }) => ({ from, value: { ...value, smallBalanceCents: money('5.00') } })),
  };
  // 1,152.10 less 5.00 that are given up. 30.00 of interest come back and are paid; 20.00 of them come back again.
  const facts = [
    pay(1, '2024-01-12', '1147.10'),
    back(30, 1, '2024-01-13', '30.00'),
    pay(31, '2024-01-14', '30.00'),
    back(32, 31, '2024-01-15', '20.00'),
  ];
  // Future rows include 921.68 and the 50.00 that were charged back.
  t.same(after(facts, '2024-01-15', forgiving), [
    'active: nonDueInterest 20.0000000000, prepaid 951.68',
    'totals: interestAccrued 152.1000000000, payments 1127.10, credits 5.00, paidPrincipal 1000.00, paidInterest 132.10, ' +
      'interestAccruedBeforePeriod 152.1000000000',
    'obligation 0 2024-01-11 fulfilled enforced: amount 230.42, base 230.42, principal 200.00, interest 30.42, ' +
      'unroundedInterest 30.4200000000, payments 230.42',
    'payment 1: amount 1147.10, principal 995.00, interest 152.10',
    '  back: interest 30.00',
    'payment 31: amount 30.00, interest 30.00',
    '  back: interest 20.00',
    '2024-01-13: nonDue interest 30.0000000000, counter counter -30.0000000000',
    '2024-01-15: nonDue interest 20.0000000000, counter counter -20.0000000000',
  ]);
});

test('a charged-off loan owes it in the charged-off block', async (t) => {
  const off = [
    ...ACCELERATED,
    order('chargeOff', '2024-01-22', 21),
    back(30, 1, '2024-01-23', '30.00'),
    back(31, 1, '2024-01-23', '80.00'),
  ];
  t.same(after(off, '2024-01-23'), [
    'chargedOff: chargedOffPrincipal 840.42, chargedOffInterest 121.68, openFees 12.00',
    'totals: interestAccrued 152.1000000000, feesCharged 12.00, payments 90.00, credits 100.00, paidPrincipal 159.58, ' +
      'paidInterest 30.42, interestAccruedBeforePeriod 152.1000000000',
    'fee 10 due of obligation 0: amount 12.00',
    'fee late null chargedOff of obligation 60000: amount 12.00, open 12.00',
    'obligation 0 2024-01-11 fulfilled: amount 242.42, base 230.42, principal 200.00, interest 30.42, fees 12.00, ' +
      'unroundedInterest 30.4200000000, payments 200.00, credits 42.42',
    'obligation 60000 2024-01-20 enforced: amount 974.10, base 864.10, principal 772.84, interest 91.26, ' +
      'unroundedInterest 91.2600000000, remaining 974.10, withoutLateFees 974.10',
    'payment 1: amount 200.00, principal 157.58, interest 30.42, fees 12.00',
    '  back: principal 67.58, interest 30.42, fees 12.00',
    'credit 2: amount 100.00, principal 69.58, interest 30.42',
    '2024-01-23: chargedOff interest 18.0000000000, chargedOff dynamicFees 12.0000000000, counter counter -30.0000000000',
    '2024-01-23: chargedOff principal 67.5800000000, chargedOff interest 12.4200000000, counter counter -80.0000000000',
  ]);
});

test('the overpaid part is charged back first, and the rest reopens the loan', async (t) => {
  // 864.10 were owed, so 635.90 are over.
  const over = [...ACCELERATED, pay(25, '2024-01-21', '1500.00'), back(30, 25, '2024-01-22', '20.00')];
  t.same(after(over, '2024-01-22'), [
    'paidOff: ',
    'totals: interestAccrued 152.1000000000, feesCharged 12.00, payments 1680.00, credits 100.00, paidPrincipal 1000.00, ' +
      'paidInterest 152.10, paidFees 12.00, paidOver 615.90, reimbursement 615.90, interestAccruedBeforePeriod 152.1000000000',
    'fee 10 due of obligation 0: amount 12.00',
    'obligation 0 2024-01-11 fulfilled: amount 242.42, base 230.42, principal 200.00, interest 30.42, fees 12.00, ' +
      'unroundedInterest 30.4200000000, payments 200.00, credits 42.42',
    'obligation 60000 2024-01-20 fulfilled enforced: amount 864.10, base 864.10, principal 772.84, interest 91.26, ' +
      'unroundedInterest 91.2600000000, payments 864.10',
    'payment 1: amount 200.00, principal 157.58, interest 30.42, fees 12.00',
    'credit 2: amount 100.00, principal 69.58, interest 30.42',
    'payment 25: amount 1500.00, principal 772.84, interest 91.26, over 635.90',
    '  back: over 20.00',
  ]);
  // 615.90 that are still over, then 84.10 of interest.
  t.same(after([...over, back(31, 25, '2024-01-23', '700.00')], '2024-01-23'), [
    'accelerated: overdueInterest 84.10',
    'totals: interestAccrued 152.1000000000, feesCharged 12.00, payments 980.00, credits 100.00, paidPrincipal 1000.00, ' +
      'paidInterest 68.00, paidFees 12.00, interestAccruedBeforePeriod 152.1000000000',
    'fee 10 due of obligation 0: amount 12.00',
    'obligation 0 2024-01-11 fulfilled: amount 242.42, base 230.42, principal 200.00, interest 30.42, fees 12.00, ' +
      'unroundedInterest 30.4200000000, payments 200.00, credits 42.42',
    'obligation 60000 2024-01-20 enforced: amount 948.20, base 864.10, principal 772.84, interest 91.26, ' +
      'unroundedInterest 91.2600000000, remaining 84.10, payments 864.10, withoutLateFees 84.10',
    'payment 1: amount 200.00, principal 157.58, interest 30.42, fees 12.00',
    'credit 2: amount 100.00, principal 69.58, interest 30.42',
    'payment 25: amount 1500.00, principal 772.84, interest 91.26, over 635.90',
    '  back: interest 84.10, over 635.90',
    '2024-01-23: overdue interest 84.1000000000, counter counter -84.1000000000',
  ]);
});

test('a chargeback of a canceled loan lowers what is owed to the borrower, and one of an unknown payment has no effect', async (t) => {
  const canceled: LedgerFact = { type: 'cancel', effective: at('2024-01-12'), sequence: 40, recordedDay: day('2024-01-12') };
  const totalsAfter = (...facts: readonly LedgerFact[]): string => after([...PAID, canceled, ...facts], '2024-01-15')[1] ?? '';
  t.match(totalsAfter(), /payments 200\.00.* reimbursement 200\.00/);
  t.match(totalsAfter(back(41, 1, '2024-01-15', '30.00')), /payments 170\.00.* reimbursement 170\.00/);
  t.same(after([...PAID, back(41, 7, '2024-01-15', '30.00')], '2024-01-15'), after(PAID, '2024-01-15'));
});

/** Of a payoff: all, principal, interest, fees, money in processing. */
const payoffAt = (facts: readonly LedgerFact[], date: string, on: string): readonly string[] => {
  const { payoffCents, principalCents, interestCents, feesCents, processingCents } = payoffOf(
    recordLedger(terms, facts, day(date)).state,
    day(on),
  );
  return [payoffCents, principalCents, interestCents, feesCents, processingCents].map(text);
};

test('coming installments show their amounts and payments; the payoff is the rest by parts', async (t) => {
  const fees = [charge(10, '12.00'), charge(11, '5.00', 'lateFee')];
  const ahead = [...fees, pay(1, '2024-01-06', '50.00')];
  t.same(scheduleIn(recordLedger(terms, ahead, day('2024-01-06')).state), [
    '0 2024-01-11 booked: amount 247.42, originalAmount 214.24, principal 200.00, interest 30.42, ' +
      'interestBeforeDiscount 30.42, fees 17.00, prepaid 50.00',
    '1 2024-02-11 projected: amount 230.42, originalAmount 214.24, principal 200.00, interest 30.42, interestBeforeDiscount 30.42',
    '2 2024-03-11 projected: amount 230.42, originalAmount 214.24, principal 200.00, interest 30.42, interestBeforeDiscount 30.42',
    '3 2024-04-11 projected: amount 230.42, originalAmount 214.24, principal 200.00, interest 30.42, interestBeforeDiscount 30.42',
    '4 2024-05-11 projected: amount 230.42, originalAmount 214.23, principal 200.00, interest 30.42, interestBeforeDiscount 30.42',
  ]);
  // 50.00 have met both fees, 30.42 and 2.58.
  t.same(payoffAt(ahead, '2024-01-06', '2024-01-20'), ['1119.10', '997.42', '121.68', '0.00', '0.00']);
  t.same(payoffAt(fees, '2024-01-06', '2024-01-20'), ['1169.10', '1000.00', '152.10', '17.00', '0.00']);
  // 230.42 for the first one; of 469.58 that are left the next two take all, and the fourth 8.74.
  t.same(scheduleIn(recordLedger(terms, [pay(1, '2024-01-11', '700.00')], day('2024-01-12')).state), [
    '0 2024-01-11 completed: amount 230.42, originalAmount 214.24, principal 200.00, interest 30.42, interestBeforeDiscount 30.42',
    '1 2024-02-11 booked: amount 230.42, originalAmount 214.24, principal 200.00, interest 30.42, ' +
      'interestBeforeDiscount 30.42, prepaid 230.42',
    '2 2024-03-11 projected: amount 230.42, originalAmount 214.24, principal 200.00, interest 30.42, ' +
      'interestBeforeDiscount 30.42, prepaid 230.42',
    '3 2024-04-11 projected: amount 230.42, originalAmount 214.24, principal 200.00, interest 30.42, ' +
      'interestBeforeDiscount 30.42, prepaid 8.74',
    '4 2024-05-11 projected: amount 230.42, originalAmount 214.23, principal 200.00, interest 30.42, interestBeforeDiscount 30.42',
  ]);
});

test('there is no coming installment if money in processing has paid everything', async (t) => {
  const paid = [pay(1, '2024-01-06', '5000.00', { isProcessing: true })];
  t.same(scheduleIn(recordLedger(terms, paid, day('2024-01-06')).state), []);
  t.same(payoffAt(paid, '2024-01-06', '2024-01-20'), ['0.00', '0.00', '0.00', '0.00', '5000.00']);
});
