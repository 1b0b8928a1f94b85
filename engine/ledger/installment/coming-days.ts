import type { Day } from '../../calendar/index.js';
import { areThresholdsHeld } from '../core/hold-thresholds.js';
import { lateFeeDay, lateFeesNow } from './late-fees.js';
import type { ObligationLedger } from '../core/obligation-ledger.js';
import { daysOverdueOf, enforcementDay } from './overdue.js';
import { settingsOf } from '../core/settings.js';
import type { ObligationState } from '../core/state.js';

/** After this no day has anything to do. */
export const NEVER = Number.MAX_SAFE_INTEGER as Day;

export const earliest = (a: Day, b: Day): Day => (a < b ? a : b);

/** The next day on which other settings hold. */
export function nextSettingsDay(state: ObligationLedger): Day {
  const next = state.terms.settings[state.settingsIndex + 1]?.from ?? NEVER;
  return next <= state.day ? ((state.day + 1) as Day) : next;
}

/**
 * The next day on which something unpaid becomes overdue. What joins an obligation on its day, after the daily job, waits for the next one.
 * `mayStayDue`: something is due, perhaps of an obligation that is met.
 */
export function nextEnforcementDay(state: ObligationLedger, mayStayDue: boolean): Day {
  let next = NEVER;
  for (let at = state.firstUnenforced; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || obligation.isEnforced || (obligation.remainingCents === 0 && !mayStayDue)) continue;
    next = earliest(next, Math.max(enforcementDay(obligation), state.day + 1) as Day);
  }
  return next;
}

/** The next day on which an unfulfilled obligation may earn a late fee. */
export function nextLateFeeDay<Obligation extends ObligationState>(
  state: ObligationLedger & { readonly obligations: readonly Obligation[] },
  canEarn: (obligation: Obligation) => boolean,
): Day {
  let next = NEVER;
  const lateFees = lateFeesNow(state);
  if (lateFees.length === 0) return next;
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || !canEarn(obligation)) continue;
    for (const terms of lateFees) {
      const day = lateFeeDay(state, obligation, terms);
      if (day > state.day) next = earliest(next, day);
    }
  }
  return next;
}

/**
 * The day on which the oldest overdue obligation reaches a threshold; a reversed one is looked at again the day after, and none as long as
 * anyone holds them.
 */
export function thresholdDay(state: ObligationLedger): Day {
  const oldest = state.obligations[state.firstOpenObligation];
  if (oldest === undefined || !oldest.isEnforced || areThresholdsHeld(state)) return NEVER;
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
