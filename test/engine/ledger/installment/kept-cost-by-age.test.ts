import { test } from 'tap';
import {
  addDays,
  advanceTo,
  applyFact,
  balancesOf,
  cents,
  cloneState,
  computeLedger,
  type LedgerFact,
  type LedgerState,
  must,
  payoffOf,
  type Recalculation,
} from '../../../../engine/index.js';
import { countBlocks } from '../../../executed-blocks.js';
import { keptTerms, PLAIN_KEEPING } from './kept-loans.js';
import { loan, money } from './loans.js';

/*
 * What a step of a loan with scheduled interest costs may not grow with its payments. `test/gateway/cost-by-age.test.ts` counts calls of
 * the interface, all on one day; here each payment is of a day of its own.
 */

const YOUNG = 200;
const OLD = 1_200;
/** By this part of the young cost the old one may be higher: more rows have fallen due. */
const MOST = 0.5;
/** The age of a copy of the ledger, from which a payment in the past continues. */
const COPY_DAYS = 45;

const RECALCULATIONS: readonly Recalculation[] = [
  { type: 'none' },
  { type: 'progressive', isOverdueBearing: true },
  { type: 'cumulative', rest: 'daily', isCompounding: true },
  { type: 'cumulative', rest: 'dueDates', isCompounding: false },
];

const termsWith = (recalculation: Recalculation) =>
  keptTerms(loan({ principal: '20000.00', rate: '0.08', activation: '2020-01-03', firstDue: '2020-02-15', rows: 60 }), {
    ...PLAIN_KEEPING,
    recalculation,
  });

function paid(start: LedgerState['day'], payment: number, days: number): LedgerFact {
  const day = addDays(start, days);
  return {
    type: 'payment',
    transaction: payment,
    sequence: payment,
    kind: 'payment',
    amountCents: money('12.00'),
    effective: { day, seconds: 50_000 },
    recordedDay: day,
    isProcessing: false,
    isPrepaymentEnabled: true,
    principalOnlyCents: cents(0),
  };
}

function take(state: LedgerState, fact: LedgerFact): void {
  advanceTo(state, fact.effective.day);
  applyFact(state, fact);
}

test('a step costs the same after many payments', async (t) => {
  const blocksOf = await countBlocks(t);
  for (const recalculation of RECALCULATIONS) {
    const terms = termsWith(recalculation);
    const start = terms.activation;
    const state = computeLedger(terms, [], start);
    const facts: LedgerFact[] = [];
    let copy = cloneState(state);
    const growTo = (size: number): void => {
      while (facts.length < size) {
        const fact = paid(start, facts.length + 1, facts.length + 1);
        facts.push(fact);
        take(state, fact);
        if (facts.length === size - COPY_DAYS) copy = cloneState(state);
      }
    };
    /** The ledger with a payment of three days ago, continued from the copy. */
    const withLate = (): void => {
      const since = facts.slice(-COPY_DAYS);
      const late = { ...must(since.at(-3), 'a payment of three days ago'), sequence: facts.length + 1 };
      const ledger = cloneState(copy);
      for (const fact of [...since.slice(0, -2), late, ...since.slice(-2)]) take(ledger, fact);
    };
    const steps: Readonly<Record<string, () => void>> = {
      payment: () => growTo(facts.length + 1),
      balances: () => void balancesOf(state),
      payoff: () => void payoffOf(cloneState(state), addDays(state.day, 3)),
      'payment in the past': withLate,
    };
    const costs = new Map<string, number[]>();
    growTo(YOUNG / 2);
    for (const run of Object.values(steps)) run();
    for (const size of [YOUNG, OLD]) {
      growTo(size);
      for (const [name, run] of Object.entries(steps)) costs.set(name, [...(costs.get(name) ?? []), await blocksOf(run)]);
    }
    for (const [name, [young = 0, old = 0]] of costs)
      t.ok(
        young > 0 && old < young * (1 + MOST),
        `${JSON.stringify(recalculation)}, ${name}: ${young} blocks after ${YOUNG} payments, ${old} after ${OLD}`,
      );
  }
});
