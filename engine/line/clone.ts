import type { DrawState, LineObligation, LineState } from './state.js';

/** A copy to try things on. What is never written any more is shared: terms, rates, periods, rows, payments. Nobody watches it. */
export const cloneLine = (state: LineState): LineState => ({
  ...state,
  watcher: null,
  periods: [...state.periods],
  draws: state.draws.map(cloneDraw),
  fees: state.fees.map((fee) => ({ ...fee })),
  obligations: state.obligations.map(cloneObligation),
  payments: [...state.payments],
  totals: { ...state.totals },
});

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
