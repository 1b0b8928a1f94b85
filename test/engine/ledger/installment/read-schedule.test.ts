import { test } from 'tap';
import {
  type ChargeLogic,
  cents,
  computeLedger,
  formatAccrued,
  formatDay,
  type LedgerFact,
  type LedgerTerms,
  scheduleOf,
} from '../../../../engine/index.js';
import { amountsIn } from '../line/lines.js';
import { at, day, loan, type LoanShape, money, pay, text } from './loans.js';

/*
 * Rows to come, by hand. 300.00 bear 0.1 % a day; three rows of 110.00, the origination fee of 30.00 spread over them or separate:
 *
 *   2024-01-11   10 nights on 300.00       3.00 interest    107.00 principal
 *   2024-02-11   31 nights on 193.00       5.983             104.02
 *   2024-03-11   29 nights on 88.98        2.58042           88.98
 */
const terms = (shape: Partial<LoanShape> = {}): LedgerTerms => {
  const own = loan({ principal: '300.00', rate: '0.365', activation: '2024-01-01', firstDue: '2024-01-11', rows: 3, ...shape });
  return { ...own, rows: own.rows.map((row) => ({ ...row, amountCents: money('110.00') })) };
};
const SPREAD = { originationFee: { amountCents: cents(3000), logic: 'spread' } } as const;
const SEPARATE = { originationFee: { amountCents: cents(3000), logic: 'separate' } } as const;

const madeOn = (sequence: number, date: string): Pick<LedgerFact, 'effective' | 'sequence' | 'recordedDay'> => ({
  effective: at(date),
  sequence,
  recordedDay: day(date),
});

const charge = (fee: number, date: string, amount: string, chargeLogic: ChargeLogic): LedgerFact => ({
  ...madeOn(fee, date),
  type: 'feeCharged',
  fee,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money(amount),
  chargeLogic,
});

/** The figures of each row, its exact interest, and the fees that it carries. */
const rowsAt = (own: LedgerTerms, facts: readonly LedgerFact[], date: string): readonly string[] =>
  scheduleOf(computeLedger(own, facts, day(date))).map((row) =>
    [
      `${row.ordinal} ${formatDay(row.date)} ${row.status}: ${amountsIn(row)}`,
      `exact ${formatAccrued(row.unroundedInterest)}`,
      ...row.carriedFees.map(({ fee, amountCents, isPaid }) => `${fee} ${text(amountCents)}${isPaid ? ' paid' : ''}`),
    ].join('; '),
  );

test('coming rows without fees', async (t) => {
  t.same(rowsAt(terms(), [], '2024-01-01'), [
    '0 2024-01-11 booked: amount 110.00, originalAmount 110.00, principal 107.00, interest 3.00, ' +
      'interestBeforeDiscount 3.00; exact 3.0000000000',
    '1 2024-02-11 projected: amount 110.00, originalAmount 110.00, principal 104.02, interest 5.98, ' +
      'interestBeforeDiscount 5.98; exact 5.9830000000',
    '2 2024-03-11 projected: amount 91.56, originalAmount 110.00, principal 88.98, interest 2.58, ' +
      'interestBeforeDiscount 2.58; exact 2.5804200000',
  ]);
});

test('a spread origination fee adds a third to each row', async (t) => {
  t.same(rowsAt(terms(SPREAD), [], '2024-01-01'), [
    '0 2024-01-11 booked: amount 120.00, originalAmount 120.00, principal 107.00, interest 3.00, ' +
      'interestBeforeDiscount 3.00, fees 10.00; exact 3.0000000000',
    '1 2024-02-11 projected: amount 120.00, originalAmount 120.00, principal 104.02, interest 5.98, ' +
      'interestBeforeDiscount 5.98, fees 10.00; exact 5.9830000000',
    '2 2024-03-11 projected: amount 101.56, originalAmount 120.00, principal 88.98, interest 2.58, ' +
      'interestBeforeDiscount 2.58, fees 10.00; exact 2.5804200000',
  ]);
  // A fee by hand falls due with the next row, and one with the last row.
  const fees = [charge(300, '2024-01-05', '6.00', 'nextDueDate'), charge(301, '2024-01-05', '7.00', 'lastDueDate')];
  t.same(rowsAt(terms(SPREAD), fees, '2024-01-05'), [
    '0 2024-01-11 booked: amount 126.00, originalAmount 120.00, principal 107.00, interest 3.00, ' +
      'interestBeforeDiscount 3.00, fees 16.00; exact 3.0000000000; 300 6.00',
    '1 2024-02-11 projected: amount 120.00, originalAmount 120.00, principal 104.02, interest 5.98, ' +
      'interestBeforeDiscount 5.98, fees 10.00; exact 5.9830000000',
    '2 2024-03-11 projected: amount 108.56, originalAmount 120.00, principal 88.98, interest 2.58, ' +
      'interestBeforeDiscount 2.58, fees 17.00; exact 2.5804200000; 301 7.00',
  ]);
});

