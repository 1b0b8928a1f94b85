import type { Cents } from '../money/index.js';
import { drawOf } from './draws.js';
import { drawOwedCents, lineOwedCents } from './owed.js';
import type { DrawState, LineState } from './state.js';

export interface Credit {
  readonly limitCents: Cents;
  /** What is owed, the fraction of interest left out. */
  readonly utilizedCents: Cents;
  /** Credit of payments that is not free yet (servicing-behaviour 12.4). */
  readonly heldCents: Cents;
  /** Never below zero. */
  readonly availableCents: Cents;
  readonly overLimitCents: Cents;
}

/** Limit, use and rest of the line, or of a draw with a limit of its own: one without has the line's. */
export function creditOf(state: LineState, draw: number | null = null): Credit {
  const of = draw === null ? null : drawOf(state, draw);
  const limitCents = of?.limitCents ?? state.limitCents;
  const utilizedCents = of === null ? lineOwedCents(state) : drawOwedCents(of);
  const heldCents = heldOf(state, draw);
  const left = limitCents - utilizedCents - heldCents;
  return {
    limitCents: limitCents as Cents,
    utilizedCents: utilizedCents as Cents,
    heldCents: heldCents as Cents,
    availableCents: Math.max(0, left) as Cents,
    overLimitCents: Math.max(0, utilizedCents - limitCents) as Cents,
  };
}

/** What a purchase may come to: the line's rest, and the draw's where it has a limit of its own (servicing-behaviour 10.1). */
export function availableCredit(state: LineState, draw: number | null = null): Cents {
  const ofLine = creditOf(state).availableCents;
  if (draw === null || drawOf(state, draw).limitCents === null) return ofLine;
  const ofDraw = creditOf(state, draw).availableCents;
  return ofDraw < ofLine ? ofDraw : ofLine;
}

/** The line's limit less what is owed: below zero when it is exceeded. */
export const limitRoom = (state: LineState): number => state.limitCents - lineOwedCents(state);

export const overLimitOf = (draw: DrawState): number => (draw.limitCents === null ? 0 : Math.max(0, drawOwedCents(draw) - draw.limitCents));

function heldOf({ payments, day }: LineState, draw: number | null): number {
  let total = 0;
  for (const { holdUntil, splits } of payments) {
    if (holdUntil === null || holdUntil < day) continue;
    for (const split of splits) {
      if (draw === null || split.draw === draw) total += split.principalCents + split.interestCents + split.feesCents;
    }
  }
  return total;
}
