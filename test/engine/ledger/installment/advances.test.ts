import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  type AdvancePaidOut,
  applyFact,
  balancesOf,
  cents,
  cloneState,
  computeLedger,
  type Day,
  differences,
  type LedgerFact,
  obligationsOf,
  scheduleOf,
  stateDigest,
} from '../../../../engine/index.js';
import { allHistories, type History, moneyHistories, PARAMETERS } from './histories.js';
import { SEED } from '../../../seed.js';
import { at, day, loan, money, pay, SMALL_LOAN, text } from './loans.js';

const terms = loan(SMALL_LOAN);

function advance(date: string, amount: string, shape: Partial<AdvancePaidOut> = {}): AdvancePaidOut {
  return {
    type: 'advance',
    advance: 900,
    amountCents: money(amount),
    reamortization: 'sameEndDate',
    effective: at(date),
    sequence: 900,
    recordedDay: day(date),
    ...shape,
  };
}

test('an advance raises principal from its time and re-amortizes the coming rows over the same end date', (t) => {
  const paid = pay(1, '2024-02-15', '109.76');
  const ledger = computeLedger(terms, [paid, advance('2024-02-15', '600.00', { effective: at('2024-02-15', 60_000) })], day('2024-02-15'));
  t.equal(text(balancesOf(ledger).outstanding.principalCents), '1705.63');
  const rows = scheduleOf(ledger);
  t.equal(rows.length, 12);
  t.equal(rows.at(-1)?.date, day('2025-01-15'));
  t.equal(text(rows[0]?.amountCents ?? 0), '109.76');
  const levels = new Set(rows.slice(1, -1).map((row) => row.amountCents));
  t.equal(levels.size, 1, 'one new level');
  t.ok(
    [...levels].every((level) => level > 16_900 && level < 17_100),
    [...levels].join(),
  );
  t.equal(
    rows.slice(1).reduce((sum, row) => sum + row.principalCents, 0),
    170_563,
  );
  t.end();
});

test('an advance that the schedule includes already keeps the amounts', (t) => {
  const ledger = computeLedger(terms, [advance('2024-02-20', '200.00', { reamortization: 'keepAmounts' })], day('2024-02-20'));
  const rows = scheduleOf(ledger).filter((row) => row.date > day('2024-02-20'));
  t.same([...new Set(rows.slice(0, -1).map((row) => row.amountCents))], [10_976]);
  t.ok((rows.at(-1)?.amountCents ?? 0) > 20_000, 'the last row takes the rest');
  t.end();
});

test('interest accrues on an advance from its day', (t) => {
  const without = computeLedger(terms, [], day('2024-02-10'));
  const ledger = computeLedger(terms, [advance('2024-01-31', '365.00')], day('2024-02-10'));
  const more = balancesOf(ledger).nonDue.interestCents - balancesOf(without).nonDue.interestCents;
  t.equal(text(more), '1.80', '10 days of 0.18 a day');
  t.end();
});

test('an advance reopens a paid-off loan', (t) => {
  const ledger = computeLedger(terms, [pay(1, '2024-01-25', '1300.00'), advance('2024-02-01', '500.00')], day('2024-02-01'));
  t.equal(ledger.status, 'active');
  t.equal(scheduleOf(ledger).length, 12);
  t.end();
});

test('an advance to a loan that a retroactive adjustment has accelerated is due at once', (t) => {
  const accelerated = { type: 'accelerate', effective: at('2024-02-01'), sequence: 1, recordedDay: day('2024-02-01') } as const;
  const ledger = computeLedger(
    terms,
    [accelerated, advance('2024-02-10', '500.00', { recordedDay: day('2024-03-10') })],
    day('2024-02-10'),
  );
  const { overdue, nonDue } = balancesOf(ledger);
  t.equal(text(overdue.principalCents), '1700.00');
  t.equal(nonDue.totalCents, 0);
  t.same([ledger.rows === terms.rows, ledger.unknownRates], [true, null], 'its rows ask for nothing any more');
  t.end();
});

