import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  type Cents,
  cents,
  computeInstallments,
  conflictOf,
  type Day,
  type ScheduledLedger,
  type ScheduledFact,
  type ScheduledTerms,
  isOpen,
  type Part,
  payoffCents,
  principalBalanceOf,
  rate,
  type Recalculation,
  sumOf,
} from '../../../../engine/index.js';
import { dayFrom } from '../../numbers.js';
import { monthlyFrom } from './published-loans.js';

const START = dayFrom('2024-01-31');
const PARTS: readonly Part[] = ['penalties', 'fees', 'interest', 'principal'];

const aRecalculation: fc.Arbitrary<Recalculation> = fc.oneof(
  fc.constant<Recalculation>({ type: 'none' }),
  fc.boolean().map((isOverdueBearing): Recalculation => ({ type: 'progressive', isOverdueBearing })),
  fc.record({
    type: fc.constant('cumulative' as const),
    rest: fc.constantFrom('daily' as const, 'dueDates' as const),
    isCompounding: fc.boolean(),
  }),
);

const anOrder = fc.shuffledSubarray([...PARTS], { minLength: 4 });
const anExcess = fc.constantFrom('next' as const, 'last' as const, 'spread' as const);

const anyTerms: fc.Arbitrary<ScheduledTerms> = fc.record({
  start: fc.constant(START),
  dueDates: fc.integer({ min: 1, max: 18 }).map((count) => monthlyFrom(START, count)),
  annualRate: fc.integer({ min: 0, max: 36_000_000 }).map(rate),
  interest: fc.constantFrom<ScheduledTerms['interest']>(
    { type: 'flat', periodsPerYear: 12 },
    { type: 'periodic', periodsPerYear: 12, firstPeriodYear: null },
    { type: 'daily', dayCount: 'daily365' },
    { type: 'daily', dayCount: 'actualActual' },
  ),
  principal: fc.constantFrom<ScheduledTerms['principal']>(
    { type: 'level', solvedOver: 'schedule' },
    { type: 'level', solvedOver: 'thirtyDayMonths' },
    { type: 'equal' },
  ),
  interestOnlyCount: fc.constant(0),
  rounding: fc.record({
    interest: fc.constantFrom('halfEven' as const, 'halfUp' as const),
    amount: fc.constantFrom('halfUp' as const, 'up' as const),
    multipleCents: fc.constantFrom(1, 100),
  }),
  recalculation: aRecalculation,
  downPayment: fc.constant(null),
  allocation: fc.record({ pastDue: anOrder, due: anOrder, inAdvance: anOrder }),
  excess: anExcess,
  creditExcess: anExcess,
  chargebackOrder: fc.option(anOrder),
  newRateCountsFrom: fc.constantFrom('day' as const, 'nightBefore' as const),
  payoffInterest: fc.constantFrom('toDate' as const, 'toPeriodEnd' as const),
});

/** Compatible settings. */
const someTerms = anyTerms.filter((terms) => conflictOf(terms) === null);

interface Paid {
  readonly after: number;
  readonly amountCents: Cents;
}

const somePayments: fc.Arbitrary<readonly Paid[]> = fc.array(
  fc.record({ after: fc.integer({ min: 1, max: 600 }), amountCents: fc.integer({ min: 1, max: 200_000 }).map(cents) }),
  { maxLength: 8 },
);

const PRINCIPAL = cents(500_000);

const factsOf = (payments: readonly Paid[]): readonly ScheduledFact[] => [
  { type: 'advanced', day: START, sequence: 1, amountCents: PRINCIPAL },
  ...payments.map(
    ({ after, amountCents }, position): ScheduledFact => ({
      type: 'paid',
      kind: 'payment',
      day: (START + after) as Day,
      sequence: position + 2,
      amountCents,
    }),
  ),
];

const THROUGH = (START + 700) as Day;

const total = (ledger: ScheduledLedger, of: 'due' | 'paid', part: Part): number =>
  ledger.installments.reduce((sum, installment) => sum + installment[of][part], 0);

test('the principal of the installments equals the advances, whatever is paid and recalculated', (t) => {
  fc.assert(
    fc.property(someTerms, somePayments, (terms, payments) => {
      const ledger = computeInstallments(terms, factsOf(payments), THROUGH);
      return total(ledger, 'due', 'principal') === PRINCIPAL;
    }),
    { numRuns: 500 },
  );
  t.end();
});

