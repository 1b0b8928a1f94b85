import { test } from 'tap';
import {
  accruedOf,
  type Bucket,
  computeLine,
  DEFAULT_PAYMENT_WATERFALL,
  formatAccrued,
  lineAllocationOf,
  lineBalancesOf,
  type LineFact,
  lineInterestDays,
  lineObligationsOf,
  linePayoffOf,
  recordLine,
} from '../../../../engine/index.js';
import { day, text } from '../installment/loans.js';
import { amountsIn, buy, charge, draw, holdingsOf, line, payLine, splitsIn, statementOn } from './lines.js';

/* Statements on the 9th from 2024-02-09, due 20 days later: 2024-02-29, 2024-03-29, 2024-04-29. */
const TERMS = line({ schedule: statementOn(9) });
const IN_GRACE = [draw(1, { rate: '0.20', grace: { isApplicable: true, periodsToRestore: 1 } }), buy(100, '2024-01-10', '1000.00')];
const THREE_PERIODS = [draw(1, { rate: '0.20', grace: { isApplicable: true, periodsToRestore: 2 } }), buy(100, '2024-01-10', '1000.00')];

test('a statement paid in full by its due date bears no interest at all', async (t) => {
  const state = computeLine(TERMS, [...IN_GRACE, payLine(200, '2024-02-29', '1000.00')], day('2024-03-10'));
  t.equal(accruedOf(state.totals.interestAccrued), 0n);
  t.equal(lineBalancesOf(state).outstanding.totalCents, 0);
  t.equal(state.draws[0]?.isGraceEligible, true);
  const [first] = lineObligationsOf(state);
  t.same([first?.loanGracePeriod.fullBalanceCents, first?.loanGracePeriod.totalFulfilledOnDueDateCents], [100_000, 100_000]);
});

test('a statement that is not paid in full bears interest from the statement date on, not from the due date', async (t) => {
  const facts = [...IN_GRACE, payLine(200, '2024-02-20', '400.00')];
  const before = computeLine(TERMS, facts, day('2024-02-29'));
  t.equal(accruedOf(before.totals.interestAccrued), 0n);
  const after = computeLine(TERMS, facts, day('2024-03-01'));
  // 600.00 unpaid at 20% for 2024-02-09 .. 02-29, 21 days: 600 x 0.2 / 365 x 21.
  t.equal(formatAccrued(accruedOf(after.totals.interestAccrued)), '6.9041095890');
  t.equal(after.draws[0]?.isGraceEligible, false);
  const next = computeLine(TERMS, facts, day('2024-03-02'));
  t.equal(formatAccrued(accruedOf(next.totals.interestAccrued)), '7.2328767123');
});

test('purchases after the statement bear interest from the day on which the grace was lost', async (t) => {
  const facts = [...IN_GRACE, buy(101, '2024-02-15', '500.00')];
  const state = computeLine(TERMS, facts, day('2024-03-02'));
  // 1,000.00 for 21 days, then a day on 1,500.00.
  t.equal(formatAccrued(accruedOf(state.totals.interestAccrued)), '12.3287671233');
});

test('a payment after the due date is too late for the grace', async (t) => {
  const state = computeLine(TERMS, [...IN_GRACE, payLine(200, '2024-03-01', '1000.00')], day('2024-03-01'));
  t.equal(state.draws[0]?.isGraceEligible, false);
  t.equal(formatAccrued(accruedOf(state.totals.interestAccrued)), '11.5068493151');
});

test('a backdated payment keeps the grace, by replay', async (t) => {
  const late = { ...payLine(200, '2024-02-29', '1000.00'), recordedDay: day('2024-03-20') };
  const state = computeLine(TERMS, [...IN_GRACE, late], day('2024-03-20'));
  t.equal(state.draws[0]?.isGraceEligible, true);
  t.equal(accruedOf(state.totals.interestAccrued), 0n);
});

test('one statement paid in full restores a lost grace, and cancels the interest since that statement', async (t) => {
  const second = computeLine(TERMS, IN_GRACE, day('2024-03-09'));
  const fullCents = lineBalancesOf(second).outstanding.totalCents;
  const facts = [...IN_GRACE, payLine(200, '2024-03-20', text(fullCents))];
  const before = computeLine(TERMS, facts, day('2024-03-29'));
  t.not(lineBalancesOf(before).outstanding.totalCents, 0);
  const after = computeLine(TERMS, facts, day('2024-03-30'));
  t.equal(after.draws[0]?.isGraceEligible, true);
  t.equal(lineBalancesOf(after).outstanding.totalCents, 0);
  t.equal(accruedOf(after.totals.interestAccrued), accruedOf(second.totals.interestAccrued));
  const { interestAccrued, interestAccruedYearToDate } = lineBalancesOf(after).interestAndFees;
  t.equal(interestAccruedYearToDate, interestAccrued, 'all of it of this year');
  const days = lineInterestDays(recordLine(TERMS, facts, day('2024-03-30')), day('2024-03-01'), day('2024-03-29'));
  t.ok(days.filter((found) => found.day >= day('2024-03-09')).every((found) => found.interest === 0n));
  t.ok(days.filter((found) => found.day < day('2024-03-09')).every((found) => found.interest > 0n));
});

