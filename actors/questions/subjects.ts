import { type Balances, type ComingFee, type Day, dayAt, NO_COMING_FEES, type OverdueView } from '../../engine/index.js';
import type { PersonState } from '../borrower/index.js';
import type { QueryEnv } from '../kernel/actor.js';
import {
  activationOf,
  balancesIn,
  comingFeesOf,
  type LoansAsOf,
  type LoanState,
  overdueIn,
  recordOf,
  type RunningLedger,
  toReadOn,
  type TransactionRecord,
  upToDate,
  type ViewEnv,
} from '../loan/index.js';
import { PersonItem } from './person-item.js';
import type { ViewedKind } from './view.js';

/** Days of which transactions are effective, or on which they have changed. */
export interface Period {
  readonly from: Day;
  readonly through: Day;
}

/** What is asked of loans of the past. */
interface Then {
  readonly personNamed: (id: string) => PersonState | undefined;
  /** Null: all transactions. */
  readonly period: Period | null;
}

/** A loan as of today: what several views ask of it is computed once, when the first asks. */
export class LoanItem {
  #today: LoanState | undefined;
  #ledger: RunningLedger | null | undefined;
  #balances: Balances | null | undefined;
  #overdue: OverdueView | null | undefined;

  constructor(
    readonly state: LoanState,
    readonly env: ViewEnv,
    private readonly then: Then | null = null,
  ) {}

  get borrower(): PersonState | undefined {
    const { personId } = recordOf(this.state);
    return this.then === null ? this.env.read<PersonState>('person', personId) : this.then.personNamed(personId);
  }

  /** All, or those of the period that is asked about. */
  get transactions(): readonly TransactionRecord[] {
    const all = [...this.state.transactions.values()];
    const { period = null } = this.then ?? {};
    if (period === null) return all;
    const { zone } = recordOf(this.state);
    const isWithin = (day: Day): boolean => period.from <= day && day <= period.through;
    return all.filter(({ effective, timestamps }) => isWithin(effective.day) || isWithin(dayAt(zone, timestamps.updatedAt)));
  }

  /** With the days up to today done. */
  get today(): LoanState {
    return (this.#today ??= upToDate(this.state, this.env));
  }

  /** Through today, to its interest. Null before its activation, as are its figures. */
  get ledger(): RunningLedger | null {
    if (this.#ledger === undefined) {
      const isActivated = activationOf(this.state) !== null;
      this.#ledger = isActivated ? toReadOn(this.today, this.env, this.env.today(recordOf(this.state).zone)) : null;
    }
    return this.#ledger;
  }

  get balances(): Balances | null {
    if (this.#balances === undefined) this.#balances = this.ledger && balancesIn(this.ledger);
    return this.#balances;
  }

  /** Fees that are scheduled for days to come. */
  get comingFees(): readonly ComingFee[] {
    return this.ledger === null ? NO_COMING_FEES : comingFeesOf(this.today, this.env, this.ledger.day);
  }

  get overdue(): OverdueView | null {
    if (this.#overdue === undefined) this.#overdue = this.ledger && overdueIn(this.ledger, this.comingFees);
    return this.#overdue;
  }
}

/** A loan of the past; undefined where there was none. */
export function loanThen(id: string, env: QueryEnv, loans: LoansAsOf, period: Period | null): LoanItem | undefined {
  const loan = env.stateInPassing<LoanState>('loan', id);
  const then = loan === undefined ? null : loans.of(loan);
  const personNamed = (person: string): PersonState | undefined => env.stateInPassing<PersonState>('person', person);
  return then === null ? undefined : new LoanItem(then.state, then.env, { personNamed, period });
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
    case 'company':
    case 'case':
    case 'interaction':
    case 'event':
      return env.stateInPassing(kind, id);
  }
}
