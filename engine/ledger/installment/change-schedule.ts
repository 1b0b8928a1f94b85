import { AmortizationError, type RowTerm, type Schedule, type ScheduleRow } from '../../amortization/index.js';
import { cents } from '../../money/index.js';
import type { ScheduleChanged } from '../core/facts.js';
import { setWithout } from './caps.js';
import { firstRowAfter } from './period.js';
import { amortizeBalance, forced, ownTerm } from './reamortize.js';
import type { LedgerState, OpenRow } from './state.js';

/** A change of the schedule without its position in the history. */
export type ScheduleChange = Pick<ScheduleChanged, 'dueDates' | 'from' | 'payment' | 'rowTerms' | 'rule'>;

/**
 * Makes new rows from a due date on; the rows before it keep their amounts. If a replay has changed the loan so that the
 * terms no longer pay it off, the schedule stays as it is.
 */
export function changeSchedule(state: LedgerState, fact: ScheduleChanged): void {
  if (fact.dueDates.length === 0 || state.nonDuePrincipalCents === 0) return;
  const schedule = attempt(() => changedSchedule(state, fact));
  if (schedule === null) return;
  const kept = keptRows(state, fact);
  const added = heldBack(state, fact, schedule)
    .rows.slice(kept.length)
    .map((row, position) => openRow(row, fact.rowTerms?.[position]));
  state.rows = [...state.rows.slice(0, firstRowAfter(state)), ...kept, ...added];
  if (fact.rule !== undefined) state.dueDateRule = fact.rule;
}

/**
 * The rows that have not fallen due after a change: first the rows that it keeps, then its own.
 *
 * @throws AmortizationError when the change does not pay the loan off.
 */
export function changedSchedule(state: LedgerState, change: ScheduleChange): Schedule {
  const kept = keptRows(state, change);
  return amortizeBalance(state, {
    dueDates: [...kept.map((row) => row.date), ...change.dueDates],
    rowTerms: [...kept.map((row) => ownTerm(row) ?? forced(row)), ...(change.rowTerms ?? [])],
    payment: change.payment,
  });
}

function keptRows(state: LedgerState, { dueDates: [first], from = first }: ScheduleChange): readonly OpenRow[] {
  return state.rows.slice(firstRowAfter(state)).filter((row) => from === undefined || row.date < from);
}

function openRow({ date, amountCents }: ScheduleRow, term: RowTerm | undefined): OpenRow {
  const row: OpenRow = { date, amountCents, isForced: term?.type === 'forced' };
  if (term?.type === 'interestOnly') return { ...row, isInterestOnly: true };
  return term?.type === 'skipped' ? { ...row, isDeferred: true } : row;
}

/** The same, but level rows that fell due before a late recording do not rise. */
function heldBack(state: LedgerState, change: ScheduleChange, schedule: Schedule): Schedule {
  if (state.orders.caps.length === 0) return schedule;
  const asked = change.dueDates.map((_, position): RowTerm => change.rowTerms?.[position] ?? { type: 'level' });
  const held = change.dueDates.map((date, position) => (asked[position]?.type === 'level' ? setWithout(state, date) : null));
  const made = schedule.rows.slice(keptRows(state, change).length);
  if (!made.some(({ amountCents }, position) => amountCents > (held[position] ?? amountCents))) return schedule;
  const rowTerms = asked.map((term, position): RowTerm => {
    const kept = held[position] ?? null;
    return kept === null ? term : { type: 'forced', amountCents: cents(kept) };
  });
  return attempt(() => changedSchedule(state, { ...change, rowTerms })) ?? schedule;
}

function attempt(make: () => Schedule): Schedule | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof AmortizationError) return null;
    throw error;
  }
}
