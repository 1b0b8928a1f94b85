import fc from '../../../fast-check.js';
import { test } from 'tap';
import { addDays, availableCredit, computeLine, creditOf, type LineFact, type LineState, takenCents } from '../../../../engine/index.js';
import { PARAMETERS } from '../installment/histories.js';
import { day, money, text } from '../installment/loans.js';
import { allLines } from './histories.js';
import { buy, charge, draw, line, payLine } from './lines.js';

/*
 * A line of 1,000.00 without interest: 600.00 of the first draw, 50.00 of the second one, which has a limit of 200.00 of its own. 100.00
 * are paid on 12 January for the first draw, and are available as credit after the 20th.
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

test('credit that a payment frees on a revolving line is available once its hold has ended', async (t) => {
  t.equal(seen(on('2024-01-11'), null), '1000.00 650.00 0.00 0.00 350.00 0.00 650.00');
  for (const date of ['2024-01-12', '2024-01-20']) {
    t.equal(seen(on(date), null), '1000.00 550.00 100.00 0.00 350.00 0.00 650.00');
    t.equal(seen(on(date), 1), '1000.00 500.00 100.00 0.00 400.00 0.00 600.00');
    t.equal(seen(on(date), 2), '200.00 50.00 0.00 0.00 150.00 0.00 50.00');
  }
  t.equal(seen(on('2024-01-21'), null), '1000.00 550.00 0.00 0.00 450.00 0.00 550.00');
});

test('paid principal of a line that does not revolve frees no credit, with or without a hold', async (t) => {
  const later = payLine(201, '2024-01-14', '30.00', { draw: 2 });
  t.equal(seen(on('2024-01-15', false, [later]), null), '1000.00 520.00 0.00 130.00 350.00 0.00 650.00');
  t.equal(seen(on('2024-01-15', false, [later]), 2), '200.00 20.00 0.00 30.00 150.00 0.00 50.00');
  t.equal(seen(on('2024-01-21', false, [later]), null), '1000.00 520.00 0.00 130.00 350.00 0.00 650.00');
});

test("a purchase is limited by the line's credit, and by its draw's if that has a limit", async (t) => {
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

test('several holds end each on its own day, and money without a hold frees credit at once', async (t) => {
  const more = [
    payLine(201, '2024-01-13', '20.00', { draw: 1, holdUntil: day('2024-01-16') }),
    payLine(202, '2024-01-14', '30.00', { draw: 1 }),
    payLine(203, '2024-01-14', '5.00', { draw: 2, holdUntil: day('2024-01-18') }),
  ];
  const held = (date: string, of: number | null = null): string => text(creditOf(on(date, true, more), of).heldCents);
  t.same(
    ['2024-01-13', '2024-01-16', '2024-01-17', '2024-01-18', '2024-01-19', '2024-01-21'].map((date) => held(date)),
    [...['120.00', '125.00', '105.00', '105.00', '100.00', '0.00']],
  );
  t.same([held('2024-01-17', 1), held('2024-01-17', 2)], ['100.00', '5.00']);
  // The short hold ends before the long one.
  const turned = [payLine(199, '2024-01-11', '40.00', { draw: 1, holdUntil: day('2024-01-12') }), ...more];
  t.same(
    ['2024-01-12', '2024-01-13', '2024-01-16'].map((date) => text(creditOf(on(date, true, turned)).heldCents)),
    ['140.00', '120.00', '125.00'],
  );
});

test('a hold also covers paid interest and fees; only principal is spent on a line that does not revolve', async (t) => {
  // 1,000.00 at a thousandth a day: 10.00 from the 10th to the 20th. 117.00 pay them, a fee of 7.00 and 100.00 of principal.
  const facts = [
    draw(1, { rate: '0.365' }),
    buy(100, '2024-01-10', '1000.00'),
    charge(300, '2024-01-15', '7.00', { draw: 1 }),
    payLine(200, '2024-01-20', '117.00', { draw: 1, holdUntil: day('2024-01-25') }),
  ];
  const credit = (date: string, isRevolving: boolean): string =>
    seen(computeLine(line({ limit: '1000.00', settings: { isRevolving } }), facts, day(date)), 1);
  t.equal(credit('2024-01-20', true), '1000.00 900.00 117.00 0.00 0.00 0.00 1017.00');
  t.equal(credit('2024-01-20', false), '1000.00 900.00 17.00 100.00 0.00 0.00 1017.00');
  // Six days on 900.00.
  t.equal(credit('2024-01-26', true), '1000.00 905.40 0.00 0.00 94.60 0.00 905.40');
  t.equal(credit('2024-01-26', false), '1000.00 905.40 0.00 100.00 0.00 0.00 1005.40');
});

test('returned purchases were never spent, whichever balance they lowered', async (t) => {
  // All but 100.00 is given back of the first draw, and 150.00 more: of the second draw 50.00, and 50.00 are the borrower's.
  const back = buy(102, '2024-01-14', '600.00', 1, 'refund');
  const state = on('2024-01-14', false, [back]);
  t.equal(seen(state, null), '1000.00 0.00 0.00 100.00 900.00 0.00 100.00');
  t.equal(state.totals.reimbursementCents, 5_000);
});

/** What the payments of a line hold, and what they have spent, one by one. */
function unfreedOneByOne(state: LineState, isRevolving: boolean, of: number | null): string {
  let [heldCents, spentCents] = [0, 0];
  for (const { kind, holdUntil, splits } of state.payments) {
    const isHeld = holdUntil !== null && holdUntil >= state.day;
    const isSpent = !isRevolving && kind !== 'refund';
    for (const split of splits) {
      if (of !== null && split.draw !== of) continue;
      if (isSpent) spentCents += split.principalCents;
      else if (isHeld) heldCents += split.principalCents;
      if (isHeld) heldCents += split.interestCents + split.feesCents;
    }
  }
  return `${heldCents} ${spentCents}`;
}

test('the credit that payments have not freed is that of each of them, whatever changes their splits', async (t) => {
  let held = 0;
  fc.assert(
    fc.property(allLines, fc.boolean(), fc.integer({ min: 0, max: 200 }), ({ terms, facts, through }, isRevolving, holdDays) => {
      const settings = terms.settings.map(({ from, value }) => ({ from, value: { ...value, isRevolving } }));
      // Most payments hold their credit for some days, some of them for long.
      const withHolds = facts.map((fact) =>
        fact.type === 'payment' && fact.sequence % 3 !== 0
          ? { ...fact, holdUntil: addDays(fact.effective.day, fact.sequence % 2 === 0 ? holdDays : 2) }
          : fact,
      );
      for (const until of [through, addDays(through, 30)]) {
        const state = computeLine({ ...terms, settings }, withHolds, until);
        for (const of of [null, ...state.draws.map(({ draw: known }) => known)]) {
          const { heldCents, spentCents } = creditOf(state, of);
          if (heldCents > 0) held += 1;
          const oneByOne = unfreedOneByOne(state, isRevolving, of);
          if (`${heldCents} ${spentCents}` !== oneByOne) throw new Error(`${heldCents} ${spentCents} is not ${oneByOne}`);
        }
      }
    }),
    PARAMETERS,
  );
  t.ok(held > 20, `credit was held ${held} times`);
});
