import type { Day, EffectiveTime, LedgerEvent, LedgerFact, LedgerStatus, LineFact, LineLedgerEvent } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { LoanState, StoredFact } from '../state.js';
import { Checkpoints } from './checkpoints.js';
import type { FactList } from './fact-list.js';

/** Receives the events of a ledger of either product while it moves. */
interface Listener {
  happened(ledgerEvent: LineLedgerEvent): void;
}

export interface Moved {
  readonly ledgerEvents: readonly LineLedgerEvent[];
  /** The past was computed again: the ledger events are net differences. */
  readonly isReplay: boolean;
}

/** Where a loan keeps the ledger of its product, and the pure functions that move it. */
export interface LedgerKind<
  Ledger extends { readonly day: Day; readonly lastFactDay: Day; readonly terms: Terms },
  Terms extends { readonly activation: Day },
  Fact,
> {
  /** The terms with the product's current settings. */
  termsOf(state: LoanState, env: EvolveEnv): Terms;
  factsOf(state: LoanState): readonly Fact[];
  storedOf(state: LoanState): FactList<StoredFact<Fact>>;
  /** The running ledger, computed if it is not in memory. */
  ledgerOf(state: LoanState, env: EvolveEnv): Ledger;
  keep(state: LoanState, ledger: Ledger): void;
  listen(ledger: Ledger, listener: Listener | null): void;
  compute(terms: Terms, facts: readonly Fact[], through: Day, listener?: Listener): Ledger;
  clone(ledger: Ledger): Ledger;
  advance(ledger: Ledger, day: Day): void;
  arrangeSince(facts: readonly Fact[]): readonly Fact[] | null;
  canApply(ledger: Ledger, fact: Fact): boolean;
  apply(ledger: Ledger, fact: Fact): void;
  isSlow(ledger: Ledger): boolean;
  differences(before: Ledger, after: Ledger): readonly LineLedgerEvent[];
}

type AnyFact = (LedgerFact | LineFact) & { readonly effective: EffectiveTime };

/** Moves the ledgers of a product. */
export class Mover<
  Ledger extends { readonly day: Day; readonly lastFactDay: Day; readonly terms: Terms },
  Terms extends { readonly activation: Day },
  Fact extends AnyFact,