test('no coming row has a separate origination fee, which is due by itself', async (t) => {
  const fee = charge(300, '2024-01-05', '6.00', 'nextDueDate');
  t.same(rowsAt(terms(SEPARATE), [fee], '2024-01-05'), [
    '0 2024-01-11 booked: amount 116.00, originalAmount 110.00, principal 107.00, interest 3.00, ' +
      'interestBeforeDiscount 3.00, fees 6.00; exact 3.0000000000; 300 6.00',
    '1 2024-02-11 projected: amount 110.00, originalAmount 110.00, principal 104.02, interest 5.98, ' +
      'interestBeforeDiscount 5.98; exact 5.9830000000',
    '2 2024-03-11 projected: amount 91.56, originalAmount 110.00, principal 88.98, interest 2.58, ' +
      'interestBeforeDiscount 2.58; exact 2.5804200000',
  ]);
  t.same(rowsAt(terms(SEPARATE), [fee, pay(1, '2024-01-06', '20.00')], '2024-01-06'), [
    '0 2024-01-11 booked: amount 116.00, originalAmount 110.00, principal 107.00, interest 3.00, ' +
      'interestBeforeDiscount 3.00, fees 6.00; exact 3.0000000000; 300 6.00',
    '1 2024-02-11 projected: amount 110.00, originalAmount 110.00, principal 104.02, interest 5.98, ' +
      'interestBeforeDiscount 5.98; exact 5.9830000000',
    '2 2024-03-11 projected: amount 91.56, originalAmount 110.00, principal 88.98, interest 2.58, ' +
      'interestBeforeDiscount 2.58; exact 2.5804200000',
  ]);
});

test('due and overdue amounts count as paid on the day of the schedule, and bear no interest from then on', async (t) => {
  const fees = [charge(300, '2024-01-05', '6.00', 'nextDueDate'), charge(301, '2024-01-12', '7.00', 'immediate')];
  // On the 21st ten nights on 300.00 are in, 3.00; then 21 nights on 193.00: 4.053.
  t.same(rowsAt(terms(SPREAD), fees, '2024-01-21'), [
    '0 2024-01-11 booked: amount 126.00, originalAmount 120.00, principal 107.00, interest 3.00, ' +
      'interestBeforeDiscount 3.00, fees 16.00; exact 3.0000000000; 300 6.00',
    '1 2024-02-11 booked: amount 127.00, originalAmount 120.00, principal 102.95, interest 7.05, ' +
      'interestBeforeDiscount 7.05, fees 17.00; exact 7.0530000000; 301 7.00',
    '2 2024-03-11 projected: amount 102.66, originalAmount 120.00, principal 90.05, interest 2.61, ' +
      'interestBeforeDiscount 2.61, fees 10.00; exact 2.6114500000',
  ]);
  t.same(rowsAt(terms(SEPARATE), fees, '2024-01-21'), [
    '0 2024-01-11 booked: amount 146.00, originalAmount 110.00, principal 107.00, interest 3.00, ' +
      'interestBeforeDiscount 3.00, fees 36.00; exact 3.0000000000; 300 6.00',
    '1 2024-02-11 booked: amount 117.00, originalAmount 110.00, principal 102.95, interest 7.05, ' +
      'interestBeforeDiscount 7.05, fees 7.00; exact 7.0530000000; 301 7.00',
    '2 2024-03-11 projected: amount 92.66, originalAmount 110.00, principal 90.05, interest 2.61, ' +
      'interestBeforeDiscount 2.61; exact 2.6114500000',
  ]);
  // Both rows have fallen due, and the first is overdue.
  t.same(rowsAt(terms(SPREAD), fees, '2024-02-11'), [
    '0 2024-01-11 booked: amount 126.00, originalAmount 120.00, principal 107.00, interest 3.00, ' +
      'interestBeforeDiscount 3.00, fees 16.00; exact 3.0000000000; 300 6.00',
    '1 2024-02-11 booked: amount 127.00, originalAmount 120.00, principal 100.70, interest 9.30, ' +
      'interestBeforeDiscount 9.30, fees 17.00; exact 9.3000000000; 301 7.00',
    '2 2024-03-11 booked: amount 104.98, originalAmount 120.00, principal 92.30, interest 2.68, ' +
      'interestBeforeDiscount 2.68, fees 10.00; exact 2.6767000000',
  ]);
});

