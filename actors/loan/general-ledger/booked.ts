import { addDays, computeLedger, computeLine, type Day, dayAt, generalLedger, ownersOn, startOfDay } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf, recordOf } from '../context.js';
import { factsOf, termsOf } from '../ledger/installment.js';
import { type AnyLedgerFact, isLine, type RunningLedger, runningOf, storedFacts } from '../ledger/running.js';
import { lineFactsOf, lineTermsOf } from '../line/ledger.js';
import type { LoanState } from '../state.js';
import { disputesWon, loanDetails } from './details.js';
import { type BookedOwners, firstOwners, isOwned, ownerChanges, ownershipIn, settlementFacts } from './owners.js';
import { commissionsKept } from './parties.js';
import { payoutsAtBank } from './payouts-at-bank.js';

/** What the general ledger knows of a loan, with the day on which it was recorded. */
export interface RecordedFact {
  readonly recordedDay: Day;
  readonly cause: generalLedger.Cause;
  /** A fact of the loan's ledger; null: the activation, or what no balance of the ledger shows. */
  readonly fact: AnyLedgerFact | null;
  readonly items: readonly generalLedger.CourseItem[];
  readonly newOwners?: BookedOwners;
}

export type BookedLoanFacts = generalLedger.BookedFacts<RecordedFact>;

/** How the general ledger is kept. */
type Keeping = generalLedger.Keeping;

/** The ledger of the facts that were known at the end of a day, computed through that day or some days behind it. */
interface KnownLedger {
  readonly facts: number;
  readonly ledger: RunningLedger;
}

/** The entries of days on which the loan has only accrued: they are not worth a computation of its history each. */
class PlainDays {
  /** While days are asked in their order, the same ledger serves until the next fact. */
  #known: KnownLedger | null = null;

  constructor(
    private readonly state: LoanState,
    private readonly env: EvolveEnv,
    private readonly loan: Omit<BookedLoanFacts, 'plainEntries'>,
    private readonly keeping: Keeping,
    /** Of books that hold the own share; null: nobody else has a share. */
    private readonly ownershipOn: ((known: readonly RecordedFact[]) => readonly generalLedger.OwnersFrom[]) | null,
  ) {}

  entriesOn(day: Day): readonly generalLedger.Entry[] | null {
    const { book, loanId, facts, dayCause, areTermsSame } = this.loan;
    const { state, env, keeping } = this;
    if (state.migration?.migratedAt != null || !areTermsSame(addDays(day, -1), day)) return null;
    const known = facts.filter(({ recordedDay }) => recordedDay < day);
    if (facts[known.length]?.recordedDay === day || known.some((one) => isAboutDay(one, day))) return null;
    const ledger = known.length === facts.length ? runningOf(state, env) : this.#knownThrough(day, known);
    const of = { book, loanId, cause: dayCause(day) };
    const details = loanDetails(state);
    if (keeping.nonaccrualAfter != null && mayBeLate(ledger, day)) return null;
    if (details.merchantDiscount != null && generalLedger.isDayOfDiscount(details.merchantDiscount, day)) return null;
    if (this.ownershipOn !== null) {
      const ownership = this.ownershipOn(known);
      // A line is owned so seldom by several that its days are computed from its facts.
      if (isLine(ledger) || ownership.some(({ from }) => from === day)) return null;
      return generalLedger.entriesOfPlainDay(ledger, { ...of, owners: ownersOn(ownership, day) }, keeping, day);
    }
    if (!isLine(ledger)) return generalLedger.entriesOfPlainDay(ledger, of, keeping, day);
    return generalLedger.entriesOfPlainLineDay(ledger, { ...of, drawIdOf: (draw) => details.drawIdOf(draw) }, keeping, day);
  }

  #knownThrough(day: Day, known: readonly RecordedFact[]): RunningLedger {
    if (this.#known?.facts === known.length && this.#known.ledger.day <= day) return this.#known.ledger;
    const knownAt = endOfDay(this.state, addDays(day, -1));
    const sequences = new Set(known.flatMap(({ fact }) => (fact === null ? [] : [fact.sequence])));
    const ledger = computedOf(this.state, this.env, { sequences, knownAt, through: day });
    this.#known = { facts: known.length, ledger };
    return ledger;
  }
}

/** Whether a fact has to do with a day or with one behind it. */
const reachesTo = (fact: AnyLedgerFact, day: Day): boolean =>
  fact.effective.day >= day || (fact.type === 'paymentMoved' && fact.newEffective.day >= day);

const isAboutDay = ({ fact, items }: RecordedFact, day: Day): boolean =>
  (fact !== null && reachesTo(fact, addDays(day, -1))) || items.some((item) => item.day >= day);

const endOfDay = (state: LoanState, day: Day): number => startOfDay(recordOf(state).zone, addDays(day, 1)) - 1;

function computedOf(
  state: LoanState,
  env: EvolveEnv,
  { sequences, knownAt, through }: { readonly sequences: ReadonlySet<number>; readonly knownAt: number; readonly through: Day },
): RunningLedger {
  const { servicing, line } = state;
  const known = <Fact extends AnyLedgerFact>(all: readonly Fact[]): readonly Fact[] =>
    all.filter(({ sequence }) => sequences.has(sequence));
  if (line !== null) return computeLine(lineTermsOf(state, env, knownAt), known(lineFactsOf(line)), through);
  return computeLedger(termsOf(state, env, knownAt), known(servicing === null ? [] : factsOf(servicing)), through);
}

