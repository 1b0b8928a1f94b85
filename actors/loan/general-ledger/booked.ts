import { addDays, type Day, dayAt, FIRST_DAY, generalLedger, LAST_DAY, ownersOn } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf, recordOf } from '../context.js';
import { termsOf } from '../ledger/installment.js';
import { type AnyLedgerFact, isLine, type RunningLedger, runningOf, storedFacts } from '../ledger/running.js';
import { lineTermsOf } from '../line/ledger.js';
import type { LoanState } from '../state.js';
import { disputesWon, loanDetails } from './details.js';
import { type BookedOwners, firstOwners, isOwned, ownerChanges, ownershipIn, settlementFacts } from './owners.js';
import { merchantReserveFacts } from './merchant-reserve.js';
import { commissionsKept } from './parties.js';
import { payoutsAtBank } from './payouts-at-bank.js';
import { endOfDay, LoanReplays } from './replays.js';

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

/** The entries of days on which the loan has only accrued: they are not worth a computation of its history each. */
class PlainDays {
  constructor(
    private readonly state: LoanState,
    private readonly env: EvolveEnv,
    private readonly loan: Omit<BookedLoanFacts, 'plainEntries'>,
    private readonly keeping: Keeping,
    private readonly replays: LoanReplays,
    /** Of books that hold the own share; null: nobody else has a share. */
    private readonly ownershipOn: ((known: readonly RecordedFact[]) => readonly generalLedger.OwnersFrom[]) | null,
  ) {}

  entriesOn(day: Day): readonly generalLedger.Entry[] | null {
    const { book, loanId, facts, dayCause, areTermsSame } = this.loan;
    const { state, keeping } = this;
    if (state.migration?.migratedAt != null || !areTermsSame(addDays(day, -1), day)) return null;
    const known = facts.filter(({ recordedDay }) => recordedDay < day);
    if (facts[known.length]?.recordedDay === day || known.some((one) => isAboutDay(one, day))) return null;
    const ledger = this.#ledgerOn(day, known);
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

  /** Days that are asked for later, or again, are behind the running ledger, which only moves forward. */
  #ledgerOn(day: Day, known: readonly RecordedFact[]): RunningLedger {
    const running = known.length === this.loan.facts.length ? runningOf(this.state, this.env) : null;
    return running !== null && running.day <= addDays(day, 1)
      ? running
      : this.replays.knownThrough(
          day,
          known.flatMap(({ fact }) => fact ?? []),
        );
  }
}

/** Whether a fact has to do with a day or with one behind it. */
const reachesTo = (fact: AnyLedgerFact, day: Day): boolean =>
  fact.effective.day >= day || (fact.type === 'paymentMoved' && fact.newEffective.day >= day);

const isAboutDay = ({ fact, items }: RecordedFact, day: Day): boolean =>
  (fact !== null && reachesTo(fact, addDays(day, -1))) || items.some((item) => item.day >= day);

/** The facts of an activated loan, from which its general ledger follows; null before its activation. */
export function bookedLoan(
  state: LoanState,
  env: EvolveEnv,
  kept: Keeping,
  replays: LoanReplays = new LoanReplays(state, env),
): BookedLoanFacts | null {
  const activation = activationOf(state);
  if (activation === null) return null;
  const { zone } = recordOf(state);
  const { tenant, migration } = state;
  const migratedAt = migration?.migratedAt ?? null;
  const begun = dayAt(zone, migratedAt ?? activation.recordedAt);
  const first = begun > activation.contract.terms.activation ? begun : activation.contract.terms.activation;
  const details = loanDetails(state);
  const opening = details.causeOf({ type: 'activation' }, first);
  const settingsOn = (day: Day): unknown => settingsOf(state, env, endOfDay(state, day));
  const isShared = kept.settings.ownerBooks === 'ownShare' && isOwned(state);
  // Settings refuse both together; before the own share, other settings may have held.
  const keeping: Keeping = isShared ? { ...kept, nonaccrualAfter: null } : kept;
  const originalOwners = isShared ? firstOwners(state, env, opening) : [];
  const ownershipOn = isShared
    ? (known: readonly RecordedFact[]) => ownershipIn([...originalOwners, ...known.flatMap(({ newOwners }) => newOwners ?? [])])
    : null;
  const openedOn = migratedAt === null || state.line !== null ? null : first;
  const changesOpening = ({ fact, items }: RecordedFact): boolean =>
    openedOn !== null && ((fact !== null && fact.effective.day <= openedOn) || items.some(({ day }) => day < openedOn));
  const know = (known: readonly RecordedFact[], through: Day, recordedThrough: Day): generalLedger.Knowledge => {
    if (!known.some(({ cause }) => cause === opening)) return new generalLedger.WholeKnowledge([]);
    const facts = known.flatMap(({ fact }) => (fact === null ? [] : [fact]));
    const { replay, read } = replays.of(facts, { through, recordedThrough, areAllocationsAsked: isShared });
    const loan = ownershipOn === null ? { details } : { details, ownership: ownershipOn(known) };
    const items = known.flatMap((one) => one.items.filter(({ day }) => day <= through));
    const drawIdOf = (draw: number): string => details.drawIdOf(draw);
    return new generalLedger.ReplayKnowledge({
      replay,
      keeping,
      // What is compared differs by facts of the last day.
      wholeThrough: known.some((one) => one.recordedDay >= through && changesOpening(one)) ? LAST_DAY : openedOn,
      read(dailyFrom) {
        const believed = [...read(loan, keeping, dailyFrom), ...generalLedger.believedOf(items, keeping, { drawIdOf, through })];
        return openedOn === null ? believed : generalLedger.asOpening(believed, openedOn, opening);
      },
    });
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
      ...merchantReserveFacts(state),
      ...(isShared ? settlementFacts(state, env, keeping.settings.lenderInvestorId) : []),
    ]),
    causeOf: ({ cause }) => cause,
    dayCause: (day) => details.causeOf({ type: 'dailyJob' }, day),
    areTermsSame: (earlier, later) => settingsOn(earlier) === settingsOn(later),
    isCausal: state.line === null,
    believe: (known, through, recordedThrough) => know(known, through, recordedThrough).believedFrom(FIRST_DAY),
    know,
  };
  const plainDays = new PlainDays(state, env, loan, keeping, replays, ownershipOn);
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
