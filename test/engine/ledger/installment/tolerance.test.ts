import { test } from 'tap';
import {
  applyFact,
  balancesOf,
  cloneState,
  computeLedger,
  type LedgerFact,
  type LedgerSettings,
  type LedgerState,
  type LedgerTerms,
  obligationsOf,
  overdueOf,
  payoffOf,
  scheduleOf,
  stateDigest,
} from '../../../../engine/index.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { at, day, LATE_FEE, loan, money, pay, SETTINGS, SMALL_LOAN, text } from './loans.js';
import { areObligationsWhole, isNothingLost } from './sums.js';

/** Up to 0.50 of an obligation may stay unpaid. */
const terms = loan({ ...SMALL_LOAN, settings: { overdueToleranceCents: money('0.50'), lateFees: [LATE_FEE] } });

const order = (type: 'accelerate' | 'reverseAccelerate', date: string, sequence: number): LedgerFact => ({
  type,
  effective: at(date),
  sequence,
  recordedDay: day(date),
});

/** The row of 15 February is 109.76: 0.36 of it stay unpaid. */
const short = pay(1, '2024-02-15', '109.40');

const accelerate = order('accelerate', '2024-03-20', 2);

/** Amount and what remains of each obligation that has fallen due. */
const amounts = (state: LedgerState): readonly (readonly [string, string])[] =>
  obligationsOf(state)
    .filter(({ isOpen }) => !isOpen)
    .map(({ obligationCents, remainingCents }) => [text(obligationCents), text(remainingCents)]);

test('a rest within the tolerance is not overdue, and is paid last', async (t) => {
  const state = computeLedger(terms, [short], day('2024-03-14'));
  t.same(amounts(state), [['109.76', '0.36']]);
  t.same([overdueOf(state).isOverdue, text(overdueOf(state).overdueCents), state.fees.length], [false, '0.00', 0]);
  t.equal(text(balancesOf(state).overdue.principalCents), '0.36');
  const later = computeLedger(terms, [short, pay(3, '2024-03-15', '109.80')], day('2024-03-15'));
  t.same(amounts(later), [
    ['109.76', '0.32'],
    ['109.76', '0.00'],
  ]);
});

test('an acceleration includes the rest within the tolerance once', async (t) => {
  const facts = [short, pay(3, '2024-03-15', '109.30'), accelerate];
  const state = computeLedger(terms, facts, day('2024-04-30'));
  const { outstanding } = balancesOf(state);
  t.same(amounts(state).slice(0, 2), [
    ['109.40', '0.00'],
    ['109.30', '0.00'],
  ]);
  t.same(amounts(state)[2], [text(outstanding.totalCents), text(outstanding.totalCents)]);
  t.equal(
    text(outstanding.principalCents),
    '1012.51',
    '1,011.68 as in the contract, 0.82 that two rows lack, and a cent of interest on 0.36',
  );
  t.ok(areObligationsWhole(state) && isNothingLost(state));
  t.equal(overdueOf(state).daysOverdue, 41, 'since the acceleration: nothing was overdue before');
  const rows = scheduleOf(state).filter(({ status }) => status === 'completed');
  t.same(
    rows.map(({ amountCents, principalCents, interestCents }) => amountCents - principalCents - interestCents),
    [0, 0],
  );
});

test('it keeps the oldest due date outside the tolerance', async (t) => {
  const state = computeLedger(terms, [short, pay(3, '2024-03-15', '109.00'), accelerate], day('2024-03-20'));
  t.same(amounts(state).slice(0, 1), [['109.40', '0.00']]);
  t.equal(overdueOf(state).daysOverdue, 5);
  t.ok(areObligationsWhole(state));
});

test('paying the whole amount pays an accelerated loan off', async (t) => {
  const facts = [short, accelerate];
  const { payoffCents } = payoffOf(computeLedger(terms, facts, day('2024-03-20')), day('2024-03-25'));
  t.equal(computeLedger(terms, [...facts, pay(4, '2024-03-25', text(payoffCents - 1))], day('2024-03-25')).status, 'accelerated');
  t.equal(computeLedger(terms, [...facts, pay(4, '2024-03-25', text(payoffCents))], day('2024-03-25')).status, 'paidOff');
});

test('a reversed acceleration restores the rest within the tolerance', async (t) => {
  const facts = [short, accelerate, order('reverseAccelerate', '2024-03-22', 3)];
  const back = computeLedger(terms, facts, day('2024-03-22'));
  t.equal(stateDigest(back), stateDigest(computeLedger(terms, [short, order('reverseAccelerate', '2024-03-22', 3)], day('2024-03-22'))));
  t.same(amounts(back)[0], ['109.76', '0.36']);
});

