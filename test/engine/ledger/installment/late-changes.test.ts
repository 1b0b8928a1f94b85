import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  type AdvancePaidOut,
  cents,
  computeLedger,
  type Day,
  type LedgerFact,
  type LedgerState,
  type RatesChanged,
  rateTimeline,
  type ScheduleChanged,
  scheduleOf,
} from '../../../../engine/index.js';
import { PARAMETERS, termsHistories } from './histories.js';
import { SEED } from '../../../seed.js';
import { at, day, loan, money, pay, percent, SMALL_LOAN, text } from './loans.js';

const terms = loan(SMALL_LOAN);

/** Rates in force from their days on, recorded on one day. */
function rates(sequence: number, from: string, recorded: string, bands: readonly (readonly [string, string])[]): RatesChanged {
  const interest = bands.map(([start, rate], position) => {
    const next = bands[position + 1];
    return { type: 'absolute' as const, from: day(start), until: next === undefined ? null : day(next[0]), rate: percent(rate) };
  });
  return {
    type: 'ratesChanged',
    rates: rateTimeline({ interest }),
    reamortization: 'sameEndDate',
    effective: at(from, 7_200),
    sequence,
    recordedDay: day(recorded),
  };
}

const askedOn = ({ obligations, replaced }: LedgerState): ReadonlyMap<Day, number> =>
  new Map([...replaced, ...obligations].map(({ dueDay, baseCents }) => [dueDay, baseCents]));

const asked = (facts: readonly LedgerFact[], through: string): readonly string[] =>
  [...askedOn(computeLedger(terms, facts, day(through))).values()].map(text);

test('an increase by a rate in time stays when another rate is recorded late', async (t) => {
  const inTime = rates(1, '2024-02-01', '2024-02-01', [
    ['2024-01-20', '0.18'],
    ['2024-02-01', '0.30'],
  ]);
  const late = rates(2, '2024-01-25', '2024-04-20', [
    ['2024-01-20', '0.18'],
    ['2024-01-25', '0.20'],
    ['2024-02-01', '0.30'],
  ]);
  const before = asked([inTime], '2024-04-20');
  t.ok(Number(before[0]) > 110);
  t.same(asked([inTime, late], '2024-04-20'), before);
});

test('a rate recorded late does not raise a schedule that was changed in time', async (t) => {
  const change: ScheduleChanged = {
    type: 'scheduleChanged',
    dueDates: [day('2024-03-01'), day('2024-04-01'), day('2024-05-01'), day('2024-06-01')],
    payment: { type: 'level' },
    effective: at('2024-02-20'),
    sequence: 1,
    recordedDay: day('2024-02-20'),
  };
  const late = rates(2, '2024-01-25', '2024-04-10', [
    ['2024-01-20', '0.18'],
    ['2024-01-25', '0.36'],
  ]);
  const before = asked([change], '2024-05-02');
  const after = asked([change, late], '2024-05-02');
  t.same(after.slice(0, 3), before.slice(0, 3));
  t.ok(Number(after[3]) > Number(before[3]), 'the due date to come rises');
});

test('an advance recorded late does not raise an interest-only due date', async (t) => {
  const change: ScheduleChanged = {
    type: 'scheduleChanged',
    dueDates: [day('2024-03-01'), day('2024-04-01'), day('2024-05-01')],
    payment: { type: 'level' },
    rowTerms: [{ type: 'interestOnly' }],
    effective: at('2024-02-16'),
    sequence: 1,
    recordedDay: day('2024-02-16'),
  };
  const advance: AdvancePaidOut = {
    type: 'advance',
    advance: 2,
    amountCents: cents(50_000),
    reamortization: 'keepAmounts',
    effective: at('2024-02-20'),
    sequence: 2,
    recordedDay: day('2024-03-05'),
  };
  t.same(asked([change, advance], '2024-03-05'), asked([change], '2024-03-05'));
});

