import fc from '../../../fast-check.js';
import { test } from 'tap';
import { addDays, cents, type Day, type LedgerFact, type LedgerState, stateDigest } from '../../../../engine/index.js';
import {
  capsOf,
  foldWithCaps,
  GrowingHistory,
  type Grown,
  isBehindAmounts,
  lateChanges,
  withCaps,
  arrangedWithIdleDays,
} from '../../../../engine/ledger/installment/growing-history.js';
import { fold } from '../../../../engine/ledger/installment/fold.js';
import type { DueCaps, OrdersInForce } from '../../../../engine/ledger/core/state.js';
import { type History, PARAMETERS, RUNS, termsHistories } from './histories.js';
import { SEED } from '../../../seed.js';

/** Enough runs that some histories have a late change. */
const ENOUGH_RUNS = 300;

/** The same history with each change of rates recorded again, some days later and for a day some days before: many late ones. */
function withMoreLate({ terms, facts, through, ...others }: History, [back, on]: readonly [number, number]): History {
  const again = facts.flatMap((fact, position): readonly LedgerFact[] => {
    if (fact.type !== 'ratesChanged' && fact.type !== 'advance') return [];
    const first = addDays(fact.effective.day, -back * ((position % 3) + 1));
    const effective = { day: first > terms.activation ? first : terms.activation, seconds: fact.effective.seconds };
    const moved = { effective, recordedDay: addDays(fact.recordedDay, on), sequence: 1000 + position };
    return [
      fact.type === 'advance' ? { ...fact, ...moved, advance: fact.advance + 1000, amountCents: cents(10_000) } : { ...fact, ...moved },
    ];
  });
  return { terms, facts: [...facts, ...again], through, ...others };
}

test('a ledger that continues from the saved one without a late change equals the one computed from the start', async (t) => {
  t.comment(`seed ${SEED}`);
  let joined = 0;
  fc.assert(
    fc.property(termsHistories, fc.tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 90 })), (drawn, moved) => {
      const { terms, facts, through } = withMoreLate(drawn, moved);
      const arrangement = arrangedWithIdleDays(terms, facts);
      const late = lateChanges(arrangement);
      joined += late.length;
      const fromTheStart = (count: number, orders: OrdersInForce, day: Day): Grown =>
        new GrowingHistory(terms, arrangement, late).fold(count, orders, day);
      const caps: DueCaps[] = [];
      for (const [before, change] of late.entries()) {
        caps.push(capsOf(change, fromTheStart(before, { ...arrangement.orders, caps: [...caps] }, change.recordedDay)));
      }
      const { orders } = withCaps(terms, arrangement, late);
      const whole = fromTheStart(late.length, orders, through).state;
      return (
        JSON.stringify(orders.caps) === JSON.stringify(caps) &&
        stateDigest(foldWithCaps(terms, arrangement, late, through)) === stateDigest(whole)
      );
    }),
    PARAMETERS,
  );
  t.ok(joined > 0 || RUNS < ENOUGH_RUNS, `${joined} late changes joined`);
});

test('a late change within its bound moves no due date: the ledgers with and without caps are the same', async (t) => {
  t.comment(`seed ${SEED}`);
  let within = 0;
  fc.assert(
    fc.property(termsHistories, ({ terms, facts, through }) => {
      const arrangement = arrangedWithIdleDays(terms, facts);
      const late = lateChanges(arrangement);
      if (late.length === 0 || isBehindAmounts(arrangement, late)) return true;
      const known = Math.max(through, ...late.map(({ recordedDay }) => recordedDay)) as Day;
      if (fold(terms, arrangement, known, null).isCapMissing) return true;
      within += 1;
      const shown = (state: LedgerState): string => stateDigest({ ...state, isCapMissing: false });
      return shown(fold(terms, arrangement, through, null)) === shown(foldWithCaps(terms, arrangement, late, through));
    }),
    PARAMETERS,
  );
  t.ok(within > 0 || RUNS < ENOUGH_RUNS, `${within} histories`);
});
