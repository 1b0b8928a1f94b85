import { test } from 'tap';
import {
  type AutoAmortization,
  computeLine,
  constantRate,
  creditOf,
  formatAccrued,
  formatDay,
  lineBalancesOf,
  type LineFact,
  lineObligationsOf,
  lineScheduleOf,
  rate,
} from '../../../../engine/index.js';
import { day, money, percent, text } from '../installment/loans.js';
import { buy, draw, line, payLine, statementOn } from './lines.js';

/* Without interest each figure is seen at once. Statements on the 9th, due 20 days later: 2024-02-29, 2024-03-29, 2024-04-29. */
const TERMS = line({ schedule: statementOn(9) });
const factPosition = (sequence: number, date: string) => ({
  sequence,
  effective: { day: day(date), seconds: 50_000 },
  recordedDay: day(date),
});
const free = (amortization: AutoAmortization | null, number = 1) => draw(number, { rate: '0', amortization });

const rowsOf = (facts: readonly LineFact[], date: string): readonly string[] =>
  (computeLine(TERMS, facts, day(date)).draws[0]?.rows ?? []).map((row) => `${formatDay(row.dueDate)} ${text(row.amountCents)}`);

test('a purchase is paid off separately, in equal parts or by an amount, and purchases on one due date are added', async (t) => {
  const perPurchase = free({ logic: 'perPurchase', payment: { type: 'periods', count: 3 } });
  const facts = [perPurchase, buy(100, '2024-01-10', '1200.00')];
  t.same(rowsOf(facts, '2024-01-10'), ['2024-02-29 400.00', '2024-03-29 400.00', '2024-04-29 400.00']);
  t.same(rowsOf([...facts, buy(101, '2024-02-12', '600.00')], '2024-02-12'), [
    '2024-03-29 600.00',
    '2024-04-29 600.00',
    '2024-05-29 200.00',
  ]);
  const byAmount = free({ logic: 'perPurchase', payment: { type: 'amount', amountCents: money('500.00') } });
  t.same(rowsOf([byAmount, buy(100, '2024-01-10', '1200.00')], '2024-01-10'), [
    '2024-02-29 500.00',
    '2024-03-29 500.00',
    '2024-04-29 200.00',
  ]);
});

test('purchases of a period are planned together on its statement, less returns', async (t) => {
  const together = free({ logic: 'aggregatePurchasesInPeriod', payment: { type: 'periods', count: 4 } });
  const facts = [
    together,
    buy(100, '2024-01-10', '600.00'),
    buy(101, '2024-01-20', '700.00'),
    buy(102, '2024-01-25', '100.00', 1, 'refund'),
  ];
  t.same(rowsOf(facts, '2024-02-08'), []);
  // 1,200.00 in four rows: the first falls due with the statement itself.
  t.same(rowsOf(facts, '2024-02-09'), ['2024-03-29 300.00', '2024-04-29 300.00', '2024-05-29 300.00']);
  t.equal(text(lineObligationsOf(computeLine(TERMS, facts, day('2024-02-09')))[0]?.obligationCents ?? 0), '300.00');
  const more = [...facts, buy(103, '2024-02-20', '400.00')];
  t.same(rowsOf(more, '2024-03-09'), ['2024-04-29 400.00', '2024-05-29 400.00', '2024-06-29 100.00']);
});

test('the last row of a draw takes the whole rest, and no row exceeds the balance', async (t) => {
  const facts: readonly LineFact[] = [
    free(null),
    buy(100, '2024-01-10', '1000.00'),
    { ...factPosition(300, '2024-01-11'), type: 'drawAmortized', draw: 1, payment: { type: 'periods', count: 3 } },
  ];
  const asked = (more: readonly LineFact[]): readonly string[] =>
    lineObligationsOf(computeLine(TERMS, [...facts, ...more], day('2024-04-09'))).flatMap(({ obligationCents }) =>
      obligationCents === 0 ? [] : [text(obligationCents)],
    );
  t.same(asked([]), ['333.34', '333.34', '333.32']);
  t.same(asked([payLine(200, '2024-02-20', '1000.00')]), ['333.34']);
  // 366.66 above what the statement asks for lower the balance: 300.00 are left for the second row, and nothing for the third.
  t.same(asked([payLine(200, '2024-02-20', '700.00')]), ['333.34', '300.00']);
});

