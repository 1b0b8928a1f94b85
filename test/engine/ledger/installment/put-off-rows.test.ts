import { test } from 'tap';
import { computeLedger, formatDay, type LedgerFact } from '../../../../engine/index.js';
import { at, day, loan, money, pay, percent, text } from './loans.js';

/*
 * Rows of a loan without interest: 600.00 in six rows of 100.00, due on the 15th from February 2024 on. So every amount is a sum of those
 * hundreds, and a re-amortization divides what is left by the number of its level rows.
 */
const TERMS = loan({ principal: '600.00', rate: '0', activation: '2024-01-15', firstDue: '2024-02-15', rows: 6 });

const on = (date: string, sequence: number): Pick<LedgerFact, 'effective' | 'sequence' | 'recordedDay'> => ({
  effective: at(date),
  sequence,
  recordedDay: day(date),
});

const deferred = (date: string, dueDay: string, newDay: string, sequence = 10): LedgerFact => ({
  ...on(date, sequence),
  type: 'dueDateDeferred',
  dueDay: day(dueDay),
  newDay: day(newDay),
});

/** A change to the same rate, so that only the rows are computed again. */
const levelAgain = (date: string): LedgerFact => ({
  ...on(date, 90),
  type: 'ratesChanged',
  rates: { segments: [{ from: day('2020-01-01'), until: day('2050-01-01'), gross: percent('0'), net: percent('0') }] },
  reamortization: 'sameEndDate',
});

/** A payment of 300.00 that only lowers the balance. */
const LOWERED: LedgerFact = { ...pay(1, '2024-01-20', '300.00'), principalOnlyCents: money('300.00') };

/** All rows in force: the amount of each, whether it is forced, and whether it was deferred. */
const rowsAfter = (date: string, ...facts: readonly LedgerFact[]): readonly string[] =>
  computeLedger(TERMS, facts, day(date)).rows.map(
    (row) => `${formatDay(row.date)} ${text(row.amountCents)}${row.isForced ? ' kept' : ''}${row.isDeferred === true ? ' put off' : ''}`,
  );

test('a due date deferred to a date without a row becomes a level row there', async (t) => {
  const march = deferred('2024-01-20', '2024-03-15', '2024-04-01');
  t.same(rowsAfter('2024-01-20', march), [
    '2024-02-15 100.00',
    '2024-03-15 0.00 put off',
    '2024-04-01 100.00',
    '2024-04-15 100.00',
    '2024-05-15 100.00',
    '2024-06-15 100.00',
    '2024-07-15 100.00',
  ]);
  // 300.00 less: 300.00 over six rows.
  t.same(rowsAfter('2024-01-21', march, LOWERED, levelAgain('2024-01-21')), [
    '2024-02-15 50.00',
    '2024-03-15 0.00 put off',
    '2024-04-01 50.00',
    '2024-04-15 50.00',
    '2024-05-15 50.00',
    '2024-06-15 50.00',
    '2024-07-15 50.00',
  ]);
});

test('a due date deferred to another row raises that row, which keeps its amount', async (t) => {
  const march = deferred('2024-01-20', '2024-03-15', '2024-05-15');
  t.same(rowsAfter('2024-01-20', march), [
    '2024-02-15 100.00',
    '2024-03-15 0.00 put off',
    '2024-04-15 100.00',
    '2024-05-15 200.00 kept',
    '2024-06-15 100.00',
    '2024-07-15 100.00',
  ]);
  // 300.00 less: 300.00, of which May brings 200.00, over four rows.
  t.same(rowsAfter('2024-01-21', march, LOWERED, levelAgain('2024-01-21')), [
    '2024-02-15 25.00',
    '2024-03-15 0.00 put off',
    '2024-04-15 25.00',
    '2024-05-15 200.00 kept',
    '2024-06-15 25.00',
    '2024-07-15 25.00',
  ]);
});

