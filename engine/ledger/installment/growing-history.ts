import { must } from '../../assert.js';
import { addDays, type Day } from '../../calendar/index.js';
import type { AppliedFact, Arrangement, LateChange } from './arrange.js';
import { cloneState } from './clone.js';
import { earliest } from './coming-days.js';
import { compareFacts } from '../core/fact-order.js';
import { begin, end, type Passage, passAll, passOver, type SetAmounts } from './fold.js';
import type { LedgerState } from './state.js';
import type { StandingOrders } from '../core/state.js';
import type { LedgerTerms } from '../core/terms.js';

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
    const { passage, position } = this.#goOn(facts, orders, through, this.#late[count - 1]);
    const coming = this.#late[count];
    const at = coming === undefined ? position : passBefore(passage, facts, position, { coming, through });
    if (coming !== undefined) this.#layAside(passage, at);
    passAll(passage, facts, at, through);
    return { state: end(passage, through), amounts: must(passage.amounts, 'amounts are asked for') };
  }

  #factsWith(count: number): readonly AppliedFact[] {
    const out = new Set<AppliedFact>(this.#late.slice(count));
    return this.#arrangement.facts.filter((fact) => !out.has(fact));
  }

  #layAside({ state, newest, amounts }: Passage, position: number): void {
    this.#laidAside.push({ position, state: cloneState(state), newest, amounts: [...(amounts ?? [])] });
  }

  /** From the last ledger that knows nothing of what has joined, nor of days after it or after the last one that is asked for. */
  #goOn(facts: readonly AppliedFact[], orders: StandingOrders, through: Day, joined: LateChange | undefined): Beginning {
    const place = joined === undefined ? 0 : facts.indexOf(joined);
    const day = joined?.effective.day ?? this.#terms.activation;
    const isBehind = (aside: LaidAside | undefined): boolean => aside !== undefined && (aside.position > place || aside.state.day > day);
    while (isBehind(this.#laidAside.at(-1))) this.#laidAside.pop();
    const last = this.#laidAside.findLast(({ state }) => state.day <= through);
    if (last === undefined) return { passage: { ...begin(this.#terms, orders), amounts: [] }, position: 0 };
    const state = cloneState(last.state);
    state.orders = orders;
    return { passage: { state, newest: last.newest, amounts: [...last.amounts] }, position: last.position };
  }
}

interface Beginning {
  readonly passage: Passage;
  readonly position: number;
}

interface Until {
  readonly coming: LateChange;
  readonly through: Day;
}

/** Passes over the facts before a change: the position at which it will join. */
function passBefore(passage: Passage, facts: readonly AppliedFact[], first: number, { coming, through }: Until): number {
  let at = passAll(passage, facts, first, earliest(addDays(coming.effective.day, -1), through));
  for (let fact = facts[at]; fact !== undefined && fact.effective.day <= through && compareFacts(fact, coming) < 0; fact = facts[at]) {
    passOver(passage, fact);
    at += 1;
  }
  return at;
}
