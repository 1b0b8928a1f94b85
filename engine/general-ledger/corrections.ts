import { civil, type Day } from '../calendar/index.js';
import type { Believed, Cause } from './believed.js';
import type { Basis, Entry, Line } from './entry.js';
import { entryId } from './hash.js';
import { lineDifference } from './lines.js';

/** One loan on one accounting day. */
interface LoanOnDay {
  /** Company and mode. */
  readonly book: string;
  readonly basis: Basis;
  readonly loanId: string;
  readonly day: Day;
  /** The close of the day, which causes what no fact does. */
  readonly cause: Cause;
}

/** The general ledger of one loan on one accounting day. */
export interface AccountingDay extends LoanOnDay {
  /** What was booked until the day before. */
  readonly booked: readonly Believed[];
  /** What is believed through the day with the facts of earlier days alone. */
  readonly before: readonly Believed[];
  /** The facts that were recorded on the day, in this order, each with what is believed through the day behind it. */
  readonly recorded: readonly { readonly cause: Cause; readonly believed: readonly Believed[] }[];
  /** What is believed at the end of the day: behind all facts, with the terms of that day. */
  readonly now: readonly Believed[];
}

/** What a fact or the day changes. What both sides agree about may be left out of both. */
export interface Change {
  readonly cause: Cause;
  readonly before: readonly Believed[];
  readonly after: readonly Believed[];
}

/** An accounting day by what has changed. */
export interface ChangedDay extends LoanOnDay {
  /** What the day changes in its past. */
  readonly passed: Change;
  /** What the day brings by itself, with the facts of earlier days. */
  readonly own: readonly Believed[];
  /** What each fact changes that was recorded on the day, and then what the terms of the day change. */
  readonly recorded: readonly Change[];
  /** The interest of the day, and what else is daily. */
  readonly daily: readonly Believed[];
}

/**
 * The entries of a day: what the day brings by itself, then for each fact the difference between what is believed behind it and before
 * it, then the day's interest. Their sum is what is believed through the day minus what was booked until the day before.
 */
export function entriesOfDay({ booked, before, recorded, now, ...of }: AccountingDay): readonly Entry[] {
  const { cause } = of;
  const changes: Change[] = [];
  let known = before;
  for (const step of recorded) {
    changes.push({ cause: step.cause, before: known, after: step.believed });
    known = step.believed;
  }
  changes.push({ cause, before: known, after: now });
  return entriesOfChanges({ ...of, passed: { cause, before: booked, after: before }, own: before, recorded: changes, daily: now });
}

/** The same from what has changed. */
export function entriesOfChanges(changed: ChangedDay): readonly Entry[] {
  const { day, passed, own, recorded, daily } = changed;
  const maker = new EntryMaker(changed);
  maker.changed(passed, false);
  for (const one of own) if (!one.isDaily && one.effectiveDate === day) maker.own(one);
  for (const change of recorded) maker.changed(change, true);
  for (const one of daily) if (one.isDaily && one.effectiveDate === day) maker.own(one);
  return maker.entries;
}

class EntryMaker {
  readonly entries: Entry[] = [];
  readonly #counts = new Map<string, number>();

  constructor(private readonly accounting: LoanOnDay) {}

  /** Lines of a fact or day itself. */
  own(one: Believed): void {
    this.#add(one, { one, lines: one.lines, period: `${one.effectiveDate}` });
  }

  /**
   * What a fact changes, or the day in its past. Interest of the accounting day itself is booked with the day, and so is all else of it
   * before the first fact.
   */
  changed({ cause, before, after }: Change, withDay: boolean): void {
    if (before === after) return;
    const { day } = this.accounting;
    const isPast = ({ isDaily, effectiveDate }: Believed): boolean => effectiveDate < day || (withDay && !isDaily && effectiveDate === day);
    const known = byKey(before.filter(isPast));
    const now = byKey(after.filter(isPast));
    const spans = new Map<string, Span>();
    for (const { one, old, newer } of both(known, now)) {
      if (one.isDaily) noteDay(spans, one, old, newer);
      else this.#once(cause, old, newer);
    }
    for (const span of spans.values()) this.#span(cause, span);
  }

