import { type Day, earliest } from '../../calendar/index.js';
import { beginStep, JOB_TIMES, NEVER } from '../core/clock.js';
import { nextLateFeeDay } from '../core/late-fees.js';
import { adoptSettingsOfDay } from '../core/obligations.js';
import { followOverdue, areDaysOverdueCounted, nextEnforcementDay, nextWatchedDay, thresholdDay } from '../core/overdue.js';
import { holds, nextSettingsDay, settingsOf } from '../core/rules.js';
import { checkThresholds } from './acceleration.js';
import { accrueTo } from './accrue.js';
import { canEarnLateFee, chargeLateFees } from './fees.js';
import { decideGrace, nextGraceDay } from './grace.js';
import { capitalizeDueInterest, enforceDueDates, mayStayDue } from './overdue.js';
import { payFromOverpaid } from './paid-over.js';
import { rollPeriod, runningPeriod } from './periods.js';
import { settleZeroBalance } from './purchase.js';
import type { LineState } from './state.js';
import { makeStatement } from './statement.js';

/**
 * Runs the daily jobs of every day up to and including `day`. Days with nothing but interest are skipped: their interest is
 * part of one product.
 */
export function advanceTo(state: LineState, day: Day): void {
  for (let next = nextVisit(state); next <= day; next = nextVisit(state)) runDay(state, next);
  accrueTo(state, day);
}

/** Each day overdue is an event, so a watched ledger stops on each of these days. The balances are the same. */
const nextVisit = (state: LineState): Day => (state.watcher === null ? nextJobDay(state) : nextLineActionDay(state));

/** The daily job of one day, in its fixed order. */
function runDay(state: LineState, day: Day): void {
  accrueTo(state, day);
  beginStep(state, JOB_TIMES.rates);
  adoptSettingsOfDay(state);
  // A higher tolerance may end the overdue state, even if the days overdue are not counted in this status.
  if (state.isOverdue && !areDaysOverdueCounted(state)) followOverdue(state, false);
  if (state.status === 'active' && settingsOf(state).capitalization === 'afterDueDate') {
    beginStep(state, JOB_TIMES.periods);
    capitalizeDueInterest(state);
  }
  // Before a statement of the same day, so that all due balances belong to the obligation that is enforced.
  beginStep(state, JOB_TIMES.overdue);
  if (isGraceDecided(state)) {
    decideGrace(state);
    // Interest that grace takes back may be overpaid. That money pays other amounts first, so that they do not become overdue.
    if (payFromOverpaid(state)) settleZeroBalance(state);
  }
  if (areDaysOverdueCounted(state)) enforceDueDates(state);
  if (isRolling(state) && runningPeriod(state).statementDate === day) {
    const ended = rollPeriod(state);
    if (state.status === 'active') makeStatement(state, ended);
  }
  if (areDaysOverdueCounted(state)) {
    beginStep(state, JOB_TIMES.overdue);
    followOverdue(state, true);
  }
  beginStep(state, JOB_TIMES.lateFees);
  chargeLateFees(state);
  if (payFromOverpaid(state)) settleZeroBalance(state);
  if (areDaysOverdueCounted(state)) checkThresholds(state);
}

/** Periods continue while a line is frozen, but nothing falls due. */
const isRolling = ({ status }: LineState): boolean => status === 'active' || status === 'frozen';

/** A line that was paid off before its due date has paid its statement in full. */
const isGraceDecided = (state: LineState): boolean =>
  state.status === 'active' || (state.status === 'paidOff' && state.acceleratedSince === null && holds(state, 'gracesWait'));

/**
 * The next day after the state's day on which the daily job does more than accrue; `NEVER` if there is none. While a line is
 * overdue that is every day, because each day overdue is an event.
 */
export const nextLineActionDay = (state: LineState): Day => nextWatchedDay(state, nextJobDay(state));

/** The next day on which the daily job changes the ledger other than by accrual. */
function nextJobDay(state: LineState): Day {
  if (!isRolling(state) && !areDaysOverdueCounted(state)) return isGraceDecided(state) ? nextGraceDay(state) : NEVER;
  const next = isRolling(state) ? earliest(nextSettingsDay(state), runningPeriod(state).statementDate) : nextSettingsDay(state);
  const lateFee = nextLateFeeDay(state, canEarnLateFee);
  if (!areDaysOverdueCounted(state)) return earliest(next, lateFee);
  const enforcement = earliest(nextEnforcementDay(state, mayStayDue(state)), thresholdDay(state));
  if (state.status !== 'active') return earliest(next, enforcement);
  return earliest(earliest(next, enforcement), earliest(nextGraceDay(state), lateFee));
}
