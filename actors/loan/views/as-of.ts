import { addDays, type Day, dayAt, instantAt, startOfDay } from '../../../engine/index.js';
import type { CompanyState, LoanType } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { isLive } from '../autopay/plan.js';
import { placementOn } from '../collection/index.js';
import { activationOf, loanTypeOf, recordOf } from '../context.js';
import { runningOf, type RunningLedger, summarize } from '../ledger/running.js';
import { loanTypeKnown, sourcesKnown } from '../ledger/settings.js';
import type { LineServicing } from '../line/ledger.js';
import type { LoanRecord, LoanState, LoanTimestamps, Servicing } from '../state.js';
import { transactionsKnown } from '../transactions/known.js';
import type { Transactions } from '../transactions/transactions.js';
import type { ViewEnv } from './loan.js';

/** The end of a day, as it was known at a moment: the two time axes. */
export interface AsOf {
  readonly day: Day;
  /** Milliseconds of the company's clock. */
  readonly knownAt: number;
}

/** A loan at a moment, and what views of it may know. */
export interface LoanThen {
  readonly state: LoanState;
  readonly env: ViewEnv;
}

/**
 * Loans as of a day and a moment, for views of the present that know nothing of the past: the state is a copy with what was known, its
 * ledger is computed through the day, and the day is today. Orders without an effective day of their own (autopay, payment plans) hold from
 * the moment at which they were recorded. Shown as of now are labels, external ids, meta data, a reason of a charge-off that was set by
 * hand, and the rates of a line of credit beside those of its draws.
 */
export class LoansAsOf {
  readonly #env: KnownEnv;

  constructor(
    private readonly present: ViewEnv,
    private readonly asOf: AsOf,
  ) {
    this.#env = new KnownEnv(present, asOf);
  }

  /** Null where there was no such loan on the day, or none was known at the moment. */
  of(state: LoanState): LoanThen | null {
    if (state.record === null || (state.statusHistory[0]?.recordedAt ?? state.record.timestamps.createdAt) > this.asOf.knownAt) return null;
    if (this.#isPresent(state)) return { state, env: this.present };
    const known: LoanState = { ...state, servicing: this.#known(state.servicing), line: this.#known(state.line) };
    const activation = activationOf(known);
    const ledger = activation === null ? null : runningOf(known, this.#env);
    if (activation !== null && ledger !== null) activation.summary = summarize(ledger);
    const record = this.#recordOf(state, ledger);
    return record === null ? null : { state: this.#withParts(known, record, ledger), env: this.#env };
  }

  /** The day is today, or to come, and nothing was recorded since the moment. */
  #isPresent(state: LoanState): boolean {
    const { day, knownAt } = this.asOf;
    if (day < this.present.today(recordOf(state).zone) || state.lastUpdate.at > knownAt) return false;
    const activation = activationOf(state);
    if (activation === null) return true;
    const newest = activation.facts.at(activation.facts.length - 1)?.recordedAt ?? -Infinity;
    const changed = activation.sourcesBefore.at(-1)?.until ?? -Infinity;
    return newest <= knownAt && changed <= knownAt && loanTypeOf(this.#env, state) === loanTypeOf(this.present, state);
  }

  #known<Of extends Servicing | LineServicing>(of: Of | null): Of | null {
    const { day, knownAt } = this.asOf;
    if (of === null || of.recordedAt > knownAt || of.contract.terms.activation > day) return null;
    return {
      ...of,
      sources: sourcesKnown(of, knownAt),
      sourcesBefore: [],
      facts: of.facts.among((stored: { readonly recordedAt: number }) => stored.recordedAt <= knownAt),
      ledger: null,
      summary: { ...of.summary, through: day },
    };
  }

  #recordOf(state: LoanState, ledger: RunningLedger | null): LoanRecord | null {
    const { day, knownAt } = this.asOf;
    const record = recordOf(state);
    const last = state.statusHistory.findLast(({ effectiveDay, recordedAt }) => effectiveDay <= day && recordedAt <= knownAt);
    if (last === undefined && ledger === null) return null;
    const status = last?.newStatus ?? record.status;
    const { timestamps, servicedBy } = record;
    return {
      ...record,
      status,
      servicedBy: placementOn(state, day, knownAt) !== null ? AGENCY : servicedBy === AGENCY ? LENDER : servicedBy,
      areExternalIdsFree: record.areExternalIdsFree && status === 'canceled',
      isClosed: record.isClosed && this.#was(record.zone, timestamps.closedAt) !== null,
      timestamps: this.#timesOf(record, ledger),
    };
  }

  #timesOf({ zone, timestamps }: LoanRecord, ledger: RunningLedger | null): LoanTimestamps {
    const was = (at: number | null): number | null => this.#was(zone, at);
    const since = (day: Day | null, at: number | null): number | null => {
      if (day === null) return null;
      return at !== null && dayAt(zone, at) === day ? at : instantAt(zone, day, END_OF_DAY);
    };
    const { createdAt, startedAt, originatedAt, activatedAt, lastAmortizedAt, closedAt, canceledAt } = timestamps;
    const sinceStatus = (status: RunningLedger['status'], at: number | null): number | null =>
      ledger?.status === status ? since(ledger.statusSince, at) : null;
    return {
      createdAt,
      startedAt: was(startedAt),
      originatedAt: was(originatedAt),
      activatedAt: ledger === null ? null : activatedAt,
      frozenAt: sinceStatus('frozen', timestamps.frozenAt),
      lastAmortizedAt: was(lastAmortizedAt),
      acceleratedAt: since(ledger?.acceleratedSince ?? null, timestamps.acceleratedAt),
      chargedOffAt: since(ledger?.chargedOffSince ?? null, timestamps.chargedOffAt),
      paidOffAt: sinceStatus('paidOff', timestamps.paidOffAt),
      closedAt: was(closedAt),
      canceledAt: was(canceledAt),
    };
  }

  /** A time that had come on the day, and was known. */
  #was(zone: string, at: number | null): number | null {
    return at !== null && at <= this.#lastMoment(zone) ? at : null;
  }

