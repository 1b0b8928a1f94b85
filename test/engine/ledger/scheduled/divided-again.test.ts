import assert from 'node:assert';
import fc from '../../../fast-check.js';
import { test } from 'tap';
import { applyScheduledFact, beginLedger, endLedger } from '../../../../engine/ledger/scheduled/compute.js';
import {
  accruedBy,
  addDays,
  cents,
  computeInstallments,
  continueInstallments,
  type Day,
  payoffCents,
  rate,
  type ScheduledFact,
  type ScheduledLedger,
  type ScheduledTerms,
} from '../../../../engine/index.js';
import { SEED } from '../../../seed.js';
import { dayFrom } from '../../numbers.js';
import { monthlyFrom } from './published-loans.js';

/*
 * Cumulative recalculation divides the money of a row again only if an input of the row has changed. Here each ledger is compared with one
 * that remembers nothing and divides all money of all rows with each fact.
 */

const START = dayFrom('2024-01-31');
const RUNS = 12;
const ROWS = 14;

interface Step {
  readonly after: number;
  readonly kind:
    | 'paid'
    | 'credit'
    | 'charged'
    | 'rate'
    | 'rateSince'
    | 'chargedBack'
    | 'paidBack'
    | 'overpaid'
    | 'row'
    | 'moved'
    | 'advanced';
  readonly amountCents: number;
  /** How many facts before it lies; 0: it is the newest one. */
  readonly earlier: number;
}

interface Life {
  readonly terms: ScheduledTerms;
  readonly steps: readonly Step[];
}

const PARTS = ['penalties', 'fees', 'interest', 'principal'] as const;
const anOrder = fc.shuffledSubarray([...PARTS], { minLength: 4 });

const someTerms: fc.Arbitrary<ScheduledTerms> = fc.record({
  start: fc.constant(START),
  dueDates: fc.constant(monthlyFrom(START, ROWS)),
  annualRate: fc.constantFrom(rate(0), rate(9_000_000), rate(36_000_000)),
  interest: fc.constantFrom<ScheduledTerms['interest']>(
    { type: 'periodic', periodsPerYear: 12, firstPeriodYear: null },
    { type: 'daily', dayCount: 'daily365' },
  ),
  principal: fc.constantFrom<ScheduledTerms['principal']>(
    { type: 'level', solvedOver: 'schedule' },
    { type: 'level', solvedOver: 'thirtyDayMonths' },
  ),
  interestOnlyCount: fc.constantFrom(0, 0, 2),
  rounding: fc.constantFrom<ScheduledTerms['rounding']>(
    { interest: 'halfEven', amount: 'halfUp', multipleCents: 1 },
    { interest: 'halfUp', amount: 'up', multipleCents: 100, interestPer: 'period' },
  ),
  recalculation: fc.record({
    type: fc.constant('cumulative' as const),
    rest: fc.constantFrom('daily' as const, 'dueDates' as const),
    isCompounding: fc.boolean(),
  }),
  downPayment: fc.constantFrom(null, null, { share: rate(20_000_000), isAutomatic: false }),
  allocation: fc.record({ pastDue: anOrder, due: anOrder, inAdvance: anOrder }),
  excess: fc.constant('next' as const),
  creditExcess: fc.constant('next' as const),
  chargebackOrder: anOrder,
  newRateCountsFrom: fc.constantFrom('day' as const, 'nightBefore' as const),
  payoffInterest: fc.constantFrom('toDate' as const, 'toPeriodEnd' as const),
});

const someSteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    after: fc.constantFrom(0, 0, 1, 2, 5, 17, 30, 45),
    kind: fc.oneof(
      { weight: 12, arbitrary: fc.constant<Step['kind']>('paid') },
      {
        weight: 5,
        arbitrary: fc.constantFrom<Step['kind']>('credit', 'charged', 'rate', 'rateSince', 'chargedBack', 'paidBack', 'overpaid'),
      },
      { weight: 1, arbitrary: fc.constantFrom<Step['kind']>('row', 'moved', 'advanced') },
    ),
    amountCents: fc.oneof(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 30_000, max: 90_000 })),
    earlier: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 3, 12),
  }),
  { minLength: 17, maxLength: 60 },
);

const lives: fc.Arbitrary<Life> = fc.record({ terms: someTerms, steps: someSteps });

type NewFact<Fact = ScheduledFact> = Fact extends unknown ? Omit<Fact, 'sequence'> : never;

