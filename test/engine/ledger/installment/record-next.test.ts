import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  advanceLine,
  advanceTo,
  applyFact,
  applyLineFact,
  canApply,
  canApplyLine,
  computeLedger,
  computeLine,
  type Day,
  type LedgerFact,
  lineDigest,
  type LineFact,
  recordLedger,
  recordLine,
  recordLineNext,
  recordNext,
  stateDigest,
} from '../../../../engine/index.js';
import { allLines, ordinaryLines } from '../line/histories.js';
import { allHistories, moneyHistories } from './histories.js';
import { SEED } from '../../../seed.js';
import { keptHistories } from './kept-loans.js';

/* Recording the next fact on a running ledger gives the same record as a replay of the whole history. */

const RUNS = 200;

interface Allocated {
  readonly allocations: readonly { readonly transaction: number }[];
}

interface Product<Ledger, Fact, Recorded extends Allocated> {
  start(): Ledger;
  advance(ledger: Ledger, day: Day): void;
  canApply(ledger: Ledger, fact: Fact): boolean;
  apply(ledger: Ledger, fact: Fact): void;
  compute(facts: readonly Fact[], through: Day): Ledger;
  next(ledger: Ledger, fact: Fact, through: Day): Recorded;
  whole(facts: readonly Fact[], through: Day): Recorded;
  digest(recorded: Recorded): string;
  digestOf(ledger: Ledger): string;
}

/** The number of payments that were recorded last. Throws if the two records differ, or the running ledger has changed. */
function live<Ledger, Fact extends LedgerFact | LineFact, Recorded extends Allocated>(
  product: Product<Ledger, Fact, Recorded>,
  facts: readonly Fact[],
): number {
  const known: Fact[] = [];
  let ledger = product.start();
  let compared = 0;
  for (const fact of facts) {
    product.advance(ledger, fact.recordedDay);
    known.push(fact);
    if (!product.canApply(ledger, fact)) {
      ledger = product.compute(known, fact.recordedDay);
      continue;
    }
    if (fact.type === 'payment') {
      const before = product.digestOf(ledger);
      const through = fact.recordedDay > fact.effective.day ? fact.recordedDay : fact.effective.day;
      const shown = (recorded: Recorded): string =>
        product.digest(recorded) + JSON.stringify(recorded.allocations.filter(({ transaction }) => transaction === fact.transaction));
      const [next, whole] = [shown(product.next(ledger, fact, through)), shown(product.whole(known, through))];
      if (next !== whole) throw new Error(`${next}\nis not\n${whole}`);
      if (product.digestOf(ledger) !== before) throw new Error('the running ledger has moved');
      compared += 1;
    }
    product.apply(ledger, fact);
  }
  return compared;
}

for (const [name, histories] of Object.entries({ money: moneyHistories, all: allHistories, kept: keptHistories })) {
  void test(`of an installment loan (${name}): seed ${SEED}`, async (t) => {
    let compared = 0;
    fc.assert(
      fc.property(histories, ({ terms, facts }) => {
        compared += live(
          {
            start: () => computeLedger(terms, [], terms.activation),
            advance: advanceTo,
            canApply,
            apply: applyFact,
            compute: (known, through) => computeLedger(terms, known, through),
            next: recordNext,
            whole: (known, through) => recordLedger(terms, known, through),
            digest: ({ state }) => stateDigest(state),
            digestOf: stateDigest,
          },
          facts,
        );
      }),
      { seed: SEED, numRuns: RUNS },
    );
    t.ok(compared > RUNS / 4, `${compared} payments`);
  });
}

for (const [name, histories] of Object.entries({ ordinary: ordinaryLines, all: allLines })) {
  void test(`of a line of credit (${name}): seed ${SEED}`, async (t) => {
    let compared = 0;
    fc.assert(
      fc.property(histories, ({ terms, facts }) => {
        compared += live(
          {
            start: () => computeLine(terms, [], terms.activation),
            advance: advanceLine,
            canApply: canApplyLine,
            apply: applyLineFact,
            compute: (known, through) => computeLine(terms, known, through),
            next: recordLineNext,
            whole: (known, through) => recordLine(terms, known, through),
            digest: ({ state }) => lineDigest(state),
            digestOf: lineDigest,
          },
          facts,
        );
      }),
      { seed: SEED, numRuns: RUNS },
    );
    t.ok(compared > RUNS / 4, `${compared} payments`);
  });
}