test('no part is negative or overpaid, and no cent of a payment is lost', (t) => {
  fc.assert(
    fc.property(someTerms, somePayments, (terms, payments) => {
      const ledger = computeInstallments(terms, factsOf(payments), THROUGH);
      const isSound = ledger.installments.every(({ due, paid }) =>
        PARTS.every((part) => due[part] >= 0 && paid[part] >= 0 && paid[part] <= due[part]),
      );
      const paidCents = payments.reduce((sum, { amountCents }) => sum + amountCents, 0);
      const metCents = ledger.installments.reduce((sum, { paid }) => sum + sumOf(paid), 0);
      return isSound && metCents + ledger.overpaidCents === paidCents && principalBalanceOf(ledger) >= 0;
    }),
    { numRuns: 500 },
  );
  t.end();
});

test('facts recorded late give the same ledger as facts recorded in time', (t) => {
  fc.assert(
    fc.property(someTerms, somePayments, (terms, payments) => {
      const facts = factsOf(payments);
      const [inTime, late] = [facts, [...facts].reverse()].map((ordered) => computeInstallments(terms, ordered, THROUGH));
      t.same(late, inTime);
      return true;
    }),
    { numRuns: 100 },
  );
  t.end();
});

test('a borrower who pays each installment on its day pays the amounts of the schedule, recalculated or not', (t) => {
  fc.assert(
    fc.property(someTerms, (terms) => {
      const planned = computeInstallments(terms, factsOf([]), START);
      const asked = planned.installments.map(({ due }) => ({ ...due }));
      const payments = planned.installments.map(({ dueDay, due }) => ({ after: dueDay - START, amountCents: cents(sumOf(due)) }));
      const ledger = computeInstallments(terms, factsOf(payments.filter(({ amountCents }) => amountCents > 0)), THROUGH);
      t.same(
        ledger.installments.map(({ due }) => due),
        asked,
      );
      return ledger.overpaidCents === 0 && !ledger.installments.some(isOpen);
    }),
    { numRuns: 200 },
  );
  t.end();
});

test('paying the payoff amount closes a loan with interest by the night', (t) => {
  fc.assert(
    fc.property(someTerms, somePayments, fc.integer({ min: 1, max: 600 }), (terms, payments, after) => {
      const own: ScheduledTerms = {
        ...terms,
        interest: { type: 'periodic', periodsPerYear: 12, firstPeriodYear: null },
        principal: { type: 'level', solvedOver: 'schedule' },
        recalculation: { type: 'progressive', isOverdueBearing: true },
        excess: 'next',
      };
      const before = payments.filter((payment) => payment.after < after);
      const day = (START + after) as Day;
      const amountCents = payoffCents(own, factsOf(before), day);
      if (amountCents === 0) return true;
      const ledger = computeInstallments(own, factsOf([...before, { after, amountCents }]), day);
      return principalBalanceOf(ledger) === 0 && ledger.overpaidCents === 0 && !ledger.installments.some(isOpen);
    }),
    { numRuns: 300 },
  );
  t.end();
});

test('a payment that is fully charged back leaves no trace in the principal, and its amounts are owed again', (t) => {
  fc.assert(
    fc.property(someTerms, somePayments, fc.integer({ min: 1, max: 100_000 }), (terms, payments, amount) => {
      const own: ScheduledTerms = {
        ...terms,
        recalculation: { type: 'none' },
        chargebackOrder: ['penalties', 'fees', 'interest', 'principal'],
      };
      const facts = factsOf([...payments.filter(({ after }) => after < 300), { after: 300, amountCents: cents(amount) }]);
      const payment = facts.length;
      const day = (START + 310) as Day;
      const before = computeInstallments(own, facts.slice(0, -1), day);
      const paid = computeInstallments(own, facts, day);
      const met = paid.payments.find(({ sequence }) => sequence === payment)?.parts;
      if (met === undefined || sumOf(met) < amount) return true;
      const back: ScheduledFact = { type: 'chargedBack', day, sequence: payment + 1, payment, amountCents: cents(amount) };
      const after = computeInstallments(own, [...facts, back], day);
      return principalBalanceOf(after) === principalBalanceOf(before);
    }),
    { numRuns: 200 },
  );
  t.end();
});