test('paid interest that is canceled becomes a payment of principal', async (t) => {
  const second = computeLine(TERMS, IN_GRACE, day('2024-03-09'));
  const fullCents = lineBalancesOf(second).outstanding.totalCents;
  const facts = [...IN_GRACE, buy(101, '2024-03-10', '300.00'), payLine(200, '2024-03-20', text(fullCents))];
  const paid = computeLine(TERMS, facts, day('2024-03-20')).payments[0];
  const after = computeLine(TERMS, facts, day('2024-03-30'));
  const settled = after.payments[0];
  t.ok((paid?.interestCents ?? 0) > (settled?.interestCents ?? 0));
  t.equal((settled?.principalCents ?? 0) + (settled?.interestCents ?? 0), fullCents);
  t.equal(text(lineBalancesOf(after).outstanding.totalCents), '300.00');
  const allocated = lineAllocationOf(recordLine(TERMS, facts, day('2024-03-30')), 200);
  t.equal(
    allocated.reduce((sum, { amountCents }) => sum + amountCents, 0),
    fullCents,
  );
  t.ok(
    allocated.every(({ amountCents }) => amountCents !== 0),
    'no row says nothing',
  );
});

test('canceled interest is also canceled for the previous year', async (t) => {
  // Statements on the 20th, due 20 days later: 2023-12-10 and 2024-01-09.
  const terms = line({ activation: '2023-11-01', schedule: statementOn(20) });
  const shape = { rate: '0.20', grace: { isApplicable: true, periodsToRestore: 1 } };
  const facts = [draw(1, shape, '2023-11-01'), buy(100, '2023-11-01', '1000.00')];
  // 30 days from 2023-11-20 on 1,000.00: 16.4383561644 with the statement of 2023-12-20.
  const paid = [...facts, payLine(200, '2024-01-05', '1016.43')];
  const seen = (date: string): readonly string[] => {
    const { interestAccrued, interestAccruedYearToDate } = lineBalancesOf(computeLine(terms, paid, day(date))).interestAndFees;
    return [interestAccrued, interestAccruedYearToDate].map(formatAccrued);
  };
  t.same(seen('2023-12-20'), ['16.4383561644', '16.4383561644']);
  t.same(seen('2024-01-05'), ['25.2054794521', '2.1917808219'], 'sixteen days since the statement, four of them of the new year');
  t.same(seen('2024-01-10'), ['16.4383561644', '0.0000000000']);
});

test('a grace that needs two periods is restored after the second statement paid in full', async (t) => {
  const pays = (numbers: readonly string[]) => numbers.map((date, position) => ({ ...payLine(200 + position, date, '3000.00') }));
  const once = computeLine(TERMS, [...THREE_PERIODS, ...pays(['2024-03-20'])], day('2024-03-30'));
  t.equal(once.draws[0]?.isGraceEligible, false);
  const twice = computeLine(TERMS, [...THREE_PERIODS, ...pays(['2024-03-20', '2024-04-20'])], day('2024-04-30'));
  t.equal(twice.draws[0]?.isGraceEligible, true);
});

test('a closed line paid off by the due date has its interest since the statement canceled, like an open line', async (t) => {
  const closed: LineFact = {
    type: 'lineClosed',
    effective: { day: day('2024-03-15'), seconds: 43_200 },
    recordedDay: day('2024-03-15'),
    sequence: 300,
  };
  const stated = computeLine(TERMS, IN_GRACE, day('2024-03-09'));
  const { payoffCents } = linePayoffOf(computeLine(TERMS, [...IN_GRACE, closed], day('2024-03-15')), day('2024-03-20'));
  const since = payoffCents - lineBalancesOf(stated).outstanding.totalCents;
  t.ok(since > 500, 'eleven days on more than 1,000.00');
  for (const facts of [IN_GRACE, [...IN_GRACE, closed]]) {
    const paid = [...facts, payLine(400, '2024-03-20', text(payoffCents))];
    t.equal(computeLine(TERMS, paid, day('2024-03-29')).totals.reimbursementCents, 0);
    const after = computeLine(TERMS, paid, day('2024-03-30'));
    t.equal(after.totals.reimbursementCents, since);
    t.equal(accruedOf(after.totals.interestAccrued), accruedOf(stated.totals.interestAccrued));
    t.same(after.totals.forgoneRounding, stated.totals.forgoneRounding, 'nor is a fraction of it forgone');
    const credited = computeLine(TERMS, [...facts, payLine(400, '2024-03-20', text(payoffCents), { kind: 'credit' })], day('2024-03-30'));
    t.same([credited.totals.paidOverCents, credited.totals.reimbursementCents], [since, 0], 'a credit is no money of the borrower');
  }
});

