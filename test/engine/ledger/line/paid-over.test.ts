import { test } from 'tap';
import {
  computeLine,
  lineBalancesOf,
  lineAllocationOf,
  type LineFact,
  lineOverdueOf,
  type LineState,
  recordLine,
} from '../../../../engine/index.js';
import { at, day, money, text } from '../installment/loans.js';
import { amountsIn, buy, draw, DRAWN, line, payLine, splitsIn } from './lines.js';
import { isNothingLost } from './sums.js';

/*
 * Overpaid money pays later fees and purchases automatically.
 */

const terms = line();

const on = (sequence: number, date: string) => ({ effective: at(date, 60_000), recordedDay: day(date), sequence });

const fee = (sequence: number, date: string, amount: string): LineFact => ({
  ...on(sequence, date),
  type: 'feeCharged',
  fee: sequence,
  draw: null,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money(amount),
  chargeLogic: 'immediate',
});

/** The draw of 2,500.00 is paid off on the day after, with 100.00 more. */
const PAID = [...DRAWN, payLine(200, '2024-01-11', '2601.36')];

const through = (date: string, ...facts: readonly LineFact[]): LineState => computeLine(terms, [...PAID, ...facts], day(date));
const owedBack = ({ totals }: LineState): string => text(totals.reimbursementCents - totals.reimbursedCents);
const owed = (state: LineState): string => text(lineBalancesOf(state).outstanding.totalCents);

test('overpaid money of a line pays a fee, and less is owed to the borrower', async (t) => {
  const before = Number(owedBack(through('2024-01-12')));
  const { state, ...recorded } = recordLine(terms, [...PAID, fee(300, '2024-01-20', '20.00')], day('2024-03-15'));
  t.equal(owed(state), '0.00');
  t.equal(Number(owedBack(state)).toFixed(2), (before - 20).toFixed(2));
  t.match(lineOverdueOf(state), { isOverdue: false });
  t.match(state.payments[0], {
    feesCents: 2_000,
    splits: [
      { draw: 1, feesCents: 0 },
      { draw: null, feesCents: 2_000 },
    ],
  });
  const rows = lineAllocationOf(recorded, 200);
  t.equal(
    rows.reduce((sum, { amountCents }) => sum + amountCents, 0),
    260_136,
  );
  t.ok(rows.some(({ bucket, draw, amountCents }) => bucket === 'dueFees' && draw === null && amountCents === 2_000));
  t.ok(isNothingLost(state));
});

test('overpaid money pays a purchase first; the rest is owed', async (t) => {
  const before = Number(owedBack(through('2024-01-12')));
  const state = through('2024-01-20', buy(300, '2024-01-20', '150.00'));
  t.equal(owedBack(state), '0.00');
  t.equal(owed(state), (150 - before).toFixed(2));
});

test('money that is being refunded is not used', async (t) => {
  const back: LineFact = { ...on(250, '2024-01-15'), type: 'reimbursed', transaction: 250, amountCents: money('95.00') };
  const before = Number(owedBack(through('2024-01-12')));
  const state = through('2024-01-20', back, fee(300, '2024-01-20', '20.00'));
  t.equal(owed(state), (20 - (before - 95)).toFixed(2));
  t.equal(owedBack(state), '0.00');
});

test('a closed line whose fee is covered stays paid off', async (t) => {
  const closed: LineFact = { ...on(210, '2024-01-12'), type: 'lineClosed' };
  const state = through('2024-03-01', closed, fee(300, '2024-01-20', '20.00'));
  t.match(state, { status: 'paidOff', statusSince: day('2024-01-12') });
});

test('overpaid money pays interest of frozen days that accrues afterwards, and counts with its payment', async (t) => {
  const facts: readonly LineFact[] = [
    draw(1, { rate: '0.365' }),
    buy(100, '2024-01-10', '1000.00'),
    { ...on(110, '2024-01-20'), type: 'freeze' },
    payLine(200, '2024-01-25', '1110.00'),
    { ...on(210, '2024-01-30'), type: 'unfreeze', retroactivelyAccrueInterest: true, shiftDueDates: false },
  ];
  t.same(splitsIn(computeLine(terms, facts, day('2024-01-29'))), [
    '200: amount 1110.00, principal 1000.00, interest 10.00, over 100.00',
    '  1: principal 1000.00, interest 10.00',
  ]);
  // Five frozen days of 1.00 before it was paid.
  const { state, ...recorded } = recordLine(terms, facts, day('2024-01-30'));
  t.same(splitsIn(state), ['200: amount 1110.00, principal 1000.00, interest 15.00, over 95.00', '  1: principal 1000.00, interest 15.00']);
  t.equal(
    amountsIn(state.totals),
    'purchases 1000.00, interestAccrued 15.0000000000, payments 1110.00, paidPrincipal 1000.00, paidInterest 15.00, paidOver 95.00, ' +
      'reimbursement 95.00',
  );
  t.same(
    lineAllocationOf(recorded, 200).map(({ draw: of, bucket, amountCents }) => [of, bucket, text(amountCents)]),
    [
      [1, 'nonDueInterest', '10.00'],
      [1, 'nonDuePrincipal', '1000.00'],
      [1, 'nonDueInterest', '5.00'],
      [null, 'paidOver', '95.00'],
    ],
  );
});
