import { test } from 'tap';
import {
  type Accrued,
  ACCRUED_ZERO,
  amortize,
  AmortizationError,
  type AmortizationInput,
  accruedOfCents,
  addDays,
  constantRate,
  dueDates,
  formatAccrued,
  formatCents,
  formatDay,
  type FeeTerms,
  rate,
  rateTimeline,
  type RowTerm,
  type Schedule,
  type ScheduleRow,
} from '../../../engine/index.js';
import { centsFrom, dayFrom, rateFrom } from '../numbers.js';

/** 1,200.00 at 18 % from 20 January 2024, due on the 15th, twelve rows. */
const LOAN: AmortizationInput = {
  start: dayFrom('2024-01-20'),
  principalCents: centsFrom('1200'),
  dueDates: dueDates({ type: 'monthly', day: 15 }, dayFrom('2024-02-15'), 12),
  payment: { type: 'level' },
  rates: constantRate(rateFrom('0.18')),
  dayCount: 'daily365',
};

const amounts = (schedule: Schedule): readonly string[] => schedule.rows.map((row) => formatCents(row.amountCents));
const lastOf = (schedule: Schedule): ScheduleRow | undefined => schedule.rows.at(-1);

function faultOf(run: () => unknown): string {
  try {
    run();
    return 'none';
  } catch (error) {
    return error instanceof AmortizationError ? error.fault : String(error);
  }
}

const forced = (amount: string): RowTerm => ({ type: 'forced', amountCents: centsFrom(amount) });
const level: RowTerm = { type: 'level' };

test('without interest the principal is divided and rounded up, and the last row is smaller', (t) => {
  const schedule = amortize({ ...LOAN, principalCents: centsFrom('1000'), rates: constantRate(rate(0)) });
  t.same(new Set(amounts(schedule).slice(0, -1)), new Set(['83.34']));
  t.equal(amounts(schedule).at(-1), '83.26');
  t.equal(schedule.totalInterestCents, 0);
  t.end();
});

test('half-up rounding lets the last row exceed the level', (t) => {
  const schedule = amortize({
    ...LOAN,
    principalCents: centsFrom('1000'),
    rates: constantRate(rate(0)),
    rounding: { payment: 'halfUp', paymentMultipleCents: 1, interest: 'halfUp' },
  });
  t.equal(amounts(schedule)[0], '83.33');
  t.equal(amounts(schedule).at(-1), '83.37');
  t.end();
});

test('the last payment takes the rounding difference, keeps the level, or its interest takes the difference', (t) => {
  const rows = (lastPayment: AmortizationInput['lastPayment'], annualRate: string): readonly string[] =>
    amortize({
      start: dayFrom('2024-01-15'),
      principalCents: centsFrom('100'),
      dueDates: dueDates({ type: 'monthly', day: 15 }, dayFrom('2024-02-15'), 3),
      payment: { type: 'level' },
      rates: constantRate(rateFrom(annualRate)),
      dayCount: 'monthly30360',
      rounding: { payment: 'halfUp', paymentMultipleCents: 1, interest: 'halfUp' },
      lastPayment,
    }).rows.map((row) => [row.amountCents, row.principalCents, row.interestCents, row.remainingPrincipalCents].map(formatCents).join(' '));
  // 34.0022 a month at 1%: 33.67 of principal and 0.34 of interest are left for the last.
  const first = ['34.00 33.00 1.00 67.00', '34.00 33.33 0.67 33.67'];
  t.same(rows('absorbRounding', '0.12'), [...first, '34.01 33.67 0.34 0.00']);
  t.same(rows('keepLevel', '0.12'), [...first, '34.00 33.66 0.34 0.01']);
  t.same(rows('interestAbsorbs', '0.12'), [...first, '34.00 33.67 0.33 0.00']);
  // Without interest there is none to take the cent.
  const free = ['33.33 33.33 0.00 66.67', '33.33 33.33 0.00 33.34'];
  t.same(rows('absorbRounding', '0'), [...free, '33.34 33.34 0.00 0.00']);
  t.same(rows('keepLevel', '0'), [...free, '33.33 33.33 0.00 0.01']);
  t.same(rows('interestAbsorbs', '0'), [...free, '33.34 33.34 0.00 0.00']);
  t.end();
});

