import assert from 'node:assert';
import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  cents,
  computeInstallments,
  continueInstallments,
  type Day,
  FROM_CHECKPOINTS,
  type ScheduledLedger,
  type ScheduledFact,
  type ScheduledTerms,
  payoffCents,
  rate,
  type Recalculation,
  stretchesFor,
} from '../../../../engine/index.js';
import { dayFrom } from '../../numbers.js';
import { monthlyFrom } from './published-loans.js';

const START = dayFrom('2024-01-31');
const RUNS = 10;

const recalculations: readonly Recalculation[] = [
  { type: 'none' },
  { type: 'progressive', isOverdueBearing: true },
  { type: 'cumulative', rest: 'daily', isCompounding: true },
  { type: 'cumulative', rest: 'dueDates', isCompounding: false },
];

const termsWith = (recalculation: Recalculation): ScheduledTerms => ({
  start: START,
  dueDates: monthlyFrom(START, 12),
  annualRate: rate(18_000_000),
  interest: { type: 'periodic', periodsPerYear: 12, firstPeriodYear: null },
  principal: { type: 'level', solvedOver: 'schedule' },
  interestOnlyCount: 0,
  rounding: { interest: 'halfEven', amount: 'halfUp', multipleCents: 1 },
  recalculation,
  downPayment: null,
  allocation: {
    pastDue: ['penalties', 'fees', 'interest', 'principal'],
    due: ['penalties', 'fees', 'interest', 'principal'],
    inAdvance: ['penalties', 'fees', 'interest', 'principal'],
  },
  excess: 'next',
  creditExcess: 'last',
  chargebackOrder: ['principal', 'interest', 'fees', 'penalties'],
  newRateCountsFrom: 'day',
  payoffInterest: 'toDate',
});

interface Step {
  readonly after: number;
  readonly kind: 'paid' | 'credit' | 'charged' | 'rate' | 'chargedBack' | 'paidBack';
  readonly amountCents: number;
  /** The number of days after the fact for which the ledger is computed; negative: before it. */
  readonly askedAfter: number;
}

const someSteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 20 }),
    kind: fc.constantFrom<Step['kind']>('paid', 'paid', 'paid', 'credit', 'charged', 'rate', 'chargedBack', 'paidBack'),
    amountCents: fc.integer({ min: 1, max: 60_000 }),
    askedAfter: fc.integer({ min: -40, max: 60 }),
  }),
  { minLength: 20, maxLength: 60 },
);

/** Small payments, five a day, so that rows stay open for long; a few are reversed, and a few facts change a rate. */
const manySteps: fc.Arbitrary<Step> = fc.record({
  after: fc.constantFrom(0, 0, 0, 0, 1),
  kind: fc.oneof(
    { weight: 30, arbitrary: fc.constant<Step['kind']>('paid') },
    { weight: 1, arbitrary: fc.constantFrom<Step['kind']>('credit', 'charged', 'rate', 'chargedBack', 'paidBack') },
  ),
  amountCents: fc.integer({ min: 1, max: 800 }),
  askedAfter: fc.constant(0),
});

type NewFact<Fact = ScheduledFact> = Fact extends unknown ? Omit<Fact, 'sequence'> : never;

function factOf({ kind, amountCents }: Step, day: Day, known: readonly ScheduledFact[]): NewFact {
  const paid = known.findLast(({ type }) => type === 'paid')?.sequence ?? 0;
  switch (kind) {
    case 'paid':
      return { type: 'paid', kind: 'payment', day, amountCents: cents(amountCents) };
    case 'credit':
      return { type: 'paid', kind: 'credit', day, amountCents: cents(amountCents) };
    case 'charged':
      return { type: 'charged', day, part: 'fees', dueDay: day, amountCents: cents(amountCents) };
    case 'rate':
      return { type: 'rateChanged', day, from: day, annualRate: rate(amountCents * 400) };
    case 'chargedBack':
      return { type: 'chargedBack', day, payment: paid, amountCents: cents(1) };
    case 'paidBack':
      return { type: 'paidBack', day, amountCents: cents(amountCents) };
  }
}

test('a ledger from checkpoints equals the ledger of the whole history on every day', (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...recalculations), someSteps, (recalculation, steps) => {
      const terms = termsWith(recalculation);
      let facts: readonly ScheduledFact[] = [{ type: 'advanced', day: START, sequence: 1, amountCents: cents(500_000) }];
      let day = START;
      for (const step of steps) {
        day = (day + step.after) as Day;
        facts = [...facts, { ...factOf(step, day, facts), sequence: facts.length + 1 }];
        const asked = Math.max(START, day + step.askedAfter) as Day;
        t.same(continueInstallments(terms, facts, asked), computeInstallments(terms, facts, asked));
        // Previews and another continuation of the same history do not change it.
        t.equal(payoffCents(terms, facts, day, FROM_CHECKPOINTS), payoffCents(terms, facts, day));
        const tried: readonly ScheduledFact[] = [
          ...facts,
          { type: 'paid', kind: 'payment', day, sequence: facts.length + 1, amountCents: cents(7) },
        ];
        t.same(continueInstallments(terms, tried, day), computeInstallments(terms, tried, day));
      }
      return t.passing();
    }),
    { numRuns: RUNS },
  );
  t.end();
});

/** Cached interest of past or future periods equals the interest when it is computed again. */
function remembersWell(ledger: ScheduledLedger): void {
  const rows = ledger.installments.filter(({ from, dueDay, earned }) => earned !== null && (dueDay <= ledger.day || from >= ledger.day));
  for (const row of rows) {
    const again = stretchesFor(ledger, row).reduce((sum, { interestCents }) => sum + interestCents, 0);
    assert.equal(row.earned?.interestCents, again);
  }
}

/** Facts of one life, five a day. */
const MANY_FACTS = 1_000;

test('ledgers of thousands of facts, continued fact by fact, equal the ledgers of their whole histories', (t) => {
  for (const recalculation of recalculations) {
    fc.assert(
      fc.property(fc.infiniteStream(manySteps), (steps) => {
        const terms = termsWith(recalculation);
        const facts: ScheduledFact[] = [{ type: 'advanced', day: START, sequence: 1, amountCents: cents(500_000) }];
        let day = START;
        for (const step of steps) {
          day = addDays(day, step.after);
          facts.push({ ...factOf(step, day, facts), sequence: facts.length + 1 });
          const ledger = continueInstallments(terms, facts, day);
          if (recalculation.type !== 'cumulative') remembersWell(ledger);
          if (facts.length === MANY_FACTS) break;
        }
        const later = addDays(day, 30);
        for (const asked of [day, later])
          assert.deepStrictEqual(continueInstallments(terms, facts, asked), computeInstallments(terms, facts, asked));
      }),
      { numRuns: 1 },
    );
  }
  t.end();
});