  #lastMoment(zone: string): number {
    return Math.min(this.asOf.knownAt, startOfDay(zone, addDays(this.asOf.day, 1)) - 1);
  }

  #withParts(known: LoanState, record: LoanRecord, ledger: RunningLedger | null): LoanState {
    const { knownAt } = this.asOf;
    const last = this.#lastMoment(record.zone);
    const { modifications, parties, autopay } = known;
    let transactions: Transactions | null = null;
    return {
      ...known,
      record,
      autopay: autopay
        .filter(({ createdAt }) => createdAt <= last)
        .map((plan) => (isLive(plan) || (plan.endedAt ?? -Infinity) <= last ? plan : { ...plan, status: 'active', endedAt: null })),
      modifications: {
        ...modifications,
        plans: modifications.plans
          .filter(({ createdAt }) => createdAt <= last)
          .map((plan) => (plan.status === 'active' || plan.updatedAt <= last ? plan : { ...plan, status: 'active' })),
      },
      parties: { ...parties, ownerChanges: parties.ownerChanges.filter(({ recordedAt }) => recordedAt <= knownAt) },
      // Most views ask for none of them, and some loans have thousands.
      get transactions() {
        return (transactions ??= transactionsKnown({ state: known, ledger, knownAt }));
      },
    };
  }
}

const AGENCY = 'debtCollectionAgency';
/** Who services a loan again that was at an agency, unless its end said otherwise. */
const LENDER = 'creditor';

/** The time of a status on a past day: 23:59. */
const END_OF_DAY = { hour: 23, minute: 59, second: 0 };

/** The company as it was known at a moment, as far as ledgers ask for it, on a day that is today. */
class KnownEnv implements ViewEnv {
  readonly #types = new Map<CompanyState['loanTypes'], CompanyState['loanTypes']>();

  constructor(
    private readonly present: ViewEnv,
    private readonly asOf: AsOf,
  ) {}

  today(): Day {
    return this.asOf.day;
  }

  read<State>(kind: string, id: string): State | undefined {
    const state = this.present.read<State>(kind, id);
    const company = kind === 'company' ? this.present.read<CompanyState>(kind, id) : undefined;
    return state === undefined || company === undefined ? state : { ...state, loanTypes: this.#typesOf(company) };
  }

  /** The same objects at each call, so that loans with equal settings share their timeline. */
  #typesOf({ loanTypes }: CompanyState): CompanyState['loanTypes'] {
    const before = this.#types.get(loanTypes);
    if (before !== undefined) return before;
    const known = new Map<string, LoanType>();
    for (const [id, loanType] of loanTypes) known.set(id, loanTypeKnown(loanType, this.asOf.knownAt));
    this.#types.set(loanTypes, known);
    return known;
  }

  derivedId(prefix: string, shardOf: string, counter: number): string {
    return this.present.derivedId(prefix, shardOf, counter);
  }

  open(owner: string, sealed: Uint8Array, context: string): string | undefined {
    return this.present.open(owner, sealed, context);
  }

  findExternal(...asked: Parameters<EvolveEnv['findExternal']>): string | undefined {
    return this.present.findExternal(...asked);
  }

  answerTo: EvolveEnv['answerTo'] = (question) => this.present.answerTo(question);
}