test('an extra payment takes the difference of half-up rounding, on a due date of its own', (t) => {
  const schedule = amortize({
    ...LOAN,
    principalCents: centsFrom('1000'),
    dueDates: dueDates({ type: 'monthly', day: 15 }, dayFrom('2024-02-15'), 13),
    rates: constantRate(rate(0)),
    rounding: { payment: 'halfUp', paymentMultipleCents: 1, interest: 'halfUp' },
    lastPayment: 'extraPayment',
  });
  t.equal(amounts(schedule)[11], '83.33');
  t.equal(amounts(schedule)[12], '0.04');
  t.equal(formatDay(schedule.endDate), '2025-02-15');
  t.end();
});

test('a payment rounded up to whole currency units may pay the loan off before its last due date', (t) => {
  const schedule = amortize({
    ...LOAN,
    principalCents: centsFrom('10.20'),
    rates: constantRate(rate(0)),
    rounding: { payment: 'up', paymentMultipleCents: 100, interest: 'halfUp' },
  });
  t.same(amounts(schedule), ['1.00', '1.00', '1.00', '1.00', '1.00', '1.00', '1.00', '1.00', '1.00', '1.00', '0.20']);
  t.equal(formatDay(schedule.endDate), '2024-12-15');
  t.end();
});

test('one due date is one payment of principal and interest', (t) => {
  const schedule = amortize({ ...LOAN, dueDates: [dayFrom('2024-04-19')] });
  t.same(amounts(schedule), ['1253.26']);
  t.equal(schedule.rows[0]?.principalCents, LOAN.principalCents);
  t.equal(formatAccrued(schedule.rows[0]?.unroundedInterest ?? ACCRUED_ZERO), '53.2602739726');
  t.end();
});

test('a named payment takes as many rows as it needs', (t) => {
  const dates = dueDates({ type: 'monthly', day: 15 }, dayFrom('2024-02-15'), 200);
  const schedule = amortize({ ...LOAN, dueDates: dates, payment: { type: 'openEnded', amountCents: centsFrom('100') } });
  t.equal(schedule.rows.length, 14);
  t.same(new Set(amounts(schedule).slice(0, -1)), new Set(['100.00']));
  t.equal(amounts(schedule).at(-1), '29.61');
  t.same(schedule.levels, []);
  t.end();
});

test('a named payment over a fixed number of rows leaves the rest to the last', (t) => {
  const schedule = amortize({ ...LOAN, payment: { type: 'fixed', amountCents: centsFrom('100') } });
  t.equal(schedule.rows.length, 12);
  t.equal(lastOf(schedule)?.remainingPrincipalCents, 0);
  t.ok((lastOf(schedule)?.amountCents ?? 0) > centsFrom('200'));
  t.end();
});

test('a named payment below its interest is refused when it must pay the loan back by itself', (t) => {
  const payment = { type: 'openEnded', amountCents: centsFrom('10') } as const;
  t.equal(
    faultOf(() => amortize({ ...LOAN, payment })),
    'paymentDoesNotCoverInterest',
  );
  t.end();
});

test('the last row up to the enforced end date is a balloon, and nothing is due after it', (t) => {
  const schedule = amortize({ ...LOAN, enforcedEndDate: dayFrom('2024-06-30') });
  t.same(amounts(schedule).slice(0, 4), ['109.76', '109.76', '109.76', '109.76']);
  t.equal(schedule.rows.length, 5);
  t.equal(formatDay(schedule.endDate), '2024-06-15');
  t.equal(lastOf(schedule)?.amountCents, (lastOf(schedule)?.interestCents ?? 0) + (schedule.rows[3]?.remainingPrincipalCents ?? 0));
  t.end();
});

