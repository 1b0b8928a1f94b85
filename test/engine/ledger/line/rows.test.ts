import { test } from 'tap';
import {
  lineBalancesOf,
  advanceLine,
  type AutoAmortization,
  computeLine,
  constantRate,
  type Day,
  formatDay,
  type LineFact,
  lineObligationsOf,
  lineScheduleOf,
  type LineState,
  rate,
} from '../../../../engine/index.js';
import { day, money, text } from '../installment/loans.js';
import { buy, charge, draw, DRAWN, line, payLine, factPosition, statementOn } from './lines.js';

const TERMS = line({ schedule: statementOn(9) });

const amortized = (count: number): LineFact => ({
  ...factPosition(300, '2024-01-10'),
  type: 'drawAmortized',
  draw: 1,
  payment: { type: 'periods', count },
});

/** What each statement up to a day has asked for, when all of it is paid at once. */
function askedUntil(facts: readonly LineFact[], last: string): readonly string[] {
  const asked: string[] = [];
  const paid: LineFact[] = [];
  let state: LineState = computeLine(TERMS, facts, day('2024-01-10'));
  for (let on = state.day; on <= day(last); on = (on + 1) as Day) {
    state = computeLine(TERMS, [...facts, ...paid], on);
    const open = state.obligations.find(({ isFulfilled }) => !isFulfilled);
    if (open === undefined) continue;
    asked.push(`${formatDay(open.dueDay)} ${text(open.remainingCents)}`);
    paid.push(payLine(400 + paid.length, formatDay(on), text(open.remainingCents)));
  }
  return asked;
}

const amountOf = (asked: string | undefined): number => Number(asked?.split(' ')[1]);

test('rows of an amortized draw move with the due dates of its line, and keep their amounts', async (t) => {
  const moved: LineFact = { ...factPosition(301, '2024-02-15'), type: 'lineScheduleChanged', schedule: statementOn(20) };
  const before = askedUntil([...DRAWN, amortized(5)], '2024-07-01');
  const after = askedUntil([...DRAWN, amortized(5), moved], '2024-08-01');
  t.equal(before[0], after[0]);
  t.same(before.slice(0, 4).map(amountOf), after.slice(0, 4).map(amountOf));
  t.same(
    after.slice(0, 5).map((asked) => asked.slice(0, 10)),
    ['2024-02-29', '2024-03-29', '2024-05-10', '2024-06-09', '2024-07-10'],
  );
  t.ok(amountOf(after[4]) < 1.1 * amountOf(after[3]), 'the last row is no balloon');
});

test('parts of a spread fee move with the rows of their draw', async (t) => {
  const facts: readonly LineFact[] = [
    draw(1, { fee: { amountCents: money('30.00'), logic: 'spread', percentageOfPrincipal: rate(0) } }),
    buy(100, '2024-01-10', '900.00'),
    amortized(3),
  ];
  const moved: LineFact = { ...factPosition(301, '2024-02-15'), type: 'lineScheduleChanged', schedule: statementOn(1) };
  const state = computeLine(TERMS, [...facts, moved], day('2024-02-15'));
  t.same(
    state.draws[0]?.fees.map(({ fromDueDate }) => fromDueDate),
    [day('2024-02-29'), ...(state.draws[0]?.rows.map(({ dueDate }) => dueDate) ?? [])],
  );
  t.same(
    state.draws[0]?.rows.map(({ dueDate }) => formatDay(dueDate)),
    ['2024-03-29', '2024-04-21'],
  );
});

const frozen: LineFact = { ...factPosition(301, '2024-02-15'), type: 'freeze' };
const unfrozen = (shiftDueDates: boolean): LineFact => ({
  ...factPosition(302, '2024-04-15'),
  type: 'unfreeze',
  retroactivelyAccrueInterest: false,
  shiftDueDates,
});

