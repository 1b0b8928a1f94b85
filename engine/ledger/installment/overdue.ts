import type { Day } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import { moveDueToOverdue } from '../core/balances.js';
import { beginEntry, enter } from './fees.js';
import { fulfilByCapitalization, obligationChanged } from './fulfil.js';
import type { ObligationLedger } from '../core/entries.js';
import { holds } from '../core/rules.js';
import type { LedgerState } from './state.js';
import type { ObligationState } from '../core/state.js';

/** The day after the due date, on which unpaid balances become overdue; frozen days postpone it. */
export const enforcementDay = (obligation: ObligationState): Day => (obligation.dueDay + 1 + obligation.pausedDays) as Day;

/** The oldest unfulfilled obligation whose enforcement day has come. */
export function oldestOverdue(state: Pick<ObligationLedger, 'obligations' | 'firstOpenObligation'>): ObligationState | undefined {
  const { obligations } = state;
  for (let at = state.firstOpenObligation; at < obligations.length; at += 1) {
    const obligation = obligations[at];
    if (obligation !== undefined && obligation.isEnforced && !obligation.isFulfilled) return obligation;
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

/** 00:20 of due date + 1, if configured: unpaid due interest becomes principal. */
export function capitalizeDueInterest(state: LedgerState): void {
  const enforced = enforcedToday(state);
  const amountCents = state.dueInterestCents;
  if (enforced.length === 0 || amountCents === 0) return;
  const before = beginEntry(state);
  state.dueInterestCents = 0;
  state.nonDuePrincipalCents += amountCents;
  state.totals.capitalizedInterestCents += amountCents;
  if (holds(state, 'capitalizedInFull')) lowerTogether(state, capitalizing(state, enforced), amountCents);
  else for (const obligation of enforced.slice(0, 1)) fulfilByCapitalization(state, obligation, amountCents);
  enter(state, before, 'interestCapitalization');
  state.watcher?.happened({
    type: 'interestCapitalized',
    day: state.day,
    seconds: state.seconds,
    amountCents: amountCents as Cents,
  });
}

function lowerTogether(state: LedgerState, obligations: readonly ObligationState[], amountCents: number): void {
  let leftCents = amountCents;
  for (const obligation of obligations)
    leftCents -= fulfilByCapitalization(state, obligation, Math.min(leftCents, obligation.remainingCents));
}

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

/**
 * 00:40 of due date + 1: unpaid balances become overdue. It runs before the due dates of its own day, so all due balances
 * belong to the obligations that are enforced now, even if due dates are on consecutive days. A fulfilled obligation may still
 * have due balances, if its money went to the rest of an older obligation within the tolerance.
 */
export function enforceDueDates(state: LedgerState): void {
  const enforced = enforcedToday(state);
  passEnforced(state);
  if (enforced.length === 0 && !isLeftDue(state)) return;
  const before = beginEntry(state);
  for (const obligation of enforced) obligation.isEnforced = true;
  moveToOverdue(state);
  enter(state, before, 'movedToOverdue');
  for (const obligation of enforced) {
    if (!obligation.isFulfilled) obligationChanged(state, obligation);
  }
}

function isLeftDue(state: LedgerState): boolean {
  const last = state.obligations.at(-1);
  return mayStayDue(state) && last !== undefined && enforcementDay(last) <= state.day;
}

/** Whether something is due that becomes overdue with the last obligation, fulfilled or not. */
export const mayStayDue = (state: LedgerState): boolean => isAnythingDue(state) && holds(state, 'nothingStaysDue');

export const hasDue = ({ duePrincipalCents, dueInterestCents }: Pick<LedgerState, 'duePrincipalCents' | 'dueInterestCents'>): boolean =>
  duePrincipalCents > 0 || dueInterestCents > 0;

/** Whether anything is due, including fees that obligations carry. */
function isAnythingDue(state: LedgerState): boolean {
  if (hasDue(state) || (state.dueOriginationFeeCents > 0 && state.obligations.length > 0)) return true;
  return (
    state.openFeesCents > 0 &&
    state.fees.some(({ openCents, dueStatus, carriedBy }) => openCents > 0 && dueStatus === 'due' && carriedBy !== null)
  );
}

function moveToOverdue(state: LedgerState): void {
  moveDueToOverdue(state);
  state.overdueOriginationFeeCents += state.dueOriginationFeeCents;
  state.dueOriginationFeeCents = 0;
  if (state.openFeesCents === 0) return;
  for (const fee of state.fees) {
    if (fee.dueStatus === 'due' && fee.carriedBy !== null) fee.dueStatus = 'overdue';
  }
}

/** Emits when the loan becomes overdue or current. With `isNewDay`, it also emits each further day overdue. */
export function followOverdue(state: ObligationLedger, isNewDay: boolean): void {
  const oldest = state.firstOpenObligation < state.obligations.length ? oldestOverdue(state) : undefined;
  const wasOverdue = state.isOverdue;
  state.isOverdue = oldest !== undefined;
  if (state.watcher === null) return;
  const { day, seconds } = state;
  state.watcher.late?.(day, oldest === undefined ? null : daysOverdueOf(state, oldest));
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
    overdueCents: overdueCents(state) as Cents,
    overdueSince: oldest.dueDay,
    oldestObligation: oldest.ordinal,
  });
}
