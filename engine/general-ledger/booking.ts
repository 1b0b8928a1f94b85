import { addDays, type Day } from '../calendar/index.js';
import { FIRST_DAY } from '../rates/index.js';
import type { Believed, Cause } from './believed.js';
import { type Change, entriesOfChanges } from './corrections.js';
import type { Basis, Entry } from './entry.js';

/** What is believed, computed once and read in parts. */
export interface Knowledge {
  /** What is daily from a day on, and all else. Before that day, what is daily may be left out, and so may what follows from it. */
  believedFrom(day: Day): readonly Believed[];
  /** What is effective on a day. */
  believedOn(day: Day): readonly Believed[];
  /** The first day on which something daily may be another one than in what was known before; `LAST_DAY`: there is none. */
  differsFrom(earlier: Knowledge): Day;
}

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
  /** The same, to be read in parts; absent: it is always read as a whole. */
  readonly know?: (facts: readonly Fact[], through: Day, recordedThrough: Day) => Knowledge;
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
  const { book, basis, loanId, facts, causeOf, dayCause, areTermsSame, isCausal } = loan;
  const known = facts.filter(({ recordedDay }) => recordedDay < day);
  const today = facts.filter(({ recordedDay }) => recordedDay === day);
  const earlier = addDays(day, -1);
  const before = knowledgeOf(loan, known, day, earlier);
  // With causal facts both are the same before the day, and only that is compared.
  const asKnown = (): Knowledge => (isCausal ? before : knowledgeOf(loan, known, earlier, earlier));
  const booked = bookedBefore === null ? asKnown() : new WholeKnowledge(believedOn(bookedBefore, earlier));
  const cause = dayCause(day);
  const recorded: Change[] = [];
  let last = before;
  for (const fact of today.length > MOST_CAUSES ? [...today.slice(0, MOST_CAUSES - 1), ...today.slice(-1)] : today) {
    const behind = today.slice(0, today.indexOf(fact) + 1);
    const next = knowledgeOf(loan, [...known, ...behind], day, earlier);
    recorded.push(changeOf(causeOf(fact), last, next));
    last = next;
  }
  const now = areTermsSame(earlier, day) ? last : knowledgeOf(loan, [...known, ...today], day, day);
  recorded.push(changeOf(cause, last, now));
  return entriesOfChanges({
    ...{ book, basis, loanId, day, cause },
    passed: changeOf(cause, booked, before),
    own: before.believedOn(day),
    recorded,
    daily: now.believedOn(day),
  });
}

const NOTHING: readonly Believed[] = [];

/** What both agree about is not read. */
function changeOf(cause: Cause, before: Knowledge, after: Knowledge): Change {
  if (before === after) return { cause, before: NOTHING, after: NOTHING };
  const from = after.differsFrom(before);
  return { cause, before: before.believedFrom(from), after: after.believedFrom(from) };
}

const knowledgeOf = <Fact>(
  { know, believe }: Pick<BookedFacts<Fact>, 'know' | 'believe'>,
  facts: readonly Fact[],
  through: Day,
  recordedThrough: Day,
): Knowledge => (know === undefined ? new WholeKnowledge(believe(facts, through, recordedThrough)) : know(facts, through, recordedThrough));

/** What is always read as a whole. */
export class WholeKnowledge implements Knowledge {
  constructor(private readonly believed: readonly Believed[]) {}

  believedFrom(): readonly Believed[] {
    return this.believed;
  }

  believedOn(day: Day): readonly Believed[] {
    return this.believed.filter(({ effectiveDate }) => effectiveDate === day);
  }

  differsFrom(): Day {
    return FIRST_DAY;
  }
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