test('amounts of an amortized draw that a frozen line skipped are spread over the remaining due dates', async (t) => {
  const asked = askedUntil([...DRAWN, amortized(6), frozen, unfrozen(false)], '2024-09-01');
  t.same(
    asked.slice(0, 4).map((row) => row.slice(0, 10)),
    ['2024-02-29', '2024-05-29', '2024-06-29', '2024-07-29'],
  );
  // Two of five rows were not asked for: the other three bring the balance.
  t.equal(asked[1]?.slice(11), asked[2]?.slice(11));
  t.ok(amountOf(asked[1]) > 1.5 * amountOf(asked[0]));
  t.ok(amountOf(asked[3]) < 1.1 * amountOf(asked[2]), 'the last row is no balloon');
});

test('or all of its rows move by the number of missed due dates', async (t) => {
  const asked = askedUntil([...DRAWN, amortized(6), frozen, unfrozen(true)], '2024-11-01');
  t.same(
    asked.slice(0, 6).map((row) => row.slice(0, 10)),
    ['2024-02-29', '2024-05-29', '2024-06-29', '2024-07-29', '2024-08-29', '2024-09-29'],
  );
  t.same(new Set(asked.slice(0, 5).map(amountOf)).size, 1);
  t.ok(amountOf(asked[5]) < 1.1 * amountOf(asked[4]), 'the last row is no balloon');
});

test('a balance that was amortized by order is not amortized again with the purchases of its period', async (t) => {
  const facts: readonly LineFact[] = [
    draw(1, { amortization: { logic: 'aggregatePurchasesInPeriod', payment: { type: 'periods', count: 10 } } }),
    buy(100, '2024-01-10', '1000.00'),
    { ...amortized(10), ...factPosition(300, '2024-01-12') },
  ];
  const [obligation] = lineObligationsOf(computeLine(TERMS, facts, day('2024-02-09')), 1);
  t.ok((obligation?.obligationCents ?? 0) < 11_500, 'a tenth, with interest');
});

test('rows of a paid-off balance take nothing of later purchases', async (t) => {
  const facts: readonly LineFact[] = [
    draw(1, { amortization: { logic: 'perPurchase', payment: { type: 'periods', count: 12 } } }),
    buy(100, '2024-01-10', '1200.00'),
    payLine(200, '2024-01-20', '1300.00'),
    buy(101, '2024-01-25', '600.00'),
  ];
  const [obligation] = lineObligationsOf(computeLine(TERMS, facts, day('2024-02-09')), 1);
  t.ok((obligation?.obligationCents ?? 0) < 5_700, 'a twelfth of 600.00, with interest');
});

test('no part of a schedule is negative after a draw is canceled', async (t) => {
  const facts: readonly LineFact[] = [
    draw(1, { fee: { amountCents: money('25.00'), logic: 'firstPayment', percentageOfPrincipal: rate(0) } }),
    { ...factPosition(300, '2024-02-12'), type: 'drawCanceled', draw: 1 },
  ];
  const state = computeLine(TERMS, facts, day('2024-02-12'));
  t.same(
    lineScheduleOf(state).map(({ amountCents, principalCents, interestCents, feesCents }) => [
      amountCents,
      principalCents,
      interestCents,
      feesCents,
    ])[0],
    [0, 0, 0, 0],
  );
  advanceLine(state, day('2024-04-01'));
  t.equal(state.isOverdue, false);
});

test('an order to amortize zero makes no rows: later purchases are due as a whole', async (t) => {
  const facts: readonly LineFact[] = [
    draw(1, { rate: '0' }),
    { ...amortized(5), ...factPosition(300, '2024-01-12') },
    buy(100, '2024-01-15', '300.00'),
  ];
  const state = computeLine(TERMS, facts, day('2024-02-09'));
  t.equal(text(state.obligations[0]?.amountCents ?? 0), '300.00');
  t.same(state.draws[0]?.rows, []);
});

test('the last row of an amortized draw takes the whole rest, including interest of late days', async (t) => {
  const facts = [...DRAWN, amortized(2), payLine(200, '2024-03-05', '1200.00')];
  const state = computeLine(TERMS, facts, day('2024-03-09'));
  const { nonDue, outstanding } = lineBalancesOf(state);
  t.equal(nonDue.totalCents, 0);
  const asked = state.obligations.reduce((sum, { remainingCents }) => sum + remainingCents, 0);
  t.equal(asked, outstanding.totalCents);
  t.ok(asked > 130_000, 'what is left of 2,500.00');
});