test('money in advance pays the next statements if agreed, and else only the next one', async (t) => {
  const asked = (isPrepaymentEnabled: boolean): readonly string[] => {
    const facts = [free(null), buy(100, '2024-01-10', '1000.00'), payLine(200, '2024-01-20', '60.00', { isPrepaymentEnabled })];
    return lineObligationsOf(computeLine(TERMS, facts, day('2024-04-09')))
      .slice(0, 3)
      .map((one) => [one.obligationCents, one.overpaymentsCents, one.remainingCents, one.unassignedCents].map(text).join(' '));
  };
  // Each statement asks for the floor of 25.00.
  t.same(asked(true), ['25.00 25.00 0.00 0.00', '25.00 25.00 0.00 0.00', '25.00 10.00 15.00 0.00']);
  t.same(asked(false), ['25.00 25.00 0.00 35.00', '25.00 0.00 25.00 0.00', '25.00 0.00 25.00 0.00']);
});

test('a new limit or new rates of a draw change only that draw, from their day on', async (t) => {
  const facts: readonly LineFact[] = [
    free(null),
    free(null, 2),
    buy(100, '2024-01-10', '1000.00'),
    buy(101, '2024-01-10', '500.00', 2),
    { ...factPosition(300, '2024-01-15'), type: 'limitChanged', draw: 2, limitCents: money('800.00') },
    { ...factPosition(301, '2024-01-15'), type: 'drawRatesChanged', draw: 2, rates: constantRate(percent('0.365')) },
  ];
  const state = computeLine(TERMS, facts, day('2024-01-18'));
  t.same(
    [null, 1, 2].map((of) => [creditOf(state, of).limitCents, creditOf(state, of).availableCents].map(text).join(' ')),
    ['5000.00 3498.50', '5000.00 4000.00', '800.00 298.50'],
  );
  // Three days on 500.00 at 36.5%: 0.50 a day.
  t.same(
    [1, 2].map((of) => formatAccrued(lineBalancesOf(state, of).interestAndFees.interestAccrued)),
    ['0.0000000000', '1.5000000000'],
  );
  const lowered: LineFact = { ...factPosition(302, '2024-01-16'), type: 'limitChanged', draw: null, limitCents: money('1200.00') };
  const { limitCents, availableCents, overLimitCents } = creditOf(computeLine(TERMS, [...facts, lowered], day('2024-01-18')));
  t.same([limitCents, availableCents, overLimitCents].map(text), ['1200.00', '0.00', '301.50']);
});

test("an over-limit amount is due once: by the draw's own limit first, the rest by the limit of the line", async (t) => {
  const minimum = { percentageOfPrincipal: rate(0), minCents: money('25.00'), isOverLimitIncluded: true };
  const facts = [
    draw(1, { rate: '0', limitCents: money('900.00'), minimum }),
    free(null, 2),
    buy(100, '2024-01-10', '1000.00'),
    buy(101, '2024-01-10', '500.00', 2),
  ];
  const asked = (limit: string, minCents: string): readonly string[] => {
    const terms = line({
      schedule: statementOn(9),
      limit,
      terms: { minimum: { percentageOfPrincipal: rate(0), minCents: money(minCents), isOverLimitIncluded: true } },
    });
    const state = computeLine(terms, facts, day('2024-02-09'));
    const [whole] = lineObligationsOf(state);
    return [
      whole?.obligationCents ?? 0,
      whole?.overLimitCents ?? 0,
      ...[1, 2].map((of) => lineObligationsOf(state, of)[0]?.obligationCents ?? 0),
    ].map(text);
  };
  // The draw asks for the 100.00 above its limit, the other one for the floor of 25.00.
  t.same(asked('2000.00', '0.00'), ['125.00', '100.00', '100.00', '25.00']);
  // 300.00 above the line's limit, 100.00 of them asked for by the draw.
  t.same(asked('1200.00', '0.00'), ['325.00', '300.00', '300.00', '25.00']);
  t.same(asked('2000.00', '400.00'), ['400.00', '100.00', '375.00', '25.00'], 'the floor of the line, from the oldest draw');
});