test('a preview of an acceleration leaves the loan as it is', async (t) => {
  const state = computeLedger(terms, [short], day('2024-03-20'));
  const digest = stateDigest(state);
  applyFact(cloneState(state), accelerate);
  t.equal(stateDigest(state), digest);
  t.same(amounts(state)[0], ['109.76', '0.36']);
});

test('an accelerated loan within the tolerance is fulfilled, until its amount rises', async (t) => {
  const paid = pay(3, '2024-02-20', '999.00');
  const early = { ...accelerate, effective: at('2024-02-20'), recordedDay: day('2024-02-20'), sequence: 4 };
  const all = payoffOf(computeLedger(terms, [paid], day('2024-02-20')), day('2024-02-20')).payoffCents;
  const rest = pay(5, '2024-02-20', text(all - 40));
  const state = computeLedger(terms, [paid, { ...rest, sequence: 3 }, early], day('2024-03-20'));
  t.same(
    [state.status, amounts(state).at(-1)],
    ['accelerated', ['0.41', '0.41']],
    'a fraction of a cent that a pay-off forgoes is rounded here',
  );
  t.same([obligationsOf(state).at(-1)?.isFulfilled, overdueOf(state).isOverdue, state.fees.length], [true, false, 0]);
  t.ok(areObligationsWhole(state) && isNothingLost(state));
  const charge = (fee: number, amount: string): LedgerFact => ({
    type: 'feeCharged',
    effective: at('2024-03-21'),
    sequence: 5 + fee,
    recordedDay: day('2024-03-21'),
    fee,
    feeTypeId: 'FY-LETT-ERXX',
    kind: 'otherFee',
    chargeLogic: 'immediate',
    amountCents: money(amount),
  });
  applyFact(state, charge(1, '0.09'));
  t.same([amounts(state).at(-1), obligationsOf(state).at(-1)?.isFulfilled, state.firstOpenObligation], [['0.50', '0.50'], true, 2]);
  applyFact(state, charge(2, '0.01'));
  t.same([amounts(state).at(-1), state.firstOpenObligation], [['0.51', '0.51'], 1]);
  t.same(obligationsOf(state).at(-1)?.isFulfilled, false);
  t.ok(areObligationsWhole(state) && isNothingLost(state));
});

const PRINCIPAL_FIRST = [
  'overduePrincipal',
  'overdueInterest',
  'overdueFees',
  'duePrincipal',
  'dueInterest',
  'dueFees',
  'nonDuePrincipal',
  'nonDueInterest',
  'nonDueFees',
] as const;

const CAPITALIZED = { overdueToleranceCents: money('0.50'), capitalization: 'afterDueDate', creditWaterfall: PRINCIPAL_FIRST } as const;

/**
 * The money of March pays 0.36 of February's principal first, but its own obligation takes it: 0.60 are lacking there, and 0.96 of
 * interest are due.
 */
const crossed: readonly LedgerFact[] = [short, { ...pay(3, '2024-03-15', '109.16'), kind: 'credit' }];

test('capitalized interest lowers obligations within the tolerance, and no obligation lacks a negative amount', async (t) => {
  const state = computeLedger(loan({ ...SMALL_LOAN, settings: CAPITALIZED }), crossed, day('2024-03-16'));
  t.same(amounts(state), [
    ['109.76', '0.00'],
    ['109.76', '0.00'],
  ]);
  t.same(
    [balancesOf(state).due.interestCents, balancesOf(state).overdue.totalCents, text(state.totals.capitalizedInterestCents)],
    [0, 0, '0.96'],
  );
  t.ok(areObligationsWhole(state) && isNothingLost(state));
});

test('due balances of a fulfilled obligation become overdue', async (t) => {
  const state = computeLedger(terms, [short, pay(3, '2024-03-15', '109.76')], day('2024-03-16'));
  t.same(amounts(state), [
    ['109.76', '0.36'],
    ['109.76', '0.00'],
  ]);
  t.same([text(balancesOf(state).due.totalCents), text(balancesOf(state).overdue.totalCents)], ['0.00', '0.36']);
  t.ok(areObligationsWhole(state) && isNothingLost(state));
});

