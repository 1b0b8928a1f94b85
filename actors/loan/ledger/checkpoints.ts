import type { Day, FactPosition } from '../../../engine/index.js';
import type { LoanState, StoredFact } from '../state.js';
import type { FactList } from './fact-list.js';

/*
 * A fact of last week needs the ledger of last week, not a computation of ten years. So a copy of the running ledger is kept from time to
 * time, with its day and the number of facts that were recorded by then.
 *
 *   facts   1 .. 400 | 401 .. 460 | 461 of last week
 *                  copy              continues with 401 to 461, in their order
 *
 * If a later fact cannot be applied to the copy (`canApply`), the copy is of no use and everything is computed. A fact that can be applied
 * gives the same ledger as the whole computation. A fact that takes another one back is left out with it, if both are behind the copy.
 *
 * A statement begins at the cut of the previous one: the ledger at that cut is kept until the next statement.
 */

const FREQUENCY = {
  /** A shorter history is computed as fast, and its copies would take memory in every loan. */
  leastFacts: 128,
  /** Days between two copies. */
  daysBetween: 30,
} as const;

/** Copies that are kept of a ledger: later facts are seldom older. */
const COPIES = 2;

/** The functions of a product's ledger that checkpoints need. */
export interface Continuing<Ledger extends { readonly day: Day; readonly terms: object }, Fact> {
  storedOf(state: LoanState): FactList<StoredFact<Fact>>;
  clone(ledger: Ledger): Ledger;
  advance(ledger: Ledger, day: Day): void;
  /** Facts in effective order, without those that others among them take back. Null if one changes what is before them. */
  arrangeSince(facts: readonly Fact[]): readonly Fact[] | null;
  canApply(ledger: Ledger, fact: Fact): boolean;
  apply(ledger: Ledger, fact: Fact): void;
  /** Whether even days without facts take long to compute. */
  isSlow(ledger: Ledger): boolean;
}

interface Checkpoint<Ledger> {
  readonly ledger: Ledger;
  readonly facts: number;
}

export class Checkpoints<Ledger extends { readonly day: Day; readonly terms: object }, Fact extends FactPosition> {
  /** By a loan's list of facts; a copy of a loan has none. */
  readonly #copies = new WeakMap<FactList<StoredFact<Fact>>, readonly Checkpoint<Ledger>[]>();
  /** The ledger at the cut of the last statement. */
  readonly #cuts = new WeakMap<FactList<StoredFact<Fact>>, Checkpoint<Ledger>>();

  constructor(
    private readonly kind: Continuing<Ledger, Fact>,
    private readonly often: { readonly leastFacts: number; readonly daysBetween: number } = FREQUENCY,
  ) {}

  /** Keeps a copy from time to time. The ledger has run to its day with all facts of the loan. */
  note(state: LoanState, ledger: Ledger): void {
    const facts = this.kind.storedOf(state);
    if (facts.length < this.often.leastFacts) return;
    const known = this.#copies.get(facts) ?? [];
    const last = known.at(-1)?.ledger;
    if (last?.terms === ledger.terms && ledger.day < last.day + this.often.daysBetween) return;
    this.#copies.set(facts, [...known, { ledger: this.kind.clone(ledger), facts: facts.length }].slice(-COPIES));
  }

  /** Keeps the ledger at the cut of a statement, with all facts of the loan. The caller must not move it any more. */
  noteCut(state: LoanState, ledger: Ledger): void {
    const facts = this.kind.storedOf(state);
    if (facts.length >= this.often.leastFacts || this.kind.isSlow(ledger)) this.#cuts.set(facts, { ledger, facts: facts.length });
  }

  /** The first result that is not null of `give`, called with copies under these terms and the facts since then, newest copy first. */
  from<Result>(state: LoanState, { terms }: Ledger, give: (checkpoint: Ledger, since: readonly Fact[]) => Result | null): Result | null {
    const stored = this.kind.storedOf(state);
    const cut = this.#cuts.get(stored);
    for (const { ledger, facts } of [...(this.#copies.get(stored) ?? []), ...(cut === undefined ? [] : [cut])].reverse()) {
      if (ledger.terms !== terms) continue;
      const given = give(
        ledger,
        stored.from(facts).map(({ fact }) => fact),
      );
      if (given !== null) return given;
    }
    return null;
  }

  /** The ledger on its day with one more fact, continued from a copy; null if no copy can be continued. */
  with(state: LoanState, { terms, day }: Ledger, fact: Fact): Ledger | null {
    const stored = this.kind.storedOf(state);
    for (const { ledger, facts } of [...(this.#copies.get(stored) ?? [])].reverse()) {
      if (ledger.terms !== terms) continue;
      const later = this.kind.arrangeSince([...stored.from(facts).map((since) => since.fact), fact]);
      const continued = later === null ? null : this.#continued(ledger, later);
      if (continued === null) continue;
      if (day > continued.day) this.kind.advance(continued, day);
      return continued;
    }
    return null;
  }

  #continued(from: Ledger, facts: readonly Fact[]): Ledger | null {
    const { kind } = this;
    const [first] = facts;
    if (first !== undefined && !kind.canApply(from, first)) return null;
    const ledger = kind.clone(from);
    for (const fact of facts) {
      if (!kind.canApply(ledger, fact)) return null;
      kind.apply(ledger, fact);
    }
    return ledger;
  }
}