test('after a full refund nothing is owed, and everything paid is owed to the borrower', (t) => {
  fc.assert(
    fc.property(someTerms, somePayments, fc.integer({ min: 1, max: 600 }), (terms, payments, after) => {
      const own: ScheduledTerms = {
        ...terms,
        interest: { type: 'daily', dayCount: 'daily365' },
        principal: { type: 'level', solvedOver: 'schedule' },
        recalculation: { type: 'progressive', isOverdueBearing: true },
        excess: 'next',
        creditExcess: 'next',
        payoffInterest: 'toDate',
      };
      const before = payments.filter((payment) => payment.after < after);
      const paidCents = before.reduce((sum, { amountCents }) => sum + amountCents, 0);
      const facts = factsOf(before);
      const day = (START + after) as Day;
      if (payoffCents(own, facts, day) === 0) return true;
      const ledger = computeInstallments(own, [...facts, { type: 'refundedInFull', day, sequence: 99, amountCents: PRINCIPAL }], day);
      return principalBalanceOf(ledger) === 0 && ledger.overpaidCents === paidCents;
    }),
    { numRuns: 200 },
  );
  t.end();
});

/** Payments of a loan that is never late: on each due date all due balances are paid. */
function paidInTime(terms: ScheduledTerms, early: readonly Paid[], through: Day): readonly ScheduledFact[] {
  let facts = factsOf(early);
  for (const dueDay of terms.dueDates.filter((day) => day <= through)) {
    const then = computeInstallments(terms, facts, dueDay);
    const amountCents = then.installments.reduce(
      (sum, { due, paid, dueDay: day }) => (day <= dueDay ? sum + sumOf(due) - sumOf(paid) : sum),
      0,
    );
    if (amountCents > 0)
      facts = [...facts, { type: 'paid', kind: 'payment', day: dueDay, sequence: facts.length + 1, amountCents: cents(amountCents) }];
  }
  return facts;
}

test('a new rate is solved over the rest, so that the last row differs from the level only by rounding', (t) => {
  const inTwoYears = fc.integer({ min: 1, max: 600 });
  fc.assert(
    fc.property(
      someTerms,
      somePayments,
      inTwoYears,
      inTwoYears,
      fc.integer({ min: 0, max: 36_000_000 }),
      (terms, payments, today, ahead, newRate) => {
        const own: ScheduledTerms = {
          ...terms,
          interest: { type: 'daily', dayCount: 'daily365' },
          principal: { type: 'level', solvedOver: 'schedule' },
          rounding: { interest: 'halfUp', amount: 'halfUp', multipleCents: 1, isOfWholeRow: true, interestPer: 'period' },
          recalculation: { type: 'progressive', isOverdueBearing: true },
          excess: 'next',
          payoffInterest: 'toDate',
          newRateCountsFrom: 'day',
        };
        const day = addDays(START, today);
        const from = addDays(day, ahead % 90);
        const paid = paidInTime(
          own,
          payments.filter(({ after }) => after <= today),
          day,
        );
        const facts: readonly ScheduledFact[] = [
          ...paid,
          { type: 'ratesReplaced', day, sequence: 99, rates: [{ from, annualRate: rate(newRate) }], solved: 'fromChange' },
        ];
        const solved = computeInstallments(own, facts, day);
        const open = solved.installments.filter((row) => row.dueDay > from && isOpen(row));
        const [first] = open;
        const last = open.at(-1);
        if (first === undefined || last === undefined || first === last || newRate === Number(own.annualRate)) return true;
        const levels = open.slice(0, -1).map(({ due }) => sumOf(due));
        // A loan that ends early has no further amounts, and interest above a level amount waits.
        if (levels.includes(0) || sumOf(last.due) === 0 || open.some(({ due, paid: met }) => due.principal === met.principal)) return true;
        return levels.every((cents) => cents === levels[0]) && Math.abs(sumOf(last.due) - sumOf(first.due)) <= 2 * own.dueDates.length;
      },
    ),
    { numRuns: 200, interruptAfterTimeLimit: 60_000 },
  );
  t.end();
});