test('freezing postpones the day by which a statement must be paid in full, even if its minimum was paid before', async (t) => {
  const order = (type: 'freeze' | 'unfreeze', date: string, sequence: number): LineFact => {
    const factPosition = { effective: { day: day(date), seconds: 43_200 }, recordedDay: day(date), sequence };
    return type === 'freeze'
      ? { type, ...factPosition }
      : { type, retroactivelyAccrueInterest: false, shiftDueDates: false, ...factPosition };
  };
  const facts = [
    ...IN_GRACE,
    payLine(200, '2024-02-12', '25.00'),
    order('freeze', '2024-02-15', 300),
    order('unfreeze', '2024-02-20', 301),
  ];
  // Due on 02-29, and five days of freezing.
  const paid = computeLine(TERMS, [...facts, payLine(302, '2024-03-05', '975.00')], day('2024-03-07'));
  t.same([paid.draws[0]?.isGraceEligible, accruedOf(paid.totals.interestAccrued)], [true, 0n]);
  t.equal(computeLine(TERMS, facts, day('2024-03-05')).draws[0]?.isGraceEligible, true);
  const lost = computeLine(TERMS, facts, day('2024-03-06'));
  t.equal(lost.draws[0]?.isGraceEligible, false);
  // 975.00 at 20% for 21 days, those of freezing left out.
  t.equal(formatAccrued(accruedOf(lost.totals.interestAccrued)), '11.2191780822');
});

test('a restored grace cancels the interest since the last statement, and does not change the statement', async (t) => {
  const principal: readonly Bucket[] = ['overduePrincipal', 'duePrincipal', 'nonDuePrincipal'];
  const paymentWaterfall = [...principal, ...DEFAULT_PAYMENT_WATERFALL.filter((bucket) => !principal.includes(bucket))];
  const terms = line({ schedule: statementOn(9), settings: { paymentWaterfall, isInterestInMinimum: false } });
  // Lost on 1 March: 29 days on 1,000.00 are 15.89 on 9 March. 1,015.89 pay principal alone, of which 500.00 were bought since.
  const facts = [...IN_GRACE, buy(101, '2024-03-10', '500.00'), payLine(200, '2024-03-15', '1015.89')];
  t.equal(text(lineBalancesOf(computeLine(terms, facts, day('2024-03-09'))).outstanding.totalCents), '1015.89');
  const { outstanding } = lineBalancesOf(computeLine(terms, facts, day('2024-03-30')));
  t.same([outstanding.principalCents, outstanding.interestCents].map(text), ['484.11', '15.89']);
});

/*
 * 1,000.00 at a thousandth a day. Of the statement of 9 February 25.00 are paid, so that the grace is lost on 1 March: 21 days on 975.00
 * and eight more until 9 March are 28.275. That statement shows 1,003.27, which is paid with what was bought since: 13.12 of it is interest
 * of three days on 975.00 and eight on 1,275.00, 13.125. On 30 March the grace is back.
 */
const LOST: readonly LineFact[] = [
  draw(1, { rate: '0.365', grace: { isApplicable: true, periodsToRestore: 1 } }),
  buy(100, '2024-01-10', '1000.00'),
  payLine(200, '2024-02-20', '25.00'),
  buy(101, '2024-03-12', '300.00'),
  payLine(201, '2024-03-20', '1003.27'),
];

