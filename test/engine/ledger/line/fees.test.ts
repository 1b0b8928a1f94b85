import { test } from 'tap';
import {
  computeLine,
  type LineFact,
  lineBalancesOf,
  lineObligationsOf,
  lineOverdueOf,
  type LineState,
  recordLine,
} from '../../../../engine/index.js';
import { day, money, text } from '../installment/loans.js';
import { buy, draw, DRAWN, line, payLine, statementOn } from './lines.js';

const TERMS = line({ schedule: statementOn(9) });
const factPosition = (sequence: number, date: string) => ({
  sequence,
  effective: { day: day(date), seconds: 50_000 },
  recordedDay: day(date),
});

interface FeeShape {
  readonly draw?: number | null;
  readonly chargeLogic?: 'immediate' | 'nextDueDate' | 'lastDueDate';
  readonly isWaivedDuringScra?: true;
}

const fee = (sequence: number, date: string, shape: FeeShape = {}): LineFact => ({
  ...factPosition(sequence, date),
  type: 'feeCharged',
  fee: sequence,
  feeTypeId: 'byHand',
  kind: 'otherFee',
  amountCents: money('12.00'),
  chargeLogic: 'immediate',
  draw: null,
  ...shape,
});
const waived = (sequence: number, date: string, of: number): LineFact => ({
  ...factPosition(sequence, date),
  type: 'feeCanceled',
  fee: { type: 'charged', fee: of },
});
const compute = (facts: readonly LineFact[], date: string): LineState => computeLine(TERMS, [...DRAWN, ...facts], day(date));
const owedFees = (state: LineState): string => text(lineBalancesOf(state).outstanding.feesCents);

test('a manual fee of the line or of a draw is due on its day', async (t) => {
  const state = compute([fee(300, '2024-01-20'), fee(301, '2024-01-20', { draw: 1 })], '2024-01-20');
  t.equal(text(lineBalancesOf(state).due.feesCents), '24.00');
  t.equal(text(lineBalancesOf(state, 1).due.feesCents), '12.00');
  t.same(
    [...state.fees.slice(-1), ...(state.draws[0]?.fees.slice(-1) ?? [])].map(
      ({ fee: name, draw: of, dueStatus, dueDay, openCents, chargeDay }) => [name, of, dueStatus, dueDay, openCents, chargeDay],
    ),
    [
      [300, null, 'due', day('2024-01-20'), 1_200, day('2024-01-20')],
      [301, 1, 'due', day('2024-01-20'), 1_200, day('2024-01-20')],
    ],
  );
  t.same([text(state.totals.feesChargedCents), text(state.draws[0]?.totals.feesChargedCents ?? 0)], ['24.00', '12.00']);
});

test('a fee for the next due date is not due before its statement, and part of the minimum payment then', async (t) => {
  const charged = fee(300, '2024-01-20', { chargeLogic: 'nextDueDate' });
  const before = compute([charged], '2024-02-08');
  t.same([text(lineBalancesOf(before).due.feesCents), owedFees(before)], ['0.00', '12.00']);
  t.equal(before.fees.at(-1)?.dueDay, null);
  const asked = (facts: readonly LineFact[]): number => lineObligationsOf(compute(facts, '2024-02-09'))[0]?.obligationCents ?? 0;
  t.equal(text(asked([charged]) - asked([])), '12.00');
  t.match(compute([charged], '2024-02-09').fees.at(-1), { dueStatus: 'due', carriedBy: 0, dueDay: day('2024-02-29') });
});

test('a fee for the last due date waits until its draw is due as a whole; the line itself has no other due amounts', async (t) => {
  const asked = (of: number | null, terms = TERMS, facts = DRAWN): string => {
    const charged = fee(300, '2024-01-20', { chargeLogic: 'lastDueDate', draw: of });
    return text(lineObligationsOf(computeLine(terms, [...facts, charged], day('2024-02-09')))[0]?.obligationCents ?? 0);
  };
  t.equal(asked(1), '66.07');
  t.equal(asked(null), '78.07');
  // 20.00 and 0.32 of interest are less than the floor of 25.00: all that is left.
  t.equal(asked(1, TERMS, [draw(1), buy(100, '2024-01-10', '20.00')]), '32.32');
});

