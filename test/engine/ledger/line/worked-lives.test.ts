import { test } from 'tap';
import {
  computeLine,
  formatDay,
  lineDigest,
  type LineFact,
  lineObligationsOf,
  type LineObligationView,
  lineOverdueOf,
  linePeriodsOf,
  type LineState,
  recordLine,
} from '../../../../engine/index.js';
import { day, money, text } from '../installment/loans.js';
import { amountsIn, buy, charge, draw, holdingsOf, line, obligationsIn, payLine, factPosition, splitsIn, statementOn } from './lines.js';

/*
 * Lives of lines, each figure worked out by hand. The first draw bears a thousandth a day (0.365 on 365 days), the second one two.
 * Statements are made on the 9th, of 30, 29, 31 and 30 days, and are due on 29 February, 29 March and 29 April. A draw asks for 1% of its
 * principal with its interest and fees, at least 25.00.
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

const HARD_LIFE: readonly LineFact[] = [
  ...DRAWS,
  charge(300, '2024-02-20', '12.00'),
  charge(301, '2024-02-20', '6.00', { draw: 2, chargeLogic: 'nextDueDate' }),
  payLine(200, '2024-02-25', '50.00'),
  payLine(201, '2024-03-12', '60.00'),
  payLine(202, '2024-03-15', '10.00', { kind: 'credit' }),
  { ...factPosition(210, '2024-04-01'), type: 'accelerate' },
  charge(302, '2024-04-05', '15.00'),
  buy(102, '2024-04-06', '100.00', 2),
  payLine(203, '2024-04-07', '800.00'),
  { ...factPosition(211, '2024-04-10'), type: 'chargeOff', reason: 'term' },
  charge(303, '2024-04-12', '3.00', { draw: 1 }),
  payLine(204, '2024-04-15', '300.00'),
];

test('the first minimum payment has 1% and 30 days of interest of two draws', async (t) => {
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

test('a partial payment pays the fee of the line, then interest of the draw with more due first; the rest becomes overdue', async (t) => {
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

test('the next statement has 29 days of interest in addition to overdue amounts', async (t) => {
  t.same(obligationsIn(through(HARD_LIFE, '2024-03-09')), [
    '0 2024-02-29: amount 75.00, base 75.00, principal 15.00, interest 60.00, unroundedInterest 60.0000000000, remaining 37.00, ' +
      'payments 38.00, withoutLateFees 37.00',
    '  1: amount 40.00, interest 30.00, remaining 10.00, payments 30.00',
    '  2: amount 35.00, interest 30.00, remaining 27.00, payments 8.00',
    '1 2024-03-29: amount 79.00, base 73.00, principal 15.00, interest 58.00, fees 6.00, unroundedInterest 58.0000000000, ' +
      'remaining 79.00, withoutLateFees 79.00, carriedOverdue 37.00',
    '  1: amount 39.00, interest 29.00, remaining 39.00',
    '  2: amount 40.00, interest 29.00, fees 6.00, remaining 40.00',
  ]);
});

test('money pays overdue amounts first, one obligation after the other; a credit counts separately', async (t) => {
  const state = through(HARD_LIFE, '2024-03-15');
  t.same(splitsIn(state).slice(4), [
    '201: amount 60.00, principal 15.00, interest 39.00, fees 6.00',
    '  2: principal 5.00, interest 22.00, fees 6.00',
    '  1: principal 10.00, interest 17.00',
    '202: amount 10.00, interest 10.00',
    '  2: interest 10.00',
  ]);
  t.same(obligationsIn(state).slice(3), [
    '1 2024-03-29: amount 79.00, base 73.00, principal 15.00, interest 58.00, fees 6.00, unroundedInterest 58.0000000000, ' +
      'remaining 46.00, payments 23.00, credits 10.00, withoutLateFees 46.00, carriedOverdue 37.00',
    '  1: amount 39.00, interest 29.00, remaining 22.00, payments 17.00',
    '  2: amount 40.00, interest 29.00, fees 6.00, remaining 24.00, payments 6.00, credits 10.00',
  ]);
});

// Three days on 1,000.00 and twenty on 990.00: 22.80; of the second draw 3.00 and 19.80 on 495.00.
test('an acceleration includes everything, also later charges and purchases', async (t) => {
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

test('due amounts at an acceleration stay due until their day has passed, and a later draw joins with its purchases', async (t) => {
  const accelerated: LineFact = { ...factPosition(210, '2024-02-15'), type: 'accelerate' };
  const facts = [...DRAWS, accelerated, draw(3, {}, '2024-02-16'), buy(102, '2024-02-17', '10.00', 3)];
  const recorded = recordLine(TERMS, facts, day('2024-02-17'));
  t.same(holdingsOf(recorded.state), [
    '1: duePrincipal 1000.00, dueInterest 36.00',
    '2: duePrincipal 500.00, dueInterest 36.00',
    '3: duePrincipal 10.00',
  ]);
  t.same(obligationsIn(recorded.state).slice(1), [
    '  1: amount 1036.00, interest 36.00, remaining 1036.00',
    '  2: amount 536.00, interest 36.00, remaining 536.00',
    '  3: amount 10.00, remaining 10.00',
  ]);
  t.same(
    recorded.ledgerEvents.flatMap((event) =>
      event.type === 'obligationStatusChanged' ? [[event.day, event.obligation, event.isOverdue]] : [],
    ),
    [
      [day('2024-02-09'), 0, false],
      [day('2024-02-15'), 60_000, false],
    ],
  );
  t.same(holdingsOf(through(facts, '2024-03-01'))[2], '3: overduePrincipal 10.00');
});

test('an accelerated line is paid by component, a charged-off line principal first, of the draw with the highest rate', async (t) => {
  const state = through(HARD_LIFE, '2024-04-15');
  t.match(state, { chargeOffReason: 'term', chargedOffSince: day('2024-04-10'), acceleratedSince: day('2024-04-01') });
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

const FROZEN_LIFE: readonly LineFact[] = [
  ...DRAWS,
  { ...factPosition(210, '2024-02-15'), type: 'freeze' },
  payLine(200, '2024-02-20', '25.00'),
  charge(300, '2024-02-21', '12.00'),
  buy(102, '2024-02-25', '100.00', 2),
  { ...factPosition(211, '2024-03-05'), type: 'unfreeze', retroactivelyAccrueInterest: true, shiftDueDates: false },
  { ...factPosition(212, '2024-03-22'), type: 'balancesDeferred' },
];

test('interest of frozen days is on the balance of each day, and amounts due then have as many days more', async (t) => {
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

test('amounts of each draw that fall due after the freezing stay due while the previous obligation becomes overdue', async (t) => {
  t.same(holdingsOf(through(FROZEN_LIFE, '2024-03-20')), [
    '  due fee of the line 12.00',
    '1: nonDuePrincipal 980.00, duePrincipal 10.00, overduePrincipal 10.00, nonDueInterest 11.0000000000, ' +
      'dueInterest 29.00, overdueInterest 5.00',
    '2: nonDuePrincipal 589.00, duePrincipal 6.00, overduePrincipal 5.00, nonDueInterest 13.2000000000, ' +
      'dueInterest 31.60, overdueInterest 30.00',
  ]);
});

test('deferring makes interest principal of its draw, and a fee of the line principal of the oldest draw', async (t) => {
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
      'interestAccrued 191.8456000000, forgoneRounding 0.0156000000, capitalizedInterest 95.60, capitalizedFees 12.00, ' +
        'feesCharged 12.00, payments 25.00, paidInterest 25.00, interestAccruedBeforePeriod 191.8456000000',
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

/** Money above the due balance: it is in advance if the settings say so, else it counts for the open obligation, else for none. */
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