test('paid interest that a restored grace cancels becomes principal of its draw, to the cent', async (t) => {
  const before = computeLine(TERMS, LOST, day('2024-03-29'));
  t.same(splitsIn(before).slice(2), ['201: amount 1003.27, principal 961.88, interest 41.39', '  1: principal 961.88, interest 41.39']);
  // 13.125 less 13.12, and nine days on 313.12.
  t.same(holdingsOf(before), ['1: nonDuePrincipal 313.12, nonDueInterest 2.8230800000']);
  const after = computeLine(TERMS, LOST, day('2024-03-30'));
  t.same(splitsIn(after).slice(2), ['201: amount 1003.27, principal 975.00, interest 28.27', '  1: principal 975.00, interest 28.27']);
  t.same(holdingsOf(after), ['1: nonDuePrincipal 300.00']);
  for (const totals of [after.totals, after.draws[0]?.totals ?? {}])
    t.equal(
      amountsIn(totals),
      'purchases 1300.00, interestAccrued 28.2750000000, forgoneRounding 0.0050000000, payments 1028.27, paidPrincipal 1000.00, ' +
        'paidInterest 28.27, interestAccruedBeforePeriod 28.2750000000',
    );
});

test('interest of the last payment is canceled first; if no principal is left, the money is owed to the borrower', async (t) => {
  // Five days on 313.12 are 1.5656: 310.00 pay 1.57 of interest and leave 4.69 of principal.
  for (const kind of ['payment', 'credit'] as const) {
    const facts = [...LOST, payLine(202, '2024-03-25', '310.00', { kind })];
    const before = computeLine(TERMS, facts, day('2024-03-29'));
    t.same(splitsIn(before).slice(4), ['202: amount 310.00, principal 308.43, interest 1.57', '  1: principal 308.43, interest 1.57']);
    const { state, ...recorded } = recordLine(TERMS, facts, day('2024-03-30'));
    t.same(splitsIn(state).slice(2), [
      '201: amount 1003.27, principal 965.00, interest 28.27, over 10.00',
      '  1: principal 965.00, interest 28.27',
      '202: amount 310.00, principal 310.00',
      '  1: principal 310.00',
    ]);
    t.same(holdingsOf(state), ['1: ']);
    const { paidOverCents, reimbursementCents, paidPrincipalCents, paidInterestCents } = state.totals;
    t.same([paidOverCents, reimbursementCents, paidPrincipalCents, paidInterestCents].map(text), ['10.00', '10.00', '1300.00', '28.27']);
    const rows = (transaction: number): readonly string[] =>
      lineAllocationOf(recorded, transaction).map((row) => `${row.draw} ${row.bucket} ${row.obligation} ${text(row.amountCents)}`);
    t.same(rows(201), [
      '1 dueInterest 1 28.27',
      '1 duePrincipal 1 9.75',
      '1 nonDueInterest null 13.12',
      '1 nonDuePrincipal null 952.13',
      '1 nonDueInterest null -13.12',
      '1 nonDuePrincipal null 3.12',
      'null paidOver null 10.00',
    ]);
    t.same(rows(202), [
      '1 nonDueInterest null 1.57',
      '1 nonDuePrincipal null 308.43',
      '1 nonDueInterest null -1.57',
      '1 nonDuePrincipal null 1.57',
    ]);
  }
});

test('canceled interest that a credit had paid is not owed to the borrower', async (t) => {
  const facts = LOST.map((fact) => (fact.sequence === 201 ? payLine(201, '2024-03-20', '1003.27', { kind: 'credit' }) : fact));
  const { totals } = computeLine(TERMS, [...facts, payLine(202, '2024-03-25', '310.00')], day('2024-03-30'));
  t.same([totals.paidOverCents, totals.reimbursementCents].map(text), ['10.00', '0.00']);
});

test('a lost grace adds simple interest on principal only, or compound interest on the whole statement', async (t) => {
  // A fee of 20.00 is part of the full balance; nothing is paid. 21 days from the statement.
  const facts: readonly LineFact[] = [
    draw(1, { rate: '0.365', grace: { isApplicable: true, periodsToRestore: 1 } }),
    buy(100, '2024-01-10', '1000.00'),
    charge(300, '2024-01-20', '20.00', { draw: 1 }),
  ];
  const lost = (accrualMethod: 'simple' | 'compound' | 'compoundWithFees', more: readonly LineFact[] = []): string => {
    const terms = line({ schedule: statementOn(9), terms: { accrualMethod } });
    return formatAccrued(accruedOf(computeLine(terms, [...facts, ...more], day('2024-03-01')).totals.interestAccrued));
  };
  t.equal(lost('simple'), '21.0000000000');
  // 1,020.00 x (1.001^21 - 1).
  t.equal(lost('compoundWithFees'), '21.6355627255');
  // 400.00 are paid, 620.00 are not.
  t.equal(lost('simple', [payLine(200, '2024-02-12', '400.00')]), '13.0200000000');
});

