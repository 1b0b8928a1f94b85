import { test } from 'tap';
import {
  type Accrued,
  balancesOf,
  type ChargeLogic,
  cents,
  computeLedger,
  type DynamicFeeKind,
  formatAccrued,
  formatDay,
  type LedgerFact,
  type LedgerState,
  type LedgerTerms,
  obligationsOf,
  overdueOf,
  payoffOf,
  periodsOf,
} from '../../../../engine/index.js';
import { figuresIn } from './figures.js';
import { at, day, LATE_FEE, loan, money, pay, text } from './loans.js';

/*
 * All shown figures of a loan with all kinds of facts, by hand. 1,000.00 bear 0.1 % a night, from 2024-01-01 on; rows of
 * 210.00 with 10.00 of the origination fee:
 *
 *   01-05   fee of 6.00 that waits for the next row, and on 01-06 one of 7.00 that is due at once
 *   01-11   10.00 interest, 200.00 principal, 23.00 fees: 233.00
 *   01-15   30.00 that are in processing: 23.00 fees, 7.00 interest
 *   01-16   credit of 20.00: 3.00 interest, 17.00 principal; 183.00 are lacking
 *   01-26   late fee of 5.00
 *   02-11   5 nights on 1,000.00 and 26 on 983.00: 30.558, so that 30.56 are interest, 179.44 principal, 15.00 fees: 225.00
 */
const terms = (shape: Partial<LedgerTerms> = {}): LedgerTerms => {
  const settings = { lateFees: [{ ...LATE_FEE, amount: { type: 'fixed', amountCents: cents(500) } }], statementOffsetDays: 3 } as const;
  const own = loan({ principal: '1000.00', rate: '0.365', activation: '2024-01-01', firstDue: '2024-01-11', rows: 5, settings });
  const rows = own.rows.map((row) => ({ ...row, amountCents: money('210.00') }));
  return { ...own, rows, originationFee: { amountCents: cents(5000), logic: 'spread' }, ...shape };
};

const on = (date: string, sequence: number): Pick<LedgerFact, 'effective' | 'sequence' | 'recordedDay'> => ({
  effective: at(date, 60_000),
  sequence,
  recordedDay: day(date),
});

const charge = (fee: number, date: string, amount: string, chargeLogic: ChargeLogic, kind: DynamicFeeKind): LedgerFact => ({
  ...on(date, fee),
  type: 'feeCharged',
  fee,
  feeTypeId: 'byHand',
  kind,
  amountCents: money(amount),
  chargeLogic,
});

const LIFE: readonly LedgerFact[] = [
  charge(300, '2024-01-05', '6.00', 'nextDueDate', 'otherFee'),
  charge(301, '2024-01-06', '7.00', 'immediate', 'modificationFee'),
  pay(1, '2024-01-15', '30.00', { isProcessing: true }),
  pay(2, '2024-01-16', '20.00', { kind: 'credit' }),
  charge(302, '2024-02-05', '4.00', 'nonDue', 'modificationFee'),
  charge(303, '2024-02-06', '3.00', 'nonDue', 'otherFee'),
];

/** Every amount of a view that is not zero, every day, and every flag that holds. */
const shown = (view: object): string =>
  Object.entries(view)
    .flatMap(([name, value]: readonly [string, unknown]): readonly string[] => {
      if (typeof value === 'bigint') return value === 0n ? [] : [`${name} ${formatAccrued(value as Accrued)}`];
      if (typeof value === 'string') return [value];
      if (typeof value === 'boolean') return value ? [name] : [];
      if (typeof value !== 'number') return [];
      if (name.endsWith('Cents')) return value === 0 ? [] : [`${name.slice(0, -5)} ${text(value)}`];
      return [`${name} ${/day|since|date/i.test(name) && name !== 'daysOverdue' ? formatDay(value as never) : value}`];
    })
    .join(', ');

const balancesIn = (state: LedgerState): readonly string[] =>
  Object.entries(balancesOf(state)).map(([name, block]: readonly [string, object]) => `${name}: ${shown(block)}`);

