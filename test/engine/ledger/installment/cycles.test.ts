import fc from '../../../fast-check.js';
import { test } from 'tap';
import { balancesOf, computeByDay, computeLedger, cycleOf, type Day, type LedgerFact, stateDigest } from '../../../../engine/index.js';
import { allHistories, PARAMETERS } from './histories.js';
import { SEED } from '../../../seed.js';

/** The same facts recorded in time, since a late fact bounds earlier obligations and changes the history of each day. */
const inTime = (facts: readonly LedgerFact[]): readonly LedgerFact[] =>
  facts.filter((fact) => (fact.type !== 'ratesChanged' && fact.type !== 'advance') || fact.recordedDay === fact.effective.day);

test('a ledger shown day by day equals the replay through each day', async (t) => {
  t.comment(`seed ${SEED}`);
  fc.assert(
    fc.property(allHistories, fc.integer({ min: 0, max: 40 }), ({ terms, facts, through }, days) => {
      const known = inTime(facts);
      const from = Math.max(terms.activation, through - days) as Day;
      let day: number = from;
      computeByDay(terms, known, { from, to: through }, (state) => {
        if (stateDigest(state) !== stateDigest(computeLedger(terms, known, day as Day))) throw new Error(`day ${day}`);
        day += 1;
      });
      return day === through + 1;
    }),
    PARAMETERS,
  );
  t.pass('holds');
});

test('the last day is the ledger itself, whatever was recorded late', async (t) => {
  t.comment(`seed ${SEED}`);
  fc.assert(
    fc.property(allHistories, ({ terms, facts, through }) => {
      let shown = '';
      computeByDay(terms, facts, { from: through, to: through }, (state) => (shown = stateDigest(state)));
      return shown === stateDigest(computeLedger(terms, facts, through));
    }),
    { ...PARAMETERS, numRuns: 10 * (PARAMETERS.numRuns ?? 100) },
  );
  t.pass('holds');
});

test('the closing balance of a cycle is the opening balance of the next', async (t) => {
  t.comment(`seed ${SEED}`);
  fc.assert(
    fc.property(allHistories, ({ terms, facts, through }) => {
      const known = inTime(facts);
      let after: Day | null = null;
      let closing = 0;
      for (const { date } of terms.rows.filter((row) => row.date <= through)) {
        const cycle = cycleOf(terms, known, { after, day: date });
        if (cycle.openingCents !== closing) throw new Error(`opens with ${cycle.openingCents} after ${closing}`);
        closing = cycle.closingCents;
        const { outstanding, chargedOff } = balancesOf(cycle.state);
        if (closing !== outstanding.totalCents + chargedOff.totalCents) throw new Error('closes with another balance');
        after = date;
      }
    }),
    PARAMETERS,
  );
  t.pass('holds');
});

const CENT = 160_308_000_000_000;

/** The largest rounding difference: each due date rounds the accrued interest, and so do both ends of a cycle. */
const roundedCents = (dueDates: number): number => 2 + dueDates / 2;

test('the interest of a cycle is that of its days, except for rounding', async (t) => {
  t.comment(`seed ${SEED}`);
  fc.assert(
    fc.property(allHistories, ({ terms, facts, through }) => {
      // Interest of frozen days is entered when they are over.
      const known = inTime(facts).filter(({ type }) => type !== 'unfreeze');
      let after: Day | null = null;
      for (const { date } of terms.rows.filter((row) => row.date <= through)) {
        const { state, interestCents, interestDays } = cycleOf(terms, known, { after, day: date });
        const ofDays = Number(interestDays.reduce((sum, { interest }) => sum + interest, 0n)) / CENT;
        const most = roundedCents(state.obligations.length + state.replaced.length);
        if (Math.abs(interestCents - ofDays) > most) throw new Error(`${interestCents} cents through ${date}, and its days bear ${ofDays}`);
        after = date;
      }
    }),
    PARAMETERS,
  );
  t.pass('holds');
});
