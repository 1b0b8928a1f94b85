import { ACCELERATION_ORDINAL } from '../core/state.js';
import type { DrawState, LineObligation, LineState } from './state.js';

/**
 * A copy to try things on. What is never written any more is shared: terms, rates, periods, rows, payments, and the obligations
 * that nothing can reach. Nobody watches it.
 */
export const cloneLine = (state: LineState): LineState => ({
  ...state,
  watcher: null,
  periods: [...state.periods],
  draws: state.draws.map(cloneDraw),
  fees: state.fees.map((fee) => ({ ...fee })),
  obligations: copyObligations(state),
  payments: [...state.payments],
  totals: { ...state.totals },
});

/** A copy that only accrues: obligations, fees and payments are the original's. */
export const cloneToAccrue = (state: LineState): LineState => ({
  ...state,
  watcher: null,
  draws: state.draws.map((draw) => ({ ...draw, balances: { ...draw.balances }, totals: { ...draw.totals } })),
  totals: { ...state.totals },
});

/** The last one is the one that the grace is decided by. */
function copyObligations({ obligations, firstOpenObligation, firstUnenforced }: LineState): LineObligation[] {
  const before = Math.min(firstOpenObligation, firstUnenforced, obligations.length - 1);
  return obligations.map((obligation, at) => (at < before && isSettled(obligation) ? obligation : cloneObligation(obligation)));
}

/** To the last cent, and not by an acceleration, whose obligation later charges join. */
const isSettled = ({ ordinal, remainingCents, draws }: LineObligation): boolean =>
  remainingCents === 0 && ordinal !== ACCELERATION_ORDINAL && draws.every((part) => part.remainingCents === 0);

const cloneDraw = (draw: DrawState): DrawState => ({
  ...draw,
  balances: { ...draw.balances },
  fees: draw.fees.map((fee) => ({ ...fee })),
  totals: { ...draw.totals },
});

const cloneObligation = (obligation: LineObligation): LineObligation => ({
  ...obligation,
  grace: { ...obligation.grace },
  draws: obligation.draws.map((part) => ({ ...part, grace: { ...part.grace } })),
});
