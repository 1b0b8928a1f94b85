import { instantAt } from '../../../engine/index.js';
import { timeOfDay } from '../../wire.js';
import { recordOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { DrawLedgerEvent } from './events.js';

/** A closed draw on which nothing is owed any more: its record keeps since when. */
export function notePaidOff(
  state: LoanState,
  { draw: number, day, seconds }: Extract<DrawLedgerEvent, { readonly type: 'drawPaidOff' }>,
): void {
  const paidOffAt = instantAt(recordOf(state).zone, day, timeOfDay(seconds));
  state.draws = state.draws.map((draw) => (draw.draw === number ? { ...draw, timestamps: { ...draw.timestamps, paidOffAt } } : draw));
}