test('a waived fee stays in the list without effect: nothing of it is owed, counted or due', async (t) => {
  for (const of of [null, 1]) {
    const state = compute([fee(300, '2024-01-20', { draw: of }), waived(301, '2024-01-25', 300)], '2024-01-25');
    const fees = of === null ? state.fees : (state.draws[0]?.fees ?? []);
    t.match(fees.at(-1), { fee: 300, isCanceled: true, openCents: 0, amountCents: 1_200, draw: of, origin: 'charged' });
    t.same([owedFees(state), text(state.totals.feesChargedCents)], ['0.00', '0.00']);
    t.equal(fees.filter(({ fee: name }) => name === 300).length, 1);
  }
});

test('money that had paid a waived fee pays other amounts', async (t) => {
  const paid = payLine(200, '2024-01-22', '112.00');
  const seen = (facts: readonly LineFact[]): readonly string[] => {
    const { payments } = compute(facts, '2024-01-25');
    return [text(payments[0]?.feesCents ?? -1), text((payments[0]?.principalCents ?? -1) + (payments[0]?.interestCents ?? -1))];
  };
  t.same(seen([fee(300, '2024-01-20'), paid]), ['12.00', '100.00']);
  t.same(seen([fee(300, '2024-01-20'), paid, waived(301, '2024-01-25', 300)]), ['0.00', '112.00']);
});

test('a fee whose type is waived during military service is waived on those days, and other fees are not', async (t) => {
  const served: LineFact = {
    ...factPosition(302, '2024-03-01'),
    type: 'scraDaysSet',
    spans: [{ from: day('2024-01-20'), until: day('2024-01-25') }],
  };
  const owed = (date: string, shape: FeeShape): string => owedFees(compute([fee(300, date, shape), served], '2024-03-01'));
  t.equal(owed('2024-01-19', { isWaivedDuringScra: true }), '12.00', 'the day before');
  t.equal(owed('2024-01-20', { isWaivedDuringScra: true }), '0.00', 'the first day');
  t.equal(owed('2024-01-24', { isWaivedDuringScra: true }), '0.00', 'the last day');
  t.equal(owed('2024-01-25', { isWaivedDuringScra: true }), '12.00', 'the day after');
  t.equal(owed('2024-01-22', {}), '12.00', 'a fee of another type');
});

test('a fee reopens a paid-off line, and a waived fee does not', async (t) => {
  const closed: LineFact = { ...factPosition(299, '2024-01-11'), type: 'lineClosed' };
  const facts = [draw(1), closed, fee(300, '2024-01-20')];
  const status = (more: readonly LineFact[], date: string): string => computeLine(TERMS, [...facts, ...more], day(date)).status;
  t.equal(computeLine(TERMS, [draw(1), closed], day('2024-01-19')).status, 'paidOff');
  t.equal(status([], '2024-01-20'), 'active');
  t.equal(status([waived(301, '2024-01-25', 300)], '2024-01-25'), 'paidOff');
});

test('a fee for an unknown draw, or on a canceled line, has no effect', async (t) => {
  const without = compute([], '2024-01-20');
  t.equal(owedFees(compute([fee(300, '2024-01-20', { draw: 7 })], '2024-01-20')), owedFees(without));
  const canceled: LineFact = { ...factPosition(299, '2024-01-19'), type: 'cancel' };
  const state = compute([canceled, fee(300, '2024-01-20')], '2024-01-20');
  t.same([state.status, state.fees.filter(({ fee: name }) => name === 300).length, owedFees(state)], ['canceled', 0, '0.00']);
});

