import { test } from 'tap';
import { computeLine, formatAccrued, formatDay, type LineFact, lineOverdueOf, type LineState, recordLine } from '../../../engine/index.js';
import { day, money, text } from '../replay/loans.js';
import { amountsIn, buy, charge, draw, holdingsOf, line, obligationsIn, payLine, place, splitsIn, statementOn } from './lines.js';

/*
 * Lives of lines, each figure worked out by hand. The first draw bears a thousandth a day (0.365 on 365 days), the second one two thousandths.
 * Statements are made on the 9th, of 30, 29, 31 and 30 days, and are due on 29 February, 29 March and 29 April. A draw asks for 1% of its
 * principal with its interest and fees, at least 25.00 (servicing-behaviour 10.3).
 */
const TERMS = line({ schedule: statementOn(9) });
const DRAWS: readonly LineFact[] = [
  draw(1, { rate: '0.365' }),
  draw(2, { rate: '0.73' }),
  buy(100, '2024-01-10', '1000.00'),
  buy(101, '2024-01-10', '500.00', 2),
];

const through = (facts: readonly LineFact[], date: string, terms = TERMS): LineState => computeLine(terms, facts, day(date));

const totalsOf = ({ totals, draws }: LineState): readonly string[] => [totals, ...draws.map((of) => of.totals)].map(amountsIn);

/** Paid in part, credited, overdue, accelerated and charged off. */
const HARD_LIFE: readonly LineFact[] = [
  ...DRAWS,
  charge(300, '2024-02-20', '12.00'),
  charge(301, '2024-02-20', '6.00', { draw: 2, chargeLogic: 'nextDueDate' }),
  payLine(200, '2024-02-25', '50.00'),
  payLine(201, '2024-03-12', '60.00'),
  payLine(202, '2024-03-15', '10.00', { kind: 'credit' }),
  { ...place(210, '2024-04-01'), type: 'accelerate' },
  charge(302, '2024-04-05', '15.00'),
  buy(102, '2024-04-06', '100.00', 2),
  payLine(203, '2024-04-07', '800.00'),
  { ...place(211, '2024-04-10'), type: 'chargeOff', reason: 'term' },
  charge(303, '2024-04-12', '3.00', { draw: 1 }),
  payLine(204, '2024-04-15', '300.00'),
];

test('two draws bring 1% and 30 days of interest to the first minimum payment', async (t) => {
  const state = through(HARD_LIFE, '2024-02-09');
  t.same(holdingsOf(state), [
    '1: nonDuePrincipal 990.00, duePrincipal 10.00, dueInterest 30.00',
    '2: nonDuePrincipal 495.00, duePrincipal 5.00, dueInterest 30.00',
  ]);
  t.same(obligationsIn(state), [
    '0 2024-02-29: amount 75.00, base 75.00, principal 15.00, interest 60.00, unroundedInterest 60.0000000000, remaining 75.00, ' +
      'withoutLateFees 75.00',
    '  1: amount 40.00, interest 30.00, remaining 40.00',
    '  2: amount 35.00, interest 30.00, remaining 35.00',
  ]);
});

test('a part of it meets the fee of the line, then interest, of the draw with more due first; the rest is overdue on 1 March', async (t) => {
  const state = through(HARD_LIFE, '2024-03-01');
  t.same(splitsIn(state), [
    '200: amount 50.00, interest 38.00, fees 12.00',
    '  0: fees 12.00',
    '  1: interest 30.00',
    '  2: interest 8.00',
  ]);
  t.same(holdingsOf(state), [
    '1: nonDuePrincipal 990.00, overduePrincipal 10.00, nonDueInterest 21.0000000000',
    '2: nonDuePrincipal 495.00, overduePrincipal 5.00, nonDueInterest 21.0000000000, overdueInterest 22.00',
    '  nonDue fee of 2 6.00',
  ]);
});

