import { accrueRange } from './accrue.js';
import { firstRowAfter, shiftRows } from './due.js';
import { beginEntry, enter } from './entering.js';
import type { Unfreeze } from './facts.js';
import type { StatusCause } from './happenings.js';
import type { ObligationLedger } from './obligation-ledger.js';
import { reamortize } from './reamortize.js';
import { changeStatus } from './status.js';
import type { LedgerState } from './state.js';

/** Interest stops, due dates are suspended and no day counts as overdue (servicing-behaviour 2). */
export function freeze(state: LedgerState, cause: StatusCause): void {
  changeStatus(state, 'frozen', cause);
}

/**
 * Interest and due dates go on. The frozen days are `[frozen day, day)`; the caller chose what becomes of their
 * interest and of the due dates in them (servicing-behaviour 2.2, README 24).
 */
export function unfreeze(state: LedgerState, fact: Unfreeze, cause: StatusCause): void {
  const frozenSince = state.statusSince;
  thaw(state, cause);
  if (fact.retroactivelyAccrueInterest) {
    const before = beginEntry(state);
    accrueRange(state, frozenSince > state.terms.interestFrom ? frozenSince : state.terms.interestFrom, state.day);
    enter(state, before, 'retroactiveInterest');
  }
  const missed = firstRowAfter(state) - state.nextRow;
  if (missed === 0) return;
  if (fact.shiftDueDates) shiftRows(state);
  else {
    state.nextRow += missed;
    reamortize(state);
  }
}

/** The days since the freezing do not count as overdue. */
export function pauseObligations(state: ObligationLedger): void {
  const frozenDays = state.day - state.statusSince;
  for (const obligation of state.obligations) {
    if (!obligation.isFulfilled) obligation.pausedDays += frozenDays;
  }
}

/** Ends the freezing; the days of it do not count as overdue. */
export function thaw(state: LedgerState, cause: StatusCause): void {
  pauseObligations(state);
  changeStatus(state, 'active', cause);
}
