import { addDays, type Day, earliest, latest } from '../../calendar/index.js';
import { type Cents, cents } from '../../money/index.js';
import { NEVER } from './clock.js';
import type { ObligationLedger, StatusCause } from './entries.js';
import { settingsOf } from './rules.js';
import type { ObligationState } from './state.js';
import { areThresholdsHeld, mayMoveLedger } from './status-moves.js';
import type { OverdueView } from './views.js';

/** The day after the due date, on which unpaid balances become overdue; frozen days postpone it. */
export const enforcementDay = (obligation: ObligationState): Day => addDays(obligation.dueDay, 1 + obligation.pausedDays);

/** Whether days overdue are counted. */
export const areDaysOverdueCounted = ({ status }: Pick<ObligationLedger, 'status'>): boolean =>
  status === 'active' || status === 'accelerated';

/** The oldest unfulfilled obligation whose enforcement day has come. */
export function oldestOverdue(state: Pick<ObligationLedger, 'obligations' | 'firstOpenObligation'>): ObligationState | undefined {
  const { obligations } = state;
  for (let at = state.firstOpenObligation; at < obligations.length; at += 1) {
    const obligation = obligations[at];
    if (obligation !== undefined && obligation.isEnforced && !obligation.isFulfilled) return obligation;
  }
  return undefined;
}

/** The oldest overdue obligation with which an amount is overdue: it and older ones leave so much unpaid. Undefined: less is overdue. */
function overdueFrom(state: ObligationLedger, leastCents: number): ObligationState | undefined {
  let unpaidCents = 0;
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || !obligation.isEnforced || obligation.isFulfilled) continue;
    unpaidCents += obligation.remainingCents;
    if (unpaidCents >= leastCents) return obligation;
  }
  return undefined;
}

/** Calendar days since the due date, without frozen days. */
export function daysOverdueOf(state: Pick<ObligationLedger, 'status' | 'statusSince' | 'day'>, obligation: ObligationState): number {
  const asOf = state.status === 'frozen' ? state.statusSince : state.day;
  return asOf - obligation.dueDay - obligation.pausedDays;
}

/** The remaining amounts of all overdue obligations. */
export function overdueCents(state: ObligationLedger): number {
  let total = 0;
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation !== undefined && obligation.isEnforced && !obligation.isFulfilled) total += obligation.remainingCents;
  }
  return total;
}

const NONE: readonly ObligationState[] = [];

/** Unpaid obligations whose enforcement day has come, without those that were paid in time. */
export function enforcedToday(state: ObligationLedger): readonly ObligationState[] {
  let found: ObligationState[] | null = null;
  for (let at = state.firstUnenforced; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || enforcementDay(obligation) > state.day) continue;
    if (obligation.remainingCents > 0 && !obligation.isEnforced) (found ??= []).push(obligation);
  }
  return found ?? NONE;
}

export function passEnforced(state: ObligationLedger): void {
  let obligation = state.obligations[state.firstUnenforced];
  while (obligation !== undefined && enforcementDay(obligation) <= state.day) {
    state.firstUnenforced += 1;
    obligation = state.obligations[state.firstUnenforced];
  }
}

/**
 * The next day on which unpaid balances become overdue. Amounts that join an obligation on its enforcement day, after the daily job, wait
 * for the next day. `mayStayDue`: something is due, perhaps of a fulfilled obligation.
 */
export function nextEnforcementDay(state: ObligationLedger, mayStayDue: boolean): Day {
  let next = NEVER;
  for (let at = state.firstUnenforced; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || obligation.isEnforced || (obligation.remainingCents === 0 && !mayStayDue)) continue;
    next = earliest(next, latest(enforcementDay(obligation), addDays(state.day, 1)));
  }
  return next;
}

/** The next day of a watched ledger: while it is overdue, each further day is an event. */
export const nextWatchedDay = (state: ObligationLedger, nextJobDay: Day): Day =>
  state.isOverdue && areDaysOverdueCounted(state) && nextJobDay > state.day + 1 ? addDays(state.day, 1) : nextJobDay;

/** The obligations that capitalized interest lowers: those of the day, then those within the tolerance. */
export function capitalizing<Obligation extends ObligationState>(
  { obligations }: { readonly obligations: readonly Obligation[] },
  enforced: readonly ObligationState[],
): readonly Obligation[] {
  const ofToday = obligations.filter((obligation) => enforced.includes(obligation));
  return [
    ...ofToday,
    ...obligations.filter((obligation) => obligation.isFulfilled && obligation.remainingCents > 0 && !enforced.includes(obligation)),
  ];
}