test('the next statement asks for 29 days of interest beside what is overdue', async (t) => {
  t.same(obligationsIn(through(HARD_LIFE, '2024-03-09')), [
    '0 2024-02-29: amount 75.00, base 75.00, principal 15.00, interest 60.00, unroundedInterest 60.0000000000, remaining 37.00, ' +
      'payments 38.00, withoutLateFees 37.00',
    '  1: amount 40.00, interest 30.00, remaining 10.00, payments 30.00',
    '  2: amount 35.00, interest 30.00, remaining 27.00, payments 8.00',
    '1 2024-03-29: amount 79.00, base 73.00, principal 15.00, interest 58.00, fees 6.00, unroundedInterest 58.0000000000, remaining 79.00, ' +
      'withoutLateFees 79.00, carriedOverdue 37.00',
    '  1: amount 39.00, interest 29.00, remaining 39.00',
    '  2: amount 40.00, interest 29.00, fees 6.00, remaining 40.00',
  ]);
});

test('money meets what is overdue first, of one obligation after the other; a credit counts apart', async (t) => {
  const state = through(HARD_LIFE, '2024-03-15');
  t.same(splitsIn(state).slice(4), [
    '201: amount 60.00, principal 15.00, interest 39.00, fees 6.00',
    '  2: principal 5.00, interest 22.00, fees 6.00',
    '  1: principal 10.00, interest 17.00',
    '202: amount 10.00, interest 10.00',
    '  2: interest 10.00',
  ]);
  t.same(obligationsIn(state).slice(3), [
    '1 2024-03-29: amount 79.00, base 73.00, principal 15.00, interest 58.00, fees 6.00, unroundedInterest 58.0000000000, remaining 46.00, ' +
      'payments 23.00, credits 10.00, withoutLateFees 46.00, carriedOverdue 37.00',
    '  1: amount 39.00, interest 29.00, remaining 22.00, payments 17.00',
    '  2: amount 40.00, interest 29.00, fees 6.00, remaining 24.00, payments 6.00, credits 10.00',
  ]);
});

test('money for one draw meets its part of both minimum payments; the late fee for the older one stays earned', async (t) => {
  const facts = [...HARD_LIFE.slice(0, 7), payLine(201, '2024-03-12', '67.00', { draw: 2 })];
  const remainingOf = (rules?: number): object => {
    const { obligations } = through(
      facts,
      '2024-03-12',
      line({ schedule: statementOn(9), settings: rules === undefined ? {} : { rules } }),
    );
    return obligations.map(({ remainingCents, withoutLateFeesCents }) => [remainingCents, withoutLateFeesCents]);
  };
  t.same(remainingOf(), [
    [1_000, 1_000],
    [3_900, 3_900],
  ]);
  t.same(
    remainingOf(2),
    [
      [1_000, 0],
      [3_900, 4_900],
    ],
    'days under rules 2 stay as they were',
  );
});

// Three days on 1,000.00 and twenty on 990.00, since 10.00 were paid: 22.80; of the second draw 3.00 and 19.80 on 495.00.
test('an acceleration asks for all of it, with what is charged and bought later', async (t) => {
  const state = through(HARD_LIFE, '2024-04-06');
  t.same(holdingsOf(state), [
    '  overdue fee of the line 15.00',
    '1: overduePrincipal 990.00, overdueInterest 34.80',
    '2: overduePrincipal 595.00, overdueInterest 41.80',
  ]);
  t.same(obligationsIn(state).slice(3), [
    '60000 2024-03-29: amount 1676.60, base 1561.60, principal 1485.00, interest 76.60, unroundedInterest 76.6000000000, ' +
      'remaining 1676.60, withoutLateFees 1676.60',
    '  1: amount 1024.80, interest 34.80, remaining 1024.80',
    '  2: amount 636.80, interest 41.80, remaining 636.80',
    '  0: amount 15.00, remaining 15.00',
  ]);
});

