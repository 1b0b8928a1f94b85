import { settingsOf } from './settings.js';
import type { LedgerState, ObligationState } from './state.js';

/** How money fulfils an obligation: the field of the obligation that it raises. */
export type Fulfilment = 'payment' | 'credit';

/** Hears which obligation a part of the money fulfilled; null: it met none. */
export type OnPart = (obligation: number | null, amountCents: number) => void;

/**
 * Assigns money that met due or overdue balances to the obligations that carry them, oldest unfulfilled first
 * (servicing-behaviour 8.4). A payment comes in parts, bucket by bucket; `closeFulfilled` ends it.
 */
export function fulfil(state: LedgerState, amountCents: number, how: Fulfilment, onPart: OnPart | null): void {
  let leftCents = fulfilFrom(state, state.firstOpenObligation, amountCents, { how, onPart, isFulfilled: false });
  // What the tolerance has let pass still stands in the buckets, and takes its money last.
  if (leftCents > 0) leftCents = fulfilFrom(state, 0, leftCents, { how, onPart, isFulfilled: true });
  if (leftCents > 0) onPart?.(null, leftCents);
}

interface Assignment {
  readonly how: Fulfilment;
  readonly onPart: OnPart | null;
  /** Take the unfulfilled ones, or the ones that count as fulfilled with a rest. */
  readonly isFulfilled: boolean;
}

function fulfilFrom(state: LedgerState, first: number, amountCents: number, assignment: Assignment): number {
  const { obligations } = state;
  let leftCents = amountCents;
  for (let at = first; at < obligations.length && leftCents > 0; at += 1) {
    const obligation = obligations[at];
    if (obligation === undefined || obligation.isFulfilled !== assignment.isFulfilled) continue;
    const partCents = leftCents < obligation.remainingCents ? leftCents : obligation.remainingCents;
    if (partCents === 0) continue;
    leftCents -= partCents;
    obligation.remainingCents -= partCents;
    if (assignment.how === 'payment') obligation.paymentsCents += partCents;
    else obligation.creditsCents += partCents;
    assignment.onPart?.(obligation.ordinal, partCents);
  }
  return leftCents;
}

/** Closes what a whole payment has fulfilled: an older obligation takes all that it lacks before a later one. */
export function closeFulfilled(state: LedgerState): void {
  const toleranceCents = settingsOf(state).overdueToleranceCents;
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined) continue;
    if (obligation.remainingCents > toleranceCents) return;
    if (!obligation.isFulfilled) close(state, obligation);
  }
}

/**
 * Follows what obligations would still lack had no late fee ever taken money: `amountCents` is all that met
 * obligations together with what went to late fees, `first` the oldest obligation that was open before. What is
 * left of it would have lowered principal.
 */
export function fulfilWithoutLateFees(state: LedgerState, amountCents: number, first: number): void {
  let leftCents = amountCents;
  for (let at = first; at < state.obligations.length && leftCents > 0; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined) continue;
    const partCents = leftCents < obligation.withoutLateFeesCents ? leftCents : obligation.withoutLateFeesCents;
    obligation.withoutLateFeesCents -= partCents;
    leftCents -= partCents;
  }
}

/** Lowers an obligation by interest that became principal. */
export function fulfilByCapitalization(state: LedgerState, obligation: ObligationState, amountCents: number): void {
  obligation.remainingCents -= amountCents;
  obligation.capitalizedCents += amountCents;
  obligation.withoutLateFeesCents = Math.max(0, obligation.withoutLateFeesCents - amountCents);
  if (obligation.remainingCents <= settingsOf(state).overdueToleranceCents) close(state, obligation);
}

/** Adds an obligation that has become fixed, in its place by due date. */
export function addObligation(state: LedgerState, obligation: ObligationState): void {
  state.obligations.push(obligation);
  advanceFirstOpen(state);
}

function close(state: LedgerState, obligation: ObligationState): void {
  obligation.isFulfilled = true;
  advanceFirstOpen(state);
  obligationChanged(state, obligation);
}

/** What is fulfilled at the front is skipped, so that obligations long paid cost nothing. */
function advanceFirstOpen(state: LedgerState): void {
  while (state.obligations[state.firstOpenObligation]?.isFulfilled === true) state.firstOpenObligation += 1;
}

/** A flag of an obligation has flipped (loan-terms 3.2). */
export function obligationChanged(state: LedgerState, obligation: ObligationState): void {
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
