import { cents } from '../../money/index.js';
import type { ObligationLedger } from './entries.js';
import { adoptSettings, holds, settingsOf } from './rules.js';
import type { ObligationState } from './state.js';
import type { ObligationView } from './views.js';

/** The kind of money, which decides the field of the obligation that it raises. */
export type Fulfilment = 'payment' | 'credit';

/** Receives each part of the money with its obligation; null: none. */
export type OnPart = (obligation: number | null, amountCents: number) => void;

/** The kind of money, and the receiver of its parts. */
export interface MetBy {
  readonly how: Fulfilment;
  readonly onPart: OnPart | null;
}

/** Assigns money to an obligation. Returns the part that it takes. */
export function meet(obligation: ObligationState, leftCents: number, { how, onPart }: MetBy): number {
  const partCents = leftCents < obligation.remainingCents ? leftCents : obligation.remainingCents;
  if (partCents === 0) return 0;
  obligation.remainingCents -= partCents;
  if (how === 'payment') obligation.paymentsCents += partCents;
  else obligation.creditsCents += partCents;
  onPart?.(obligation.ordinal, partCents);
  return partCents;
}

export function closeObligation(state: ObligationLedger, obligation: ObligationState): void {
  obligation.isFulfilled = true;
  advanceFirstOpen(state);
  obligationChanged(state, obligation);
}

/** Skips fulfilled obligations at the front, so that old obligations cost nothing. */
export function advanceFirstOpen(state: ObligationLedger): void {
  while (state.obligations[state.firstOpenObligation]?.isFulfilled === true) state.firstOpenObligation += 1;
}

/** Reports a changed flag of an obligation. */
export function obligationChanged(state: ObligationLedger, obligation: ObligationState): void {
  state.watcher?.happened({
    type: 'obligationStatusChanged',
    day: state.day,
    seconds: state.seconds,
    obligation: obligation.ordinal,
    isFulfilled: obligation.isFulfilled,
    isOverdue: obligation.isEnforced && !obligation.isFulfilled,
    isOpen: false,
  });
}

/**
 * Adopts the settings of the state's day. A higher tolerance closes obligations within it; obligations that an earlier tolerance has closed
 * stay closed.
 */
export function adoptSettingsOfDay(state: ObligationLedger): void {
  const { overdueToleranceCents: before } = settingsOf(state);
  adoptSettings(state);
  const { overdueToleranceCents: toleranceCents } = settingsOf(state);
  if (toleranceCents <= before || !holds(state, 'toleranceFollowed')) return;
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation !== undefined && !obligation.isFulfilled && obligation.remainingCents <= toleranceCents)
      closeObligation(state, obligation);
  }
}

/** Raises the obligation of an acceleration: it is open again unless it is within the tolerance. */
export function askForMore(state: ObligationLedger, obligation: ObligationState, amountCents: number): void {
  obligation.amountCents += amountCents;
  obligation.remainingCents += amountCents;
  state.firstUnenforced = 0;
  if (!obligation.isFulfilled) return;
  if (holds(state, 'toleranceForWhole') && obligation.remainingCents <= settingsOf(state).overdueToleranceCents) return;
  obligation.isFulfilled = false;
  state.firstOpenObligation = state.obligations.length - 1;
  obligationChanged(state, obligation);
}

/**
 * Updates what obligations would still lack if no money had gone to late fees. `amountCents` is the money for obligations and
 * for late fees together, `first` the oldest obligation that was open before. Returns the rest, which would have been paid in
 * advance or lowered principal.
 */
export function fulfilWithoutLateFees(state: ObligationLedger, amountCents: number, first: number): number {
  const letPassCents = toleratedWithoutLateFees(state);
  const leftCents = fulfilAbove(state, amountCents, { first, letPassCents });
  // Amounts within the tolerance get money last here, too.
  return leftCents > 0 && letPassCents > 0 ? fulfilAbove(state, leftCents, { first, letPassCents: 0 }) : leftCents;
}

/** The tolerance for obligations without late fees. */
export const toleratedWithoutLateFees = (state: ObligationLedger): number =>
  holds(state, 'toleratedWithoutLateFees') ? settingsOf(state).overdueToleranceCents : 0;

/** Returns the money that is left. */
function fulfilAbove(
  { obligations }: ObligationLedger,
  amountCents: number,
  { first, letPassCents }: { readonly first: number; readonly letPassCents: number },
): number {
  let leftCents = amountCents;
  for (let at = first; at < obligations.length && leftCents > 0; at += 1) {
    const obligation = obligations[at];
    if (obligation === undefined || obligation.withoutLateFeesCents <= letPassCents) continue;
    const partCents = leftCents < obligation.withoutLateFeesCents ? leftCents : obligation.withoutLateFeesCents;
    obligation.withoutLateFeesCents -= partCents;
    leftCents -= partCents;
  }
  return leftCents;
}

/** Lowers an obligation by capitalized interest, at most by what it lacks. Returns by how much. */
export function fulfilByCapitalization(state: ObligationLedger, obligation: ObligationState, amountCents: number): number {
  obligation.remainingCents -= amountCents;
  obligation.capitalizedCents += amountCents;
  obligation.withoutLateFeesCents = Math.max(0, obligation.withoutLateFeesCents - amountCents);
  if (!obligation.isFulfilled && obligation.remainingCents <= settingsOf(state).overdueToleranceCents) closeObligation(state, obligation);
  return amountCents;
}

/** Adds a fixed obligation, whose due date is the last one. */
export function addObligation<Obligation extends ObligationState>(
  state: ObligationLedger & { readonly obligations: Obligation[] },
  obligation: Obligation,
): void {
  state.obligations.push(obligation);
  advanceFirstOpen(state);
}

export function fixedView(obligation: ObligationState, period: number): ObligationView {
  return {
    ordinal: obligation.ordinal,
    period,
    dueDay: obligation.dueDay,
    obligationCents: cents(obligation.amountCents),
    fulfilledCents: cents(obligation.amountCents - obligation.remainingCents),
    remainingCents: cents(obligation.remainingCents),
    paymentsCents: cents(obligation.paymentsCents),
    serviceCreditsCents: cents(obligation.creditsCents),
    overpaymentsCents: cents(obligation.prepaidCents),
    capitalizedCents: cents(obligation.capitalizedCents),
    unassignedCents: cents(obligation.unassignedCents),
    isFulfilled: obligation.isFulfilled,
    isOverdue: obligation.isEnforced && !obligation.isFulfilled,
    isOpen: false,
    isLateFeeBlockedByPyramidingConfig: obligation.isLateFeeBlocked,
  };
}
