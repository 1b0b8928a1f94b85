import { test } from 'tap';
import {
  accruedOf,
  cents,
  computeLine,
  lineBalancesOf,
  lineDigest,
  type LineFact,
  linePayoffOf,
  type LineState,
} from '../../../../engine/index.js';
import { at, day, text } from '../installment/loans.js';
import { buy, draw, line, payLine, splitsIn } from './lines.js';

const order = (date: string, sequence: number): Pick<LineFact, 'effective' | 'sequence' | 'recordedDay'> => ({
  effective: at(date),
  sequence,
  recordedDay: day(date),
});

/** A line that was drawn on, frozen, closed and paid off on 2024-01-20. */
const FROZEN_AND_PAID: readonly LineFact[] = [
  draw(1),
  buy(100, '2024-01-10', '500.00'),
  { type: 'freeze', ...order('2024-01-10', 101) },
  { type: 'lineClosed', ...order('2024-01-20', 102) },
  payLine(103, '2024-01-20', '500.00'),
];

const after = (facts: readonly LineFact[], date: string): LineState =>
  computeLine(line({ terms: { accrualMethod: 'compound' } }), facts, day(date));

test('a frozen line that was paid off is frozen again if something is owed again', (t) => {
  t.equal(after(FROZEN_AND_PAID, '2024-02-01').status, 'paidOff');
  const charged: LineFact = {
    type: 'feeCharged',
    fee: 104,
    feeTypeId: 'byHand',
    kind: 'otherFee',
    chargeLogic: 'nextDueDate',
    amountCents: cents(100),
    draw: null,
    ...order('2024-02-01', 104),
  };
  t.equal(after([...FROZEN_AND_PAID, charged], '2024-02-02').status, 'frozen');
  const unfrozen: LineFact = { type: 'unfreeze', retroactivelyAccrueInterest: true, shiftDueDates: false, ...order('2024-02-01', 105) };
  const soon = after(
    [
      ...FROZEN_AND_PAID.slice(0, -1),
      payLine(103, '2024-01-20', '500.00'),
      { ...charged, ...order('2024-01-20', 104) },
      { ...unfrozen, ...order('2024-01-20', 105) },
    ],
    '2024-01-20',
  );
  const late = after([...FROZEN_AND_PAID, charged, unfrozen], '2024-02-01');
  t.ok(accruedOf(late.totals.interestAccrued) > 0n);
  t.equal(accruedOf(late.totals.interestAccrued), accruedOf(soon.totals.interestAccrued), 'the days on which it was paid off bear nothing');
  t.end();
});

test('principal that is owed again reopens a paid-off line', (t) => {
  const raised: LineFact = { type: 'principalRaised', draw: 1, amountCents: cents(2_000), ...order('2024-02-01', 104) };
  const paid: readonly LineFact[] = FROZEN_AND_PAID.filter(({ type }) => type !== 'freeze');
  t.equal(after([...paid, payLine(105, '2024-01-25', '20.00')], '2024-01-31').status, 'paidOff');
  t.equal(after([...paid, payLine(105, '2024-01-25', '20.00'), raised], '2024-02-01').status, 'active');
  t.end();
});

test('a payoff that is paid on its day leaves exactly nothing on an open line of several draws', (t) => {
  const facts: readonly LineFact[] = [
    draw(1),
    draw(2, {}, '2024-01-10'),
    buy(100, '2024-01-10', '777.77'),
    buy(101, '2024-01-10', '777.77', 2),
  ];
  for (const date of ['2024-01-15', '2024-01-23', '2024-02-05', '2024-02-20', '2024-03-07']) {
    const { payoffCents } = linePayoffOf(computeLine(line(), facts, day('2024-01-14')), day(date));
    const paid = { ...payLine(300, date, '0.00'), amountCents: payoffCents };
    const state = computeLine(line(), [...facts, paid], day(date));
    t.equal(lineBalancesOf(state).outstanding.totalCents, 0, date);
    t.ok(
      state.draws.every(({ balances }) => balances.nonDueInterest.cents === 0 && balances.nonDueInterest.parts === 0),
      date,
    );
    t.equal(state.status, 'active');
  }
  t.end();
});

test('the payoff of one draw is only its own balance', (t) => {
  const facts = [draw(1), draw(2), buy(100, '2024-01-10', '2500.00'), buy(101, '2024-01-10', '600.00', 2)];
  const state = computeLine(line(), facts, day('2024-01-10'));
  const seen = (draw: number | null): readonly string[] => {
    const { payoffCents, principalCents, interestCents, feesCents } = linePayoffOf(state, day('2024-01-20'), draw);
    return [payoffCents, principalCents, interestCents, feesCents].map(text);
  };
  // Ten days at 19.99% on 2,500.00 and on 600.00: 13.6917808219 and 3.2860273973.
  t.same(seen(1), ['2513.69', '2500.00', '13.69', '0.00']);
  t.same(seen(2), ['603.28', '600.00', '3.28', '0.00']);
  t.same(seen(null), ['3116.97', '3100.00', '16.97', '0.00']);
  t.end();
});

