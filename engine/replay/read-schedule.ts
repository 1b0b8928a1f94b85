import { must } from '../assert.js';
import { accrueTo } from './accrue.js';
import { copyFee, copyState, copyTotals } from './copies.js';
import { adoptSettings } from './settings.js';
import { fallDue } from './due.js';
import { cutFraction } from './fraction.js';
import { owedCents } from './owed.js';
import { bookedSchedule, emptyRow, fixedRow } from './schedule-row.js';
import { roundedCents } from './interest.js';
import { comingInstalments } from './kept/project.js';
import type { LedgerState } from './state.js';
import type { ScheduleRowView } from './views.js';

/**
 * The schedule in force: what has fallen due, then what is expected if everything is paid when it is due. The
 * recurring amount stays, the term shortens or grows, and the last row takes the rest (servicing-behaviour 13.7).
 */
export function scheduleOf(state: LedgerState): readonly ScheduleRowView[] {
  const rows = bookedSchedule(state);
  for (const row of projectedRows(state)) rows.push(row);
  return rows;
}

/**
 * Rows still to come: the same computation as on their due dates, on a copy where everything due is paid at once
 * and each row on its date. Each row is computed when it is asked for.
 */
export function* projectedRows(state: LedgerState): Generator<ScheduleRowView, void> {
  if (state.status !== 'active' && state.status !== 'frozen') return;
  if (state.instalmentFacts !== null) {
    yield* comingInstalments(state);
    return;
  }
  const copy = projectionOf(state);
  payWhatIsDue(copy);
  while (copy.nextRow < copy.rows.length && owedCents(copy) + roundedCents(copy.nonDueInterest) > 0) {
    const ordinal = copy.nextRow;
    const known = copy.obligations.length;
    accrueTo(copy, must(copy.rows[ordinal], 'a row follows').date);
    adoptSettings(copy);
    fallDue(copy);
    const obligation = copy.obligations[known];
    if (obligation !== undefined) yield fixedRow(state, obligation, ordinal === state.nextRow ? 'booked' : 'projected');
    else if (state.rows[ordinal]?.isDeferred === true) yield emptyRow(state, ordinal);
    payWhatIsDue(copy);
  }
}

/** What rows to come are computed from: the past of the loan does not matter to them. */
function projectionOf(state: LedgerState): LedgerState {
  const copy = copyState(state);
  copy.watcher = null;
  copy.status = 'active';
  copy.fees = state.openFeesCents === 0 ? [] : state.fees.map(copyFee);
  copy.obligations = [];
  copy.replaced = [];
  copy.firstOpenObligation = 0;
  copy.firstUnenforced = 0;
  copy.payments = [];
  copy.unknownRates = state.unknownRates === null ? null : { ...state.unknownRates };
  copy.totals = copyTotals(state.totals);
  return copy;
}

function payWhatIsDue(copy: LedgerState): void {
  copy.duePrincipalCents = 0;
  copy.overduePrincipalCents = 0;
  copy.dueInterestCents = 0;
  copy.overdueInterestCents = 0;
  cutFraction(copy);
  copy.dueOriginationFeeCents = 0;
  copy.overdueOriginationFeeCents = 0;
  for (const fee of copy.fees) {
    if (fee.standing === 'nonDue' || (fee.standing === 'due' && fee.carriedBy === null)) continue;
    copy.openFeesCents -= fee.openCents;
    fee.openCents = 0;
  }
}
