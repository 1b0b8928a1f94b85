import type { Day } from '../calendar/index.js';
import type { LedgerFact } from '../ledger/core/index.js';
import type { LineFact } from '../ledger/line/index.js';
import { FIRST_DAY, LAST_DAY } from '../rates/index.js';
import type { CourseDays, CourseItem } from './course.js';
import type { Keeping } from './parts.js';
import { firstDifference, type Report, Reports } from './reports.js';

/**
 * A ledger of either product, computed once. What is believed of the loan on each basis is read from its reports, and two of them are
 * compared before anything is read: where they agree, days are not read.
 */
export interface Replay<Terms, Fact> {
  readonly terms: Terms;
  readonly facts: readonly Fact[];
  /** The last day of what is believed. */
  readonly through: Day;
  /** The last day that is computed. */
  readonly until: Day;
  readonly reports: readonly Report[];
  /** Null: the loan has not begun. */
  readonly end: ReplayEnd | null;
}

/** The status of the ledger on the last day. */
export interface ReplayEnd {
  readonly status: string;
  readonly statusSince: Day;
}

export function replayed<Terms extends { readonly activation: Day }, Fact>(
  of: Pick<Replay<Terms, Fact>, 'terms' | 'facts' | 'through' | 'until'>,
  asked: { readonly areAllocationsAsked: boolean },
  compute: (watcher: Reports) => ReplayEnd,
): Replay<Terms, Fact> {
  if (of.through < of.terms.activation) return { ...of, reports: [], end: null };
  const reports = new Reports(of.until, asked);
  const { status, statusSince } = compute(reports);
  return { ...of, reports: reports.all, end: { status, statusSince } };
}

/**
 * The last day that is read. An unfreezing that is known accrues the interest of days before it: it is read first, whatever its day, and so
 * are the days that have passed.
 */
export const lastKnownDay = (facts: readonly (LedgerFact | LineFact)[], passed: Day): Day =>
  facts.reduce((last, fact) => (isWithInterest(fact) && fact.effective.day > last ? fact.effective.day : last), passed);

const isWithInterest = (fact: LedgerFact | LineFact): boolean => fact.type === 'unfreeze' && fact.retroactivelyAccrueInterest;

/** Without what is read only for what it does to days before. */
export const knownItems = ({ through, until }: Replay<unknown, unknown>, items: readonly CourseItem[]): readonly CourseItem[] =>
  until === through ? items : items.filter(({ day }) => day <= through);

/** The own share of a loan follows from all its days, and nothing is daily on cash basis. */
export function daysToRead(
  { until }: Replay<unknown, unknown>,
  { ownership }: { readonly ownership?: unknown },
  { basis }: Keeping,
  dailyFrom: Day,
): CourseDays {
  if (ownership !== undefined) return { through: until, dailyFrom: FIRST_DAY };
  return { through: until, dailyFrom: basis === 'cash' ? LAST_DAY : dailyFrom };
}

/**
 * The first day on which something daily may be believed that is another one in both; null: there is none. What is not daily may differ
 * before. `Terms`: those of one contract, whose settings may differ.
 */
export function dailyDifference<Terms extends object, Fact>(a: Replay<Terms, Fact>, b: Replay<Terms, Fact>): Day | null {
  if (a === b) return null;
  if (!areOfOneContract(a.terms, b.terms) || isCanceled(a) || isCanceled(b)) return FIRST_DAY;
  return firstDifference(a.reports, b.reports);
}

const isCanceled = ({ end }: Replay<unknown, unknown>): boolean => end?.status === 'canceled';

function areOfOneContract(a: object, b: object): boolean {
  if (a === b) return true;
  const others = new Map(Object.entries(b));
  return Object.entries(a).every(([name, value]) => name === 'settings' || others.get(name) === value);
}