test('money above the due amounts is paid in advance if agreed; else it pays the open obligation, or none', async (t) => {
  t.equal(aheadOf('2024-01-20'), 'prepaid 100.00');
  t.equal(aheadOf('2024-02-09'), 'prepaid 45.00');
  t.equal(aheadOf('2024-02-20'), 'prepaid 45.00, unassigned 50.00', 'another due date lies ahead');
  t.equal(aheadOf('2024-03-05'), 'prepaid 45.00, openPaid 40.00, unassigned 50.00');
  t.equal(aheadOf('2024-03-09'), 'prepaid 35.00');
  t.equal(aheadOf('2024-04-01'), 'prepaid 35.00, unassigned 30.00', 'a down payment is for no obligation');
  t.equal(aheadOf('2024-04-02'), 'prepaid 35.00, openPaid 20.00, unassigned 40.00', 'nor is what is for principal alone');
  t.equal(aheadOf('2024-04-09'), 'prepaid 5.00');
});

test('amounts paid in advance are not due again; the money paid interest and principal when it came', async (t) => {
  const state = through(AHEAD_LIFE, '2024-04-09');
  t.equal(state.firstOpenObligation, 3);
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

test('for late fees, money that went to late fees counts as paid for the open and the coming obligation', async (t) => {
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
  const aheadOn = (date: string): number => through([...DRAWS, paid, late, payLine(201, '2024-03-05', '10.00')], date).lateFeeAheadCents;
  t.same([aheadOn('2024-03-05'), aheadOn('2024-03-09')], [900, 0]);
});

const shown = (view: LineObligationView | undefined): string =>
  view === undefined ? '' : `${formatDay(view.dueDay)} ${amountsIn(view)}, ${view.isFulfilled} ${view.isOverdue} ${view.isOpen}`;

test('obligations are shown for the line and each draw, with the expected obligation of the running period', async (t) => {
  const state = through(HARD_LIFE, '2024-03-15');
  // Three days on 1,000.00 and 28 on 990.00 are 30.72, and as much of the second draw: 9.90 and 4.95 with them. 46.00 will be overdue.
  t.same(lineObligationsOf(state).map(shown), [
    '2024-02-29 obligation 75.00, fulfilled 75.00, payments 75.00, minimumDue 75.00, true false false',
    '2024-03-29 obligation 79.00, fulfilled 33.00, remaining 46.00, payments 23.00, serviceCredits 10.00, carriedOverdue 37.00, ' +
      'minimumDue 116.00, false false false',
    '2024-04-29 obligation 76.29, remaining 76.29, carriedOverdue 46.00, minimumDue 122.29, false false true',
  ]);
  t.same(lineObligationsOf(state, 2).map(shown), [
    '2024-02-29 obligation 35.00, fulfilled 35.00, payments 35.00, minimumDue 35.00, true false false',
    '2024-03-29 obligation 40.00, fulfilled 16.00, remaining 24.00, payments 6.00, serviceCredits 10.00, ' +
      'minimumDue 40.00, false false false',
    '2024-04-29 obligation 35.67, remaining 35.67, minimumDue 35.67, false false true',
  ]);
  t.match(lineObligationsOf(through(HARD_LIFE, '2024-03-31'), 2), [{ isOverdue: false }, { isOverdue: true }]);
  const apart = line({ schedule: statementOn(9), settings: { isOverdueInMinimum: false } });
  t.equal(lineObligationsOf(through(HARD_LIFE, '2024-03-15', apart))[1]?.minimumDueCents, 7_900);
  t.same(
    lineObligationsOf(through(HARD_LIFE, '2024-04-08')).map(({ isOpen }) => isOpen),
    [false, false],
  );
});

test('a frozen line shows its obligations as if active from that day on; money in advance is shown separately', async (t) => {
  // Five days of 1.00 and of 1.20 until the statement of 9 March: both draws ask for the floor.
  t.match(lineObligationsOf(through(FROZEN_LIFE, '2024-03-04')).at(-1), { obligationCents: 6_200, remainingCents: 6_200, isOpen: true });
  const ahead = lineObligationsOf(through(AHEAD_LIFE, '2024-03-09'), 1);
  t.equal(shown(ahead[0]), '2024-02-29 obligation 30.00, fulfilled 30.00, overpayments 30.00, minimumDue 30.00, true false false');
  const deferred = lineObligationsOf(through(FROZEN_LIFE, '2024-03-22'), 2)[1];
  t.equal(shown(deferred), '2024-03-29 obligation 37.60, fulfilled 37.60, capitalized 37.60, minimumDue 37.60, true false false');
});

test('periods are closed, open or future', async (t) => {
  const periods = (until?: string): readonly string[] =>
    linePeriodsOf(through(HARD_LIFE, '2024-03-15'), until === undefined ? undefined : day(until)).map(
      ({ ordinal, startDay, endDay, statementDay, dueDay, status }) =>
        `${ordinal} ${[startDay, endDay, statementDay, dueDay].map((of) => formatDay(of).slice(5)).join(' ')} ${status}`,
    );
  const known = ['0 01-10 02-08 02-09 02-29 closed', '1 02-09 03-08 03-09 03-29 closed', '2 03-09 04-08 04-09 04-29 open'];
  t.same(periods(), known);
  t.same(periods('2024-05-08'), [...known, '3 04-09 05-08 05-09 05-29 future']);
  t.same(periods('2024-05-09'), [...known, '3 04-09 05-08 05-09 05-29 future', '4 05-09 06-08 06-09 06-29 future']);
});

test('the next due amount can still be paid on time, also on an accelerated line; a frozen line has none', async (t) => {
  const next = (facts: readonly LineFact[], date: string): readonly (number | null)[] => {
    const { nextDueDate, nextDueCents } = lineOverdueOf(through(facts, date));
    return [nextDueDate, nextDueCents];
  };
  t.same(next(HARD_LIFE, '2024-02-20'), [day('2024-02-29'), 7_500]);
  t.same(next(HARD_LIFE, '2024-03-20'), [day('2024-03-29'), 4_600]);
  t.same(next(HARD_LIFE, '2024-03-30'), [day('2024-04-29'), 7_629]);
  t.same(next(FROZEN_LIFE, '2024-02-20'), [null, null]);
  // 1,060.00 with 30 days and six of each draw.
  const accelerated: LineFact = { ...factPosition(210, '2024-02-15'), type: 'accelerate' };
  t.same(next([...DRAWS, accelerated], '2024-02-15'), [day('2024-02-29'), 157_200]);
  t.same(next([...DRAWS, accelerated], '2024-03-01'), [null, null]);
  const closed: LineFact = { ...factPosition(211, '2024-02-15'), type: 'lineClosed' };
  t.same(next([draw(1), closed], '2024-02-16'), [null, null]);
  t.same(next([draw(1)], '2024-02-16'), [null, null], 'a statement that asks for nothing');
});

test('days of these histories under earlier rules keep their digests, which records of mass work contain', async (t) => {
  for (const rules of [1, 2]) {
    const digests = (facts: readonly LineFact[]): readonly string[] =>
      ['2024-03-21', '2024-04-20'].map((date) => lineDigest(through(facts, date, line({ schedule: statementOn(9), settings: { rules } }))));
    t.same(digests(HARD_LIFE), ['893cb418bba65396', '82f076a61037de72']);
    t.same(digests(FROZEN_LIFE), ['c248ee7c2f18e855', '167719b639c5fc79']);
    t.same(digests(AHEAD_LIFE), ['bc03ad247f662d56', '21b70d57740f93f7']);
  }
});
