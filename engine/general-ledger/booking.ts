import { addDays, type Day } from '../calendar/index.js';
import type { Believed, Cause } from './believed.js';
import { entriesOfDay } from './corrections.js';
import type { Basis, Entry } from './entry.js';

/** A loan whose days are booked from its facts alone. */
export interface BookedFacts<Fact> {
  /** Company and mode. */
  readonly book: string;
  readonly basis: Basis;
  readonly loanId: string;
  /** In the order of recording, each with the business day on which it was recorded. */
  readonly facts: readonly Fact[];
  readonly causeOf: (fact: Fact) => Cause;
  readonly dayCause: (day: Day) => Cause;
  /** Whether the terms of the loan were known in the same way at the ends of two days. */
  readonly areTermsSame: (earlier: Day, later: Day) => boolean;
  /** No day without facts adds interest to days before it. */
  readonly isCausal: boolean;
  /** The entries of a day that is known to have brought only interest, without its facts; null: the facts are needed. */
  readonly plainEntries?: (day: Day) => readonly Entry[] | null;
  /** What is believed through a day, with these facts and the terms that were known until another day. */
  readonly believe: (facts: readonly Fact[], through: Day, recordedThrough: Day) => readonly Believed[];
}

/** A day with more facts than this posts the last of them together: each one costs a computation of the whole loan. */
const MOST_CAUSES = 100;

/**
 * The entries of a loan on an accounting day, computed from its facts. `bookedBefore`: the loan as days until then were booked, where its
 * books begin to hold something else: the day brings what they differ by.
 */
export function entriesOn<Fact extends { readonly recordedDay: Day }>(
  loan: BookedFacts<Fact>,
  day: Day,
  bookedBefore: BookedFacts<Fact> | null = null,
): readonly Entry[] {
  const plain = bookedBefore === null ? (loan.plainEntries?.(day) ?? null) : null;
  if (plain !== null) return plain;
  const { book, basis, loanId, facts, causeOf, dayCause, areTermsSame, isCausal, believe } = loan;
  const known = facts.filter(({ recordedDay }) => recordedDay < day);
  const today = facts.filter(({ recordedDay }) => recordedDay === day);
  const earlier = addDays(day, -1);
  const before = believe(known, day, earlier);
  // With causal facts both are the same before the day, and only that is compared.
  const asKnown = (): readonly Believed[] => (isCausal ? before : believe(known, earlier, earlier));
  const booked = bookedBefore === null ? asKnown() : believedOn(bookedBefore, earlier);
  const steps = today.length > MOST_CAUSES ? [...today.slice(0, MOST_CAUSES - 1), ...today.slice(-1)] : today;
  const recorded = steps.map((fact) => {
    const behind = today.slice(0, today.indexOf(fact) + 1);
    return { cause: causeOf(fact), believed: believe([...known, ...behind], day, earlier) };
  });
  const last = recorded.at(-1)?.believed ?? before;
  const now = areTermsSame(earlier, day) ? last : believe([...known, ...today], day, day);
  return entriesOfDay({ book, basis, loanId, day, cause: dayCause(day), booked, before, recorded, now });
}

/** What the loan's part of the general ledger is at the end of a day, as known at the end of the same day, or of a later one. */
export const believedOn = <Fact extends { readonly recordedDay: Day }>(
  { facts, believe }: Pick<BookedFacts<Fact>, 'facts' | 'believe'>,
  through: Day,
  knownOn: Day = through,
): readonly Believed[] =>
  believe(
    facts.filter(({ recordedDay }) => recordedDay <= knownOn),
    through,
    knownOn,
  );
