import { test } from 'tap';
import {
  computeLine,
  formatDay,
  type LineFact,
  type LineState,
  lineBalancesOf,
  lineObligationsOf,
  lineOverdueOf,
  recordLine,
} from '../../../../engine/index.js';
import { at, day, money, text } from '../installment/loans.js';
import { DRAWN, line, payLine, statementOn } from './lines.js';

/** Up to 0.50 of an obligation may stay unpaid. The first minimum payment is due on 2024-02-29. */
const terms = line({ schedule: statementOn(9), settings: { overdueToleranceCents: money('0.50') } });

const order = (type: 'accelerate' | 'reverseAccelerate', date: string, sequence: number): LineFact => ({
  type,
  effective: { day: day(date), seconds: 60_000 },
  sequence,
  recordedDay: day(date),
});

const amounts = (state: LineState): readonly (readonly [string, string])[] =>
  lineObligationsOf(state)
    .filter(({ isOpen }) => !isOpen)
    .map(({ obligationCents, remainingCents }) => [text(obligationCents), text(remainingCents)]);

const minimum = (): number => lineObligationsOf(computeLine(terms, DRAWN, day('2024-02-29')))[0]?.obligationCents ?? 0;

const shortBy = (cents: number): LineFact => payLine(200, '2024-02-20', text(minimum() - cents));

test('a rest within the tolerance is not overdue', async (t) => {
  const state = computeLine(terms, [...DRAWN, shortBy(36)], day('2024-03-05'));
  t.same(amounts(state), [[text(minimum()), '0.36']]);
  t.same([lineOverdueOf(state).isOverdue, text(lineOverdueOf(state).overdueCents)], [false, '0.00']);
  t.equal(text(lineBalancesOf(state).overdue.totalCents), '0.36');
});

test('an acceleration includes the rest within the tolerance once, for the line and for each draw', async (t) => {
  const state = computeLine(terms, [...DRAWN, shortBy(36), order('accelerate', '2024-03-05', 300)], day('2024-03-20'));
  const { outstanding } = lineBalancesOf(state);
  t.same(amounts(state), [
    [text(minimum() - 36), '0.00'],
    [text(outstanding.totalCents), text(outstanding.totalCents)],
  ]);
  t.equal(lineOverdueOf(state).daysOverdue, 15, 'since the acceleration: nothing was overdue before');
  const parts = state.obligations.flatMap(({ draws }) => draws).reduce((sum, { remainingCents }) => sum + remainingCents, 0);
  t.equal(parts, outstanding.totalCents);
  for (const obligation of state.obligations) {
    t.equal(
      obligation.draws.reduce((sum, { amountCents }) => sum + amountCents, 0),
      obligation.amountCents,
    );
    for (const part of obligation.draws) t.ok(part.interestCents + part.feesCents <= part.amountCents);
  }
});

test('paying everything leaves nothing owed, and a reversed acceleration restores the rest within the tolerance', async (t) => {
  const facts = [...DRAWN, shortBy(36), order('accelerate', '2024-03-05', 300)];
  const { outstanding } = lineBalancesOf(computeLine(terms, facts, day('2024-03-20')));
  const paid = computeLine(terms, [...facts, payLine(201, '2024-03-20', text(outstanding.totalCents))], day('2024-03-20'));
  t.equal(lineBalancesOf(paid).outstanding.totalCents, 0);
  const back = computeLine(terms, [...facts, order('reverseAccelerate', '2024-03-06', 301)], day('2024-03-06'));
  t.same(amounts(back), [[text(minimum()), '0.36']]);
});

test('a frozen line is current from the day on which a higher tolerance covers all overdue amounts', async (t) => {
  const [settings] = terms.settings;
  const none = settings && { from: settings.from, value: { ...settings.value, overdueToleranceCents: money('0') } };
  const changing = {
    ...terms,
    settings: [none, settings && { ...settings, from: day('2024-03-05') }].filter((each) => each !== undefined),
  };
  const freeze: LineFact = { type: 'freeze', effective: at('2024-03-02', 60_000), sequence: 300, recordedDay: day('2024-03-02') };
  const isOverdueOn = (date: string): boolean => computeLine(changing, [...DRAWN, shortBy(36), freeze], day(date)).isOverdue;
  t.same(['2024-03-04', '2024-03-05', '2024-03-06'].map(isOverdueOn), [true, false, false]);
});

test('days overdue are counted up to the day of a freezing', async (t) => {
  const freeze: LineFact = { type: 'freeze', effective: at('2024-03-03', 60_000), sequence: 300, recordedDay: day('2024-03-03') };
  const recorded = recordLine(terms, [...DRAWN, freeze], day('2024-03-20'));
  t.same(
    recorded.ledgerEvents.flatMap((event) =>
      event.type === 'overdue' || event.type === 'overdueUpdate' ? [[event.type, formatDay(event.day)]] : [],
    ),
    [
      ['overdue', '2024-03-01'],
      ['overdueUpdate', '2024-03-02'],
      ['overdueUpdate', '2024-03-03'],
    ],
  );
});
