import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  computeLedger,
  computeLine,
  type Cycle,
  cycleFrom,
  cycleOf,
  type Day,
  day as dayOf,
  type LineCycle,
  lineCycleFrom,
  lineCycleOf,
  lineDigest,
  stateDigest,
} from '../../../../engine/index.js';
import { allLines, ordinaryLines } from '../line/histories.js';
import { allHistories, moneyHistories, termsHistories } from './histories.js';
import { SEED } from '../../../seed.js';
import { keptHistories } from './kept-loans.js';

/* A cycle that is computed from a stored ledger equals the cycle that is computed from all facts. */

const RUNS = 400;

interface Fact {
  readonly effective: { readonly day: Day };
  readonly recordedDay: Day;
}

interface Product<Ledger, Taken extends Fact, Found> {
  readonly compute: (facts: readonly Taken[], through: Day) => Ledger;
  readonly whole: (facts: readonly Taken[], days: { readonly after: Day; readonly day: Day }) => Found;
  readonly from: (checkpoint: Ledger, since: readonly Taken[], days: { readonly after: Day; readonly day: Day }) => Found | null;
  readonly digest: (found: Found) => string;
}

const days = fc.record({ known: fc.double({ min: 0, max: 1, noNaN: true }), toCut: fc.nat(20), toNext: fc.integer({ min: 1, max: 40 }) });
type Days = { readonly known: number; readonly toCut: number; readonly toNext: number };

/** Stores the ledger with some of the facts on the day on which they are known. Returns whether a cycle was found from it. */
function foundFrom<Ledger, Taken extends Fact & { readonly sequence: number }, Found extends Cycle | LineCycle>(
  { compute, whole, from, digest }: Product<Ledger, Taken, Found>,
  recorded: readonly Taken[],
  activation: Day,
  { known, toCut, toNext }: Days,
): boolean {
  const facts = recorded.map((fact, at) => ({ ...fact, sequence: at + 1 }));
  const count = Math.floor(known * facts.length);
  const before = facts.slice(0, count);
  const checkpointOn = dayOf(Math.max(activation, ...before.flatMap(({ effective, recordedDay }) => [effective.day, recordedDay])));
  const after = addDays(checkpointOn, toCut);
  const cut = { after, day: addDays(after, toNext) };
  const found = from(compute(before, checkpointOn), facts.slice(count), cut);
  if (found === null) return false;
  const shown = (cycle: Found): string => digest(cycle) + shownOf(cycle);
  const expected = whole(facts, cut);
  if (shown(found) !== shown(expected)) throw new Error(`${shown(found)}\nis not\n${shown(expected)}`);
  return true;
}

/** A cycle without the division of its saved interest, which depends on the days on which the ledger was stored. */
function shownOf(cycle: Cycle | LineCycle): string {
  const { state: _state, interestDays, ...rest } = cycle;
  const days = interestDays.map(({ interestBeforeDiscount: _before, ...day }) => day);
  const draws = 'draws' in cycle ? [...cycle.draws] : [];
  return JSON.stringify({ ...rest, draws, days }, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

for (const [name, histories] of Object.entries({ money: moneyHistories, terms: termsHistories, all: allHistories, kept: keptHistories })) {
  void test(`a cycle of an installment loan from a ledger of then is the one from all facts (${name}): seed ${SEED}`, async (t) => {
    let found = 0;
    fc.assert(
      fc.property(histories, days, ({ terms, facts }, at) => {
        found += Number(
          foundFrom(
            {
              compute: (known, through) => computeLedger(terms, known, through),
              whole: (known, cut) => cycleOf(terms, known, cut),
              from: cycleFrom,
              digest: ({ state }) => stateDigest(state),
            },
            facts,
            terms.activation,
            at,
          ),
        );
      }),
      { seed: SEED, numRuns: RUNS },
    );
    t.ok(found > RUNS / 10, `${found} cycles of ${RUNS}`);
  });
}

for (const [name, histories] of Object.entries({ ordinary: ordinaryLines, all: allLines })) {
  void test(`a cycle of a line from a ledger of then is the one from all facts (${name}): seed ${SEED}`, async (t) => {
    let found = 0;
    fc.assert(
      fc.property(histories, days, ({ terms, facts }, at) => {
        found += Number(
          foundFrom(
            {
              compute: (known, through) => computeLine(terms, known, through),
              whole: (known, cut) => lineCycleOf(terms, known, cut),
              from: lineCycleFrom,
              digest: ({ state }) => lineDigest(state),
            },
            facts,
            terms.activation,
            at,
          ),
        );
      }),
      { seed: SEED, numRuns: RUNS },
    );
    t.ok(found > RUNS / 10, `${found} cycles of ${RUNS}`);
  });
}