test('an accelerated line is paid by component, a charged-off one principal first, and of that of the dearer draw', async (t) => {
  const state = through(HARD_LIFE, '2024-04-15');
  t.same(splitsIn(state).slice(9), [
    '203: amount 800.00, principal 708.40, interest 76.60, fees 15.00',
    '  0: fees 15.00',
    '  1: principal 708.40, interest 34.80',
    '  2: interest 41.80',
    '204: amount 300.00, principal 300.00',
    '  2: principal 300.00',
  ]);
  t.same(holdingsOf(state), ['1: chargedOffPrincipal 281.60', '  chargedOff fee of 1 3.00', '2: chargedOffPrincipal 295.00']);
  t.same(totalsOf(state), [
    'purchases 1600.00, interestAccrued 163.6000000000, feesCharged 36.00, payments 1210.00, credits 10.00, paidPrincipal 1023.40, ' +
      'paidInterest 163.60, paidFees 33.00, interestAccruedBeforePeriod 118.0000000000',
    'purchases 1000.00, interestAccrued 81.8000000000, feesCharged 3.00, payments 800.20, paidPrincipal 718.40, paidInterest 81.80, ' +
      'interestAccruedBeforePeriod 59.0000000000',
    'purchases 600.00, interestAccrued 81.8000000000, feesCharged 6.00, payments 382.80, credits 10.00, paidPrincipal 305.00, ' +
      'paidInterest 81.80, paidFees 6.00, interestAccruedBeforePeriod 59.0000000000',
  ]);
});

/** Frozen for 19 days, 15 February to 4 March, and deferred on 22 March. */
const FROZEN_LIFE: readonly LineFact[] = [
  ...DRAWS,
  { ...place(210, '2024-02-15'), type: 'freeze' },
  payLine(200, '2024-02-20', '25.00'),
  charge(300, '2024-02-21', '12.00'),
  buy(102, '2024-02-25', '100.00', 2),
  { ...place(211, '2024-03-05'), type: 'unfreeze', retroactivelyAccrueInterest: true, shiftDueDates: false },
  { ...place(212, '2024-03-22'), type: 'balancesDeferred' },
];

test('interest of frozen days is on the balance of each, and what was due then has so many days more', async (t) => {
  t.same(holdingsOf(through(FROZEN_LIFE, '2024-03-04')), [
    '  due fee of the line 12.00',
    '1: nonDuePrincipal 990.00, duePrincipal 10.00, nonDueInterest 6.0000000000, dueInterest 5.00',
    '2: nonDuePrincipal 595.00, duePrincipal 5.00, nonDueInterest 6.0000000000, dueInterest 30.00',
  ]);
  // 19 days of 1.00; ten of 1.00 and nine of 1.20.
  t.same(holdingsOf(through(FROZEN_LIFE, '2024-03-05')), [
    '  due fee of the line 12.00',
    '1: nonDuePrincipal 990.00, duePrincipal 10.00, nonDueInterest 25.0000000000, dueInterest 5.00',
    '2: nonDuePrincipal 595.00, duePrincipal 5.00, nonDueInterest 26.8000000000, dueInterest 30.00',
  ]);
  t.equal(lineOverdueOf(through(FROZEN_LIFE, '2024-03-19')).daysOverdue, 0);
  t.match(lineOverdueOf(through(FROZEN_LIFE, '2024-03-20')), { daysOverdue: 1, overdueCents: 5_000, overdueSince: day('2024-02-29') });
});

test('what falls due after the freezing stays due while the obligation before it becomes overdue, of each draw', async (t) => {
  t.same(holdingsOf(through(FROZEN_LIFE, '2024-03-20')), [
    '  due fee of the line 12.00',
    '1: nonDuePrincipal 980.00, duePrincipal 10.00, overduePrincipal 10.00, nonDueInterest 11.0000000000, dueInterest 29.00, overdueInterest 5.00',
    '2: nonDuePrincipal 589.00, duePrincipal 6.00, overduePrincipal 5.00, nonDueInterest 13.2000000000, dueInterest 31.60, overdueInterest 30.00',
  ]);
});

