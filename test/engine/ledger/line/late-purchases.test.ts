import { test } from 'tap';
import {
  computeLine,
  constantRate,
  formatAccrued,
  lineBalancesOf,
  type LineFact,
  type LineState,
  type Purchase,
} from '../../../../engine/index.js';
import { day, percent } from '../installment/loans.js';
import { buy, draw, line } from './lines.js';

/* Statements on the 1st, due on the 2nd; 1% of principal and interest, at least 25.00. */
const TERMS = line({
  schedule: { type: 'fixedBoth', statement: { type: 'monthly', day: 1 }, due: { type: 'monthly', day: 2 } },
  settings: { accelerationDueWithin: 45 },
});

const recordedOn = (purchase: Purchase, recorded: string): Purchase => ({ ...purchase, recordedDay: day(recorded) });
const minimums = (state: LineState): readonly (readonly [number, number])[] =>
  state.obligations.map(({ dueDay, amountCents }) => [dueDay, amountCents]);

const FIRST = recordedOn(buy(100, '2024-01-31', '1000.00'), '2024-02-20');

// 10.00 of principal, 0.54 of interest for the first day without its fraction, 15.88 for the 29 that follow.
test('a purchase that is recorded after a due date does not raise its minimum payment', (t) => {
  const state = computeLine(TERMS, [draw(1), FIRST], day('2024-03-10'));
  t.same(minimums(state), [
    [day('2024-02-02'), 0],
    [day('2024-03-02'), 2642],
  ]);
  t.end();
});

test('nor does a second one, although the first would have accelerated the line without its bound', (t) => {
  const before: readonly LineFact[] = [draw(1), FIRST];
  const second = recordedOn(buy(101, '2024-03-31', '4000.00'), '2024-04-04');
  const state = computeLine(TERMS, [...before, second], day('2024-04-04'));
  t.equal(state.status, 'active');
  t.same(minimums(state), minimums(computeLine(TERMS, before, day('2024-04-04'))));
  t.end();
});

test('rates that are recorded again after a due date do not change its minimum payment', (t) => {
  const rates = (sequence: number, annual: string, recorded: string): LineFact => ({
    type: 'drawRatesChanged',
    draw: 1,
    rates: constantRate(percent(annual)),
    sequence,
    effective: { day: day('2024-01-12'), seconds: 600 },
    recordedDay: day(recorded),
  });
  const bought = [draw(1, { rate: '0.05' }), buy(100, '2024-01-10', '1000.00')];
  const known = [...bought, rates(200, '0.2999', '2024-01-12')];
  const asked = minimums(computeLine(TERMS, known, day('2024-02-10')));
  t.same(minimums(computeLine(TERMS, [...known, rates(201, '0.3999', '2024-02-10')], day('2024-02-10'))), asked);
  t.end();
});

test('of rates from the same day, those of the later time apply, whichever was recorded first', async (t) => {
  const rates = (sequence: number, seconds: number, annual: string): LineFact => ({
    type: 'drawRatesChanged',
    draw: 1,
    rates: constantRate(percent(annual)),
    sequence,
    effective: { day: day('2024-01-12'), seconds },
    recordedDay: day('2024-01-12'),
  });
  const other: LineFact = { ...rates(199, 45_000, '0.99'), draw: 2 } as LineFact;
  const daily = (...facts: readonly LineFact[]): string =>
    formatAccrued(
      lineBalancesOf(
        computeLine(
          TERMS,
          [draw(1, { rate: '0' }), draw(2, { rate: '0' }), buy(100, '2024-01-10', '1000.00'), ...facts],
          day('2024-01-13'),
        ),
      ).interestAndFees.dailyInterest,
    );
  t.equal(
    daily(other, rates(200, 50_000, '0.365'), rates(201, 45_000, '0.73')),
    '2.0000000000',
    'what was recorded last holds for all days from it on',
  );
  t.equal(daily(other, rates(200, 50_000, '0.365'), rates(201, 55_000, '0.73')), '2.0000000000');
  t.equal(daily(rates(200, 50_000, '0.365'), other), '1.0000000000', 'of another draw nothing');
});