function factOf({ kind, amountCents }: Step, day: Day, { dueDates }: ScheduledTerms, known: readonly ScheduledFact[]): NewFact {
  const amount = cents(amountCents);
  switch (kind) {
    case 'paid':
      return { type: 'paid', kind: 'payment', day, amountCents: amount };
    case 'credit':
      return { type: 'paid', kind: 'credit', day, amountCents: amount };
    case 'charged':
      return { type: 'charged', day, part: amount % 2 === 0 ? 'fees' : 'penalties', dueDay: addDays(day, 1), amountCents: amount };
    case 'rate':
      return { type: 'rateChanged', day, from: day, annualRate: rate(amountCents * 400) };
    case 'rateSince':
      return {
        type: 'ratesReplaced',
        day,
        rates: [{ from: day, annualRate: rate(amountCents * 300) }],
        solved: 'fromChange',
        ...(amountCents % 2 === 0 ? {} : { knownDay: addDays(day, 50) }),
      };
    case 'chargedBack':
      return { type: 'chargedBack', day, payment: known.findLast(({ type }) => type === 'paid')?.sequence ?? 0, amountCents: cents(1) };
    case 'paidBack':
      return { type: 'paidBack', day, amountCents: amount, ...(amount % 2 === 0 ? { joins: 'runningPeriod' } : {}) };
    case 'overpaid':
      return { type: 'paidOverMet', day, amountCents: amount };
    case 'row':
      return {
        type: 'paidInstallment',
        day,
        dueDay: dueDates.find((dueDay) => dueDay >= day) ?? day,
        principalCents: cents(100),
        interestCents: cents(7),
      };
    case 'moved': {
      const coming = dueDates.filter((dueDay) => dueDay > day);
      const from = coming[0] ?? day;
      return { type: 'rescheduled', day, from, dueDates: coming.map((dueDay) => addDays(dueDay, 3)), principalFreeCount: 0 };
    }
    case 'advanced':
      return { type: 'advanced', day, amountCents: amount };
  }
}

/** The amounts of a ledger, without what it remembers. */
function amountsOf({ dividedUnder: _, isSettled: __, installments, charges, ...ledger }: ScheduledLedger): object {
  return {
    ...ledger,
    installments: installments.map(({ divided: _divided, earned: _earned, ...row }) => row),
    charges: charges.map(({ installment, ...charge }) => ({ ...charge, row: installments.indexOf(installment) })),
  };
}

/** Makes the ledger remember no division, and divide again even on the same day. */
function forget(ledger: ScheduledLedger): void {
  Object.defineProperty(ledger, 'isSettled', { get: () => false, set: () => undefined, enumerable: true });
  for (const row of ledger.installments)
    Object.defineProperty(row, 'divided', { get: () => null, set: () => undefined, enumerable: true, configurable: true });
}

function dividedWhole(terms: ScheduledTerms, facts: readonly ScheduledFact[], through: Day): ScheduledLedger {
  const ledger = beginLedger(terms);
  forget(ledger);
  for (const fact of facts) {
    if (fact.day > through) break;
    applyScheduledFact(ledger, fact);
    for (const row of ledger.installments)
      Object.defineProperty(row, 'divided', { get: () => null, set: () => undefined, enumerable: true, configurable: true });
  }
  return endLedger(ledger, through);
}

/** The facts with one more, some places before the end. Facts after it are new objects, as after a replay. */
function withFact(facts: readonly ScheduledFact[], step: Step, day: Day, terms: ScheduledTerms): readonly ScheduledFact[] {
  const at = Math.max(1, facts.length - step.earlier);
  const factDay = step.earlier === 0 ? day : (facts[at - 1]?.day ?? day);
  const known = facts.slice(0, at);
  return [...known, factOf(step, factDay, terms, known), ...facts.slice(at)].map((fact, position) =>
    position < at && facts[position] !== undefined ? facts[position] : { ...fact, sequence: position + 1 },
  );
}

test(`rows that are not divided again have the amounts that a division would give: seed ${SEED}`, async (t) => {
  let settled = 0;
  let looks = 0;
  fc.assert(
    fc.property(lives, ({ terms, steps }) => {
      let facts: readonly ScheduledFact[] = [{ type: 'advanced', day: START, sequence: 1, amountCents: cents(500_000) }];
      let day = START;
      for (const step of steps) {
        if (step.earlier === 0) day = addDays(day, step.after);
        facts = withFact(facts, step, day, terms);
        for (const asked of [day, addDays(day, 1), addDays(day, 40)]) {
          const whole = amountsOf(dividedWhole(terms, facts, asked));
          const continued = continueInstallments(terms, facts, asked);
          assert.deepStrictEqual(amountsOf(continued), whole);
          assert.deepStrictEqual(amountsOf(computeInstallments(terms, facts, asked)), whole);
          accruedBy(continued, asked); // remembers interest in the ledger
          looks += 1;
          if (continued.isSettled) settled += 1;
        }
        payoffCents(terms, facts, day);
      }
    }),
    { seed: SEED, numRuns: RUNS },
  );
  t.ok(settled > looks / 4, `${settled} of ${looks} ledgers were settled`);
});
