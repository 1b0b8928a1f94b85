import { type LineHappening, must } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { EventDraft } from '../../kernel/fact.js';
import { amount, dateText } from '../../wire.js';
import { drawFeeId, periodId } from '../derived-ids.js';
import type { Described } from '../events.js';
import type { LoanState } from '../state.js';

/** What a line's ledger tells of one draw. */
export type DrawHappening = Extract<LineHappening, { readonly draw: number }>;

export const isOfDraw = (happening: LineHappening): happening is DrawHappening => 'draw' in happening;

/** The event of the contract; null for what only the draw's own record shows. */
export function describeDraw(happening: DrawHappening, state: LoanState, env: EvolveEnv): Described | null {
  const draw = must(state.draws[happening.draw - 1], `the line has no draw ${happening.draw}`);
  switch (happening.type) {
    case 'minimumInterestCharged': {
      const amounts = { amount: amount(happening.amountCents), effectiveDate: dateText(happening.day) };
      return {
        eventType: 'loan.interestaccrued.min',
        data: { drawId: draw.id, periodId: periodId(env, state, happening.period), ...amounts },
      };
    }
    case 'drawFeeBooked': {
      const fee = { feeId: drawFeeId(env, state, draw), feeTypeId: null, amount: amount(happening.amountCents) };
      return { eventType: 'draw.fee.booked', data: { ...fee, effectiveDate: dateText(happening.day), drawId: draw.id } };
    }
    case 'graceChanged':
    case 'drawPaidOff':
      return null;
  }
}

/** An event of the line that is about one of its draws (base.md, Events 5). */
export function aboutDraw(event: EventDraft, state: LoanState, draw: number): EventDraft {
  const { id, externalId } = must(state.draws[draw - 1], `the line has no draw ${draw}`);
  return {
    ...event,
    objectType: 'draw',
    objectId: id,
    refs: { ...event.refs, drawId: id },
    externalIds: { ...event.externalIds, drawId: externalId },
  };
}
