import {
  addDays,
  computeLedger,
  computeLine,
  type Day,
  FIRST_DAY,
  generalLedger,
  type LedgerFact,
  type LedgerTerms,
  type LineFact,
  type LineTerms,
  startOfDay,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { recordOf } from '../context.js';
import { factsOf, termsOf } from '../ledger/installment.js';
import type { AnyLedgerFact, RunningLedger } from '../ledger/running.js';
import { lineFactsOf, lineTermsOf } from '../line/ledger.js';
import type { LoanState } from '../state.js';

/** What the general ledger reads beside a ledger that was computed. */
type ReadLoan = Pick<generalLedger.BookedLoan<unknown, unknown>, 'details' | 'ownership'>;

/** A ledger of a loan that was computed, and how it is read on a basis. */
interface LoanReplay {
  readonly replay: generalLedger.Replay<object, unknown>;
  readonly read: (loan: ReadLoan, keeping: generalLedger.Keeping, dailyFrom: Day) => readonly generalLedger.Believed[];
}

interface AsKnown {
  readonly through: Day;
  /** The last day whose records are known, and which has passed. */
  readonly recordedThrough: Day;
  readonly areAllocationsAsked: boolean;
}

/** The ledgers of one accounting day of a loan: both bases read the same ones. */
export class LoanReplays {
  readonly #known = new Map<string, LoanReplay>();
  #newest: Day = FIRST_DAY;
  #last: { readonly facts: number; readonly ledger: RunningLedger } | null = null;

  constructor(
    private readonly state: LoanState,
    private readonly env: EvolveEnv,
  ) {}

  /** `facts`: the first ones of the loan's ledger, in the order of recording. */
  of(facts: readonly AnyLedgerFact[], known: AsKnown): LoanReplay {
    const { through, recordedThrough, areAllocationsAsked } = known;
    if (through > this.#newest) {
      this.#known.clear();
      this.#newest = through;
    }
    const key = `${facts.length}/${through}/${recordedThrough}/${areAllocationsAsked}`;
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    const made = this.#compute(facts, known);
    this.#known.set(key, made);
    return made;
  }

  /**
   * The ledger of facts through a day, or through one before it, with the terms that were known on the day before. While days are asked in
   * their order, the same ledger serves until the next fact.
   */
  knownThrough(day: Day, facts: readonly AnyLedgerFact[]): RunningLedger {
    const loan = this.#loanOf(facts, addDays(day, -1));
    const last = this.#last;
    if (last?.facts === facts.length && last.ledger.day <= day && last.ledger.terms.settings === loan.terms.settings) return last.ledger;
    const ledger = loan.isLine ? computeLine(loan.terms, loan.facts, day) : computeLedger(loan.terms, loan.facts, day);
    this.#last = { facts: facts.length, ledger };
    return ledger;
  }

  #compute(facts: readonly AnyLedgerFact[], { through, recordedThrough, areAllocationsAsked }: AsKnown): LoanReplay {
    const loan = this.#loanOf(facts, recordedThrough);
    if (loan.isLine) {
      const replay = generalLedger.replayLine(loan, { through, knownThrough: recordedThrough, areAllocationsAsked });
      return { replay, read: (read, keeping, dailyFrom) => generalLedger.readLine(replay, read, keeping, dailyFrom) };
    }
    const replay = generalLedger.replayInstallment(loan, through, { areAllocationsAsked });
    return { replay, read: (read, keeping, dailyFrom) => generalLedger.readInstallment(replay, read, keeping, dailyFrom) };
  }

  /** Some of the loan's facts, with the terms that were known at the end of a day. */
  #loanOf(facts: readonly AnyLedgerFact[], recordedThrough: Day): LoanAsKnown {
    const { state, env } = this;
    const { servicing, line } = state;
    const knownAt = endOfDay(state, recordedThrough);
    const sequences = new Set(facts.map(({ sequence }) => sequence));
    const known = <Fact extends AnyLedgerFact>(all: readonly Fact[]): readonly Fact[] =>
      all.filter(({ sequence }) => sequences.has(sequence));
    if (line !== null) return { isLine: true, terms: lineTermsOf(state, env, knownAt), facts: known(lineFactsOf(line)) };
    return { isLine: false, terms: termsOf(state, env, knownAt), facts: known(servicing === null ? [] : factsOf(servicing)) };
  }
}

type LoanAsKnown =
  | { readonly isLine: true; readonly terms: LineTerms; readonly facts: readonly LineFact[] }
  | { readonly isLine: false; readonly terms: LedgerTerms; readonly facts: readonly LedgerFact[] };

export const endOfDay = (state: LoanState, day: Day): number => startOfDay(recordOf(state).zone, addDays(day, 1)) - 1;