test('days under earlier rules keep their published figures', async (t) => {
  const under = (rules: number, settings: object = {}) =>
    loan({ ...SMALL_LOAN, settings: { overdueToleranceCents: money('0.50'), rules, ...settings } });
  const all = payoffOf(computeLedger(terms, [], day('2024-02-10')), day('2024-02-10')).payoffCents;
  const most = [pay(3, '2024-02-10', text(all - 40)), { ...accelerate, effective: at('2024-02-10'), sequence: 4 }];
  const isWholeMet = (rules: number): unknown => obligationsOf(computeLedger(under(rules), most, day('2024-02-10'))).at(-1)?.isFulfilled;
  t.same([isWholeMet(1), isWholeMet(2)], [false, true]);
  const capitalized = computeLedger(under(1, CAPITALIZED), crossed, day('2024-03-16'));
  t.same(amounts(capitalized), [
    ['109.76', '0.36'],
    ['109.76', '-0.36'],
  ]);
  const dueStays = computeLedger(under(1), [short, pay(3, '2024-03-15', '109.76')], day('2024-03-16'));
  t.same(text(balancesOf(dueStays).due.totalCents), '0.36');
  const adopted = loan({ ...SMALL_LOAN, settings: { overdueToleranceCents: money('0.50'), rules: 1 } });
  const [first] = adopted.settings;
  const later = {
    ...adopted,
    settings: [...adopted.settings, { from: day('2024-03-16'), value: { ...first?.value, rules: 2 } as LedgerSettings }],
  };
  t.same(
    text(balancesOf(computeLedger(later, [short, pay(3, '2024-03-15', '109.76')], day('2024-03-16'))).overdue.totalCents),
    '0.36',
    'adopted on that day',
  );
  t.throws(() => computeLedger(under(99), [short, accelerate], day('2024-03-20')), /by a later release/);
});

test('a higher tolerance fulfills obligations from its day on, and they stay fulfilled when it falls', async (t) => {
  const since = (date: string, tolerance: string): LedgerTerms['settings'][number] => ({
    from: day(date),
    value: { ...SETTINGS, overdueToleranceCents: money(tolerance), lateFees: [LATE_FEE] },
  });
  const base = loan(SMALL_LOAN);
  const changing = { ...base, settings: [since('2024-01-20', '0'), since('2024-02-20', '0.50'), since('2024-02-25', '0')] };
  const before = computeLedger(changing, [short], day('2024-02-19'));
  t.same([overdueOf(before).daysOverdue, text(overdueOf(before).overdueCents)], [4, '0.36']);
  for (const date of ['2024-02-20', '2024-03-14']) {
    const state = computeLedger(changing, [short], day(date));
    t.same(
      [overdueOf(state).isOverdue, obligationsOf(state)[0]?.isFulfilled, state.isOverdue, state.fees.length],
      [false, true, false, 0],
      date,
    );
  }
});

test('a frozen loan is current from the day on which a higher tolerance covers all overdue amounts', async (t) => {
  const since = (date: string, tolerance: string): LedgerTerms['settings'][number] => ({
    from: day(date),
    value: { ...SETTINGS, overdueToleranceCents: money(tolerance) },
  });
  const changing = { ...loan(SMALL_LOAN), settings: [since('2024-01-20', '0'), since('2024-02-20', '0.50')] };
  const freeze: LedgerFact = {
    ...short,
    type: 'freeze',
    effective: at('2024-02-18', 60_000),
    sequence: 90,
    recordedDay: day('2024-02-18'),
  };
  const isOverdueOn = (date: string): boolean => computeLedger(changing, [short, freeze], day(date)).isOverdue;
  t.same(['2024-02-19', '2024-02-20', '2024-02-21'].map(isOverdueOn), [true, false, false]);
});

test('with scheduled interest, too, obligations stay fulfilled when the tolerance falls', async (t) => {
  const since = (date: string, tolerance: string): LedgerTerms['settings'][number] => ({
    from: day(date),
    value: { ...SETTINGS, overdueToleranceCents: money(tolerance) },
  });
  const kept = { ...keptTerms(loan(SMALL_LOAN), PLAIN_KEEPING), settings: [since('2024-01-20', '0.50'), since('2024-02-20', '0')] };
  const due = obligationsOf(computeLedger(kept, [], day('2024-02-15')))[0]?.obligationCents ?? 0;
  const state = computeLedger(kept, [pay(1, '2024-02-15', text(due - 36)), pay(2, '2024-02-25', '0.05')], day('2024-03-01'));
  t.match(obligationsOf(state)[0], { remainingCents: 31, isFulfilled: true });
  t.equal(overdueOf(state).isOverdue, false);
});