test('the level of a loan with a cap on its interest uses the exact rest of the cap', async (t) => {
  const capped = loan({ ...SMALL_LOAN, rate: '0.25', interestCap: '30.00' });
  const advance: AdvancePaidOut = {
    type: 'advance',
    advance: 1,
    amountCents: cents(116_132),
    reamortization: 'sameEndDate',
    effective: at('2024-01-21'),
    sequence: 1,
    recordedDay: day('2024-01-21'),
  };
  const [row] = computeLedger(capped, [advance], day('2024-01-22')).rows;
  // 2,361.32 and 30.00 of interest in all over twelve rows: 199.2766…
  t.equal(text(row?.amountCents ?? 0), '199.28');
});

/* 1,200.00 without interest: twelve rows of 100.00 from 15 February 2024 on. */
const FREE = loan({ ...SMALL_LOAN, rate: '0' });
const advanced = (sequence: number, date: string, recorded: string, amount: string): AdvancePaidOut => ({
  type: 'advance',
  advance: sequence,
  amountCents: money(amount),
  reamortization: 'sameEndDate',
  effective: at(date),
  sequence,
  recordedDay: day(recorded),
});
const rowsOf = (...facts: readonly LedgerFact[]): readonly string[] =>
  scheduleOf(computeLedger(FREE, facts, day('2024-05-02'))).map(({ amountCents }) => text(amountCents));
const times = (count: number, amount: string): readonly string[] => Array.from({ length: count }, () => amount);

test('an advance recorded late keeps the rows that had passed, and later rows pay it', async (t) => {
  // 1,220.00 are left on 16 February, of which 15 March brings 100.00: 1,120.00 over ten rows.
  const late = advanced(1, '2024-02-16', '2024-04-01', '120.00');
  t.same(rowsOf(late), ['100.00', '100.00', ...times(10, '112.00')]);
  t.same(rowsOf({ ...late, recordedDay: day('2024-03-15') }), ['100.00', '100.00', ...times(10, '112.00')], 'on the due date itself');
  t.same(rowsOf({ ...late, recordedDay: day('2024-03-14') }), ['100.00', ...times(10, '110.91'), '110.90'], 'the day before');
  t.same(rowsOf({ ...late, recordedDay: day('2024-02-16') }), ['100.00', ...times(10, '110.91'), '110.90'], 'in time');
});

test('a second one keeps the rows that the first had made and that have passed since, wherever it joins', async (t) => {
  const first = advanced(1, '2024-02-16', '2024-04-01', '120.00');
  for (const date of ['2024-02-10', '2024-02-16', '2024-02-20', '2024-03-20'])
    t.same(rowsOf(first, advanced(2, date, '2024-05-01', '54.00')), ['100.00', '100.00', '112.00', ...times(9, '118.00')], date);
  // Recorded first, the one of 54.00 leaves 15 March alone: (1,154.00 - 100.00) / 10. Then 120.00 more leave 105.40 on 15 April.
  const other = advanced(1, '2024-02-16', '2024-04-01', '54.00');
  t.same(rowsOf(other, advanced(2, '2024-02-10', '2024-05-01', '120.00')), ['100.00', '100.00', '105.40', ...times(8, '118.74'), '118.68']);
  // A third one of a day that has not passed any row since.
  const third = advanced(3, '2024-04-20', '2024-05-02', '9.00');
  t.same(rowsOf(first, advanced(2, '2024-02-20', '2024-05-01', '54.00'), third), [
    ...['100.00', '100.00', '112.00'],
    ...times(9, '119.00'),
  ]);
});

test('rows that were set meanwhile keep their amounts as far as they had passed', async (t) => {
  const set = (sequence: number, date: string, ...dueDates: readonly string[]): ScheduleChanged => ({
    type: 'scheduleChanged',
    dueDates: dueDates.map(day),
    payment: { type: 'level' },
    effective: at(date),
    sequence,
    recordedDay: day(date),
  });
  const five = set(1, '2024-02-20', '2024-03-15', '2024-04-15', '2024-05-15', '2024-06-15', '2024-07-15');
  t.same(rowsOf(five), ['100.00', ...times(5, '220.00')]);
  // 1,200.00 less 220.00 over four rows.
  t.same(rowsOf(five, advanced(2, '2024-02-16', '2024-04-01', '100.00')), ['100.00', '220.00', ...times(4, '245.00')]);
  t.same(rowsOf(five, advanced(2, '2024-02-16', '2024-03-15', '100.00')), ['100.00', '220.00', ...times(4, '245.00')], 'on the day itself');
  // 880.00 over two rows from 15 April on, which has passed as well: 90.00 are left to the last one.
  const two = set(2, '2024-03-20', '2024-04-15', '2024-05-15');
  t.same(rowsOf(five, two), ['100.00', '220.00', '440.00', '440.00']);
  t.same(rowsOf(five, two, advanced(3, '2024-02-16', '2024-05-01', '90.00')), ['100.00', '220.00', '440.00', '530.00']);
  // A row with a forced amount is not a level row: it stays forced.
  const forced: ScheduleChanged = { ...two, rowTerms: [{ type: 'forced', amountCents: money('300.00') }] };
  t.same(rowsOf(five, forced, advanced(3, '2024-02-16', '2024-05-01', '90.00')), ['100.00', '220.00', '300.00', '670.00']);
});