test('after a freezing the rest of the rows is spread, and purchases of the running period get rows of their own', async (t) => {
  const facts: readonly LineFact[] = [
    free({ logic: 'aggregatePurchasesInPeriod', payment: { type: 'periods', count: 4 } }),
    buy(100, '2024-01-10', '1200.00'),
    payLine(200, '2024-02-20', '300.00'),
    buy(101, '2024-02-25', '400.00'),
    { ...factPosition(300, '2024-03-01'), type: 'freeze' },
    { ...factPosition(301, '2024-03-15'), type: 'unfreeze', retroactivelyAccrueInterest: false, shiftDueDates: false },
  ];
  // The statement of 9 March was not made: two of the three rows of 300.00 are left for 900.00.
  t.same(rowsOf(facts, '2024-03-15'), ['2024-04-29 450.00', '2024-05-29 450.00']);
  t.equal(text(lineObligationsOf(computeLine(TERMS, facts, day('2024-04-09')))[1]?.obligationCents ?? 0), '550.00');
  t.same(rowsOf(facts, '2024-04-09'), ['2024-05-29 550.00', '2024-06-29 100.00', '2024-07-29 100.00']);
});

test('a draw fee is spread over the rows of its draw if its logic says so, and else stays one fee', async (t) => {
  const parts = (logic: 'spread' | 'firstPayment' | 'separate'): readonly string[] => {
    const facts: readonly LineFact[] = [
      draw(1, { rate: '0', fee: { amountCents: money('30.01'), logic, percentageOfPrincipal: rate(0) } }),
      buy(100, '2024-01-10', '900.00'),
      { ...factPosition(300, '2024-01-10'), type: 'drawAmortized', draw: 1, payment: { type: 'periods', count: 3 } },
    ];
    return (computeLine(TERMS, facts, day('2024-01-10')).draws[0]?.fees ?? []).map(
      ({ amountCents, dueStatus }) => `${text(amountCents)} ${dueStatus}`,
    );
  };
  t.same(parts('separate'), ['30.01 due']);
  t.same(parts('firstPayment'), ['30.01 nonDue']);
  t.same(parts('spread'), ['10.00 nonDue', '10.00 nonDue', '10.01 nonDue'], 'the remainder with the last row');
});

test('a partially paid fee that is spread keeps the payment in its first part', async (t) => {
  const paid = (kind: 'payment' | 'credit'): readonly (readonly (number | string)[])[] => {
    const facts: readonly LineFact[] = [
      draw(1, { rate: '0', fee: { amountCents: money('30.01'), logic: 'spread', percentageOfPrincipal: rate(0) } }),
      buy(100, '2024-01-10', '900.00'),
      payLine(200, '2024-01-11', '10.01', { kind }),
      { ...factPosition(300, '2024-01-12'), type: 'drawAmortized', draw: 1, payment: { type: 'periods', count: 3 } },
    ];
    return (computeLine(TERMS, facts, day('2024-01-12')).draws[0]?.fees ?? []).map((fee) =>
      [fee.amountCents, fee.openCents, fee.creditedCents].map(text),
    );
  };
  t.same(paid('payment'), [
    ['16.67', '6.66', '0.00'],
    ['6.66', '6.66', '0.00'],
    ['6.68', '6.68', '0.00'],
  ]);
  t.same(paid('credit')[0], ['16.67', '6.66', '10.01']);
});

test('the schedule of a draw has no rows of statements before its activation', async (t) => {
  const facts = [free(null), buy(100, '2024-01-10', '1000.00'), draw(2, { rate: '0' }, '2024-02-12'), buy(101, '2024-02-12', '200.00', 2)];
  const state = computeLine(TERMS, facts, day('2024-02-20'));
  const rows = (of: number | null): readonly string[] =>
    lineScheduleOf(state, of).map((row) => `${formatDay(row.date)} ${text(row.amountCents)} ${row.status}`);
  t.same(rows(null), ['2024-02-29 25.00 booked', '2024-03-29 50.00 booked']);
  t.same(rows(1), ['2024-02-29 25.00 booked', '2024-03-29 25.00 booked']);
  t.same(rows(2), ['2024-03-29 25.00 booked']);
  const frozen: LineFact = { ...factPosition(300, '2024-02-20'), type: 'freeze' };
  const ended: LineFact = { ...factPosition(300, '2024-02-20'), type: 'accelerate' };
  t.equal(lineScheduleOf(computeLine(TERMS, [...facts, frozen], day('2024-02-20')), 2).length, 1, 'of a frozen line as of an active one');
  t.equal(lineScheduleOf(computeLine(TERMS, [...facts, ended], day('2024-02-20')), 2).length, 1, 'of an accelerated one what it asks for');
  const paid = computeLine(TERMS, [...facts, payLine(200, '2024-02-20', '50.00', { draw: 2 })], day('2024-02-20'));
  t.equal(paid.obligations[0]?.grace.totalFulfilledOnDueDateCents, 5_000);
  t.match(paid.obligations[0]?.draws[0]?.grace, { totalFulfilledOnDueDateCents: 0 });
});