test('deferring makes interest the principal of its draw, and a fee of the line that of the oldest draw', async (t) => {
  const state = through(FROZEN_LIFE, '2024-03-22');
  t.same(holdingsOf(state), [
    '1: nonDuePrincipal 1046.00, nonDueInterest 13.0000000000',
    '2: nonDuePrincipal 661.60, nonDueInterest 15.6000000000',
  ]);
  t.same(obligationsIn(state), [
    '0 2024-02-29: amount 75.00, base 75.00, principal 15.00, interest 60.00, unroundedInterest 60.0000000000, payments 25.00, ' +
      'capitalized 50.00',
    '  1: amount 40.00, interest 30.00, payments 25.00, capitalized 15.00',
    '  2: amount 35.00, interest 30.00, capitalized 35.00',
    '1 2024-03-29: amount 88.60, base 76.60, principal 16.00, interest 60.60, fees 12.00, unroundedInterest 60.6000000000, ' +
      'capitalized 88.60',
    '  1: amount 39.00, interest 29.00, capitalized 39.00',
    '  2: amount 37.60, interest 31.60, capitalized 37.60',
    '  0: amount 12.00, fees 12.00, capitalized 12.00',
  ]);
  t.same(
    totalsOf(through(FROZEN_LIFE, '2024-04-09')).map((totals) => totals.replace(/^purchases [^,]*, /, '')),
    [
      // 13.00 and 18 days on 1,046.00, 15.60 and 18 days on 661.60: 31.828 and 39.4176.
      'interestAccrued 191.8456000000, forgoneRounding 0.0156000000, capitalizedInterest 95.60, capitalizedFees 12.00, feesCharged 12.00, ' +
        'payments 25.00, paidInterest 25.00, interestAccruedBeforePeriod 191.8456000000',
      'interestAccrued 90.8280000000, forgoneRounding 0.0080000000, capitalizedInterest 34.00, capitalizedFees 12.00, payments 25.00, ' +
        'paidInterest 25.00, interestAccruedBeforePeriod 90.8280000000',
      'interestAccrued 101.0176000000, forgoneRounding 0.0076000000, capitalizedInterest 61.60, interestAccruedBeforePeriod 101.0176000000',
    ],
  );
  t.same(obligationsIn(through(FROZEN_LIFE, '2024-04-09')).slice(7), [
    '2 2024-04-29: amount 88.31, base 88.31, principal 17.08, interest 71.23, unroundedInterest 71.2456000000, remaining 88.31, ' +
      'withoutLateFees 88.31',
    '  1: amount 42.28, interest 31.82, remaining 42.28',
    '  2: amount 46.03, interest 39.41, remaining 46.03',
  ]);
});

/** Money above what is due: in advance where that is agreed, else for the open obligation, else for none. */
const AHEAD_LIFE: readonly LineFact[] = [
  ...DRAWS,
  payLine(200, '2024-01-20', '100.00', { isPrepaymentEnabled: true }),
  payLine(201, '2024-02-20', '50.00'),
  payLine(202, '2024-03-05', '40.00'),
  payLine(203, '2024-04-01', '30.00', { kind: 'downPayment' }),
  payLine(204, '2024-04-02', '30.00', { principalOnlyCents: money('10.00') }),
];
const aheadOf = (date: string): string => {
  const { prepaidCents, openPaidCents, unassignedCents } = through(AHEAD_LIFE, date);
  return amountsIn({ prepaidCents, openPaidCents, unassignedCents });
};

test('money above what is due is paid in advance where that is agreed, else it is for the open obligation, or for none', async (t) => {
  t.equal(aheadOf('2024-01-20'), 'prepaid 100.00');
  t.equal(aheadOf('2024-02-09'), 'prepaid 45.00');
  t.equal(aheadOf('2024-02-20'), 'prepaid 45.00, unassigned 50.00', 'another due date lies ahead');
  t.equal(aheadOf('2024-03-05'), 'prepaid 45.00, openPaid 40.00, unassigned 50.00');
  t.equal(aheadOf('2024-03-09'), 'prepaid 35.00');
  t.equal(aheadOf('2024-04-01'), 'prepaid 35.00, unassigned 30.00', 'a down payment is for no obligation');
  t.equal(aheadOf('2024-04-02'), 'prepaid 35.00, openPaid 20.00, unassigned 40.00', 'nor is what is for principal alone');
  t.equal(aheadOf('2024-04-09'), 'prepaid 5.00');
});