test('amounts that are set after a late change is known have no bound', async (t) => {
  const set: ScheduleChanged = {
    type: 'scheduleChanged',
    dueDates: ['2024-05-15', '2024-06-15', '2024-07-15'].map(day),
    payment: { type: 'level' },
    rowTerms: [{ type: 'skipped' }],
    effective: at('2024-04-20'),
    sequence: 2,
    recordedDay: day('2024-04-20'),
  };
  const facts = [advanced(1, '2024-02-16', '2024-04-01', '120.00'), set];
  // 1,320.00 less 312.00 over two rows, behind one that asks for nothing.
  t.same(rowsOf(...facts), ['100.00', '100.00', '112.00', '0.00', '504.00', '504.00']);
  t.match(scheduleOf(computeLedger(FREE, facts, day('2024-05-02')))[3], { isDeferred: true });
});

test('facts recorded late do not raise a due date at which the loan was paid off', async (t) => {
  const paid = [pay(5, '2024-02-15', '100.00'), pay(6, '2024-02-20', '1100.00')];
  // Rows of 112.00 as above. 120.00 are left, and 100.00 of the money are in advance for the due date that has no amount now.
  t.same(rowsOf(...paid, advanced(7, '2024-02-16', '2024-04-01', '120.00')).slice(1), ['0.00', '112.00', '108.00']);
});

test('a rate that is lowered late lowers past amounts, which bound an advance recorded later', async (t) => {
  const lower = rates(1, '2024-01-25', '2024-04-01', [
    ['2024-01-20', '0.18'],
    ['2024-01-25', '0.06'],
  ]);
  const change: ScheduleChanged = {
    type: 'scheduleChanged',
    dueDates: [day('2024-03-01'), day('2024-04-01'), day('2024-05-01'), day('2024-06-01')],
    payment: { type: 'level' },
    effective: at('2024-02-20'),
    sequence: 2,
    recordedDay: day('2024-02-20'),
  };
  for (const set of [[], [change]]) {
    const before = asked(set, '2024-05-02');
    const lowered = asked([...set, lower], '2024-05-02');
    t.ok(lowered.every((cents, at) => Number(cents) < Number(before[at])));
    const more = asked([...set, lower, advanced(3, '2024-02-16', '2024-05-01', '300.00')], '2024-05-02');
    t.same(more, lowered);
  }
});

test('facts recorded late raise no due date that had passed, whatever was set meanwhile', async (t) => {
  t.comment(`seed ${SEED}`);
  fc.assert(
    fc.property(termsHistories, ({ terms: drawn, facts, through }) => {
      const late = facts.findLast(
        (fact) => (fact.type === 'ratesChanged' || fact.type === 'advance') && fact.recordedDay > fact.effective.day,
      );
      if (late === undefined) return true;
      const isLater = (fact: LedgerFact): boolean =>
        (fact.type === 'ratesChanged' || fact.type === 'advance') && fact.sequence > late.sequence;
      const known = facts.filter((fact) => !isLater(fact));
      const without = computeLedger(
        drawn,
        known.filter((fact) => fact !== late),
        through,
      );
      const whole = computeLedger(drawn, known, through);
      if (without.acceleratedSince !== null || whole.acceleratedSince !== null) return true;
      const before = askedOn(without);
      return [...askedOn(whole)].every(([date, cents]) => date > late.recordedDay || cents <= (before.get(date) ?? 0));
    }),
    PARAMETERS,
  );
  t.pass('holds');
});