test('a cent is amortized like any other amount', async (t) => {
  const facts: readonly LineFact[] = [draw(1, { rate: '0' }), buy(100, '2024-01-10', '0.01'), amortized(2)];
  t.equal(
    computeLine(TERMS, facts, day('2024-01-10')).draws[0]?.rows.reduce((sum, { amountCents }) => sum + amountCents, 0),
    1,
  );
});

test('only the last row takes purchases without a plan, and waiting fees', async (t) => {
  const facts: readonly LineFact[] = [
    draw(1, { rate: '0' }),
    buy(100, '2024-01-10', '1200.00'),
    amortized(3),
    charge(301, '2024-01-20', '7.00', { draw: 1, chargeLogic: 'lastDueDate' }),
    charge(302, '2024-02-20', '4.00', { draw: 1 }),
    payLine(200, '2024-02-12', '400.00'),
    buy(101, '2024-02-20', '50.00'),
    payLine(201, '2024-03-12', '404.00'),
  ];
  const asked = computeLine(TERMS, facts, day('2024-04-09')).obligations.map(({ amountCents, feesCents }) =>
    [amountCents, feesCents].map(text),
  );
  t.same(asked, [
    ['400.00', '0.00'],
    ['404.00', '4.00'],
    ['457.00', '7.00'],
  ]);
});

/* Without interest. Statements on the 9th, due 20 days later: 2024-02-29, 2024-03-29 and so on. */
const rowsUnder = (rules: number, facts: readonly LineFact[], date: string): readonly string[] =>
  (computeLine(line({ schedule: statementOn(9), settings: { rules } }), facts, day(date)).draws[0]?.rows ?? []).map(
    ({ dueDate, amountCents }) => `${formatDay(dueDate)} ${text(amountCents)}`,
  );
const again = (sequence: number, date: string, count: number, of = 1): LineFact => ({
  ...factPosition(sequence, date),
  type: 'drawAmortized',
  draw: of,
  payment: { type: 'periods', count },
});

test('a second order replaces the first one under all rules', async (t) => {
  const facts = [draw(1, { rate: '0' }), buy(100, '2024-01-10', '1200.00'), amortized(3), again(301, '2024-01-15', 2)];
  for (const rules of [1, 2, 3])
    t.same(rowsUnder(rules, facts, '2024-01-15'), ['2024-02-29 600.00', '2024-03-29 600.00'], `rules ${rules}`);
});

test('nothing is amortized on a frozen line, for a canceled draw, or for an unknown draw', async (t) => {
  const bought = [draw(1, { rate: '0' }), buy(100, '2024-01-10', '1200.00')];
  const frozen: LineFact = { ...factPosition(200, '2024-01-11'), type: 'freeze' };
  const canceled: LineFact = { ...factPosition(200, '2024-01-11'), type: 'drawCanceled', draw: 1 };
  for (const facts of [
    [...bought, frozen, again(301, '2024-01-12', 3)],
    [...bought, canceled, again(301, '2024-01-12', 3)],
    [...bought, again(301, '2024-01-12', 3, 7)],
  ])
    t.match(computeLine(TERMS, facts, day('2024-01-12')).draws, [{ isAmortized: false, rows: [] }]);
});

test('purchases that an order has amortized are not planned with their period again, as they were under rules 1', async (t) => {
  const facts: readonly LineFact[] = [
    draw(1, { rate: '0', amortization: { logic: 'aggregatePurchasesInPeriod', payment: { type: 'periods', count: 4 } } }),
    buy(100, '2024-01-10', '600.00'),
    buy(101, '2024-02-20', '400.00'),
    again(300, '2024-02-21', 5),
  ];
  // 150.00 have fallen due: 450.00 and 400.00 are left for five rows.
  const rows = ['2024-04-29 170.00', '2024-05-29 170.00', '2024-06-29 170.00', '2024-07-29 170.00'];
  for (const rules of [2, 3]) t.same(rowsUnder(rules, facts, '2024-03-09'), rows);
  t.same(
    computeLine(TERMS, facts, day('2024-03-09')).obligations.map(({ amountCents }) => amountCents),
    [15_000, 17_000],
  );
  t.same(rowsUnder(1, facts, '2024-03-09'), ['2024-04-29 270.00', '2024-05-29 270.00', '2024-06-29 270.00', '2024-07-29 170.00']);
});