test('all balances by due status, and what was paid, accrued and charged', async (t) => {
  t.same(balancesIn(computeLedger(terms(), LIFE, day('2024-02-11'))), [
    'outstanding: total 1065.56, principal 983.00, interest 30.56, fees 52.00, originationFees 40.00, lateFees 5.00, ' +
      'modificationFees 4.00, dynamicFees 3.00, unroundedInterest 30.5600000000',
    'nonDue: total 657.56, principal 620.56, fees 37.00, originationFees 30.00, modificationFees 4.00, dynamicFees 3.00',
    'due: total 225.00, principal 179.44, interest 30.56, fees 15.00, originationFees 10.00, lateFees 5.00, ' +
      'unroundedInterest 30.5600000000',
    'overdue: total 183.00, principal 183.00',
    'chargedOff: ',
    'paid: total 50.00, payments 30.00, credits 20.00, principal 17.00, interest 10.00, fees 23.00',
    'interestAndFees: interestAccrued 40.5580000000, forgoneInterestRounding -0.0020000000, ' +
      'interestAccruedYearToDate 40.5580000000, dailyInterest 0.9830000000, feesCharged 75.00, feesChargedYearToDate 75.00, ' +
      'interestPaidYearToDate 10.00',
  ]);
  const off: LedgerFact = { ...on('2024-02-13', 500), type: 'chargeOff', reason: 'term' };
  t.same(balancesIn(computeLedger(terms(), [...LIFE, off], day('2024-02-14'))), [
    'outstanding: ',
    'nonDue: ',
    'due: ',
    'overdue: ',
    'chargedOff: total 1067.53, principal 983.00, interest 32.53, fees 52.00, originationFees 40.00, lateFees 5.00, ' +
      'modificationFees 4.00, dynamicFees 3.00, unroundedInterest 32.5300000000',
    'paid: total 50.00, payments 30.00, credits 20.00, principal 17.00, interest 10.00, fees 23.00',
    'interestAndFees: interestAccrued 42.5240000000, forgoneInterestRounding -0.0060000000, ' +
      'interestAccruedYearToDate 42.5240000000, interestAccruedCurrentPeriod 1.9660000000, feesCharged 75.00, ' +
      'feesChargedYearToDate 75.00, interestPaidYearToDate 10.00',
  ]);
});

test('all obligations: past ones and that of the running period', async (t) => {
  t.same(obligationsOf(computeLedger(terms(), LIFE, day('2024-02-12'))).map(shown), [
    'ordinal 0, period 0, dueDay 2024-01-11, obligation 233.00, fulfilled 50.00, remaining 183.00, payments 30.00, ' +
      'serviceCredits 20.00, isOverdue',
    'ordinal 1, period 1, dueDay 2024-02-11, obligation 225.00, remaining 225.00, isOverdue',
    'ordinal 2, period 2, dueDay 2024-03-11, obligation 220.00, remaining 220.00, isOpen',
  ]);
  const whole: LedgerFact = { ...on('2024-02-13', 500), type: 'accelerate' };
  t.same(obligationsOf(computeLedger(terms(), [...LIFE, whole], day('2024-02-14'))).map(shown), [
    'ordinal 60000, period 0, dueDay 2024-01-11, obligation 1067.53, remaining 1067.53, isOverdue',
  ]);
  const ahead = [pay(5, '2024-01-05', '250.00', { prepay: true })];
  t.same(obligationsOf(computeLedger(terms(), ahead, day('2024-01-12'))).map(shown), [
    'ordinal 0, period 0, dueDay 2024-01-11, obligation 220.00, fulfilled 220.00, overpayments 220.00, isFulfilled',
    'ordinal 1, period 1, dueDay 2024-02-11, obligation 220.00, fulfilled 30.00, remaining 190.00, overpayments 30.00, isOpen',
  ]);
});

