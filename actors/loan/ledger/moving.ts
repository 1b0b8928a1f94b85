import type { Day, EffectiveTime, LedgerEvent, LedgerFact, LedgerStatus, LineFact, LineLedgerEvent } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { LoanState, StoredFact } from '../state.js';
import { Checkpoints } from './checkpoints.js';
import type { FactList } from './fact-list.js';

/** What a ledger of either product tells while it moves. */
interface Listener {
  happened(ledgerEvent: LineLedgerEvent): void;
}

export interface Moved {
  readonly ledgerEvents: readonly LineLedgerEvent[];
  /** The past was computed again: the ledger events are the net differences. */
  readonly isReplay: boolean;
}

/** A product's ledger as a loan keeps it, and the pure functions that move it. */
export interface LedgerKind<
  Ledger extends { readonly day: Day; readonly lastFactDay: Day; readonly terms: Terms },
  Terms extends { readonly activation: Day },
  Fact,
> {
  /** The terms with the product's settings as they are known now. */
  termsOf(state: LoanState, env: EvolveEnv): Terms;
  factsOf(state: LoanState): readonly Fact[];
  storedOf(state: LoanState): FactList<StoredFact<Fact>>;
  /** The running ledger, awake. */
  ledgerOf(state: LoanState, env: EvolveEnv): Ledger;
  keep(state: LoanState, ledger: Ledger): void;
  listen(ledger: Ledger, listener: Listener | null): void;
  compute(terms: Terms, facts: readonly Fact[], through: Day, listener?: Listener): Ledger;
  clone(ledger: Ledger): Ledger;
  advance(ledger: Ledger, day: Day): void;
  canApply(ledger: Ledger, fact: Fact): boolean;
  apply(ledger: Ledger, fact: Fact): void;
  isSlow(ledger: Ledger): boolean;
  differences(before: Ledger, after: Ledger): readonly LineLedgerEvent[];
}

type AnyFact = (LedgerFact | LineFact) & { readonly effective: EffectiveTime };

/** How the ledger of a product moves, whichever it is. */
export class Mover<
  Ledger extends { readonly day: Day; readonly lastFactDay: Day; readonly terms: Terms },
  Terms extends { readonly activation: Day },
  Fact extends AnyFact,
> {
  readonly #checkpoints: Checkpoints<Ledger, Fact>;

  constructor(private readonly kind: LedgerKind<Ledger, Terms, Fact>) {
    this.#checkpoints = new Checkpoints(kind);
  }

  /** A copy of the ledger moved forward to a day, for readers; the loan's own stays where it is. */
  on(state: LoanState, env: EvolveEnv, day: Day): Ledger {
    const copy = this.kind.clone(this.kind.ledgerOf(state, env));
    if (day > copy.day) this.kind.advance(copy, day);
    return copy;
  }

  /** The same for those who read at once and change nothing: the loan's own ledger where it stands on the day. */
  toRead(state: LoanState, env: EvolveEnv, day: Day): Ledger {
    const ledger = this.kind.ledgerOf(state, env);
    return day > ledger.day ? this.on(state, env, day) : ledger;
  }

  /** Runs the daily work up to a day. */
  through(state: LoanState, env: EvolveEnv, day: Day): Moved {
    const ledger = this.kind.ledgerOf(state, env);
    const moved = { ledgerEvents: this.#heard(ledger, () => this.kind.advance(ledger, day)), isReplay: false };
    this.#checkpoints.note(state, ledger);
    return moved;
  }

  /**
   * What a ledger that was laid aside gives with the facts that were recorded since, so that not all is computed again; null where there is
   * none, or it gives nothing.
   */
  fromLaidAside<Result>(
    state: LoanState,
    env: EvolveEnv,
    give: (laidAside: Ledger, since: readonly Fact[]) => Result | null,
  ): Result | null {
    return this.#checkpoints.from(state, this.kind.ledgerOf(state, env), give);
  }

  /** The ledger at the cut of a statement: it stays for the next one where the loan's own has seen nothing behind that cut. */
  noteCut(state: LoanState, env: EvolveEnv, atCut: Ledger): void {
    const { day, lastFactDay } = this.kind.ledgerOf(state, env);
    if (day === atCut.day && lastFactDay < day) this.#checkpoints.noteCut(state, atCut);
  }

  /** Takes in a fact: at the end it moves the running ledger, in the past everything is computed again. */
  by(state: LoanState, env: EvolveEnv, fact: Fact): Moved {
    const { kind } = this;
    const ledger = kind.ledgerOf(state, env);
    if (kind.canApply(ledger, fact)) return { ledgerEvents: this.#heard(ledger, () => kind.apply(ledger, fact)), isReplay: false };
    // The days up to a fact that is late but beyond what was computed have nothing but interest.
    if (fact.effective.day > ledger.day) kind.advance(ledger, fact.effective.day);
    const after = this.#withLate(state, ledger, fact);
    kind.keep(state, after);
    return { ledgerEvents: withOrderedStatus(kind.differences(ledger, after), fact), isReplay: true };
  }

  /** The ledger on its day with a fact of the past. */
  #withLate(state: LoanState, ledger: Ledger, fact: Fact): Ledger {
    const { kind } = this;
    return this.#checkpoints.with(state, ledger, fact) ?? kind.compute(ledger.terms, [...kind.factsOf(state), fact], ledger.day);
  }

  /** Computes all again, after what decides its settings has changed. */
  again(state: LoanState, env: EvolveEnv, before: Ledger): Moved {
    const { kind } = this;
    const after = kind.compute(kind.termsOf(state, env), kind.factsOf(state), before.day);
    kind.keep(state, after);
    return { ledgerEvents: withOrderedStatus(kind.differences(before, after), null), isReplay: true };
  }

  /** What has come of it since it stood as `before`, by several facts of which the past was computed again. */
  since(state: LoanState, env: EvolveEnv, before: Ledger, last: Fact): Moved {
    const { kind } = this;
    return { ledgerEvents: withOrderedStatus(kind.differences(before, kind.ledgerOf(state, env)), last), isReplay: true };
  }

  /** Starts the ledger at its activation; a past one is computed up to `through`, and tells only how it stands there. */
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

  /** What the ledger would be with one more fact; the loan's own stays as it is. */
  tried(state: LoanState, env: EvolveEnv, fact: Fact): Ledger {
    const { kind } = this;
    const copy = kind.clone(kind.ledgerOf(state, env));
    if (!kind.canApply(copy, fact)) return this.#withLate(state, copy, fact);
    kind.apply(copy, fact);
    return copy;
  }

  #heard(ledger: Ledger, move: () => void): readonly LineLedgerEvent[] {
    const ledgerEvents: LineLedgerEvent[] = [];
    this.kind.listen(ledger, collector(ledgerEvents));
    move();
    this.kind.listen(ledger, null);
    return ledgerEvents;
  }
}

const collector = (ledgerEvents: LineLedgerEvent[]): Listener => ({ happened: (ledgerEvent) => ledgerEvents.push(ledgerEvent) });

/** What an order says of the status: what it brings is its own doing, also when it lies in the past. */
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
 * What a recomputed ledger tells: the net differences, with what was ordered. An active loan that is charged off has passed
 * through accelerated all the same.
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