test('what was paid in advance is asked for by nobody; it has met interest and principal when it came', async (t) => {
  const state = through(AHEAD_LIFE, '2024-04-09');
  // 1% of 420.00 and 16.80 are less than the floor, and so is what later statements ask for.
  t.same(obligationsIn(state), [
    '0 2024-02-29: amount 55.00, base 55.00, principal 55.00, unroundedInterest 36.8000000000, prepaid 55.00',
    '  1: amount 30.00, prepaid 30.00',
    '  2: amount 25.00, prepaid 25.00',
    '1 2024-03-29: amount 50.00, base 50.00, principal 50.00, unroundedInterest 7.3024000000, prepaid 50.00, unassigned 50.00',
    '  1: amount 25.00, prepaid 25.00',
    '  2: amount 25.00, prepaid 25.00',
    '2 2024-04-29: amount 50.00, base 50.00, principal 50.00, unroundedInterest 12.6591400000, prepaid 50.00, unassigned 40.00',
    '  1: amount 25.00, prepaid 25.00',
    '  2: amount 25.00, prepaid 25.00',
  ]);
  t.same(splitsIn(state), [
    '200: amount 100.00, principal 80.00, interest 20.00',
    '  2: principal 80.00, interest 10.00',
    '  1: interest 10.00',
    '201: amount 50.00, interest 50.00',
    '  2: interest 26.04',
    '  1: interest 23.96',
    '202: amount 40.00, principal 7.20, interest 32.80',
    '  2: principal 7.20, interest 11.76',
    '  1: interest 21.04',
    '203: amount 30.00, interest 30.00',
    '  2: interest 22.28',
    '  1: interest 7.72',
    '204: amount 30.00, principal 8.89, interest 21.11',
    '  2: principal 8.89, interest 0.83',
    '  1: interest 20.28',
  ]);
  t.same(
    ['2024-02-08', '2024-02-09', '2024-02-20'].map((date) => through(AHEAD_LIFE, date).draws.map((of) => of.paidAheadInterestCents)),
    [
      [1_000, 1_000],
      [0, 0],
      [2_396, 2_604],
    ],
  );
});

const CANCELED_LIFE: readonly LineFact[] = [
  ...DRAWS,
  charge(300, '2024-01-20', '12.00'),
  charge(301, '2024-01-20', '6.00', { draw: 2 }),
  charge(302, '2024-01-20', '7.00', { draw: 1, chargeLogic: 'nextDueDate' }),
  payLine(200, '2024-02-12', '20.00', { draw: 2 }),
  { ...place(210, '2024-02-15'), type: 'drawCanceled', draw: 2 },
  { ...place(211, '2024-02-20'), type: 'cancel' },
  payLine(201, '2024-02-25', '10.00'),
  buy(102, '2024-02-26', '10.00'),
];

test('a canceled draw takes what it still brings out of what was asked for: principal first, then interest, then fees', async (t) => {
  t.same(obligationsIn(through(CANCELED_LIFE, '2024-02-14')), [
    '0 2024-02-29: amount 100.00, base 75.00, principal 15.00, interest 60.00, fees 25.00, unroundedInterest 60.0000000000, ' +
      'remaining 80.00, payments 20.00, withoutLateFees 80.00',
    '  1: amount 47.00, interest 30.00, fees 7.00, remaining 47.00',
    '  2: amount 41.00, interest 30.00, fees 6.00, remaining 21.00, payments 20.00',
    '  0: amount 12.00, fees 12.00, remaining 12.00',
  ]);
  const state = through(CANCELED_LIFE, '2024-02-15');
  t.same(obligationsIn(state), [
    '0 2024-02-29: amount 79.00, base 75.00, principal 10.00, interest 44.00, fees 25.00, unroundedInterest 60.0000000000, ' +
      'remaining 59.00, payments 20.00, withoutLateFees 59.00',
    '  1: amount 47.00, interest 30.00, fees 7.00, remaining 47.00',
    '  2: amount 20.00, interest 14.00, fees 6.00, payments 20.00',
    '  0: amount 12.00, fees 12.00, remaining 12.00',
  ]);
  t.same(holdingsOf(state), [
    '  due fee of the line 12.00',
    '1: nonDuePrincipal 990.00, duePrincipal 10.00, nonDueInterest 6.0000000000, dueInterest 30.00',
    '  due fee of 1 7.00',
    '2: ',
  ]);
  t.same(
    state.draws.map(({ isCanceled }) => isCanceled),
    [false, true],
  );
});