test('canceled interest comes from each payment that has paid it, and from no other draw', async (t) => {
  const facts: readonly LineFact[] = [
    draw(1, { rate: '0.365', grace: { isApplicable: true, periodsToRestore: 1 } }),
    draw(2, { rate: '0' }),
    buy(100, '2024-01-10', '1000.00'),
    buy(102, '2024-03-10', '500.00', 2),
    charge(300, '2024-03-11', '5.00', { draw: 2 }),
    buy(101, '2024-03-12', '300.00'),
    payLine(201, '2024-03-20', '1034.00'),
    payLine(203, '2024-03-22', '50.00', { draw: 2 }),
    payLine(204, '2024-03-24', '0.01', { draw: 1 }),
  ];
  // Nothing is paid of the first statement: 29 days of 1.00. Then 13.40 are interest of three days on 1,000.00, eight on 1,300.00.
  t.same(splitsIn(computeLine(TERMS, facts, day('2024-03-29'))), [
    '201: amount 1034.00, principal 986.60, interest 42.40, fees 5.00',
    '  1: principal 986.60, interest 42.40',
    '  2: fees 5.00',
    '203: amount 50.00, principal 50.00',
    '  2: principal 50.00',
    '204: amount 0.01, interest 0.01',
    '  1: interest 0.01',
  ]);
  const after = computeLine(TERMS, facts, day('2024-03-30'));
  t.same(splitsIn(after), [
    '201: amount 1034.00, principal 1000.00, interest 29.00, fees 5.00',
    '  1: principal 1000.00, interest 29.00',
    '  2: fees 5.00',
    '203: amount 50.00, principal 50.00',
    '  2: principal 50.00',
    '204: amount 0.01, principal 0.01',
    '  1: principal 0.01',
  ]);
  t.same(holdingsOf(after), ['1: nonDuePrincipal 299.99', '2: nonDuePrincipal 450.00']);
  // On 10 March 64.00 are overdue and due, and a cent pays interest of a day. Until the 20th 13.04 more accrue.
  const cent = [
    ...facts.slice(0, 3),
    buy(101, '2024-03-12', '300.00'),
    payLine(200, '2024-03-10', '64.01'),
    payLine(201, '2024-03-20', '964.99'),
  ];
  t.same(
    ['2024-03-29', '2024-03-30'].map((date) => splitsIn(computeLine(TERMS, cent, day(date)))),
    [
      [
        '200: amount 64.01, principal 35.00, interest 29.01',
        '  1: principal 35.00, interest 29.01',
        '201: amount 964.99, principal 951.95, interest 13.04',
        '  1: principal 951.95, interest 13.04',
      ],
      [
        '200: amount 64.01, principal 35.01, interest 29.00',
        '  1: principal 35.01, interest 29.00',
        '201: amount 964.99, principal 964.99',
        '  1: principal 964.99',
      ],
    ],
  );
});

test('a grace that needs three periods is restored with the third consecutive statement paid in full', async (t) => {
  const facts = [
    draw(1, { rate: '0.365', grace: { isApplicable: true, periodsToRestore: 3 } }),
    buy(100, '2024-01-10', '1000.00'),
    buy(101, '2024-04-10', '100.00'),
    buy(102, '2024-05-10', '100.00'),
  ];
  const seen = (paid: readonly LineFact[]): readonly boolean[] =>
    ['2024-03-30', '2024-04-30', '2024-05-30', '2024-06-30'].map(
      (date) => computeLine(TERMS, [...facts, ...paid], day(date)).draws[0]?.isGraceEligible === true,
    );
  // The statement of 9 February is not paid; those of 9 March and later ones are.
  const all = [payLine(200, '2024-03-20', '1029.00'), payLine(201, '2024-04-20', '200.00'), payLine(202, '2024-05-20', '200.00')];
  t.same(seen(all), [false, false, true, true]);
  // Of that of 9 April nothing is paid in time: 11.00 of principal, since eleven days of interest had taken as much of the money, and 0.22.
  t.same(seen([payLine(200, '2024-03-20', '1029.00'), payLine(202, '2024-05-20', '400.00')]), [false, false, false, false]);
});

test('returned purchases count toward the statement like money', async (t) => {
  const back = buy(101, '2024-02-15', '400.00', 1, 'refund');
  const eligible = (amount: string): boolean =>
    computeLine(TERMS, [...IN_GRACE, back, payLine(200, '2024-02-20', amount)], day('2024-03-01')).draws[0]?.isGraceEligible === true;
  t.same([eligible('600.00'), eligible('599.99')], [true, false]);
});
