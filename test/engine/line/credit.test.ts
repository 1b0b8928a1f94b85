import { test } from 'tap';
import { availableCredit, computeLine, creditOf, type LineFact, type LineState, takenCents } from '../../../engine/index.js';
import { day, money, text } from '../replay/loans.js';
import { buy, draw, line, payLine } from './lines.js';

/*
 * A line of 1,000.00 without interest: 600.00 of the first draw, 50.00 of the second one, which has a limit of 200.00 of its own. 100.00
 * are paid on 12 January for the first draw, and their credit is free after the 20th (servicing-behaviour 12.4).
 */
const FACTS: readonly LineFact[] = [
  draw(1, { rate: '0' }),
  draw(2, { rate: '0', limitCents: money('200.00') }),
  buy(100, '2024-01-10', '600.00'),
  buy(101, '2024-01-10', '50.00', 2),
  payLine(200, '2024-01-12', '100.00', { draw: 1, holdUntil: day('2024-01-20') }),
];
const on = (date: string, isRevolving = true, more: readonly LineFact[] = []): LineState =>
  computeLine(line({ limit: '1000.00', settings: { isRevolving } }), [...FACTS, ...more], day(date));

const seen = (state: LineState, of: number | null): string => {
  const credit = creditOf(state, of);
  const { limitCents, utilizedCents, heldCents, spentCents, availableCents, overLimitCents } = credit;
  return [limitCents, utilizedCents, heldCents, spentCents, availableCents, overLimitCents, takenCents(credit)].map(text).join(' ');
};

test('what a payment has freed of a revolving line is open once its hold has ended', async (t) => {
  t.equal(seen(on('2024-01-11'), null), '1000.00 650.00 0.00 0.00 350.00 0.00 650.00');
  for (const date of ['2024-01-12', '2024-01-20']) {
    t.equal(seen(on(date), null), '1000.00 550.00 100.00 0.00 350.00 0.00 650.00');
    t.equal(seen(on(date), 1), '1000.00 500.00 100.00 0.00 400.00 0.00 600.00');
    t.equal(seen(on(date), 2), '200.00 50.00 0.00 0.00 150.00 0.00 50.00');
  }
  t.equal(seen(on('2024-01-21'), null), '1000.00 550.00 0.00 0.00 450.00 0.00 550.00');
});

test('principal that is paid of a line that does not revolve frees nothing, a hold or not', async (t) => {
  const later = payLine(201, '2024-01-14', '30.00', { draw: 2 });
  t.equal(seen(on('2024-01-15', false, [later]), null), '1000.00 520.00 0.00 130.00 350.00 0.00 650.00');
  t.equal(seen(on('2024-01-15', false, [later]), 2), '200.00 20.00 0.00 30.00 150.00 0.00 50.00');
  t.equal(seen(on('2024-01-21', false, [later]), null), '1000.00 520.00 0.00 130.00 350.00 0.00 650.00');
});

test('a purchase may come to the rest of the line, and of its draw where that has a limit', async (t) => {
  const state = on('2024-01-15');
  t.same(
    [null, 1, 2].map((of) => text(availableCredit(state, of))),
    ['350.00', '350.00', '150.00'],
  );
  const full = on('2024-01-15', true, [buy(102, '2024-01-13', '300.00')]);
  t.same(
    [null, 1, 2].map((of) => text(availableCredit(full, of))),
    ['50.00', '50.00', '50.00'],
  );
  const over = on('2024-01-15', true, [buy(102, '2024-01-13', '500.00')]);
  t.equal(seen(over, null), '1000.00 1050.00 100.00 0.00 0.00 50.00 1150.00');
});