test('an enforced end before the first due date becomes the only due date', (t) => {
  const schedule = amortize({ ...LOAN, enforcedEndDate: dayFrom('2024-02-01') });
  t.same(
    schedule.rows.map((row) => formatDay(row.date)),
    ['2024-02-01'],
  );
  t.same(amounts(schedule), ['1207.10']);
  t.end();
});

test('forced rows keep their amount and are marked, and the others are solved with them', (t) => {
  const schedule = amortize({ ...LOAN, rowTerms: [level, forced('300'), level, forced('0')] });
  t.equal(amounts(schedule)[1], '300.00');
  t.equal(amounts(schedule)[3], '0.00');
  t.same(schedule.rows.map((row) => row.isForcedAmount).slice(0, 5), [false, true, false, true, false]);
  t.equal(
    new Set(
      amounts(schedule)
        .filter((_, position) => position !== 1 && position !== 3)
        .slice(0, -1),
    ).size,
    1,
  );
  t.equal(lastOf(schedule)?.remainingPrincipalCents, 0);
  t.end();
});

test('a forced last row keeps its amount, and the schedule shows what it leaves open', (t) => {
  const schedule = amortize({ ...LOAN, dueDates: LOAN.dueDates.slice(0, 2), rowTerms: [forced('600'), forced('600')] });
  t.same(amounts(schedule), ['600.00', '600.00']);
  t.equal(schedule.unamortizedCents, lastOf(schedule)?.remainingPrincipalCents);
  t.ok(schedule.unamortizedCents > 0);
  t.end();
});

test('a contractual schedule keeps its amounts, and its last row takes the rest', (t) => {
  const rowTerms = ['500', '500', '210'].map((amount) => ({ type: 'given' as const, amountCents: centsFrom(amount) }));
  const schedule = amortize({ ...LOAN, dueDates: LOAN.dueDates.slice(0, 3), rowTerms });
  t.same(amounts(schedule).slice(0, 2), ['500.00', '500.00']);
  t.equal(lastOf(schedule)?.remainingPrincipalCents, 0);
  t.same(
    schedule.rows.map((row) => row.isForcedAmount),
    [false, false, false],
  );
  t.end();
});

test('interest-only rows pay interest and leave principal to the others', (t) => {
  const schedule = amortize({ ...LOAN, rowTerms: [{ type: 'interestOnly' }, { type: 'interestOnly' }] });
  t.same(
    schedule.rows.slice(0, 2).map((row) => row.principalCents),
    [0, 0],
  );
  t.equal(amounts(schedule)[0], '15.39');
  t.equal(lastOf(schedule)?.remainingPrincipalCents, 0);
  t.end();
});

test('interest of a skipped row waits without bearing interest and is paid first in the next', (t) => {
  const schedule = amortize({ ...LOAN, rowTerms: [{ type: 'skipped' }] });
  const [first, second] = schedule.rows;
  t.same([first?.amountCents, first?.interestCents, first?.principalCents], [0, 0, 0]);
  t.equal(formatAccrued(second?.unroundedInterest ?? ACCRUED_ZERO), '32.5479452055', '26 and 29 days of 1,200.00');
  t.end();
});

test('interest above the payment does not change principal; the shortfall waits and bears no interest', (t) => {
  const schedule = amortize({ ...LOAN, rowTerms: [forced('10')] });
  const [first, second] = schedule.rows;
  t.same([first?.principalCents, first?.interestCents, first?.remainingPrincipalCents], [0, 1_000, LOAN.principalCents]);
  t.equal(formatAccrued(second?.unroundedInterest ?? ACCRUED_ZERO), '22.5479452055', '5.3863013699 of the first row and 17.1616438356');
  t.equal(lastOf(schedule)?.remainingPrincipalCents, 0);
  const difference = (lastOf(schedule)?.amountCents ?? 0) - (schedule.levels[0]?.amountCents ?? 0);
  t.ok(Math.abs(difference) <= 3, 'the level was solved for a shortfall that bears none');
  t.end();
});