/** Emits when the loan becomes overdue or current. With `isNewDay`, it also emits each further day overdue. */
export function followOverdue(state: ObligationLedger, isNewDay: boolean): void {
  const oldest = state.firstOpenObligation < state.obligations.length ? oldestOverdue(state) : undefined;
  const wasOverdue = state.isOverdue;
  state.isOverdue = oldest !== undefined;
  if (state.watcher === null) return;
  const { day, seconds } = state;
  reportLate(state, oldest);
  if (oldest === undefined) {
    if (wasOverdue) state.watcher.happened({ type: 'current', day, seconds });
    return;
  }
  if (wasOverdue && !isNewDay) return;
  state.watcher.happened({
    type: wasOverdue ? 'overdueUpdate' : 'overdue',
    day,
    seconds,
    daysOverdue: daysOverdueOf(state, oldest),
    overdueCents: cents(overdueCents(state)),
    overdueSince: oldest.dueDay,
    oldestObligation: oldest.ordinal,
  });
}

function reportLate(state: ObligationLedger, oldest: ObligationState | undefined): void {
  const { watcher, day } = state;
  if (watcher?.late === undefined) return;
  const { leastLateCents = 0 } = watcher;
  const late = oldest === undefined || leastLateCents === 0 ? oldest : overdueFrom(state, leastLateCents);
  watcher.late(day, late === undefined ? null : daysOverdueOf(state, late));
}

/** The thresholds that the days overdue have reached. */
export interface ReachedThresholds {
  readonly isAcceleration: boolean;
  readonly isChargeOff: boolean;
  readonly cause: StatusCause;
}

/** 00:50, after the late fees: which thresholds a ledger has reached; null: none. Reversed thresholds wait for the next day. */
export function reachedThresholds(state: ObligationLedger): ReachedThresholds | null {
  const oldest = areDaysOverdueCounted(state) && !areThresholdsHeld(state) ? oldestOverdue(state) : undefined;
  if (oldest === undefined) return null;
  const daysOverdue = daysOverdueOf(state, oldest);
  const { accelerationDueWithin, chargeOffDueWithin } = settingsOf(state);
  const { noAccelerationThrough, noChargeOffThrough } = state.orders;
  const isReached = (threshold: number | null, blockedThrough: Day | null): boolean =>
    threshold !== null && daysOverdue >= threshold && (blockedThrough === null || state.day > blockedThrough);
  return {
    isAcceleration: mayMoveLedger(state.status, 'accelerate') && isReached(accelerationDueWithin, noAccelerationThrough),
    isChargeOff: isReached(chargeOffDueWithin, noChargeOffThrough),
    cause: { type: 'daysOverdue', daysOverdue },
  };
}

/**
 * The day on which the oldest overdue obligation reaches a threshold. A reversed threshold is checked again on the next day; held
 * thresholds are never reached.
 */
export function thresholdDay(state: ObligationLedger): Day {
  const oldest = state.obligations[state.firstOpenObligation];
  if (oldest === undefined || !oldest.isEnforced || areThresholdsHeld(state)) return NEVER;
  const { accelerationDueWithin, chargeOffDueWithin } = settingsOf(state);
  const { noAccelerationThrough, noChargeOffThrough } = state.orders;
  const dayOf = (threshold: number | null, blockedThrough: Day | null): Day => {
    if (threshold === null) return NEVER;
    const reached = latest(addDays(state.day, threshold - daysOverdueOf(state, oldest)), addDays(state.day, 1));
    return blockedThrough === null ? reached : latest(reached, addDays(blockedThrough, 1));
  };
  const acceleration = state.status === 'active' ? dayOf(accelerationDueWithin, noAccelerationThrough) : NEVER;
  return earliest(acceleration, dayOf(chargeOffDueWithin, noChargeOffThrough));
}

/** The frozen days do not count as overdue. */
export function pauseObligations(state: ObligationLedger): void {
  const frozenDays = state.day - state.statusSince;
  for (const obligation of state.obligations) {
    if (!obligation.isFulfilled) obligation.pausedDays += frozenDays;
  }
}

export interface NextDue {
  readonly day: Day;
  readonly remainingCents: Cents;
}

export function overdueView(state: ObligationLedger, next: NextDue | null): OverdueView {
  const oldest = oldestOverdue(state);
  return {
    isOverdue: oldest !== undefined,
    daysOverdue: oldest === undefined ? 0 : daysOverdueOf(state, oldest),
    overdueCents: cents(overdueCents(state)),
    overdueSince: oldest?.dueDay ?? null,
    oldestObligation: oldest?.ordinal ?? null,
    nextDueDate: next?.day ?? null,
    nextDueCents: next?.remainingCents ?? null,
  };
}