test('a rest within the tolerance without late fees earns no late fee', async (t) => {
  const late = { ...LATE_FEE, triggerDays: 5 };
  const protectedLoan = loan({
    ...SMALL_LOAN,
    settings: { overdueToleranceCents: money('0.50'), lateFees: [late], lateFeePyramiding: 'blockOnFeeOnly' },
  });
  // February is paid a week late: 10.00 are charged. March brings 109.40, of which the fee that fell due with it takes 10.00.
  const facts = [pay(1, '2024-02-22', '109.76'), pay(2, '2024-03-15', '109.40')];
  const state = computeLedger(protectedLoan, facts, day('2024-03-25'));
  t.same(
    state.fees.map(({ obligation, amountCents }) => [obligation, text(amountCents)]),
    [[0, '10.00']],
  );
  t.equal(obligationsOf(state)[1]?.isLateFeeBlockedByPyramidingConfig, true);
});

test('nor do rests of several rows, each within the tolerance', async (t) => {
  const protectedLoan = loan({
    ...SMALL_LOAN,
    settings: { overdueToleranceCents: money('0.50'), lateFees: [{ ...LATE_FEE, triggerDays: 5 }], lateFeePyramiding: 'blockOnFeeOnly' },
  });
  // February is late and brings a fee of 10.00, which all that follows is short of; of March and May 0.45 are lacking as well.
  const facts = [
    pay(1, '2024-02-22', '109.76'),
    pay(2, '2024-03-15', '109.31'),
    pay(3, '2024-04-15', '109.76'),
    pay(4, '2024-05-15', '109.31'),
  ];
  t.same(
    computeLedger(protectedLoan, facts, day('2024-05-25')).fees.map(({ obligation }) => obligation),
    [0],
  );
});

test('so do fees of a fulfilled obligation that are still due', async (t) => {
  const feesAfter = [
    'overduePrincipal',
    'overdueInterest',
    'duePrincipal',
    'dueInterest',
    'overdueFees',
    'dueFees',
    'nonDuePrincipal',
    'nonDueInterest',
    'nonDueFees',
  ] as const;
  const withFee = loan({
    ...SMALL_LOAN,
    settings: { overdueToleranceCents: money('0.50'), paymentWaterfall: feesAfter },
    originationFee: { amountCents: money('60.00'), logic: 'spread' },
  });
  const row = obligationsOf(computeLedger(withFee, [], day('2024-02-15')))[0]?.obligationCents ?? 0;
  // Of February 0.36 of the fee are lacking, which the money of March pays: so much of the fee of March is left, and its obligation is met.
  const state = computeLedger(withFee, [pay(1, '2024-02-15', text(row - 36)), pay(3, '2024-03-15', text(row))], day('2024-03-16'));
  t.same(
    obligationsOf(state)
      .slice(0, 2)
      .map(({ remainingCents }) => remainingCents),
    [36, 0],
  );
  t.same([text(balancesOf(state).due.totalCents), text(balancesOf(state).overdue.totalCents)], ['0.00', '0.36']);
  t.ok(areObligationsWhole(state) && isNothingLost(state));
});

test('a rest within an earlier, higher tolerance keeps no later fulfilled obligation overdue', async (t) => {
  // The row of 15 March is only 0.40, which is within the tolerance of that day; from 20 March on there is no tolerance.
  const settings = [
    { from: terms.activation, value: { ...SETTINGS, overdueToleranceCents: money('0.50') } },
    { from: day('2024-03-20'), value: { ...SETTINGS, overdueToleranceCents: money('0.00') } },
  ];
  const rows = terms.rows.map((row, position) => (position === 1 ? { ...row, amountCents: money('0.40') } : row));
  const changed: LedgerTerms = { ...terms, rows, settings };
  const paid = [pay(1, '2024-04-20', '219.52')];
  const state = computeLedger(changed, paid, day('2024-04-20'));
  t.same(amounts(state), [
    ['109.76', '0.00'],
    ['0.40', '0.40'],
    ['109.76', '0.00'],
  ]);
  t.same(
    obligationsOf(state).map(({ isFulfilled }) => isFulfilled),
    [true, true, true, false],
  );
  t.match(overdueOf(state), { isOverdue: false, daysOverdue: 0 });
  const before = { ...changed, settings: settings.map(({ from, value }) => ({ from, value: { ...value, rules: 2 } })) };
  t.match(overdueOf(computeLedger(before, paid, day('2024-04-20'))), { isOverdue: true }, 'days under rules 2 stay as they were');
});
