import fc from '../../../fast-check.js';
import { test } from 'tap';
import { Checkpoints, type Continuing } from '../../../../actors/loan/ledger/checkpoints.js';
import { FactList } from '../../../../actors/loan/ledger/fact-list.js';
import { ledgerFacts, lineFacts } from '../../../../actors/loan/facts.js';
import { type LoanState, newLoan, type StoredFact } from '../../../../actors/loan/state.js';
import { SYSTEM_AGENT } from '../../../../actors/kernel/fact.js';
import {
  addDays,
  advanceLine,
  advanceTo,
  applyFact,
  applyLineFact,
  arrangeLineSince,
  arrangeSince,
  canApply,
  canApplyLine,
  cloneLine,
  cloneState,
  computeLedger,
  computeLine,
  type Day,
  lineDigest,
  stateDigest,
} from '../../../../engine/index.js';
import { allLines, ordinaryLines } from '../../../engine/ledger/line/histories.js';
import { allHistories, moneyHistories, termsHistories } from '../../../engine/ledger/installment/histories.js';
import { SEED } from '../../../seed.js';

/* A ledger that goes on from a checkpoint is the one that is computed from all facts. */

const RUNS = 400;
/** Days between two looks of the daily work. */
const STEP = 5;
const LOAN: LoanState = newLoan('LN-0000-0001', { company: 'CP-0000-0001', mode: 'test' });

interface Ledger {
  readonly day: Day;
  readonly terms: object;
  readonly obligations: readonly unknown[];
  readonly payments: { readonly length: number };
  readonly totals: object;
}

interface Fact {
  readonly effective: { readonly day: Day; readonly seconds: number };
  readonly sequence: number;
  readonly recordedDay: Day;
}

interface Product<Kept extends Ledger, Taken extends Fact> extends Omit<Continuing<Kept, Taken>, 'storedOf'> {
  list(): FactList<StoredFact<Taken>>;
  compute(facts: readonly Taken[], through: Day): Kept;
  digest(ledger: Kept): string;
}

/** How often a checkpoint was gone on from; throws where that gave another ledger. */
function live<Kept extends Ledger, Taken extends Fact>(
  product: Product<Kept, Taken>,
  facts: readonly Taken[],
  start: Day,
  through: Day,
): number {
  const stored = product.list();
  const checkpoints = new Checkpoints<Kept, Taken>({ ...product, storedOf: () => stored }, { leastFacts: 0, daysBetween: 15 });
  const known: Taken[] = [];
  let ledger = product.compute([], start);
  let continued = 0;
  const runTo = (day: Day): void => {
    while (day > ledger.day) {
      const next = addDays(ledger.day, STEP);
      product.advance(ledger, next < day ? next : day);
      checkpoints.note(LOAN, ledger);
    }
  };
  for (const recorded of facts) {
    const fact = { ...recorded, sequence: known.length + 1 };
    runTo(fact.recordedDay);
    if (product.canApply(ledger, fact)) product.apply(ledger, fact);
    else {
      runTo(fact.effective.day);
      const whole = product.compute([...known, fact], ledger.day);
      const from = checkpoints.with(LOAN, ledger, fact);
      if (from !== null) {
        continued += 1;
        same(product, from, whole);
      }
      ledger = from ?? whole;
    }
    known.push(fact);
    stored.push({ fact, recordedAt: 0, by: SYSTEM_AGENT, caseId: null });
  }
  runTo(through);
  same(product, ledger, product.compute(known, ledger.day));
  return continued;
}

function same<Kept extends Ledger>({ digest }: { digest(ledger: Kept): string }, one: Kept, other: Kept): void {
  const shown = ({ day, obligations, payments, totals }: Kept): string => JSON.stringify({ day, obligations, payments, totals });
  if (digest(one) !== digest(other) || shown(one) !== shown(other)) throw new Error(`${shown(one)}\nis not\n${shown(other)}`);
}

for (const [name, histories] of Object.entries({ money: moneyHistories, terms: termsHistories, all: allHistories })) {
  void test(`an installment loan goes on from a checkpoint (${name}): seed ${SEED}`, async (t) => {
    let continued = 0;
    fc.assert(
      fc.property(histories, ({ terms, facts, through }) => {
        continued += live(
          {
            list: () => new FactList(ledgerFacts),
            compute: (known, day) => computeLedger(terms, known, day),
            clone: cloneState,
            advance: advanceTo,
            arrangeSince,
            canApply,
            apply: applyFact,
            isSlow: () => false,
            digest: stateDigest,
          },
          facts,
          terms.activation,
          through,
        );
      }),
      { seed: SEED, numRuns: RUNS },
    );
    t.ok(continued > RUNS / 20, `${continued} late facts`);
  });
}

for (const [name, histories] of Object.entries({ ordinary: ordinaryLines, all: allLines })) {
  void test(`a line of credit goes on from a checkpoint (${name}): seed ${SEED}`, async (t) => {
    let continued = 0;
    fc.assert(
      fc.property(histories, ({ terms, facts, through }) => {
        continued += live(
          {
            list: () => new FactList(lineFacts),
            compute: (known, day) => computeLine(terms, known, day),
            clone: cloneLine,
            advance: advanceLine,
            arrangeSince: arrangeLineSince,
            canApply: canApplyLine,
            apply: applyLineFact,
            isSlow: () => false,
            digest: lineDigest,
          },
          facts,
          terms.activation,
          through,
        );
      }),
      { seed: SEED, numRuns: RUNS },
    );
    t.ok(continued > RUNS / 20, `${continued} late facts`);
  });
}