test('an accelerated, paid-off line is accelerated if something is owed again, and a reimbursement does not reopen it', async (t) => {
  const accelerated: LineFact = { type: 'accelerate', ...order('2024-01-12', 101) };
  const closed: LineFact = { type: 'lineClosed', ...order('2024-01-12', 102) };
  const paid: readonly LineFact[] = [
    draw(1, { rate: '0' }),
    buy(100, '2024-01-10', '500.00'),
    accelerated,
    closed,
    payLine(103, '2024-01-20', '510.00'),
  ];
  t.match(after(paid, '2024-02-01'), { status: 'paidOff', statusSince: day('2024-01-20') });
  const back = (amountCents: number): LineFact => ({
    type: 'reimbursed',
    transaction: 104,
    amountCents: cents(amountCents),
    ...order('2024-02-01', 104),
  });
  t.match(after([...paid, back(1_000)], '2024-02-01'), { status: 'paidOff', statusSince: day('2024-01-20') });
  // A cent more than was paid over is owed again.
  t.match(after([...paid, back(1_001)], '2024-02-01'), { status: 'accelerated', statusSince: day('2024-02-01') });
});

test('the named draw is paid first, and the rest goes to the others, also accelerated and charged off', async (t) => {
  const facts = [draw(1, { rate: '0' }), draw(2, { rate: '0' }), buy(100, '2024-01-10', '1000.00'), buy(101, '2024-01-10', '500.00', 2)];
  for (const collapsed of [
    { type: 'accelerate', ...order('2024-01-15', 110) },
    { type: 'chargeOff', reason: 'term', ...order('2024-01-15', 110) },
  ] satisfies readonly LineFact[]) {
    const paid = after([...facts, collapsed, payLine(200, '2024-01-20', '620.00', { draw: 2 })], '2024-01-20');
    t.same(splitsIn(paid), ['200: amount 620.00, principal 620.00', '  2: principal 500.00', '  1: principal 120.00'], collapsed.type);
    const some = after([...facts, collapsed, payLine(200, '2024-01-20', '60.00', { draw: 2 })], '2024-01-20');
    t.same(splitsIn(some), ['200: amount 60.00, principal 60.00', '  2: principal 60.00'], collapsed.type);
    const cent = after([...facts, collapsed, payLine(200, '2024-01-20', '500.01', { draw: 2 })], '2024-01-20');
    t.same(splitsIn(cent).slice(1), ['  2: principal 500.00', '  1: principal 0.01'], collapsed.type);
  }
});

test('a named draw without a balance takes no money', async (t) => {
  const facts = [draw(1, { rate: '0' }), draw(2, { rate: '0' }), buy(100, '2024-01-10', '1000.00')];
  const paid = after([...facts, payLine(200, '2024-01-20', '60.00', { draw: 2 })], '2024-01-20');
  t.same(splitsIn(paid), ['200: amount 60.00, principal 60.00', '  1: principal 60.00']);
});

test('an order that does not fit the status of a line does nothing', async (t) => {
  const begun: readonly LineFact[] = [draw(1), buy(100, '2024-01-10', '500.00')];
  const accelerated: LineFact = { type: 'accelerate', ...order('2024-01-12', 101) };
  const off: LineFact = { type: 'chargeOff', reason: 'term', ...order('2024-01-12', 101) };
  const frozen: LineFact = { type: 'freeze', ...order('2024-01-12', 101) };
  const ended: LineFact = { type: 'cancel', ...order('2024-01-12', 101) };
  const later: readonly LineFact[] = [
    { type: 'freeze', ...order('2024-01-15', 110) },
    { type: 'unfreeze', retroactivelyAccrueInterest: true, shiftDueDates: true, ...order('2024-01-15', 110) },
    { type: 'accelerate', ...order('2024-01-15', 110) },
    { type: 'balancesDeferred', ...order('2024-01-15', 110) },
    { type: 'chargeOff', reason: 'legal', ...order('2024-01-15', 110) },
    { type: 'cancel', ...order('2024-01-15', 110) },
  ];
  const moving = (first: LineFact | null): readonly string[] =>
    later.flatMap((fact) => {
      const facts = first === null ? begun : [...begun, first];
      const [before, now] = [facts, [...facts, fact]].map((of) => after(of, '2024-01-15'));
      return lineDigest(before ?? after([], '2024-01-15')) === lineDigest(now ?? after([], '2024-01-15'))
        ? []
        : [`${fact.type} ${now?.status}`];
    });
  t.same(moving(null), ['freeze frozen', 'accelerate accelerated', 'chargeOff chargedOff', 'cancel canceled']);
  t.same(moving(frozen), ['unfreeze active', 'chargeOff chargedOff', 'cancel canceled']);
  t.same(moving(accelerated), ['chargeOff chargedOff', 'cancel canceled']);
  t.same(moving(off), ['cancel canceled']);
  t.same(moving(ended), []);
});
