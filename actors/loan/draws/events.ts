import type { LineHappening } from '../../../engine/index.js';
import { amount, dateText } from '../../wire.js';
import type { Described } from '../events.js';
import type { LoanState } from '../state.js';
import { drawIdOf } from './find.js';

/** What a line's ledger tells of one draw. */
export type DrawHappening = Extract<LineHappening, { readonly draw: number }>;

export const isOfDraw = (happening: LineHappening): happening is DrawHappening => 'draw' in happening;

/** The event of the contract; null for what only the draw's own record shows. */
export function describeDraw(happening: DrawHappening, state: LoanState): Described | null {
  const drawId = drawIdOf(state, happening.draw);
  switch (happening.type) {
    case 'minimumInterestCharged':
      return {
        eventType: 'loan.interestaccrued.min',
        data: { drawId, amount: amount(happening.amountCents), effectiveDate: dateText(happening.day) },
      };
    case 'drawFeeBooked':
      return { eventType: 'draw.fee.booked', data: { drawId, amount: amount(happening.amountCents), effectiveDate: dateText(happening.day) } };
    case 'graceChanged':
    case 'drawPaidOff':
      return null;
  }
}