test('the first and the last due date can be deferred, too, the last one after all others', async (t) => {
  const first = deferred('2024-01-20', '2024-02-15', '2024-03-15', 10);
  const last = deferred('2024-01-20', '2024-07-15', '2024-08-15', 11);
  t.same(rowsAfter('2024-01-20', first, last), [
    '2024-02-15 0.00 put off',
    '2024-03-15 200.00 kept',
    '2024-04-15 100.00',
    '2024-05-15 100.00',
    '2024-06-15 100.00',
    '2024-07-15 0.00 put off',
    '2024-08-15 100.00',
  ]);
});

test('a due date is deferred once, only to a later date, and not after it has fallen due or if it does not exist', async (t) => {
  const march = deferred('2024-01-20', '2024-03-15', '2024-04-01', 10);
  const once = rowsAfter('2024-01-20', march);
  t.same(rowsAfter('2024-01-20', march, deferred('2024-01-20', '2024-03-15', '2024-05-15', 11)), once, 'a second time');
  const plain = rowsAfter('2024-01-20');
  for (const [dueDay, newDay] of [
    ['2024-03-15', '2024-03-15'],
    ['2024-03-15', '2024-02-15'],
    ['2024-03-15', '2024-02-20'],
    ['2024-03-16', '2024-05-15'],
  ] as const)
    t.same(rowsAfter('2024-01-20', deferred('2024-01-20', dueDay, newDay)), plain, `${dueDay} to ${newDay}`);
  t.same(rowsAfter('2024-02-16', deferred('2024-02-16', '2024-02-15', '2024-03-15')), plain, 'fallen due');
});

test('rows are solved again down to the last row and the last cent, and not without principal', async (t) => {
  const paid = ['2024-02-15', '2024-03-15', '2024-04-15', '2024-05-15', '2024-06-15'].map((date, at) => pay(at + 1, date, '100.00'));
  const less: LedgerFact = { ...pay(6, '2024-06-20', '40.00'), principalOnlyCents: money('40.00') };
  t.same(rowsAfter('2024-06-21', ...paid, less, levelAgain('2024-06-21')).slice(-2), ['2024-06-15 100.00', '2024-07-15 60.00']);
  const toOneCent: LedgerFact = { ...pay(1, '2024-01-20', '599.99'), principalOnlyCents: money('599.99') };
  t.same(rowsAfter('2024-01-21', toOneCent, levelAgain('2024-01-21')).slice(0, 2), ['2024-02-15 0.01', '2024-03-15 0.01']);
  // 600.00 bear 0.60 a night. The credit meets principal alone, and 3.00 of interest are left.
  const bearing = loan({
    ...{ principal: '600.00', rate: '0.365', activation: '2024-01-15', firstDue: '2024-02-15', rows: 6 },
    settings: { creditWaterfall: ['nonDuePrincipal'] },
  });
  const state = computeLedger(
    bearing,
    [pay(1, '2024-01-20', '600.00', { kind: 'credit' }), { ...levelAgain('2024-01-20'), sequence: 2 }],
    day('2024-01-21'),
  );
  t.same([text(state.nonDuePrincipalCents), text(state.nonDueInterest.cents)], ['0.00', '3.00']);
  t.same(
    state.rows.map(({ amountCents }) => amountCents),
    bearing.rows.map(({ amountCents }) => amountCents),
  );
});

test('a schedule is changed to a single date, and down to the last cent', async (t) => {
  const changed = (date: string, ...dueDates: readonly string[]): LedgerFact => ({
    ...on(date, 95),
    type: 'scheduleChanged',
    dueDates: dueDates.map(day),
    payment: { type: 'level' },
  });
  t.same(rowsAfter('2024-01-21', changed('2024-01-21', '2024-02-20')), ['2024-02-15 100.00', '2024-02-20 500.00']);
  t.same(rowsAfter('2024-01-21', changed('2024-01-21')), rowsAfter('2024-01-21'), 'to none');
  const toOneCent: LedgerFact = { ...pay(1, '2024-01-20', '599.99'), principalOnlyCents: money('599.99') };
  t.same(
    rowsAfter('2024-01-21', toOneCent, changed('2024-01-21', '2024-02-01', '2024-02-10')),
    ['2024-02-01 0.01'],
    'the second row has no amount',
  );
});