> {
  readonly #checkpoints: Checkpoints<Ledger, Fact>;

  constructor(private readonly kind: LedgerKind<Ledger, Terms, Fact>) {
    this.#checkpoints = new Checkpoints(kind);
  }

  /** A copy of the ledger, moved forward to a day. The loan's own ledger is not moved. */
  runningOn(state: LoanState, env: EvolveEnv, day: Day): Ledger {
    const copy = this.kind.clone(this.kind.ledgerOf(state, env));
    if (day > copy.day) this.kind.advance(copy, day);
    return copy;
  }

  /** The ledger on a day for a caller who only reads: the loan's own ledger if it has reached the day, otherwise a copy. */
  toReadOn(state: LoanState, env: EvolveEnv, day: Day): Ledger {
    const ledger = this.kind.ledgerOf(state, env);
    return day > ledger.day ? this.runningOn(state, env, day) : ledger;
  }

  /** Runs the daily work up to a day. */
  moveThrough(state: LoanState, env: EvolveEnv, day: Day): Moved {
    const ledger = this.kind.ledgerOf(state, env);
    const moved = { ledgerEvents: this.#eventsOf(ledger, () => this.kind.advance(ledger, day)), isReplay: false };
    this.#checkpoints.note(state, ledger);
    return moved;
  }

  /**
   * A result from a checkpoint and the facts that were recorded since, instead of computing everything again; null if no checkpoint gives
   * one.
   */
  fromCheckpoint<Result>(
    state: LoanState,
    env: EvolveEnv,
    give: (checkpoint: Ledger, since: readonly Fact[]) => Result | null,
  ): Result | null {
    return this.#checkpoints.from(state, this.kind.ledgerOf(state, env), give);
  }

  /** Keeps the ledger at the cut of a statement for the next one, unless the loan's own ledger has facts after that cut. */
  noteCut(state: LoanState, env: EvolveEnv, atCut: Ledger): void {
    const { day, lastFactDay } = this.kind.ledgerOf(state, env);
    if (day === atCut.day && lastFactDay < day) this.#checkpoints.noteCut(state, atCut);
  }

  /** Applies a fact: the newest one moves the running ledger, one in the past causes a replay. */
  moveBy(state: LoanState, env: EvolveEnv, fact: Fact): Moved {
    const { kind } = this;
    const ledger = kind.ledgerOf(state, env);
    if (kind.canApply(ledger, fact)) return { ledgerEvents: this.#eventsOf(ledger, () => kind.apply(ledger, fact)), isReplay: false };
    // A late fact after the last computed day: the days before it only accrue interest.
    if (fact.effective.day > ledger.day) kind.advance(ledger, fact.effective.day);
    const after = this.#withLate(state, ledger, fact);
    kind.keep(state, after);
    return { ledgerEvents: withOrderedStatus(kind.differences(ledger, after), fact), isReplay: true };
  }

  /** The ledger on its day with one more fact in the past. */
  #withLate(state: LoanState, ledger: Ledger, fact: Fact): Ledger {
    const { kind } = this;
    return this.#checkpoints.with(state, ledger, fact) ?? kind.compute(ledger.terms, [...kind.factsOf(state), fact], ledger.day);
  }

  /** Computes everything again, after the sources of its settings have changed. */
  moveAgain(state: LoanState, env: EvolveEnv, before: Ledger): Moved {
    const { kind } = this;
    const after = kind.compute(kind.termsOf(state, env), kind.factsOf(state), before.day);
    kind.keep(state, after);
    return { ledgerEvents: withOrderedStatus(kind.differences(before, after), null), isReplay: true };
  }

  /** The net differences since `before`, after several facts of which at least one caused a replay. */
  movedSince(state: LoanState, env: EvolveEnv, before: Ledger, last: Fact): Moved {
    const { kind } = this;
    return { ledgerEvents: withOrderedStatus(kind.differences(before, kind.ledgerOf(state, env)), last), isReplay: true };
  }

  /** Starts the ledger at its activation. A past activation is computed up to `through`, with only the net differences as events. */
  start(state: LoanState, env: EvolveEnv, through: Day): Moved {
    const { kind } = this;
    const terms = kind.termsOf(state, env);
    const ledgerEvents: LineLedgerEvent[] = [];
    const started = kind.compute(terms, [], terms.activation, collector(ledgerEvents));
    kind.listen(started, null);
    kind.keep(state, started);
    if (through <= terms.activation) return { ledgerEvents, isReplay: false };
    const after = kind.compute(terms, [], through);
    kind.keep(state, after);
    return { ledgerEvents: [...ledgerEvents, ...withOrderedStatus(kind.differences(started, after), null)], isReplay: true };
  }

  /** The ledger with one more fact, simulated on a copy. */
  simulated(state: LoanState, env: EvolveEnv, fact: Fact): Ledger {
    const { kind } = this;
    const copy = kind.clone(kind.ledgerOf(state, env));
    if (!kind.canApply(copy, fact)) return this.#withLate(state, copy, fact);
    kind.apply(copy, fact);
    return copy;
  }

  #eventsOf(ledger: Ledger, move: () => void): readonly LineLedgerEvent[] {
    const ledgerEvents: LineLedgerEvent[] = [];
    this.kind.listen(ledger, collector(ledgerEvents));
    move();
    this.kind.listen(ledger, null);
    return ledgerEvents;
  }
}

const collector = (ledgerEvents: LineLedgerEvent[]): Listener => ({ happened: (ledgerEvent) => ledgerEvents.push(ledgerEvent) });

/** The statuses that an order leads to: it is their cause, also after a replay. */
const ORDERED: Partial<Record<LedgerFact['type'] | LineFact['type'], readonly LedgerStatus[]>> = {
  freeze: ['frozen'],
  unfreeze: ['active'],
  accelerate: ['accelerated'],
  reverseAccelerate: ['active'],
  chargeOff: ['accelerated', 'chargedOff'],
  reverseChargeOff: ['active'],
  cancel: ['canceled'],
};

type Kind = { readonly type: LedgerFact['type'] | LineFact['type']; readonly sequence: number };

/**
 * The net differences of a replay, with the order as the cause of the statuses that it leads to. An active loan that is charged off has
 * been accelerated, too.
 */
function withOrderedStatus<Happened extends { readonly type: string }>(
  ledgerEvents: readonly (Happened | StatusChanged)[],
  fact: Kind | null,
): readonly (Happened | StatusChanged)[] {
  if (!ledgerEvents.some(isStatusChanged)) return ledgerEvents;
  return ledgerEvents.flatMap((ledgerEvent): readonly (Happened | StatusChanged)[] => {
    if (!isStatusChanged(ledgerEvent)) return [ledgerEvent];
    const { oldStatus, newStatus } = ledgerEvent;
    const isOrdered = fact !== null && ORDERED[fact.type]?.includes(newStatus) === true;
    const changed: StatusChanged = isOrdered ? { ...ledgerEvent, cause: { type: 'ordered', sequence: fact.sequence } } : ledgerEvent;
    if (oldStatus !== 'active' || newStatus !== 'chargedOff') return [changed];
    return [
      { ...changed, newStatus: 'accelerated' },
      { ...changed, oldStatus: 'accelerated' },
    ];
  });
}

type StatusChanged = Extract<LedgerEvent, { readonly type: 'statusChanged' }>;

const isStatusChanged = (ledgerEvent: { readonly type: string }): ledgerEvent is StatusChanged => ledgerEvent.type === 'statusChanged';
