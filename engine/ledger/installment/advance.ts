import { addDays, type Day, earliest } from '../../calendar/index.js';
import { beginStep, JOB_TIMES, NEVER } from '../core/clock.js';
import { roundedCents } from '../core/interest.js';
import { nextLateFeeDay } from '../core/late-fees.js';
import { adoptSettingsOfDay } from '../core/obligations.js';
import { followOverdue, areDaysOverdueCounted, nextEnforcementDay, nextWatchedDay, thresholdDay } from '../core/overdue.js';
import { nextSettingsDay, settingsOf } from '../core/rules.js';
import { accrueTo } from './accrue.js';
import { addClosingRow, fallDue } from './due.js';
import { addedScheduledFallsDue } from './scheduled-interest/change-schedule.js';
import { canEarnLateFee, chargeLateFees } from './late-fees.js';
import { capitalizeDueInterest, enforceDueDates, mayStayDue } from './overdue.js';
import { payFromOverpaid } from './paid-over.js';
import type { LedgerState } from './state.js';
import { checkThresholds } from './status.js';

/**
 * Runs the daily jobs of every day up to and including `day`. Days with nothing but interest are skipped: their interest is
 * part of one product.
 */
export function advanceTo(state: LedgerState, day: Day): void {
  for (let next = nextVisit(state); next <= day; next = nextVisit(state)) {
    runDay(state, next);
    if (next === day) return;
  }
  accrueTo(state, day);
}

/** Each day overdue is an event, so a watched ledger stops on each of these days. The balances are the same. */
function nextVisit(state: LedgerState): Day {
  return state.watcher === null ? nextJobDay(state) : nextActionDay(state);
}

/** The daily job of one day, in its fixed order. */
function runDay(state: LedgerState, day: Day): void {
  accrueTo(state, day);
  beginStep(state, JOB_TIMES.rates);
  adoptSettingsOfDay(state);
  // A higher tolerance may end the overdue state, even if the days overdue are not counted in this status.
  if (state.isOverdue && !areDaysOverdueCounted(state)) followOverdue(state, false);
  if (state.status === 'active') {
    beginStep(state, JOB_TIMES.periods);
    if (state.watcher !== null) emitPeriod(state);
    if (settingsOf(state).capitalization === 'afterDueDate') capitalizeDueInterest(state);
  }
  if (areDaysOverdueCounted(state) && state.firstUnenforced < state.obligations.length) {
    beginStep(state, JOB_TIMES.overdue);
    enforceDueDates(state);
  }
  if (state.status === 'active' && state.rows[state.nextRow]?.date === day) {
    beginStep(state, JOB_TIMES.due);
    fallDue(state);
  }
  addClosingRow(state);
  if (areDaysOverdueCounted(state)) {
    beginStep(state, JOB_TIMES.overdue);
    followOverdue(state, true);
  }
  beginStep(state, JOB_TIMES.lateFees);
  chargeLateFees(state);
  addedScheduledFallsDue(state);
  payFromOverpaid(state);
  if (state.isOverdue && areDaysOverdueCounted(state)) checkThresholds(state);
}

/** 00:20 of a due date: the next period begins if there is a balance. */
function emitPeriod(state: LedgerState): void {
  if (state.rows[state.nextRow]?.date !== state.day) return;
  const next = state.rows[state.nextRow + 1];
  if (next === undefined || isClosingRow(state)) return;
  state.watcher?.happened({
    type: 'periodStarted',
    day: state.day,
    seconds: state.seconds,
    period: state.nextRow + 1,
    startDate: state.day,
    endDate: addDays(next.date, -1),
    dueDate: next.date,
  });
}

/** Whether the row of today takes the whole balance that is not due. */
function isClosingRow(state: LedgerState): boolean {
  const leftCents = state.nonDuePrincipalCents + roundedCents(state.nonDueInterest);
  return leftCents <= (state.rows[state.nextRow]?.amountCents ?? 0);
}

/**
 * The next day after the state's day on which the daily job does more than accrue; `NEVER` if there is none. While a loan
 * is overdue that is every day, because each day overdue is an event.
 */
export const nextActionDay = (state: LedgerState): Day => nextWatchedDay(state, nextJobDay(state));

/** The next day on which the daily job changes the ledger other than by accrual. */
function nextJobDay(state: LedgerState): Day {
  if (state.status === 'paidOff' || state.status === 'canceled' || state.status === 'chargedOff') return NEVER;
  let next = nextSettingsDay(state);
  const row = state.status === 'active' ? state.rows[state.nextRow] : undefined;
  if (row !== undefined && row.date < next) next = row.date;
  if (state.status !== 'frozen' && state.firstUnenforced < state.obligations.length)
    next = earliest(next, nextEnforcementDay(state, mayStayDue(state)));
  // Fulfilled obligations earn no late fees and reach no thresholds.
  if (state.firstOpenObligation === state.obligations.length) return next;
  next = earliest(
    next,
    nextLateFeeDay(state, (obligation) => canEarnLateFee(state, obligation)),
  );
  return state.status === 'frozen' ? next : earliest(next, thresholdDay(state));
}