test('a freezing also spreads later purchases that get no plan of their own, and accrued interest', async (t) => {
  const order = (type: 'freeze' | 'unfreeze', date: string, sequence: number): LineFact =>
    type === 'freeze'
      ? { ...factPosition(sequence, date), type }
      : { ...factPosition(sequence, date), type, retroactivelyAccrueInterest: false, shiftDueDates: false };
  const around = [order('freeze', '2024-03-01', 310), order('unfreeze', '2024-03-15', 311)];
  const bought: readonly LineFact[] = [
    draw(1, { rate: '0' }),
    buy(100, '2024-01-10', '1200.00'),
    amortized(4),
    payLine(200, '2024-02-20', '300.00'),
    buy(101, '2024-02-25', '400.01'),
  ];
  // 900.00 and 400.01; the row of 29 March was not asked for.
  t.same(rowsUnder(3, [...bought, ...around], '2024-03-15'), ['2024-04-29 650.01', '2024-05-29 650.01']);
  // Six days of 1.00 until nothing accrues any more, and 990.00 that the first statement has left.
  const free: LineFact = { ...factPosition(301, '2024-02-15', 600), type: 'drawRatesChanged', draw: 1, rates: constantRate(rate(0)) };
  const accrued = [draw(1, { rate: '0.365' }), buy(100, '2024-01-10', '1000.00'), free, again(302, '2024-02-20', 3)];
  t.same(rowsUnder(3, accrued, '2024-02-20'), ['2024-03-29 330.00', '2024-04-29 330.00', '2024-05-29 330.00']);
  t.same(rowsUnder(3, [...accrued, ...around], '2024-03-15'), ['2024-04-29 498.00', '2024-05-29 498.00']);
});

test('if one row is left after a freezing, it takes everything; if none is left, the next statement does', async (t) => {
  const bought: readonly LineFact[] = [draw(1, { rate: '0' }), buy(100, '2024-01-10', '1200.00'), amortized(3)];
  const until = (date: string): readonly LineFact[] => [
    ...bought,
    { ...factPosition(310, '2024-02-15'), type: 'freeze' },
    { ...factPosition(311, date), type: 'unfreeze', retroactivelyAccrueInterest: false, shiftDueDates: false },
  ];
  const askedOn = (facts: readonly LineFact[], date: string): readonly string[] =>
    computeLine(TERMS, facts, day(date)).obligations.map(({ dueDay, amountCents }) => `${formatDay(dueDay)} ${text(amountCents)}`);
  // 400.00 had fallen due before.
  t.same(rowsUnder(3, until('2024-03-15'), '2024-03-15'), ['2024-04-29 800.00']);
  t.same(askedOn(until('2024-03-15'), '2024-04-09'), ['2024-02-29 400.00', '2024-04-29 800.00']);
  t.same(rowsUnder(3, until('2024-05-15'), '2024-05-15'), []);
  t.same(askedOn(until('2024-05-15'), '2024-06-09'), ['2024-02-29 400.00', '2024-06-29 800.00']);
});

test('a period without purchases plans nothing: the last row of earlier purchases stays the last', async (t) => {
  const facts: readonly LineFact[] = [
    draw(1, { rate: '0', amortization: { logic: 'aggregatePurchasesInPeriod', payment: { type: 'periods', count: 3 } } }),
    buy(100, '2024-01-10', '1000.00'),
  ];
  t.same(rowsUnder(3, facts, '2024-03-09'), ['2024-04-29 333.34']);
  t.same(
    computeLine(TERMS, facts, day('2024-04-09')).obligations.map(({ amountCents }) => text(amountCents)),
    ['333.34', '333.34', '333.32'],
  );
});

