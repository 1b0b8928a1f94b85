import { must } from '../../assert.js';
import { accrueTo } from './accrue.js';
import { copyFee, copyState, copyTotals } from './copies.js';
import { adoptSettings } from '../core/settings.js';
import { moveRowToDue } from './due.js';
import { passDeferred } from './period.js';
import { cutFraction } from './fraction.js';
import { owedCents } from './owed.js';
import { isPlain, plainRow } from './plain-rows.js';
import { bookedSchedule, carriedFees, emptyRow, fixedRow, type RowStatus } from './schedule-row.js';
import { roundedCents } from '../core/interest.js';
import { comingInstalments } from './kept/project.js';
import type { LedgerState } from './state.js';
import type { ScheduleRowView } from '../core/views.js';

/**
 * The schedule in force: what has fallen due, then what is expected if everything is paid when it is due. The
 * recurring amount stays, the term shortens or grows, and the last row takes the rest.
 */
export function scheduleOf(state: LedgerState): readonly ScheduleRowView[] {
  const rows = bookedSchedule(state);
  if (state.instalmentFacts !== null || !isOpen(state)) return [...rows, ...projectedRows(state)];
  const projection = projectionOf(state);
  while (isOwing(projection)) {
    const row = nextRowOf(projection, statusOfNext(projection, state));
    if (row !== null) rows.push(row);
  }
  return rows;
}

/**
 * Rows still to come: the same computation as on their due dates, on a copy where everything due is paid at once
 * and each row on its date. Each row is computed when it is asked for.
 */
export function* projectedRows(state: LedgerState): Generator<ScheduleRowView, void> {
  if (!isOpen(state)) return;
  if (state.instalmentFacts !== null) {
    yield* comingInstalments(state);
    return;
  }
  const projection = projectionOf(state);
  while (isOwing(projection)) {
    const row = nextRowOf(projection, statusOfNext(projection, state));
    if (row !== null) yield row;
  }
}

const isOpen = ({ status }: LedgerState): boolean => status === 'active' || status === 'frozen';

interface Projection {
  readonly copy: LedgerState;
  readonly isPlain: boolean;
}

const isOwing = ({ copy }: Projection): boolean =>
  copy.nextRow < copy.rows.length && owedCents(copy) + roundedCents(copy.nonDueInterest) > 0;

const statusOfNext = ({ copy }: Projection, state: LedgerState): RowStatus => (copy.nextRow === state.nextRow ? 'booked' : 'projected');

/** Null: the next row asks for nothing. */
function nextRowOf({ copy, isPlain }: Projection, status: RowStatus): ScheduleRowView | null {
  const row = must(copy.rows[copy.nextRow], 'a row follows');
  if (isPlain) return plainRow(copy, row, status);
  const ordinal = copy.nextRow;
  accrueTo(copy, row.date);
  if (row.isDeferred === true) {
    passDeferred(copy);
    return emptyRow(copy, ordinal);
  }
  adoptSettings(copy);
  const obligation = moveRowToDue(copy, row);
  const fees = obligation === null ? [] : carriedFees(copy, obligation, ({ openCents }) => openCents);
  payWhatIsDue(copy);
  return obligation === null ? null : fixedRow(copy, obligation, status, fees);
}

/** What rows to come are computed from: the past of the loan does not matter to them. */
function projectionOf(state: LedgerState): Projection {
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
  payWhatIsDue(copy);
  return { copy, isPlain: isPlain(copy) };
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
