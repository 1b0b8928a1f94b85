import { withoutIdleDays } from '../core/idle-days.js';
import { findDraw } from './draws.js';
import type { DrawRatesChanged, LimitChanged } from './facts.js';
import type { LineState } from './state.js';

export function changeLimit(state: LineState, { draw, limitCents }: LimitChanged): void {
  if (draw === null) {
    if (limitCents !== null) state.limitCents = limitCents;
    return;
  }
  const found = findDraw(state, draw);
  if (found !== undefined) found.limitCents = limitCents;
}

/** New rates from the state's day on; the days before it have been accrued at the old ones. */
export function changeRates(state: LineState, { draw, rates }: DrawRatesChanged): void {
  const found = findDraw(state, draw);
  if (found !== undefined) found.rates = withoutIdleDays(rates, state.orders.idle);
}

export function closeDraw(state: LineState, draw: number): void {
  const found = findDraw(state, draw);
  if (found !== undefined) found.isClosed = true;
}