/** The facts of an activated loan, from which its general ledger follows; null before its activation. */
export function bookedLoan(state: LoanState, env: EvolveEnv, kept: Keeping): BookedLoanFacts | null {
  const activation = activationOf(state);
  if (activation === null) return null;
  const { zone } = recordOf(state);
  const { tenant, migration } = state;
  const migratedAt = migration?.migratedAt ?? null;
  const begun = dayAt(zone, migratedAt ?? activation.recordedAt);
  const first = begun > activation.contract.terms.activation ? begun : activation.contract.terms.activation;
  const details = loanDetails(state);
  const opening = details.causeOf({ type: 'activation' }, first);
  const endOf = (day: Day): number => endOfDay(state, day);
  const settingsOn = (day: Day): unknown => settingsOf(state, env, endOf(day));
  const isShared = kept.settings.ownerBooks === 'ownShare' && isOwned(state);
  // Settings refuse both together; before the own share, other settings may have held.
  const keeping: Keeping = isShared ? { ...kept, nonaccrualAfter: null } : kept;
  const originalOwners = isShared ? firstOwners(state, env, opening) : [];
  const ownershipOn = isShared
    ? (known: readonly RecordedFact[]) => ownershipIn([...originalOwners, ...known.flatMap(({ newOwners }) => newOwners ?? [])])
    : null;
  const believe: BookedLoanFacts['believe'] = (known, through, recordedThrough) => {
    if (!known.some(({ cause }) => cause === opening)) return [];
    const facts = known.flatMap(({ fact }) => (fact === null ? [] : [fact]));
    const ownership = ownershipOn === null ? {} : { ownership: ownershipOn(known) };
    const ofLedger = believedLedger(state, env, { facts, details, recordedThrough, ...ownership }, keeping, through);
    const items = known.flatMap((one) => one.items.filter(({ day }) => day <= through));
    const drawIdOf = (draw: number): string => details.drawIdOf(draw);
    const believed = [...ofLedger, ...generalLedger.believedOf(items, keeping, { drawIdOf, through })];
    return migratedAt === null || state.line !== null ? believed : generalLedger.asOpening(believed, first, opening);
  };
  const loan: BookedLoanFacts = {
    book: `${tenant.company}/${tenant.mode}`,
    basis: keeping.basis,
    loanId: state.id,
    facts: inOrder([
      { recordedDay: first, cause: opening, fact: null, items: [] },
      ...(isShared ? ownerChanges(state, zone) : []),
      ...ledgerFacts(state, details),
      ...disputesWon(state, zone),
      ...payoutsAtBank(state),
      ...commissionsKept(state),
      ...(isShared ? settlementFacts(state, env, keeping.settings.lenderInvestorId) : []),
    ]),
    causeOf: ({ cause }) => cause,
    dayCause: (day) => details.causeOf({ type: 'dailyJob' }, day),
    areTermsSame: (earlier, later) => settingsOn(earlier) === settingsOn(later),
    isCausal: state.line === null,
    believe,
  };
  const plainDays = new PlainDays(state, env, loan, keeping, ownershipOn);
  return { ...loan, plainEntries: (day) => plainDays.entriesOn(day) };
}

/** By the days of recording, and within a day as they are. */
const inOrder = (facts: readonly RecordedFact[]): readonly RecordedFact[] => [...facts].sort((a, b) => a.recordedDay - b.recordedDay);

const ledgerFacts = (state: LoanState, details: generalLedger.LoanDetails): readonly RecordedFact[] =>
  storedFacts(state).map(({ fact }) => ({
    recordedDay: fact.recordedDay,
    cause: details.causeOf({ type: 'fact', sequence: fact.sequence }, fact.recordedDay),
    fact,
    items: [],
  }));

/** Whether interest may not be recognized on a day, or end to be. */
const mayBeLate = ({ obligations }: RunningLedger, day: Day): boolean =>
  obligations.some(({ isFulfilled, dueDay }) => !isFulfilled && dueDay <= day);

const settingsOf = (state: LoanState, env: EvolveEnv, knownAt: number): unknown =>
  (state.line === null ? termsOf(state, env, knownAt) : lineTermsOf(state, env, knownAt)).settings;

interface Known {
  readonly facts: readonly AnyLedgerFact[];
  readonly details: generalLedger.LoanDetails;
  /** The last day whose records are known, and which has passed. */
  readonly recordedThrough: Day;
  readonly ownership?: readonly generalLedger.OwnersFrom[];
}

function believedLedger(
  state: LoanState,
  env: EvolveEnv,
  { facts, details, recordedThrough, ...ownership }: Known,
  keeping: Keeping,
  through: Day,
): readonly generalLedger.Believed[] {
  const { servicing, line } = state;
  const knownAt = endOfDay(state, recordedThrough);
  const sequences = new Set(facts.map(({ sequence }) => sequence));
  const known = <Fact extends AnyLedgerFact>(all: readonly Fact[]): readonly Fact[] =>
    all.filter(({ sequence }) => sequences.has(sequence));
  if (line === null) {
    const loan = { terms: termsOf(state, env, knownAt), facts: known(servicing === null ? [] : factsOf(servicing)), details, ...ownership };
    return generalLedger.believedInstallment(loan, keeping, through);
  }
  const ofLine = { terms: lineTermsOf(state, env, knownAt), facts: known(lineFactsOf(line)), details, ...ownership };
  return generalLedger.believedLine(ofLine, keeping, through, recordedThrough);
}