test('a deferred due date has no amount, and its interest and fees wait for the next row', async (t) => {
  const deferred: LedgerFact = {
    ...madeOn(310, '2024-01-05'),
    type: 'dueDateDeferred',
    dueDay: day('2024-01-11'),
    newDay: day('2024-02-11'),
  };
  t.same(rowsAt(terms(SPREAD), [deferred], '2024-01-05'), [
    '0 2024-01-11 canceled: originalAmount 120.00; exact 0.0000000000',
    '1 2024-02-11 projected: amount 230.00, originalAmount 120.00, principal 207.70, interest 12.30, ' +
      'interestBeforeDiscount 12.30, fees 10.00; exact 12.3000000000',
    '2 2024-03-11 projected: amount 114.98, originalAmount 120.00, principal 92.30, interest 2.68, ' +
      'interestBeforeDiscount 2.68, fees 20.00; exact 2.6767000000',
  ]);
  t.same(rowsAt(terms(SPREAD), [deferred, charge(311, '2024-01-06', '6.00', 'nextDueDate')], '2024-01-06'), [
    '0 2024-01-11 canceled: originalAmount 120.00; exact 0.0000000000',
    '1 2024-02-11 projected: amount 236.00, originalAmount 120.00, principal 207.70, interest 12.30, ' +
      'interestBeforeDiscount 12.30, fees 16.00; exact 12.3000000000; 311 6.00',
    '2 2024-03-11 projected: amount 114.98, originalAmount 120.00, principal 92.30, interest 2.68, ' +
      'interestBeforeDiscount 2.68, fees 20.00; exact 2.6767000000',
  ]);
});

test('money in advance pays the coming rows, and a paid loan has none', async (t) => {
  t.same(rowsAt(terms(SPREAD), [pay(1, '2024-01-05', '150.00', { prepay: true })], '2024-01-05'), [
    '0 2024-01-11 booked: amount 120.00, originalAmount 120.00, principal 120.00, prepaid 120.00; exact 0.0000000000',
    '1 2024-02-11 projected: amount 120.00, originalAmount 120.00, principal 113.29, interest 6.71, ' +
      'interestBeforeDiscount 6.71, prepaid 30.00; exact 6.7072000000',
    '2 2024-03-11 projected: amount 100.75, originalAmount 120.00, principal 97.91, interest 2.84, ' +
      'interestBeforeDiscount 2.84; exact 2.8393900000',
  ]);
  const fee = charge(300, '2024-01-04', '6.00', 'nextDueDate');
  t.same(rowsAt(terms(SPREAD), [fee, pay(1, '2024-01-05', '150.00', { prepay: true })], '2024-01-05'), [
    '0 2024-01-11 booked: amount 120.00, originalAmount 120.00, principal 120.00, prepaid 120.00; exact 0.0000000000',
    '1 2024-02-11 projected: amount 120.00, originalAmount 120.00, principal 113.08, interest 6.92, ' +
      'interestBeforeDiscount 6.92, prepaid 24.00; exact 6.9232000000',
    '2 2024-03-11 projected: amount 100.97, originalAmount 120.00, principal 98.12, interest 2.85, ' +
      'interestBeforeDiscount 2.85; exact 2.8454800000',
  ]);
  t.same(rowsAt(terms(SPREAD), [pay(1, '2024-01-05', '400.00')], '2024-01-05'), []);
});

test('a frozen loan has coming rows, an accelerated or charged-off loan has none', async (t) => {
  t.same(rowsAt(terms(SPREAD), [{ ...madeOn(310, '2024-01-05'), type: 'freeze' }], '2024-01-06'), [
    '0 2024-01-11 booked: amount 120.00, originalAmount 120.00, principal 107.30, interest 2.70, ' +
      'interestBeforeDiscount 2.70, fees 10.00; exact 2.7000000000',
    '1 2024-02-11 projected: amount 120.00, originalAmount 120.00, principal 104.03, interest 5.97, ' +
      'interestBeforeDiscount 5.97, fees 10.00; exact 5.9737000000',
    '2 2024-03-11 projected: amount 101.24, originalAmount 120.00, principal 88.67, interest 2.57, ' +
      'interestBeforeDiscount 2.57, fees 10.00; exact 2.5714300000',
  ]);
  t.same(rowsAt(terms(SPREAD), [{ ...madeOn(310, '2024-01-12'), type: 'accelerate' }], '2024-01-12'), [
    '0 2024-01-11 canceled: amount 120.00, originalAmount 120.00, principal 107.00, interest 3.00, ' +
      'interestBeforeDiscount 3.00, fees 10.00; exact 3.0000000000',
  ]);
  t.same(rowsAt(terms(SPREAD), [{ ...madeOn(310, '2024-01-12'), type: 'chargeOff', reason: 'term' }], '2024-01-12'), [
    '0 2024-01-11 canceled: amount 120.00, originalAmount 120.00, principal 107.00, interest 3.00, ' +
      'interestBeforeDiscount 3.00, fees 10.00; exact 3.0000000000',
  ]);
});

test('expected compound interest is what will accrue', async (t) => {
  t.same(rowsAt({ ...terms(), accrualMethod: 'compound' }, [], '2024-01-01'), [
    '0 2024-01-11 booked: amount 110.00, originalAmount 110.00, principal 106.99, interest 3.01, ' +
      'interestBeforeDiscount 3.01; exact 3.0135360631',
    '1 2024-02-11 projected: amount 110.00, originalAmount 110.00, principal 103.93, interest 6.07, ' +
      'interestBeforeDiscount 6.07; exact 6.0739333359',
    '2 2024-03-11 projected: amount 91.70, originalAmount 110.00, principal 89.08, interest 2.62, ' +
      'interestBeforeDiscount 2.62; exact 2.6198141047',
  ]);
});
