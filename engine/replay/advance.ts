import type { Day } from '../calendar/index.js';
import { accrueTo } from './accrue.js';
import { beginStep, JOB_TIMES } from './clock.js';
import { addClosingRow, fallDue } from './due.js';
import { bookLateFees, canEarnLateFee, lateFeeDay } from './late-fees.js';
import { capitalizeDueInterest, daysOverdueOf, enforceDueDates, enforcementDay, followOverdue } from './overdue.js';
import { adoptSettings, settingsOf } from './settings.js';
import type { LedgerState } from './state.js';
import { checkThresholds } from './status.js';
import { roundedCents } from './interest.js';

/** After this no day has anything to do. */
export const NEVER = Number.MAX_SAFE_INTEGER as Day;

/**
 * Runs the daily jobs of every day up to and including `day` (servicing-behaviour 1.3). Days on which nothing but
 * interest happens are not visited: their interest is part of one product.
 */
export function advanceTo(state: LedgerState, day: Day): void {
  for (let next = nextVisit(state); next <= day; next = nextVisit(state)) runDay(state, next);
  accrueTo(state, day);
}

/** Days overdue are told day by day, so a watched ledger stops on each of them; the balances are the same. */
function nextVisit(state: LedgerState): Day {
  return state.watcher === null ? nextJobDay(state) : nextActionDay(state);
}

/** The daily job of one day, in its fixed order. */
function runDay(state: LedgerState, day: Day): void {
  accrueTo(state, day);
  beginStep(state, JOB_TIMES.rates);
  adoptSettings(state);
  if (state.status === 'active') {
    beginStep(state, JOB_TIMES.periods);
    startPeriod(state);
    if (settingsOf(state).capitalization === 'afterDueDate') capitalizeDueInterest(state);
  }
  if (state.status === 'active' || state.status === 'accelerated') {
    beginStep(state, JOB_TIMES.overdue);
    enforceDueDates(state);
  }
  if (state.status === 'active' && state.rows[state.nextRow]?.date === day) {
    beginStep(state, JOB_TIMES.due);
    fallDue(state);
    addClosingRow(state);
  }
  if (state.status === 'active' || state.status === 'accelerated') {
    beginStep(state, JOB_TIMES.overdue);
    followOverdue(state, true);
    beginStep(state, JOB_TIMES.lateFees);
    if (state.status === 'active') bookLateFees(state);
    checkThresholds(state);
  }
}

/** 00:20 of a due date: the next period begins, if anything is left for it. */
function startPeriod(state: LedgerState): void {
  if (state.watcher === null || state.rows[state.nextRow]?.date !== state.day) return;
  const next = state.rows[state.nextRow + 1];
  if (next === undefined || isClosingRow(state)) return;
  state.watcher.happened({
    type: 'periodStarted',
    day: state.day,
    seconds: state.seconds,
    period: state.nextRow + 1,
    startDate: state.day,
    dueDate: next.date,
  });
}

/** Today's row takes all that is not due yet. */
function isClosingRow(state: LedgerState): boolean {
  const leftCents = state.nonDuePrincipalCents + roundedCents(state.nonDueInterest);
  return leftCents <= (state.rows[state.nextRow]?.amountCents ?? 0);
}

/**
 * The next day on which the daily job does more than accrue, after the state's day; `NEVER` when there is none.
 * While a loan is overdue that is every day, because each day overdue is told.
 */
export function nextActionDay(state: LedgerState): Day {
  const next = nextJobDay(state);
  const isTold = state.isOverdue && (state.status === 'active' || state.status === 'accelerated');
  return isTold && next > state.day + 1 ? ((state.day + 1) as Day) : next;
}

/** The next day on which the daily job changes the ledger other than by accrual. */
function nextJobDay(state: LedgerState): Day {
  if (state.status === 'paidOff' || state.status === 'canceled' || state.status === 'chargedOff') return NEVER;
  let next = state.terms.settings[state.settingsIndex + 1]?.from ?? NEVER;
  if (next <= state.day) next = (state.day + 1) as Day;
  if (state.status === 'frozen') return next;
  const row = state.status === 'active' ? state.rows[state.nextRow] : undefined;
  if (row !== undefined && row.date < next) next = row.date;
  for (let at = state.firstUnenforced; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || obligation.isEnforced || obligation.remainingCents === 0) continue;
    next = earliest(next, enforcementDay(obligation));
  }
  return earliest(next, earliest(lateFeeDayOf(state), thresholdDay(state)));
}

const earliest = (a: Day, b: Day): Day => (a < b ? a : b);

/** The next day on which an unfulfilled obligation may earn a late fee. */
function lateFeeDayOf(state: LedgerState): Day {
  let next = NEVER;
  if (state.status !== 'active') return next;
  const { lateFees } = settingsOf(state);
  if (lateFees.length === 0) return next;
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || !canEarnLateFee(state, obligation)) continue;
    for (const terms of lateFees) {
      const day = lateFeeDay(obligation, terms);
      if (day > state.day) next = earliest(next, day);
    }
  }
  return next;
}

/** The day on which the oldest overdue obligation reaches a threshold; a reversed one is looked at again the day after. */
function thresholdDay(state: LedgerState): Day {
  const oldest = state.obligations[state.firstOpenObligation];
  if (oldest === undefined || !oldest.isEnforced) return NEVER;
  const { accelerationDueWithin, chargeOffDueWithin } = settingsOf(state);
  const { noAccelerationThrough, noChargeOffThrough } = state.orders;
  const dayOf = (threshold: number | null, blockedThrough: Day | null): Day => {
    if (threshold === null) return NEVER;
    const reached = state.day + threshold - daysOverdueOf(state, oldest);
    const allowed = blockedThrough === null ? 0 : blockedThrough + 1;
    return Math.max(reached, allowed, state.day + 1) as Day;
  };
  const acceleration = state.status === 'active' ? dayOf(accelerationDueWithin, noAccelerationThrough) : NEVER;
  return earliest(acceleration, dayOf(chargeOffDueWithin, noChargeOffThrough));
}