test('promo rates lower the interest, and the row shows the interest without them', (t) => {
  const rates = rateTimeline({
    interest: [{ type: 'absolute', from: LOAN.start, until: null, rate: rateFrom('0.18') }],
    promos: [{ from: LOAN.start, until: addDays(LOAN.start, 26), rate: rateFrom('0.18') }],
  });
  const schedule = amortize({ ...LOAN, rates });
  const [first, second] = schedule.rows;
  t.same([first?.interestCents, first?.interestBeforeDiscountCents], [0, 1_539]);
  t.equal(second?.interestCents, second?.interestBeforeDiscountCents);
  t.equal(formatCents(schedule.totalDiscountCents), '15.39');
  t.end();
});

test('an advance keeps the rows before it and raises those after it over the same dates', (t) => {
  const before = amortize(LOAN);
  const schedule = amortize({ ...LOAN, advances: [{ date: dayFrom('2024-04-01'), amountCents: centsFrom('600') }] });
  t.same(amounts(schedule).slice(0, 2), amounts(before).slice(0, 2));
  t.equal(schedule.levels.length, 2);
  t.equal(formatDay(schedule.levels[1]?.from ?? LOAN.start), '2024-04-15');
  t.equal(schedule.endDate, before.endDate);
  t.equal(formatCents(schedule.totalPrincipalCents), '1800.00');
  t.equal(formatAccrued(schedule.rows[2]?.unroundedInterest ?? ACCRUED_ZERO), '19.6086969863', '17 days of 1,011.68 and 14 of 1,611.68');
  t.end();
});

test('an advance on a due date is added after that row', (t) => {
  const schedule = amortize({ ...LOAN, advances: [{ date: dayFrom('2024-03-15'), amountCents: centsFrom('600') }] });
  t.equal(schedule.rows[1]?.remainingPrincipalCents, centsFrom('1011.68'));
  t.equal(schedule.levels[1]?.from, dayFrom('2024-04-15'));
  t.end();
});

test('an advance after the last due date is refused', (t) => {
  const advances = [{ date: dayFrom('2025-01-15'), amountCents: centsFrom('1') }];
  t.equal(
    faultOf(() => amortize({ ...LOAN, advances })),
    'advanceAfterLastDueDate',
  );
  t.end();
});

const fees = (logic: FeeTerms['originationLogic']): FeeTerms => ({
  originationCents: centsFrom('50'),
  originationLogic: logic,
  perRowCents: centsFrom('1.50'),
});

test('the origination fee goes on top of the first row, in equal parts, or outside the schedule', (t) => {
  const first = amortize({ ...LOAN, fees: fees('firstPayment') });
  t.same(
    first.rows.slice(0, 2).map((row) => formatCents(row.feeCents)),
    ['51.50', '1.50'],
  );
  t.equal(amounts(first)[0], '161.26');
  const spread = amortize({ ...LOAN, fees: fees('spread') });
  t.equal(formatCents(spread.rows[0]?.feeCents ?? centsFrom('0')), '5.66');
  t.equal(formatCents(lastOf(spread)?.feeCents ?? centsFrom('0')), '5.74', 'the remainder in the last');
  const separate = amortize({ ...LOAN, fees: fees('separate') });
  t.equal(formatCents(separate.rows[0]?.feeCents ?? centsFrom('0')), '1.50');
  t.equal(formatCents(separate.separateFeeCents), '50.00');
  for (const schedule of [first, spread, separate]) t.equal(formatCents(schedule.totalFeesCents), '68.00');
  t.end();
});

test('a cap on total interest ends the interest exactly there, and the level is solved for it', (t) => {
  const capped = amortize({ ...LOAN, totalInterestCapCents: centsFrom('60') });
  t.equal(formatCents(capped.totalInterestCents), '60.00');
  t.ok((capped.levels[0]?.amountCents ?? 0) < centsFrom('109.76'));
  t.ok((lastOf(capped)?.amountCents ?? 0) <= (capped.levels[0]?.amountCents ?? 0));
  t.equal(lastOf(capped)?.remainingPrincipalCents, 0);
  t.end();
});

