import fc from '../../fast-check.js';
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
} from '../../../engine/index.js';
import { PARAMETERS, termsHistories } from './histories.js';
import { SEED } from '../../seed.js';
import { at, day, loan, percent, SMALL_LOAN, text } from './loans.js';

const terms = loan(SMALL_LOAN);

/** Rates in force from their days on, recorded on one. */
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

test('what a rate had raised in time stays raised when another one is recorded behind it', async (t) => {
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

test('a schedule that was changed in time asks for no more by a rate recorded behind it', async (t) => {
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

test('a due date of interest alone asks for no more by an advance recorded behind it', async (t) => {
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

test('the level of a loan with a cap on its interest counts on what is left of the cap, to the fraction of a cent', async (t) => {
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

test('no due date that had passed asks for more by what was recorded behind it, whatever was set meanwhile', async (t) => {
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