test('a named amount has rows until interest and principal are paid, or 600 rows', async (t) => {
  const rows = (amount: string, interestFrom: string): readonly string[] => {
    const facts: readonly LineFact[] = [
      draw(1, { rate: '0.365' }),
      buy(100, '2024-01-10', '1000.00'),
      { ...factPosition(300, '2024-01-10'), type: 'drawAmortized', draw: 1, payment: { type: 'amount', amountCents: money(amount) } },
    ];
    const terms = line({ schedule: statementOn(9), terms: { interestFrom: day(interestFrom) } });
    return (computeLine(terms, facts, day('2024-01-10')).draws[0]?.rows ?? []).map(
      ({ dueDate, amountCents }) => `${formatDay(dueDate)} ${text(amountCents)}`,
    );
  };
  // 50 days of 1.00 until 29 February, 29 of 0.65 on the 650.00 that are left, 31 of 0.26885: 18.85 and 8.33.
  t.same(rows('400.00', '2024-01-10'), ['2024-02-29 400.00', '2024-03-29 400.00', '2024-04-29 277.18']);
  // 49 days of 1.00, 29 of 0.649 and 31 of 0.26782: 18.82 and 8.30.
  t.same(rows('400.00', '2024-01-11'), ['2024-02-29 400.00', '2024-03-29 400.00', '2024-04-29 276.12']);
  const endless = rows('20.00', '2024-01-10');
  t.same([endless.length, endless[0], endless[599]?.slice(10)], [600, '2024-02-29 20.00', ' 20.00']);
});

test('an automatically amortized draw from another system has rows for its non-due balance, since rules 2', async (t) => {
  const amount = (value: string) => ({ principalCents: money(value), interestCents: money('0.00') });
  const seeded: LineFact = {
    ...factPosition(50, '2024-06-10', 7_900),
    type: 'lineSeeded',
    period: { startDate: day('2024-05-09'), endDate: day('2024-06-08'), statementDate: day('2024-06-09'), dueDate: day('2024-06-29') },
    fees: [],
    draws: [
      {
        draw: 1,
        nonDue: amount('900.00'),
        due: amount('0.00'),
        overdue: amount('0.00'),
        fees: [],
        isGraceEligible: false,
        fullBalanceCents: money('900.00'),
      },
    ],
    obligation: {
      amountCents: money('0.00'),
      remainingCents: money('0.00'),
      overdueCents: money('0.00'),
      overdueRemainingCents: money('0.00'),
      daysOverdue: 0,
      isGraceEligible: false,
    },
    reimbursementCents: money('0.00'),
  };
  const rows = (rules: number, amortization: AutoAmortization | null): readonly string[] => {
    const terms = line({ activation: '2024-06-10', schedule: statementOn(9), settings: { rules } });
    const of = draw(1, { rate: '0', amortization }, '2024-06-10');
    return (computeLine(terms, [of, seeded], day('2024-06-10')).draws[0]?.rows ?? []).map(
      ({ dueDate, amountCents }) => `${formatDay(dueDate)} ${text(amountCents)}`,
    );
  };
  const automatic: AutoAmortization = { logic: 'perPurchase', payment: { type: 'periods', count: 3 } };
  t.same(rows(2, automatic), ['2024-07-29 300.00', '2024-08-29 300.00', '2024-09-29 300.00']);
  t.same([rows(1, automatic), rows(2, null)], [[], []]);
});

test('rows of earlier due dates have no amounts on other due dates under rules 1, except fees', async (t) => {
  const moved: LineFact = { ...factPosition(302, '2024-02-15'), type: 'lineScheduleChanged', schedule: statementOn(20) };
  const facts = [
    draw(1, { rate: '0' }),
    buy(100, '2024-01-10', '1200.00'),
    amortized(3),
    charge(303, '2024-02-20', '4.00', { draw: 1 }),
    moved,
    charge(304, '2024-03-12', '6.00', { draw: 1 }),
  ];
  const asked = (rules: number): readonly string[] =>
    computeLine(line({ schedule: statementOn(9), settings: { rules } }), facts, day('2024-04-20')).obligations.map(
      ({ dueDay, amountCents }) => `${formatDay(dueDay)} ${text(amountCents)}`,
    );
  // Statements on 9 February, 9 March and 20 April, due on 10 May.
  t.same(asked(1), ['2024-02-29 400.00', '2024-03-29 404.00', '2024-05-10 6.00']);
  t.same(asked(2), ['2024-02-29 400.00', '2024-03-29 404.00', '2024-05-10 406.00']);
});