test('a fee on an accelerated line joins the single obligation, and on a charged-off line the charged-off balance', async (t) => {
  const accelerated: LineFact = { ...factPosition(298, '2024-02-01'), type: 'accelerate' };
  const chargedOff: LineFact = { ...factPosition(299, '2024-02-02'), type: 'chargeOff', reason: 'term' };
  const asked = (facts: readonly LineFact[]): number =>
    lineObligationsOf(compute(facts, '2024-02-05')).reduce((sum, { remainingCents }) => sum + remainingCents, 0);
  const late = fee(300, '2024-02-05', { chargeLogic: 'nextDueDate' });
  t.equal(text(asked([accelerated, late]) - asked([accelerated])), '12.00', 'whatever its charge logic says');
  const off = compute([accelerated, chargedOff, late], '2024-02-05');
  t.same([text(lineBalancesOf(off).chargedOff.feesCents), owedFees(off)], ['12.00', '0.00']);
});

test('an unpaid line is overdue from the day after its due date, and each further day overdue is emitted', async (t) => {
  const { ledgerEvents } = recordLine(TERMS, [...DRAWN, payLine(200, '2024-03-04', '66.07')], day('2024-03-05'));
  const emitted = ledgerEvents.flatMap((event) =>
    event.type === 'overdue' || event.type === 'overdueUpdate'
      ? [[event.type, event.day, event.daysOverdue, text(event.overdueCents)]]
      : event.type === 'current'
        ? [[event.type, event.day]]
        : [],
  );
  // The statement of 9 February asks for 66.07 by 29 February.
  t.same(emitted, [
    ['current', day('2024-01-10')],
    ['overdue', day('2024-03-01'), 1, '66.07'],
    ['overdueUpdate', day('2024-03-02'), 2, '66.07'],
    ['overdueUpdate', day('2024-03-03'), 3, '66.07'],
    ['overdueUpdate', day('2024-03-04'), 4, '66.07'],
    ['current', day('2024-03-04')],
  ]);
});

test('whether a line is overdue is known without a watcher', async (t) => {
  const seen = (facts: readonly LineFact[], date: string): readonly (boolean | number)[] => {
    const state = compute(facts, date);
    return [state.isOverdue, lineOverdueOf(state).daysOverdue];
  };
  t.same(seen([], '2024-02-29'), [false, 0]);
  t.same(seen([], '2024-03-01'), [true, 1]);
  t.same(seen([], '2024-03-20'), [true, 20]);
  t.same(seen([payLine(200, '2024-02-29', '66.07')], '2024-03-20'), [false, 0]);
  t.same(seen([payLine(200, '2024-03-05', '66.07')], '2024-03-05'), [false, 0]);
});

test('a minimum payment includes fees and interest if the product says so, and they are paid first', async (t) => {
  const asked = (settings: { readonly areFeesInMinimum?: boolean; readonly isInterestInMinimum?: boolean }): readonly string[] => {
    const facts = [draw(1, { rate: '0.365' }), buy(100, '2024-01-10', '2000.00'), fee(300, '2024-01-20', { draw: 1 })];
    const [part] = computeLine(line({ schedule: statementOn(9), settings }), facts, day('2024-02-09')).obligations[0]?.draws ?? [];
    return [part?.amountCents ?? 0, part?.interestCents ?? 0, part?.feesCents ?? 0].map(text);
  };
  // 1% of 2,000.00, 60.00 of interest, 12.00 of fees; at least 25.00.
  t.same(asked({}), ['92.00', '60.00', '12.00']);
  t.same(asked({ areFeesInMinimum: false }), ['80.00', '60.00', '12.00']);
  t.same(asked({ isInterestInMinimum: false }), ['32.00', '20.00', '12.00']);
  t.same(asked({ areFeesInMinimum: false, isInterestInMinimum: false }), ['25.00', '13.00', '12.00']);
});
