import { test } from 'tap';
import {
  balancesOf,
  computeLedger,
  decodeState,
  encodeState,
  formatAccrued,
  interestByDay,
  type LedgerFact,
  periodsOf,
  rateTimeline,
  recordLedger,
  scheduleOf,
  startLedger,
} from '../../../../engine/index.js';
import { at, day, loan, money, pay, percent, SMALL_LOAN, text } from './loans.js';

const terms = loan({ ...SMALL_LOAN, activation: '2023-12-20', firstDue: '2024-01-15' });

test('interest of 31 December belongs to the old year', async (t) => {
  const yearToDate = (date: string): string =>
    formatAccrued(balancesOf(computeLedger(terms, [], day(date))).interestAndFees.interestAccruedYearToDate);
  t.equal(yearToDate('2023-12-31'), '6.5095890411');
  t.equal(yearToDate('2024-01-01'), '0.0000000000');
  t.equal(yearToDate('2024-01-02'), '0.5917808219');
});

test('interest paid and fees charged in a year start again with the next', async (t) => {
  const facts = [pay(1, '2024-01-15', '109.76'), pay(2, '2024-02-15', '109.76')];
  const on = (date: string): string => text(balancesOf(computeLedger(terms, facts, day(date))).interestAndFees.interestPaidYearToDateCents);
  t.equal(on('2024-02-15'), text(1_539 + 1_690));
  t.equal(on('2025-01-01'), '0.00');
});

test('interest of the current period starts again on the due date', async (t) => {
  const period = (date: string): string =>
    formatAccrued(balancesOf(computeLedger(terms, [], day(date))).interestAndFees.interestAccruedCurrentPeriod);
  t.equal(period('2024-01-14'), '14.7945205479');
  t.equal(period('2024-01-15'), '0.0000000000');
  t.equal(period('2024-01-16'), '0.5917808219');
});

test('a promo is shown in addition to the accrued interest', async (t) => {
  const rates = rateTimeline({
    interest: [{ type: 'absolute', from: terms.activation, until: null, rate: percent('0.18') }],
    promos: [{ from: day('2023-12-20'), until: day('2024-01-01'), rate: percent('0.06') }],
  });
  const ledger = recordLedger({ ...terms, rates }, [], day('2024-01-15'));
  t.equal(formatAccrued(balancesOf(ledger.state).interestAndFees.interestDiscount), '2.3671232877');
  const [first] = scheduleOf(ledger.state);
  t.equal(text(first?.interestCents ?? 0), '13.02');
  t.equal(text(first?.interestBeforeDiscountCents ?? 0), '15.39');
  const [eve, newYear] = interestByDay(ledger, day('2023-12-31'), day('2024-01-01'));
  t.equal(formatAccrued(eve?.interest ?? (0n as never)), '0.3945205479');
  t.equal(formatAccrued(eve?.interestBeforeDiscount ?? (0n as never)), '0.5917808219');
  t.equal(formatAccrued(newYear?.interest ?? (0n as never)), '0.5917808219');
});

test('periods join each other, and each ends the day before its due date', async (t) => {
  const periods = periodsOf(computeLedger(terms, [], day('2024-02-20')));
  t.match(periods[0], {
    startDay: day('2023-12-20'),
    endDay: day('2024-01-14'),
    statementDay: day('2024-01-15'),
    dueDay: day('2024-01-15'),
    status: 'closed',
  });
  t.match(periods[2], { startDay: day('2024-02-15'), status: 'open' });
  t.match(periods[3], { status: 'future' });
});

test('a state of another version is refused', async (t) => {
  const encoded = encodeState(startLedger(terms));
  t.throws(() => decodeState({ ...encoded, version: 1 as never }, terms), /version 1/);
});

test('interest that is not due is shown exactly and rounded, and totals add the rounded parts', async (t) => {
  const { nonDue, outstanding } = balancesOf(computeLedger(terms, [], day('2024-01-14')));
  t.equal(formatAccrued(nonDue.unroundedInterest), '14.7945205479');
  t.equal(text(nonDue.interestCents), '14.79');
  t.equal(text(outstanding.totalCents), '1214.79');
});

test('a statement is made on the due date, or some days before the end of the period, but not before its second day', async (t) => {
  const statements = (statementOffsetDays?: number): readonly number[] =>
    periodsOf(startLedger(loan({ ...SMALL_LOAN, settings: statementOffsetDays === undefined ? {} : { statementOffsetDays } })))
      .slice(0, 2)
      .map(({ statementDay }) => statementDay);
  // Activated on 20 January, due on 15 February and 15 March.
  t.same(statements(), ['2024-02-15', '2024-03-15'].map(day));
  t.same(statements(3), ['2024-02-11', '2024-03-11'].map(day));
  t.same(statements(26), ['2024-01-21', '2024-02-17'].map(day));
});

test('paid amounts are shown in total, by money and credits, and by component', async (t) => {
  const facts = [pay(1, '2024-01-15', '100.00'), pay(2, '2024-01-15', '9.76', { kind: 'credit' })];
  const { paid } = balancesOf(computeLedger(terms, facts, day('2024-01-15')));
  t.same([paid.totalCents, paid.paymentsCents, paid.creditsCents, paid.principalCents, paid.interestCents, paid.feesCents].map(text), [
    '109.76',
    '100.00',
    '9.76',
    '94.37',
    '15.39',
    '0.00',
  ]);
});

test('a coming promo is in the expected rows', async (t) => {
  const rates = rateTimeline({
    interest: [{ type: 'absolute', from: terms.activation, until: null, rate: percent('0.18') }],
    promos: [{ from: day('2023-12-20'), until: day('2024-01-01'), rate: percent('0.06') }],
  });
  const [first, second] = scheduleOf(startLedger({ ...terms, rates }));
  t.same([first?.interestCents ?? 0, first?.interestBeforeDiscountCents ?? 0].map(text), ['13.02', '15.39']);
  t.equal(second?.interestCents, second?.interestBeforeDiscountCents);
});

test('fees charged in a year start again with the next', async (t) => {
  const fee = (sequence: number, date: string, amount: string): LedgerFact => ({
    type: 'feeCharged',
    fee: sequence,
    feeTypeId: 'byHand',
    kind: 'otherFee',
    amountCents: money(amount),
    chargeLogic: 'nonDue',
    effective: at(date),
    sequence,
    recordedDay: day(date),
  });
  const facts = [fee(1, '2023-12-28', '12.00'), fee(2, '2024-01-10', '5.00'), pay(3, '2024-01-15', '20.00')];
  const on = (date: string): readonly string[] => {
    const { feesChargedCents, feesChargedYearToDateCents, interestPaidYearToDateCents } = balancesOf(
      computeLedger(terms, facts, day(date)),
    ).interestAndFees;
    return [feesChargedCents, feesChargedYearToDateCents, interestPaidYearToDateCents].map(text);
  };
  t.same(on('2023-12-31'), ['12.00', '12.00', '0.00']);
  t.same(on('2024-01-01'), ['12.00', '0.00', '0.00']);
  // 15.39 of interest are due on 15 January.
  t.same(on('2024-01-15'), ['17.00', '5.00', '15.39']);
  t.same(on('2025-01-01'), ['17.00', '0.00', '0.00']);
});
