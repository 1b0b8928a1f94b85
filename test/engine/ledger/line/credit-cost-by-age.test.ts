import { test } from 'tap';
import {
  addDays,
  advanceLine,
  applyLineFact,
  availableCredit,
  cloneLine,
  computeLine,
  creditOf,
  linePayoffOf,
  type LineFact,
  type LineState,
} from '../../../../engine/index.js';
import { countBlocks } from '../../../executed-blocks.js';
import { day } from '../installment/loans.js';
import { buy, draw, line, payLine } from './lines.js';

/* What the credit of a line costs may not grow with its payments, also if they hold credit, or free none. */

const YOUNG = 200;
const OLD = 2_000;
/** By this part of the young cost the old one may be higher. */
const MOST = 0.5;
const START = day('2024-01-10');
/** Payments of a day, all under hold for some days: as many as in a week of a busy line. */
const OF_A_DAY = 20;
const HOLD_DAYS = 5;

const LINES = {
  'that does not revolve': { isRevolving: false, holds: () => null },
  'whose payments hold credit': { isRevolving: true, holds: (today: LineState['day']) => addDays(today, HOLD_DAYS) },
  'whose first payment holds credit': {
    isRevolving: true,
    holds: (today: LineState['day']) => (today === START ? addDays(START, 10_000) : null),
  },
} as const;

test('a purchase, a payment and the credit of a line cost the same after many payments', async (t) => {
  const blocksOf = await countBlocks(t);
  for (const [name, { isRevolving, holds }] of Object.entries(LINES)) {
    const terms = line({ limit: '900000.00', settings: { isRevolving } });
    const state = computeLine(terms, [draw(1, { rate: '0' }), buy(2, '2024-01-10', '80000.00')], START);
    let count = 0;
    const positioned = <Fact extends LineFact>(fact: Fact): Fact => {
      count += 1;
      const today = addDays(START, Math.floor(count / OF_A_DAY));
      return { ...fact, effective: { day: today, seconds: 50_000 + count }, recordedDay: today, sequence: count + 10 };
    };
    const pay = (of: LineState): void => {
      const paid = positioned(payLine(count + 10, '2024-01-10', '12.00'));
      applyLineFact(of, { ...paid, transaction: paid.sequence, holdUntil: holds(paid.effective.day) });
    };
    const steps: Readonly<Record<string, () => void>> = {
      payment: () => pay(state),
      purchase: () => applyLineFact(state, { ...positioned(buy(count + 10, '2024-01-10', '12.00')), purchase: count }),
      credit: () => void creditOf(state),
      'credit of a draw': () => void availableCredit(state, 1),
      payoff: () => void linePayoffOf(cloneLine(state), state.day),
    };
    const costs = new Map<string, number[]>();
    const growTo = (size: number): void => {
      while (state.payments.length < size) pay(state);
    };
    growTo(YOUNG / 2);
    for (const run of Object.values(steps)) run();
    for (const size of [YOUNG, OLD]) {
      growTo(size);
      advanceLine(state, state.day);
      for (const [step, run] of Object.entries(steps)) costs.set(step, [...(costs.get(step) ?? []), await blocksOf(run)]);
    }
    for (const [step, [young = 0, old = 0]] of costs)
      t.ok(young > 0 && old < young * (1 + MOST), `a line ${name}, ${step}: ${young} blocks after ${YOUNG} payments, ${old} after ${OLD}`);
  }
});
