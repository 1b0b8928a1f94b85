import type { Day } from '../calendar/index.js';
import { type AppliedFact, type Arrangement, type LateChange, setsAmounts } from './arrange.js';
import { cloneState } from './clone.js';
import { compareFacts } from './fact-order.js';
import { begin, end, type Passage, passOver } from './fold.js';
import type { LedgerState, OpenRow, StandingOrders } from './state.js';
import type { LedgerTerms } from './terms.js';

/** What the rows asked for after a fact that may have given them other amounts. */
export interface SetAmounts {
  readonly fact: number;
  readonly rows: readonly OpenRow[];
}

/** A ledger of the history, and what was set on its way. */
export interface Grown {
  readonly state: LedgerState;
  readonly amounts: readonly SetAmounts[];
}

/** A ledger that was laid aside before the fact at a position. */
interface LaidAside extends Grown {
  readonly position: number;
  readonly newest: Passage['newest'];
}

/**
 * The ledgers of a history that late changes join one by one, in the order of recording. Before the place of the change that joins last, a
 * ledger is the one before, so that each is laid aside at the place of the change to come and the next one goes on from there.
 *
 *   without any      ----------x-------------
 *   with the first             +------x------
 *   with both                         +------
 */
export class GrowingHistory {
  readonly #terms: LedgerTerms;
  readonly #arrangement: Arrangement;
  readonly #late: readonly LateChange[];
  /** By position; each is the ledger of every history from now on. */
  readonly #laidAside: LaidAside[] = [];

  constructor(terms: LedgerTerms, arrangement: Arrangement, late: readonly LateChange[]) {
    this.#terms = terms;
    this.#arrangement = arrangement;
    this.#late = late;
  }

  /** The ledger through a day with the first `count` of the late changes: to be asked for 0, 1, 2 and so on. */
  fold(count: number, orders: StandingOrders, through: Day): Grown {
    const facts = this.#factsWith(count);
    const { passage, amounts, position } = this.#goOn(this.#placeOfLast(facts, count), orders, through);
    let coming = this.#late[count];
    for (let at = position; ; at += 1) {
      const fact = facts[at];
      const isEnd = fact === undefined || fact.effective.day > through;
      if (coming !== undefined && (isEnd || compareFacts(coming, fact) < 0)) {
        this.#layAside(passage, amounts, at);
        coming = undefined;
      }
      if (isEnd) return { state: end(passage, through), amounts };
      passOver(passage, fact);
      if (setsAmounts(fact)) amounts.push({ fact: fact.sequence, rows: passage.state.rows });
    }
  }

  #factsWith(count: number): readonly AppliedFact[] {
    const out = new Set<AppliedFact>(this.#late.slice(count));
    return this.#arrangement.facts.filter((fact) => !out.has(fact));
  }

  #placeOfLast(facts: readonly AppliedFact[], count: number): number {
    const last = this.#late[count - 1];
    return last === undefined ? 0 : facts.indexOf(last);
  }

  #layAside({ state, newest }: Passage, amounts: readonly SetAmounts[], position: number): void {
    this.#laidAside.push({ position, state: cloneState(state), newest, amounts: [...amounts] });
  }

  /** From the last ledger that knows nothing of what has joined at a place, nor of days after the last one that is asked for. */
  #goOn(place: number, orders: StandingOrders, through: Day): { readonly passage: Passage; readonly amounts: SetAmounts[]; readonly position: number } {
    while ((this.#laidAside.at(-1)?.position ?? 0) > place) this.#laidAside.pop();
    const last = this.#laidAside.findLast(({ state }) => state.day <= through);
    if (last === undefined) return { passage: begin(this.#terms, orders), amounts: [], position: 0 };
    const state = cloneState(last.state);
    state.orders = orders;
    return { passage: { state, newest: last.newest }, amounts: [...last.amounts], position: last.position };
  }
}
