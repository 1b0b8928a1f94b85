import { type Cents, ZERO } from '../../money/index.js';
import type { DueDateDeferred } from '../core/facts.js';
import type { LedgerState, OpenRow } from './state.js';

/**
 * The row of the due date asks for nothing; its amount joins the row of the new date, or becomes a row of its own
 * there. The other rows keep their amounts, so that the last one takes what the waiting costs. A date that a
 * replay has moved away, or that has fallen due, is left alone.
 */
export function deferDueDate(state: LedgerState, { dueDay, newDay }: DueDateDeferred): void {
  const at = state.rows.findIndex((row, position) => position >= state.nextRow && row.date === dueDay);
  const deferred = state.rows[at];
  if (deferred === undefined || deferred.isDeferred === true || newDay <= dueDay) return;
  const rows = state.rows.map((row, position) => (position === at ? emptied(row) : row));
  const target = rows.findIndex((row) => row.date >= newDay);
  const there = rows[target];
  if (there?.date === newDay) rows[target] = raised(there, deferred.amountCents);
  else rows.splice(there === undefined ? rows.length : target, 0, { date: newDay, amountCents: deferred.amountCents, isForced: false });
  state.rows = rows;
}

const emptied = ({ date }: OpenRow): OpenRow => ({ date, amountCents: ZERO, isForced: false, isDeferred: true });

/** Forced: a re-amortization must not spread what was put off to this date. */
const raised = ({ date, amountCents }: OpenRow, byCents: number): OpenRow => ({
  date,
  amountCents: (amountCents + byCents) as Cents,
  isForced: true,
});