test('a cap that the exact level meets, and its rounding does not, lowers the level', (t) => {
  const plain = amortize(LOAN);
  const exact = plain.levels[0]?.unrounded ?? ACCRUED_ZERO;
  const principal = accruedOfCents(LOAN.principalCents);
  const exactInterest = exact * BigInt(plain.rows.length) - principal;
  const interest = plain.rows.reduce((sum, { unroundedInterest }) => sum + unroundedInterest, 0n);
  t.ok(interest < exactInterest, 'who pays more than the exact level owes less interest');
  const interestRoom = ((interest + exactInterest) / 2n) as Accrued;
  const capped = amortize({ ...LOAN, interestRoom });
  const wanted = (principal + interestRoom) / BigInt(plain.rows.length);
  const difference = (capped.levels[0]?.unrounded ?? ACCRUED_ZERO) - wanted;
  t.ok(
    difference >= 0n && difference <= accruedOfCents(centsFrom('0.01')) / 100_000_000n,
    'principal and cap in equal parts, to the tenth decimal',
  );
  t.equal(amortize({ ...LOAN, interestRoom, isCapOfRoundedLevel: true }).levels[0]?.unrounded, exact, 'rules before 3 left it');
  t.end();
});

test('compounding earns interest on interest day by day', (t) => {
  const schedule = amortize({
    ...LOAN,
    principalCents: centsFrom('2500'),
    start: dayFrom('2024-01-01'),
    dueDates: [dayFrom('2024-01-31')],
    rates: constantRate(rateFrom('0.1999')),
    accrualMethod: 'compound',
  });
  t.equal(formatAccrued(schedule.rows[0]?.unroundedInterest ?? ACCRUED_ZERO), '41.4032048536', 'servicing-behaviour 4.6');
  t.end();
});

test('a compounding loan ends level', (t) => {
  const schedule = amortize({ ...LOAN, accrualMethod: 'compound' });
  t.equal(new Set(amounts(schedule).slice(0, -1)).size, 1);
  t.equal(lastOf(schedule)?.remainingPrincipalCents, 0);
  const [levelCents = 0, lastCents = 0] = [schedule.levels[0]?.amountCents, lastOf(schedule)?.amountCents];
  t.ok(levelCents - lastCents < 20 && lastCents <= levelCents + 6, `${levelCents} and ${lastCents}`);
  t.end();
});

test('earlier unpaid interest is paid first', (t) => {
  const schedule = amortize({ ...LOAN, openingInterest: accruedOfCents(centsFrom('7')) });
  t.equal(formatCents(schedule.rows[0]?.interestCents ?? centsFrom('0')), '22.39');
  t.equal(lastOf(schedule)?.remainingPrincipalCents, 0);
  t.end();
});

test('terms without a due date, with dates out of order or of excessive size are refused', (t) => {
  t.equal(
    faultOf(() => amortize({ ...LOAN, dueDates: [] })),
    'noDueDates',
  );
  t.equal(
    faultOf(() => amortize({ ...LOAN, dueDates: [...LOAN.dueDates].reverse() })),
    'dueDatesOutOfOrder',
  );
  t.equal(
    faultOf(() => amortize({ ...LOAN, dueDates: [addDays(LOAN.start, -1)] })),
    'dueDatesOutOfOrder',
  );
  t.equal(
    faultOf(() => amortize({ ...LOAN, enforcedEndDate: addDays(LOAN.start, -1) })),
    'dueDatesOutOfOrder',
  );
  t.equal(
    faultOf(() => amortize({ ...LOAN, dueDates: Array.from({ length: 2_000 }, (_, at) => addDays(LOAN.start, at)) })),
    'tooManyRows',
  );
  const huge = { ...LOAN, principalCents: centsFrom('9999999999999.99'), rates: constantRate(rateFrom('999999')) };
  t.equal(
    faultOf(() => amortize(huge)),
    'amountTooLarge',
  );
  t.equal(
    faultOf(() => amortize({ ...huge, payment: { type: 'fixed', amountCents: centsFrom('1') } })),
    'amountTooLarge',
  );
  t.end();
});
