import { addDays, civil, type Day, dayOf, daysInMonth } from '../calendar/index.js';
import type { LedgerStatus } from '../ledger/core/index.js';
import type { CreditChange } from './life.js';

/*
 * Account status, rating, history and date of first delinquency at the end of a month, from the changes of a
 * loan's life. Everything is computed from the whole life each time, so that a payment that was recorded late corrects all months.
 */

/** Days late from which each late status applies. */
const BANDS = [
  { from: 180, status: '84', rating: '6' },
  { from: 150, status: '83', rating: '5' },
  { from: 120, status: '82', rating: '4' },
  { from: 90, status: '80', rating: '3' },
  { from: 60, status: '78', rating: '2' },
  { from: 30, status: '71', rating: '1' },
  { from: 0, status: '11', rating: '0' },
] as const;

/** Days late from which a delinquency is reported. */
const REPORTED_DAYS_LATE = 30;

/** Months in the history profile. */
const HISTORY_MONTHS = 24;

type DerivedStatus = (typeof BANDS)[number]['status'] | '13' | '93' | '97';

/** Days at a collection agency, before `until`; null: it has the loan still. */
export interface Placed {
  readonly from: Day;
  readonly until: Day | null;
}

/** What of the loan is not in its ledger. */
export interface CreditCircumstances {
  readonly opened: Day;
  /** Months that end before this day are not reported. */
  readonly reportedFrom: Day;
  /** The history before the service had the loan, newest month first; empty for a loan that began here. */
  readonly historyBefore: string;
  /** The first day of the loan here; months that end before it have `historyBefore`. */
  readonly servicedFrom: Day;
  /** When collection agencies have had it. */
  readonly placements: readonly Placed[];
  /** The petition of the borrower's bankruptcy; null: none. */
  readonly petitionOn: Day | null;
  readonly isLine: boolean;
}

/** The account at the end of a month. */
export interface CreditMonth {
  readonly status: DerivedStatus;
  /** Only for a closed account: the state just before. */
  readonly rating: string | null;
  readonly history: string;
  readonly firstDelinquency: Day | null;
  readonly daysLate: number;
  readonly closedOn: Day | null;
  readonly chargedOffOn: Day | null;
  readonly isFrozen: boolean;
}

/** A delinquency that has ended, on its last day. */
interface Ended {
  readonly day: Day;
  readonly daysLate: number;
  readonly firstDelinquency: Day | null;
}

class Life {
  status: LedgerStatus = 'active';
  statusSince: Day;
  isOwed = false;
  chargedOff: { readonly on: Day; readonly firstDelinquency: Day } | null = null;
  closed: Ended | null = null;
  #late: { readonly day: Day; readonly daysLate: number } | null = null;
  #firstDelinquency: Day | null = null;
  #ended: Ended | null = null;

  constructor(opened: Day) {
    this.statusSince = opened;
  }