test('a canceled line owes nothing, says what was canceled, and takes nothing more', async (t) => {
  const state = through(CANCELED_LIFE, '2024-02-26');
  t.match(state, { status: 'canceled', statusSince: day('2024-02-20') });
  t.same(state.obligations, []);
  t.same(
    state.draws.map(({ isCanceled }) => isCanceled),
    [true, true],
  );
  t.same(holdingsOf(state), ['1: ', '2: ']);
  t.same(totalsOf(state), [
    'purchases 1500.00, interestAccrued 77.0000000000, reversedInterest 63.0000000000, feesCharged 25.00, payments 30.00, ' +
      'paidInterest 14.00, paidFees 6.00, paidOver 10.00, reimbursement 10.00, canceledPrincipal 1500.00, canceledFees 19.00, ' +
      'interestAccruedBeforePeriod 60.0000000000',
    'purchases 1000.00, interestAccrued 41.0000000000, reversedInterest 41.0000000000, feesCharged 7.00, canceledPrincipal 1000.00, ' +
      'canceledFees 7.00, interestAccruedBeforePeriod 30.0000000000',
    'purchases 500.00, interestAccrued 36.0000000000, reversedInterest 22.0000000000, feesCharged 6.00, payments 20.00, ' +
      'paidInterest 14.00, paidFees 6.00, canceledPrincipal 500.00, interestAccruedBeforePeriod 30.0000000000',
  ]);
});

test('nothing is paid in advance of a canceled line, and no obligation is passed or open; interest of any standing is reversed', async (t) => {
  const order = (type: 'accelerate' | 'cancel', date: string): LineFact => ({ ...place(220, date), type });
  // Both draws ask for 25.00 or more, 75.00, which are paid; 100.00 of the prepayment are left.
  const ahead = through(
    [...DRAWS, payLine(200, '2024-02-12', '175.00', { isPrepaymentEnabled: true }), order('cancel', '2024-03-02')],
    '2024-03-02',
  );
  const { prepaidCents, openPaidCents, firstOpenObligation, firstUnenforced, obligations } = ahead;
  t.same([prepaidCents, openPaidCents, firstOpenObligation, firstUnenforced, obligations.length], [0, 0, 0, 0, 0]);
  // 60.00 are overdue on 1 March, 58.00 due on 9 March, and 3.00 of each draw accrue until the 12th.
  const late = through([...DRAWS, order('cancel', '2024-03-12')], '2024-03-12');
  t.same(totalsOf(late).slice(1), [
    'purchases 1000.00, interestAccrued 62.0000000000, reversedInterest 62.0000000000, canceledPrincipal 1000.00, ' +
      'interestAccruedBeforePeriod 59.0000000000',
    'purchases 500.00, interestAccrued 62.0000000000, reversedInterest 62.0000000000, canceledPrincipal 500.00, ' +
      'interestAccruedBeforePeriod 59.0000000000',
  ]);
  const off: LineFact = { ...place(219, '2024-03-11'), type: 'chargeOff', reason: 'term' };
  const lost = through([...DRAWS, off, order('cancel', '2024-03-12')], '2024-03-12');
  t.match(totalsOf(lost)[1], 'reversedInterest 61.0000000000, canceledPrincipal 1000.00');
  t.same(holdingsOf(lost), ['1: ', '2: ']);
});

