import { accrueFrozenDays } from './accrue.js';
import { firstRowAfter, letPass, shiftRows } from './period.js';
import { beginEntry, enter } from './entering.js';
import type { Unfreeze } from '../core/facts.js';
import type { StatusCause } from '../core/ledger-events.js';
import type { ObligationLedger } from '../core/obligation-ledger.js';
import { reamortize } from './reamortize.js';
import { moveStatus } from './status.js';
import type { LedgerState } from './state.js';

/** Interest stops, due dates are suspended and no day counts as overdue. */
export function freeze(state: LedgerState, cause: StatusCause): void {
  state.frozenSteps = [];
  moveStatus(state, 'freeze', cause);
}

/**
 * Interest and due dates go on. The frozen days are `[frozen day, day)`; the caller chose what becomes of their
 * interest and of the due dates in them.
 */
export function unfreeze(state: LedgerState, fact: Unfreeze, cause: StatusCause): void {
  if (fact.retroactivelyAccrueInterest) {
    const before = beginEntry(state);
    accrueFrozenDays(state);
    enter(state, before, 'retroactiveInterest');
  }
  thaw(state, cause);
  if (firstRowAfter(state) === state.nextRow) return;
  if (fact.shiftDueDates) shiftRows(state);
  else {
    letPass(state);
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
  state.frozenSteps = null;
  moveStatus(state, 'unfreeze', cause);
}