  /** Frozen days do not count. */
  daysLateOn(day: Day): number {
    if (this.#late === null) return 0;
    const until = this.status === 'frozen' ? Math.max(this.#late.day, Math.min(day, this.statusSince)) : day;
    return this.#late.daysLate + until - this.#late.day;
  }

  firstDelinquencyOn(day: Day): Day | null {
    if (this.#firstDelinquency !== null || this.#late === null) return this.#firstDelinquency;
    const daysLate = this.daysLateOn(day);
    if (daysLate < REPORTED_DAYS_LATE) return null;
    const missing = REPORTED_DAYS_LATE - this.#late.daysLate;
    return missing > 0 ? addDays(this.#late.day, missing) : this.#late.day;
  }

  apply(change: CreditChange): void {
    const { day } = change;
    // What is paid on a day was not late at its end.
    this.#firstDelinquency = this.firstDelinquencyOn(addDays(day, -1));
    switch (change.type) {
      case 'late':
        // Only an interruption at the end of a day ends a delinquency.
        if (this.#late === null && this.#ended?.day === day) this.#firstDelinquency = this.#ended.firstDelinquency;
        this.#late = { day, daysLate: change.daysLate };
        return;
      case 'current':
        this.#ended = { day, daysLate: this.daysLateOn(day), firstDelinquency: this.firstDelinquencyOn(day) };
        this.#late = null;
        this.#firstDelinquency = null;
        return;
      case 'owed':
        this.isOwed = change.isOwed;
        return;
      case 'status':
        this.#statusChanged(change.status, day);
    }
  }

  #statusChanged(status: LedgerStatus, day: Day): void {
    const { daysLate, firstDelinquency } = this.#lateBefore(day);
    if (status === 'chargedOff') this.chargedOff = { on: day, firstDelinquency: firstDelinquency ?? day };
    else if (this.status === 'chargedOff') this.chargedOff = null;
    // The days of the freeze do not count later either.
    if (this.status === 'frozen' && this.#late !== null) this.#late = { day, daysLate: this.daysLateOn(day) };
    this.closed = status === 'paidOff' ? { day, daysLate, firstDelinquency } : null;
    this.status = status;
    this.statusSince = day;
  }

  /** What was late on a day before it was paid. */
  #lateBefore(day: Day): Pick<Ended, 'daysLate' | 'firstDelinquency'> {
    if (this.#late === null && this.#ended?.day === day) return this.#ended;
    return { daysLate: this.daysLateOn(day), firstDelinquency: this.firstDelinquencyOn(day) };
  }
}

const LATE: ReadonlySet<string> = new Set(['71', '78', '80', '82', '83', '84']);

export const isLateStatus = (status: string): boolean => LATE.has(status);

/** The rating of days late: `0` to `6`. */
export const ratingOf = (daysLate: number): string => bandOf(daysLate).rating;

const bandOf = (daysLate: number): (typeof BANDS)[number] => BANDS.find(({ from }) => daysLate >= from) ?? BANDS[6];

const endOfMonth = (day: Day): Day => {
  const { year, month } = civil(day);
  return dayOf(year, month, daysInMonth(year, month));
};

export const endOfLastMonth = (day: Day): Day => addDays(dayOf(civil(day).year, civil(day).month, 1), -1);

/** The account at the end of a day, normally the last of a month; null: it was not opened yet, or was canceled. */
export function creditMonth(changes: readonly CreditChange[], asOf: Day, circumstances: CreditCircumstances): CreditMonth | null {
  const { opened, historyBefore, servicedFrom } = circumstances;
  if (asOf < opened) return null;
  const life = new Life(opened);
  let next = 0;
  const through = (day: Day): void => {
    for (let change = changes[next]; change !== undefined && change.day <= day; change = changes[next]) {
      life.apply(change);
      next += 1;
    }
  };
  let history = '';
  const newest = endOfLastMonth(asOf);
  for (let end = firstEnd(newest, servicedFrom); end <= newest; end = endOfMonth(addDays(end, 1))) {
    through(end);
    history = codeOf(life, end, circumstances) + history;
  }
  through(asOf);
  if (life.status === 'canceled') return null;
  const reported = (history + historyBefore).slice(0, HISTORY_MONTHS).padEnd(HISTORY_MONTHS, 'B');
  return { ...stateOf(life, asOf, circumstances), history: withoutInnerBlanks(reported) };
}

/** The end of the oldest month in the history for which the service has the loan. */
function firstEnd(newest: Day, servicedFrom: Day): Day {
  const { year, month } = civil(newest);
  const months = year * 12 + (month - 1) - (HISTORY_MONTHS - 1);
  const oldest = dayOf(Math.floor(months / 12), (months % 12) + 1, 1);
  return endOfMonth(oldest > servicedFrom ? oldest : servicedFrom);
}

/** `B` stands only at the end: a month without data before a month with data is `D`. */
function withoutInnerBlanks(history: string): string {
  const known = history.replace(/B+$/, '');
  return known.replaceAll('B', 'D').padEnd(HISTORY_MONTHS, 'B');
}

const placedAt = (placements: readonly Placed[], day: Day): Placed | undefined =>
  placements.find(({ from, until }) => from <= day && (until === null || day < until));

function codeOf(life: Life, end: Day, { reportedFrom, petitionOn, isLine, placements }: CreditCircumstances): string {
  if (end < reportedFrom) return 'B';
  if (petitionOn !== null && endOfMonth(petitionOn) <= end) return 'D';
  if (life.closed !== null) return bandOf(life.closed.daysLate).rating;
  if (life.status === 'canceled') return 'D';
  if (life.chargedOff !== null) return 'L';
  if (placedAt(placements, end) !== undefined) return 'G';
  const { rating } = bandOf(life.daysLateOn(end));
  return isLine && rating === '0' && !life.isOwed ? 'E' : rating;
}

function stateOf(life: Life, asOf: Day, { placements, petitionOn }: CreditCircumstances): Omit<CreditMonth, 'history'> {
  const daysLate = life.daysLateOn(asOf);
  const firstDelinquency = life.firstDelinquencyOn(asOf);
  const open = { rating: null, daysLate, closedOn: null, chargedOffOn: null, isFrozen: life.status === 'frozen' };
  const petition = petitionOn !== null && petitionOn <= asOf ? petitionOn : null;
  if (life.closed !== null) {
    const { rating } = bandOf(life.closed.daysLate);
    const first = rating === '0' ? petition : life.closed.firstDelinquency;
    return { ...open, status: '13', rating, daysLate: 0, firstDelinquency: first, closedOn: life.closed.day };
  }
  if (life.chargedOff !== null) {
    const { on, firstDelinquency: first } = life.chargedOff;
    return { ...open, status: '97', firstDelinquency: first, chargedOffOn: on };
  }
  const placed = placedAt(placements, asOf);
  if (placed !== undefined) return { ...open, status: '93', firstDelinquency: firstDelinquency ?? placed.from };
  const { status } = bandOf(daysLate);
  return { ...open, status, firstDelinquency: status === '11' ? petition : firstDelinquency };
}