test('overdue amounts and the next due amount', async (t) => {
  const dates = ['2024-01-10', '2024-01-11', '2024-01-12', '2024-02-11', '2024-02-12'];
  t.same(
    dates.map((date) => shown(overdueOf(computeLedger(terms(), LIFE, day(date))))),
    [
      'daysOverdue 0, nextDueDate 2024-01-11, nextDue 233.00',
      'daysOverdue 0, nextDueDate 2024-01-11, nextDue 233.00',
      'isOverdue, daysOverdue 1, overdue 233.00, overdueSince 2024-01-11, oldestObligation 0, nextDueDate 2024-02-11, nextDue 220.00',
      'isOverdue, daysOverdue 31, overdue 183.00, overdueSince 2024-01-11, oldestObligation 0, nextDueDate 2024-02-11, nextDue 225.00',
      'isOverdue, daysOverdue 32, overdue 408.00, overdueSince 2024-01-11, oldestObligation 0, nextDueDate 2024-03-11, nextDue 220.00',
    ],
  );
});

test('all periods', async (t) => {
  t.same(periodsOf(computeLedger(terms(), LIFE, day('2024-02-11'))).map(shown), [
    'ordinal 0, startDay 2024-01-01, endDay 2024-01-10, statementDay 2024-01-07, dueDay 2024-01-11, closed',
    'ordinal 1, startDay 2024-01-11, endDay 2024-02-10, statementDay 2024-02-07, dueDay 2024-02-11, closed',
    'ordinal 2, startDay 2024-02-11, endDay 2024-03-10, statementDay 2024-03-07, dueDay 2024-03-11, open',
    'ordinal 3, startDay 2024-03-11, endDay 2024-04-10, statementDay 2024-04-07, dueDay 2024-04-11, future',
    'ordinal 4, startDay 2024-04-11, endDay 2024-05-10, statementDay 2024-05-07, dueDay 2024-05-11, future',
  ]);
});

test('a payoff is everything owed on its day, and shows money in processing', async (t) => {
  const state = computeLedger(terms(), LIFE, day('2024-02-11'));
  t.same(
    ['2024-02-11', '2024-02-12', '2024-02-15'].map((date) => shown(payoffOf(state, day(date)))),
    [
      'day 2024-02-11, payoff 1065.56, principal 983.00, interest 30.56, fees 52.00, dailyInterest 0.9830000000, processing 30.00',
      'day 2024-02-12, payoff 1066.54, principal 983.00, interest 31.54, fees 52.00, dailyInterest 0.9830000000, processing 30.00',
      'day 2024-02-15, payoff 1069.49, principal 983.00, interest 34.49, fees 52.00, dailyInterest 0.9830000000, processing 30.00',
    ],
  );
});

test('a canceled loan owes the borrower what was paid, and nothing is due; paid, accrued and charged totals stay', async (t) => {
  // 183.00 and the late fee of 5.00, which the row of February would lack because of it; and 10.00 ahead for that row.
  const facts: readonly LedgerFact[] = [
    ...LIFE.slice(0, 4),
    pay(5, '2024-01-27', '198.00', { prepay: true }),
    charge(304, '2024-01-28', '2.00', 'immediate', 'otherFee'),
  ];
  const before = computeLedger(terms(), facts, day('2024-01-29'));
  t.same([before.prepaidCents, before.lateFeeAheadCents, before.originationAskedCents].map(text), ['10.00', '5.00', '40.00']);
  const after = computeLedger(terms(), [...facts, { ...on('2024-01-29', 500), type: 'cancel' }], day('2024-01-29'));
  t.same(figuresIn(after), [
    'canceled: originationShare 10.00',
    'totals: interestAccrued 27.4130000000, feesCharged 70.00, payments 228.00, credits 20.00, paidPrincipal 200.00, ' +
      'paidInterest 10.00, paidFees 38.00, reimbursement 228.00, interestAccruedBeforePeriod 10.0000000000',
    'fee 300 overdue of obligation 0: amount 6.00',
    'fee 301 overdue of obligation 0: amount 7.00',
    'fee late 0 due by itself: amount 5.00',
    'fee 304 due by itself: amount 2.00',
    'payment 1: amount 30.00, interest 7.00, fees 23.00',
    'credit 2: amount 20.00, principal 17.00, interest 3.00',
    'payment 5: amount 198.00, principal 183.00, fees 15.00',
  ]);
});
