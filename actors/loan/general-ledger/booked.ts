import { addDays, type Day, dayAt, generalLedger, startOfDay } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf, recordOf } from '../context.js';
import { factsOf, ledgerOf, termsOf } from '../ledger/installment.js';
import { type AnyLedgerFact, storedFacts } from '../ledger/running.js';
import { lineFactsOf, lineTermsOf } from '../line/ledger.js';
import type { LoanState } from '../state.js';
import { disputesWon, loanDetails } from './details.js';

/** What the general ledger knows of a loan, with the day on which it was recorded. */
export interface RecordedFact {
  readonly recordedDay: Day;
  readonly cause: generalLedger.Cause;
  /** A fact of the loan's ledger; null: the activation, or what no balance of the ledger shows. */
  readonly fact: AnyLedgerFact | null;
  readonly items: readonly generalLedger.CourseItem[];
}

export type BookedLoanFacts = generalLedger.BookedFacts<RecordedFact>;

/** How the general ledger is kept. */
type Keeping = generalLedger.Keeping;

/** A day on which the loan has only accrued is not worth a computation of its history. */
function plainEntries(
  state: LoanState,
  env: EvolveEnv,
  { loan, keeping }: { readonly loan: Omit<BookedLoanFacts, 'plainEntries'>; readonly keeping: Keeping },
  day: Day,
): readonly generalLedger.Entry[] | null {
  const { book, loanId, facts, dayCause, areTermsSame } = loan;
  const isNewer = facts.some(({ recordedDay }) => recordedDay >= day);
  if (state.servicing === null || isNewer || state.migration?.migratedAt != null || !areTermsSame(addDays(day, -1), day)) return null;
  return generalLedger.entriesOfPlainDay(ledgerOf(state, env), { book, loanId, cause: dayCause(day) }, keeping, day);
}

/** The facts of an activated loan, from which its general ledger follows; null before its activation. */
export function bookedLoan(state: LoanState, env: EvolveEnv, keeping: Keeping): BookedLoanFacts | null {
  const activation = activationOf(state);
  if (activation === null) return null;
  const { zone } = recordOf(state);
  const { tenant, migration } = state;
  const migratedAt = migration?.migratedAt ?? null;
  const begun = dayAt(zone, migratedAt ?? activation.recordedAt);
  const first = begun > activation.contract.terms.activation ? begun : activation.contract.terms.activation;
  const details = loanDetails(state);
  const opening = details.causeOf({ type: 'activation' }, first);
  const endOf = (day: Day): number => startOfDay(zone, addDays(day, 1)) - 1;
  const settingsOn = (day: Day): unknown => settingsOf(state, env, endOf(day));
  const believe: BookedLoanFacts['believe'] = (known, through, recordedThrough) => {
    if (!known.some(({ cause }) => cause === opening)) return [];
    const facts = known.flatMap(({ fact }) => (fact === null ? [] : [fact]));
    const ofLedger = believedLedger(state, env, { facts, details, knownAt: endOf(recordedThrough) }, keeping, through);
    const items = known.flatMap((one) => one.items.filter(({ day }) => day <= through));
    const believed = [...ofLedger, ...generalLedger.believedOf(items, keeping, details)];
    return migratedAt === null || state.line !== null ? believed : generalLedger.asOpening(believed, first, opening);
  };
  const loan: BookedLoanFacts = {
    book: `${tenant.company}/${tenant.mode}`,
    basis: keeping.basis,
    loanId: state.id,
    facts: [{ recordedDay: first, cause: opening, fact: null, items: [] }, ...ledgerFacts(state, details), ...disputesWon(state, zone)],
    causeOf: ({ cause }) => cause,
    dayCause: (day) => details.causeOf({ type: 'dailyJob' }, day),
    areTermsSame: (earlier, later) => settingsOn(earlier) === settingsOn(later),
    isCausal: state.line === null,
    believe,
  };
  return { ...loan, plainEntries: (day) => plainEntries(state, env, { loan, keeping }, day) };
}

const ledgerFacts = (state: LoanState, details: generalLedger.LoanDetails): readonly RecordedFact[] =>
  storedFacts(state).map(({ fact }) => ({
    recordedDay: fact.recordedDay,
    cause: details.causeOf({ type: 'fact', sequence: fact.sequence }, fact.recordedDay),
    fact,
    items: [],
  }));

const settingsOf = (state: LoanState, env: EvolveEnv, knownAt: number): unknown =>
  (state.line === null ? termsOf(state, env, knownAt) : lineTermsOf(state, env, knownAt)).settings;

interface Known {
  readonly facts: readonly AnyLedgerFact[];
  readonly details: generalLedger.LoanDetails;
  readonly knownAt: number;
}

function believedLedger(
  state: LoanState,
  env: EvolveEnv,
  { facts, details, knownAt }: Known,
  keeping: Keeping,
  through: Day,
): readonly generalLedger.Believed[] {
  const { servicing, line } = state;
  const sequences = new Set(facts.map(({ sequence }) => sequence));
  const known = <Fact extends AnyLedgerFact>(all: readonly Fact[]): readonly Fact[] =>
    all.filter(({ sequence }) => sequences.has(sequence));
  if (line === null) {
    const loan = { terms: termsOf(state, env, knownAt), facts: known(servicing === null ? [] : factsOf(servicing)), details };
    return generalLedger.believedInstallment(loan, keeping, through);
  }
  const ofLine = { terms: lineTermsOf(state, env, knownAt), facts: known(lineFactsOf(line)), details };
  return generalLedger.believedLine(ofLine, keeping, through);
}
