import type { Balances, OverdueView } from '../../engine/index.js';
import type { PersonState } from '../borrower/index.js';
import type { QueryEnv } from '../kernel/actor.js';
import { activationOf, balancesIn, type LoanState, overdueIn, type RunningLedger, runningOf, upToDate } from '../loan/index.js';
import { PersonItem } from './person-item.js';
import type { ViewedKind } from './view.js';

/** A loan as of today: what several views ask of it is computed once, when the first asks. */
export class LoanItem {
  #today: LoanState | undefined;
  #ledger: RunningLedger | null | undefined;
  #balances: Balances | null | undefined;
  #overdue: OverdueView | null | undefined;

  constructor(
    readonly state: LoanState,
    readonly env: QueryEnv,
  ) {}

  /** With the days up to today done. */
  get today(): LoanState {
    return (this.#today ??= upToDate(this.state, this.env));
  }

  /** Null before its activation, as are its figures. */
  get ledger(): RunningLedger | null {
    if (this.#ledger === undefined) this.#ledger = activationOf(this.state) === null ? null : runningOf(this.today, this.env);
    return this.#ledger;
  }

  get balances(): Balances | null {
    if (this.#balances === undefined) this.#balances = this.ledger && balancesIn(this.ledger);
    return this.#balances;
  }

  get overdue(): OverdueView | null {
    if (this.#overdue === undefined) this.#overdue = this.ledger && overdueIn(this.ledger);
    return this.#overdue;
  }
}

/** What all views of a kind are made from, for one of its actors; undefined where it has no state. */
export function subjectOf(kind: ViewedKind, id: string, env: QueryEnv): unknown {
  switch (kind) {
    case 'person': {
      const person = env.stateInPassing<PersonState>(kind, id);
      return person && new PersonItem(person, env);
    }
    case 'loan': {
      const loan = env.stateInPassing<LoanState>(kind, id);
      return loan && new LoanItem(loan, env);
    }
    case 'case':
    case 'interaction':
    case 'event':
      return env.stateInPassing(kind, id);
  }
}
