import { closeObligation, fulfilWithoutLateFees, meet, toleratedWithoutLateFees } from '../installment/shared.js';
import { holds } from '../core/rules.js';
import { settingsOf } from '../core/settings.js';
import { must } from '../../assert.js';
import type { LineObligation, LineState } from './state.js';

export interface Met {
  readonly draw: number | null;
  readonly how: 'payment' | 'credit';
  readonly onPart: ((obligation: number | null, amountCents: number) => void) | null;
  /** Counts what late fees take. */
  readonly tally: { toLateFeesCents: number };
}

/**
 * Assigns money that met due and overdue balances of a draw (null: fees of the line) to what the draw brings to the
 * obligations, oldest first: what an obligation lacks is always what its draws still have due.
 * Answers what no obligation lacked.
 */
export function meetObligations(state: LineState, amountCents: number, met: Met): number {
  const { obligations } = state;
  let leftCents = amountCents;
  for (let at = state.firstOpenObligation; at < obligations.length && leftCents > 0; at += 1) {
    const obligation = must(obligations[at], 'an obligation');
    if (!obligation.isFulfilled) leftCents -= meetPart(state, obligation, leftCents, met);
  }
  // What the tolerance has let pass still stands in the buckets, and takes its money last.
  for (let at = 0; at < obligations.length && leftCents > 0; at += 1) {
    const obligation = must(obligations[at], 'an obligation');
    if (obligation.isFulfilled) leftCents -= meetPart(state, obligation, leftCents, met);
  }
  if (leftCents > 0) met.onPart?.(null, leftCents);
  return leftCents;
}

/** The part of the money that a draw's part of the obligation takes. Late fees have taken what it would not lack without them. */
export function meetPart(state: LineState, obligation: LineObligation, leftCents: number, { draw, how, onPart, tally }: Met): number {
  const part = obligation.draws.find((candidate) => candidate.draw === draw);
  if (part === undefined || part.remainingCents === 0) return 0;
  const partCents = meet(obligation, Math.min(leftCents, part.remainingCents), { how, onPart });
  part.remainingCents -= partCents;
  tally.toLateFeesCents += partCents - meetWithoutLateFees(state, obligation, partCents);
  if (how === 'payment') part.paymentsCents += partCents;
  else part.creditsCents += partCents;
  return partCents;
}

/** What of the money the obligation would lack without late fees; what the tolerance would let pass then takes its money last. */
function meetWithoutLateFees(state: LineState, obligation: LineObligation, amountCents: number): number {
  const { withoutLateFeesCents } = obligation;
  if (!holds(state, 'withoutLateFeesByDraw') || withoutLateFeesCents <= toleratedWithoutLateFees(state)) return 0;
  const partCents = Math.min(amountCents, withoutLateFeesCents);
  obligation.withoutLateFeesCents -= partCents;
  return partCents;
}

/** Closes what a whole payment has fulfilled. */
export function closeFulfilled(state: LineState): void {
  const toleranceCents = settingsOf(state).overdueToleranceCents;
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation !== undefined && !obligation.isFulfilled && obligation.remainingCents <= toleranceCents)
      closeObligation(state, obligation);
  }
}

/**
 * After a payment: late fees took `toLateFeesCents` of it, which obligations lack without them, the oldest first; `first` was the oldest
 * open one before. Answers what is left of it.
 */
export function endMeeting(state: LineState, toLateFeesCents: number, first: number): number {
  const leftCents = fulfilWithoutLateFees(state, toLateFeesCents, first);
  closeFulfilled(state);
  return leftCents;
}
