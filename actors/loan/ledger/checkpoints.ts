import { type Day, type FactPosition, factsInOrder } from '../../../engine/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { ask } from '../../kernel/policy.js';
import { effectiveNow } from '../context.js';
import type { LedgerChanged } from '../facts.js';
import { loanAsks } from '../questions.js';
import type { LoanState, StoredFact } from '../state.js';
import type { FactList } from './fact-list.js';

/*
 * A fact of last week needs the ledger of last week, and not that of ten years ago. Old ledgers are laid aside now and then as they
 * run along with their facts: a copy on its day, and how many facts were recorded by then.
 *
 *   facts   1 .. 400 | 401 .. 460 | 461 of last week
 *                  copy              goes on from there with 401 to 461, in their order
 *
 * Whatever was recorded since, and cannot be taken in behind the copy, says that it does not stand: then all is computed. What is
 * taken in is what a running ledger takes in, which is the whole computation by the law of `canApply`.
 *
 * A statement begins at the cut of the one before: the ledger of that cut stays until the next one is made.
 */

const OFTEN = {
  /** A shorter history is computed as fast, and its copies would take memory in every loan. */
  leastFacts: 128,
  /** Days between two copies. */
  daysBetween: 30,
} as const;

/** How many stay: what is recorded is seldom older. */
const COPIES = 2;

/** What is asked of a product's ledger. */
export interface Continuing<Ledger extends { readonly day: Day; readonly terms: object }, Fact> {
  storedOf(state: LoanState): FactList<StoredFact<Fact>>;
  clone(ledger: Ledger): Ledger;
  advance(ledger: Ledger, day: Day): void;
  canApply(ledger: Ledger, fact: Fact): boolean;
  apply(ledger: Ledger, fact: Fact): void;
  /** Whether days alone, without facts, take long to compute. */
  isSlow(ledger: Ledger): boolean;
}

interface Checkpoint<Ledger> {
  readonly ledger: Ledger;
  readonly facts: number;
}

export class Checkpoints<Ledger extends { readonly day: Day; readonly terms: object }, Fact extends FactPosition> {
  /** Of a loan's facts; a copy of a loan has none. */
  readonly #laidAside = new WeakMap<FactList<StoredFact<Fact>>, readonly Checkpoint<Ledger>[]>();
  /** That of the last statement. */
  readonly #cuts = new WeakMap<FactList<StoredFact<Fact>>, Checkpoint<Ledger>>();

  constructor(
    private readonly kind: Continuing<Ledger, Fact>,
    private readonly often: { readonly leastFacts: number; readonly daysBetween: number } = OFTEN,
  ) {}

  /** The ledger has run to its day with all facts of the loan. */
  note(state: LoanState, ledger: Ledger): void {
    const facts = this.kind.storedOf(state);
    if (facts.length < this.often.leastFacts) return;
    const known = this.#laidAside.get(facts) ?? [];
    const last = known.at(-1)?.ledger;
    if (last?.terms === ledger.terms && ledger.day < last.day + this.often.daysBetween) return;
    this.#laidAside.set(facts, [...known, { ledger: this.kind.clone(ledger), facts: facts.length }].slice(-COPIES));
  }

  /** The ledger at the cut of a statement, with all facts of the loan. Nobody moves it any more. */
  noteCut(state: LoanState, ledger: Ledger): void {
    const facts = this.kind.storedOf(state);
    if (facts.length >= this.often.leastFacts || this.kind.isSlow(ledger)) this.#cuts.set(facts, { ledger, facts: facts.length });
  }

  /** What a ledger that was laid aside under these terms gives with the facts that were recorded since; null where none gives any. */
  from<Result>(state: LoanState, { terms }: Ledger, give: (laidAside: Ledger, since: readonly Fact[]) => Result | null): Result | null {
    const stored = this.kind.storedOf(state);
    const cut = this.#cuts.get(stored);
    for (const { ledger, facts } of [...(this.#laidAside.get(stored) ?? []), ...(cut === undefined ? [] : [cut])].reverse()) {
      if (ledger.terms !== terms) continue;
      const given = give(
        ledger,
        stored.from(facts).map(({ fact }) => fact),
      );
      if (given !== null) return given;
    }
    return null;
  }

  /** The ledger on its day with one more fact, from a copy behind which all that came since can be taken in; null where there is none. */
  with(state: LoanState, { terms, day }: Ledger, fact: Fact): Ledger | null {
    const stored = this.kind.storedOf(state);
    for (const { ledger, facts } of [...(this.#laidAside.get(stored) ?? [])].reverse()) {
      if (ledger.terms !== terms || fact.effective.day < ledger.day) continue;
      const later = factsInOrder([...stored.from(facts).map((since) => since.fact), fact]);
      const continued = this.#continued(ledger, later);
      if (continued === null) continue;
      if (day > continued.day) this.kind.advance(continued, day);
      return continued;
    }
    return null;
  }

  #continued(from: Ledger, facts: readonly Fact[]): Ledger | null {
    const { kind } = this;
    const ledger = kind.clone(from);
    for (const fact of facts) {
      if (!kind.canApply(ledger, fact)) return null;
      kind.apply(ledger, fact);
    }
    return ledger;
  }
}

/*
 * Days overdue accelerate and charge off no loan as long as a case with a hold is active. The ledger gets a fact
 * when one begins and when it ends, so that every replay knows on which days it held.
 */

/** What a loan that comes into force finds: the cases that hold it from its first day on. */
export const heldAtActivation = (env: DecideEnv, loan: LoanState): readonly FactDraft[] =>
  ask(env, loanAsks.casesHoldingThresholds, loan).map((caseId) => thresholdDraft(env, loan, 'thresholdsHeld', caseId));

export function thresholdDraft(env: DecideEnv, loan: LoanState, type: 'thresholdsHeld' | 'thresholdsReleased', holder: string): FactDraft {
  const effective = effectiveNow(env, loan);
  const body: LedgerChanged = { change: { type, holder }, recordedDay: effective.day, caseId: holder, reason: null };
  return { type: 'LedgerChanged', body, effective };
}