test('an obligation that fell due before an advance was recorded does not rise by it', (t) => {
  const late = advance('2024-02-01', '600.00', { recordedDay: day('2024-03-20') });
  const ledger = computeLedger(terms, [late], day('2024-03-20'));
  t.same(
    ledger.obligations.map((obligation) => text(obligation.amountCents)),
    ['109.76', '109.76'],
  );
  t.equal(scheduleOf(ledger).at(-1)?.date, day('2025-01-15'));
  const last = computeLedger(
    loan({ ...SMALL_LOAN, rows: 1 }),
    [advance('2024-02-01', '600.00', { recordedDay: day('2024-03-20') })],
    day('2024-03-20'),
  );
  t.equal(text(obligationsOf(last)[0]?.obligationCents ?? 0), '1215.39', 'not even the last one, which takes the rest of the loan');
  t.equal(text(balancesOf(last).nonDue.principalCents), '604.14', 'the split changes');
  t.end();
});

test('nor does one near the previous end of the loan, with capitalized interest', (t) => {
  const fortnightly = loan({
    principal: '50.00',
    rate: '0.01',
    activation: '2024-01-15',
    firstDue: '2024-01-29',
    rows: 7,
    rule: { type: 'everyTwoWeeks', weekday: 1, cycleStart: null },
    settings: { isAccruingOnOverdue: false, capitalization: 'afterDueDate' },
  });
  const paid = pay(1, '2024-01-24', '14.32', { seconds: 7_200 });
  const late = advance('2024-02-19', '321.00', { effective: at('2024-02-19', 40_000), recordedDay: day('2024-04-08') });
  const asked = (facts: readonly LedgerFact[]): readonly string[] =>
    computeLedger(fortnightly, facts, day('2024-04-08')).obligations.map(({ baseCents }) => text(baseCents));
  t.equal(asked([paid]).at(-1), '7.15', 'the rest of the loan');
  t.same(asked([paid, late]), asked([paid]));
  t.end();
});

function law(name: string, holds: (history: History) => boolean, histories = allHistories): void {
  test(name, async (t) => {
    t.comment(`seed ${SEED}`);
    fc.assert(fc.property(histories, holds), PARAMETERS);
    t.pass('holds');
  });
}

const within = ({ terms: { activation }, through }: History): Day => Math.floor((activation + through) / 2) as Day;

const newAdvance = (on: Day, recordedDay: Day): AdvancePaidOut =>
  advance('2024-02-01', '321.00', { advance: 999, effective: { day: on, seconds: 40_000 }, sequence: 999, recordedDay });

law('an advance that is taken back leaves no trace', (history) => {
  const made = newAdvance(within(history), history.through);
  const canceled = { ...made, type: 'advanceCanceled', sequence: 1000 } as const;
  const without = computeLedger(history.terms, history.facts, history.through);
  const taken = computeLedger(history.terms, [...history.facts, made, canceled], history.through);
  return stateDigest(without) === stateDigest(taken) && differences(without, taken).length === 0;
});

law(
  'an advance recorded late, with no due date between, equals one recorded in time',
  (history) => {
    const on = within(history);
    const known = computeLedger(history.terms, history.facts, on);
    const next = known.rows[known.nextRow]?.date ?? history.through;
    const recorded = Math.max(on, Math.min(next - 1, history.through)) as Day;
    const late = computeLedger(history.terms, [...history.facts, newAdvance(on, recorded)], history.through);
    const inTime = computeLedger(history.terms, [...history.facts, newAdvance(on, on)], history.through);
    const isOpen = known.status === 'active' && known.nextRow < known.rows.length;
    return !isOpen || stateDigest(late) === stateDigest(inTime);
  },
  moneyHistories,
);

law(
  'no obligation of a due date that had passed rises by an advance',
  (history) => {
    const before = computeLedger(history.terms, history.facts, history.through);
    const after = computeLedger(history.terms, [...history.facts, newAdvance(within(history), history.through)], history.through);
    const asked = new Map(before.obligations.map((obligation) => [obligation.ordinal, obligation.baseCents]));
    const isSameLife = before.status !== 'paidOff' && before.acceleratedSince === null && after.acceleratedSince === null;
    return !isSameLife || after.obligations.every(({ ordinal, baseCents }) => baseCents <= (asked.get(ordinal) ?? 0));
  },
  moneyHistories,
);

law(
  'the preview of an advance on a copy is what booking gives',
  (history) => {
    const state = computeLedger(history.terms, history.facts, history.through);
    const made: AdvancePaidOut = {
      ...newAdvance(history.through, history.through),
      amountCents: cents(77_700),
      effective: { day: history.through, seconds: 86_399 },
    };
    const preview = cloneState(state);
    applyFact(preview, made);
    return stateDigest(preview) === stateDigest(computeLedger(history.terms, [...history.facts, made], history.through));
  },
  moneyHistories,
);