  #once(cause: Cause, old: Keyed | undefined, newer: Keyed | undefined): void {
    const lines = differenceOf(old, newer);
    const one = newer?.one ?? old?.one;
    if (lines.length === 0 || one === undefined) return;
    if (old === undefined && one.factId === cause.factId) this.#add(one, { one, lines, period: `${one.effectiveDate}` });
    else this.#add(cause, { one, lines, period: `${one.effectiveDate}`, corrects: one.factId });
  }

  #span(cause: Cause, { first, last, one, lines, corrects }: Span): void {
    const net = lineDifference([], lines);
    if (net.length === 0) return;
    this.#add(cause, {
      one: { ...one, effectiveDate: first },
      lines: net,
      period: `${first}-${last}`,
      through: last,
      ...(corrects === null ? {} : { corrects }),
    });
  }

  #add(cause: Cause, { one, lines, period, corrects, through }: Made): void {
    const { book, basis, loanId, day } = this.accounting;
    const prefix = [book, basis, loanId, cause.factId, corrects ?? '', period, one.rule, one.drawId ?? ''].join('/');
    const number = this.#counts.get(prefix) ?? 0;
    this.#counts.set(prefix, number + 1);
    const key = `${prefix}/${day}/${number}`;
    const { drawId, explanation, rule, effectiveDate } = one;
    this.entries.push({
      id: entryId(key),
      key,
      basis,
      accountingDate: day,
      effectiveDate,
      ...(through === undefined ? {} : { effectiveThrough: through }),
      recordedAt: cause.recordedAt,
      loanId,
      ...(drawId === undefined ? {} : { drawId }),
      factId: cause.factId,
      factType: cause.factType,
      rule,
      ...(corrects === undefined ? {} : { corrects }),
      priorYear: civil(through ?? effectiveDate).year < civil(day).year,
      ...(cause.actor === undefined ? {} : { actor: cause.actor }),
      ...(cause.caseId === undefined ? {} : { caseId: cause.caseId }),
      ...(explanation === undefined ? {} : { explanation }),
      lines,
    });
  }
}

interface Made {
  readonly one: Believed;
  readonly lines: readonly Line[];
  readonly period: string;
  readonly corrects?: string;
  readonly through?: Day;
}

/** Days of one month whose amounts have changed. */
interface Span {
  first: Day;
  last: Day;
  readonly one: Believed;
  readonly lines: Line[];
  corrects: string | null;
}

function noteDay(spans: Map<string, Span>, one: Believed, old: Keyed | undefined, newer: Keyed | undefined): void {
  const lines = differenceOf(old, newer);
  if (lines.length === 0 && old?.one.exact === newer?.one.exact) return;
  const { year, month } = civil(one.effectiveDate);
  const key = `${one.rule}|${one.drawId ?? ''}|${year}-${month}`;
  const span = spans.get(key) ?? { first: one.effectiveDate, last: one.effectiveDate, one, lines: [], corrects: null };
  if (one.effectiveDate < span.first) span.first = one.effectiveDate;
  if (one.effectiveDate > span.last) span.last = one.effectiveDate;
  span.corrects ??= old?.one.factId ?? null;
  span.lines.push(...lines);
  spans.set(key, span);
}

/** What is believed under one key: several items of one fact, rule and day are one. */
interface Keyed {
  readonly one: Believed;
  readonly lines: readonly Line[];
}

const NONE: readonly Line[] = [];

const differenceOf = (old: Keyed | undefined, newer: Keyed | undefined): readonly Line[] =>
  lineDifference(old?.lines ?? NONE, newer?.lines ?? NONE);

function byKey(believed: readonly Believed[]): Map<string, Keyed> {
  const found = new Map<string, Keyed>();
  for (const one of believed) {
    const key = keyOf(one);
    const known = found.get(key);
    found.set(key, known === undefined ? { one, lines: one.lines } : { one: known.one, lines: [...known.lines, ...one.lines] });
  }
  return found;
}

/** An amount that moves to another day is taken back on the old day and booked on the new one. */
const keyOf = ({ isDaily, factId, rule, effectiveDate, drawId = '' }: Believed): string =>
  isDaily ? `${rule}|${drawId}|${effectiveDate}` : `${factId}|${rule}|${effectiveDate}|${drawId}`;

/** What is believed under one key before and after a change. */
interface Compared {
  readonly one: Believed;
  readonly old: Keyed | undefined;
  readonly newer: Keyed | undefined;
}

/** Everything of both, in the order of effective days. */
function both(known: ReadonlyMap<string, Keyed>, now: ReadonlyMap<string, Keyed>): readonly Compared[] {
  const all: Compared[] = [];
  for (const [key, old] of known) {
    const newer = now.get(key);
    all.push({ one: (newer ?? old).one, old, newer });
  }
  for (const [key, newer] of now) if (!known.has(key)) all.push({ one: newer.one, old: undefined, newer });
  return all.sort((a, b) => a.one.effectiveDate - b.one.effectiveDate);
}
