import fc from '../../../fast-check.js';
import {
  addDays,
  cents,
  conflictOf,
  type ScheduledKeeping,
  type InterestMethod,
  type LedgerFact,
  type LedgerTerms,
  type Part,
  type Recalculation,
} from '../../../../engine/index.js';
import { allHistories, type History, moneyHistories } from './histories.js';

const PARTS: readonly Part[] = ['penalties', 'fees', 'interest', 'principal'];
const anOrder = fc.shuffledSubarray([...PARTS], { minLength: 4 });
const anExcess = fc.constantFrom('next' as const, 'last' as const, 'spread' as const);

/** Default settings of a loan with scheduled interest; a test changes the settings that it is about. */
export const PLAIN_KEEPING: ScheduledKeeping = {
  interest: { type: 'periodic', periodsPerYear: 12, firstPeriodYear: null },
  principal: { type: 'level', solvedOver: 'schedule' },
  interestOnlyCount: 0,
  rounding: { interest: 'halfUp', amount: 'halfUp', multipleCents: 1 },
  recalculation: { type: 'none' },
  downPayment: null,
  allocation: {
    pastDue: ['penalties', 'fees', 'interest', 'principal'],
    due: ['penalties', 'fees', 'interest', 'principal'],
    inAdvance: ['penalties', 'fees', 'interest', 'principal'],
  },
  excess: 'next',
  creditExcess: 'next',
  chargebackOrder: null,
  newRateCountsFrom: 'day',
  payoffInterest: 'toDate',
};

/** Compatible settings of loans with scheduled interest. */
export const someKeeping: fc.Arbitrary<ScheduledKeeping> = fc
  .record({
    interest: fc.constantFrom<InterestMethod>(
      { type: 'flat', periodsPerYear: 12 },
      { type: 'periodic', periodsPerYear: 12, firstPeriodYear: null },
      { type: 'daily', dayCount: 'daily365' },
    ),
    principal: fc.constantFrom<ScheduledKeeping['principal']>({ type: 'level', solvedOver: 'schedule' }, { type: 'equal' }),
    interestOnlyCount: fc.constant(0),
    rounding: fc.record({
      interest: fc.constantFrom('halfEven' as const, 'halfUp' as const),
      amount: fc.constantFrom('halfUp' as const, 'up' as const),
      multipleCents: fc.constantFrom(1, 100),
    }),
    recalculation: fc.constantFrom<Recalculation>(
      { type: 'none' },
      { type: 'progressive', isOverdueBearing: true },
      { type: 'progressive', isOverdueBearing: false },
      { type: 'cumulative', rest: 'daily', isCompounding: false },
      { type: 'cumulative', rest: 'dueDates', isCompounding: true },
    ),
    downPayment: fc.constant(null),
    allocation: fc.record({ pastDue: anOrder, due: anOrder, inAdvance: anOrder }),
    excess: anExcess,
    creditExcess: anExcess,
    chargebackOrder: fc.option(anOrder),
    newRateCountsFrom: fc.constantFrom('day' as const, 'nightBefore' as const),
    payoffInterest: fc.constantFrom('toDate' as const, 'toPeriodEnd' as const),
  })
  .filter((keeping) => conflictOf(keeping) === null);

/** Types of facts of a loan with scheduled interest. */
const APPLICABLE: ReadonlySet<LedgerFact['type']> = new Set([
  'payment',
  'paymentVoided',
  'paymentMoved',
  'paymentSettled',
  'paymentChargedBack',
  'chargebackReversed',
  'feeCharged',
  'feeCanceled',
  'feeChanged',
  'accelerate',
  'reverseAccelerate',
  'chargeOff',
  'reverseChargeOff',
  'thresholdsHeld',
  'thresholdsReleased',
  'ratesChanged',
  'reamortized',
  'reimbursed',
]);

const kept = (histories: fc.Arbitrary<History>): fc.Arbitrary<History> =>
  fc.tuple(histories, someKeeping).map(([history, keeping]) => ({
    ...history,
    terms: keptTerms(history.terms, keeping),
    facts: (keeping.chargebackOrder === null ? history.facts : withChargebacks(history.facts))
      .map((fact) => (keeping.recalculation.type === 'cumulative' ? fact : reamortizing(fact)))
      .filter(({ type }) => APPLICABLE.has(type)),
  }));

/** Replaces a change of the schedule by a re-amortization, which adds overdue balances to the rows. */
function reamortizing(fact: LedgerFact): LedgerFact {
  const { effective, recordedDay, sequence } = fact;
  return fact.type === 'scheduleChanged'
    ? { effective, recordedDay, sequence, type: 'reamortized', from: addDays(effective.day, 1) }
    : fact;
}

/** Instead of a reversal, a payment is charged back in part or whole; every other step reverses a chargeback. */
function withChargebacks(facts: readonly LedgerFact[]): readonly LedgerFact[] {
  const known: number[] = [];
  return facts.map((fact): LedgerFact => {
    const { effective, recordedDay, sequence } = fact;
    const factPosition = { effective, recordedDay, sequence };
    const payment =
      fact.type === 'paymentVoided' ? facts.find((paid) => paid.type === 'payment' && paid.transaction === fact.transaction) : undefined;
    if (fact.type === 'paymentVoided' && payment?.type === 'payment' && sequence % 4 > 0) {
      const paidCents = payment.amountCents;
      known.push(sequence);
      return {
        ...factPosition,
        type: 'paymentChargedBack',
        chargeback: sequence,
        transaction: fact.transaction,
        amountCents: cents(Math.ceil((paidCents * (sequence % 4)) / 3)),
      };
    }
    const chargeback = known.at(-1);
    return fact.type === 'paymentMoved' && sequence % 2 === 0 && chargeback !== undefined
      ? { ...factPosition, type: 'chargebackReversed', chargeback }
      : fact;
  });
}

export const keptTerms = (terms: LedgerTerms, keeping: ScheduledKeeping): LedgerTerms => ({
  ...terms,
  keeping,
  accrualMethod: 'simple',
  totalInterestCapCents: null,
  originationFee: { amountCents: cents(0), logic: 'spread' },
  settings: terms.settings.map(({ from, value }) => ({ from, value: { ...value, capitalization: 'none' } })),
});

export const keptMoneyHistories = kept(moneyHistories);
export const keptHistories = kept(allHistories);