test('entries of a cancellation take every balance away, of the draw alone or of the line', async (t) => {
  const { entries } = recordLine(TERMS, CANCELED_LIFE, day('2024-02-20'));
  t.same(
    entries
      .filter(({ entryType }) => entryType === 'cancellation')
      .map(({ day: on, lines }) => [
        formatDay(on),
        ...lines.map((row) => `${row.draw ?? 'line'} ${row.bucket} ${row.component} ${formatAccrued(row.amount).slice(0, -8)}`),
      ]),
    [
      [
        '2024-02-15',
        '2 nonDue principal -495.00',
        '2 nonDue interest -6.00',
        '2 due principal -5.00',
        '2 due interest -16.00',
        'line counter counter 522.00',
      ],
      [
        '2024-02-20',
        'line due dynamicFees -12.00',
        '1 nonDue principal -990.00',
        '1 nonDue interest -11.00',
        '1 due principal -10.00',
        '1 due interest -30.00',
        '1 due dynamicFees -7.00',
        'line counter counter 1060.00',
      ],
    ],
  );
});

test('a draw that alone has something due leaves nothing to be asked for when it is canceled, late fees included', async (t) => {
  const canceled: LineFact = { ...place(210, '2024-02-15'), type: 'drawCanceled', draw: 1 };
  const one: readonly LineFact[] = [
    ...DRAWS.slice(0, 3),
    charge(300, '2024-01-20', '9.00', { draw: 1, kind: 'lateFee' }),
    draw(3, { rate: '0' }, '2024-02-12'),
    { ...place(301, '2024-01-11'), type: 'drawAmortized', draw: 1, payment: { type: 'periods', count: 3 } },
  ];
  const [asked] = through(one, '2024-02-14').obligations;
  t.match(asked, { feesCents: 900, isFulfilled: false });
  t.equal((asked?.remainingCents ?? 0) - (asked?.withoutLateFeesCents ?? 0), 900);
  const state = through([...one, canceled], '2024-02-15');
  t.match(obligationsIn(state), [/^0 2024-02-29: base [\d.]+, unroundedInterest 30.0000000000$/]);
  t.match(state.obligations[0], { isFulfilled: true });
  t.same(state.draws[0]?.rows, []);
  // A draw that an obligation does not know, one that was canceled before, and one that the line does not have change nothing.
  const same = [3, 1, 7].map((of, at): LineFact => ({ ...place(400 + at, '2024-02-15', 60_000), type: 'drawCanceled', draw: of }));
  t.same(obligationsIn(through([...one, canceled, ...same], '2024-02-15')), obligationsIn(state));
  t.same(
    obligationsIn(through([...one, ...same.filter(({ sequence }) => sequence !== 401)], '2024-02-15')),
    obligationsIn(through(one, '2024-02-15')),
  );
});

test('what late fees took counts as if it had paid: of the obligation that is open, and of the one to come', async (t) => {
  const paid = payLine(200, '2024-02-12', '75.00');
  const late = charge(300, '2024-03-02', '9.00', { kind: 'lateFee' });
  const withoutLate = (facts: readonly LineFact[], date: string): readonly string[] =>
    through([...DRAWS, ...facts], date).obligations.map(({ remainingCents, withoutLateFeesCents }) =>
      [remainingCents, withoutLateFeesCents].map(text).join(' '),
    );
  // Three days on 1,000.00 and 26 on 990.00, and the same of the second draw: 9.90, 4.95 and twice 28.74, and the late fee.
  t.same(withoutLate([paid, late], '2024-03-09'), ['0.00 0.00', '81.33 72.33']);
  // 9.00 of 10.00 pay the late fee, 1.00 interest, and that counts for the open obligation: without the fee 9.00 more had done so.
  t.same(withoutLate([paid, late, payLine(201, '2024-03-05', '10.00')], '2024-03-09'), ['0.00 0.00', '70.33 61.33']);
  t.equal(through([...DRAWS, paid, late, payLine(201, '2024-03-05', '10.00')], '2024-03-05').lateFeeAheadCents, 900);
});
