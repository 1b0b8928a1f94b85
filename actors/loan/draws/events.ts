import { type LineLedgerEvent, must } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { EventDraft } from '../../kernel/fact.js';
import { amount, dateText } from '../../wire.js';
import { drawFeeId, periodId } from '../derived-ids.js';
import type { Described } from '../events.js';
import type { LoanState } from '../state.js';

/** Ledger events of a line that concern one draw. */
export type DrawLedgerEvent = Extract<LineLedgerEvent, { readonly draw: number }>;

export const isOfDraw = (ledgerEvent: LineLedgerEvent): ledgerEvent is DrawLedgerEvent => 'draw' in ledgerEvent;

/** The published event; null for a ledger event that only the draw's own record shows. */
export function describeDraw(ledgerEvent: DrawLedgerEvent, state: LoanState, env: EvolveEnv): Described | null {
  const draw = must(state.draws[ledgerEvent.draw - 1], `the line has no draw ${ledgerEvent.draw}`);
  switch (ledgerEvent.type) {
    case 'minimumInterestCharged': {
      const amounts = { amount: amount(ledgerEvent.amountCents), effectiveDate: dateText(ledgerEvent.day) };
      return {
        eventType: 'loan.interestaccrued.min',
        data: { drawId: draw.id, periodId: periodId(env, state, ledgerEvent.period), ...amounts },
      };
    }
    case 'drawFeeBooked': {
      const fee = { feeId: drawFeeId(env, state, draw), feeTypeId: null, amount: amount(ledgerEvent.amountCents) };
      return { eventType: 'draw.fee.booked', data: { ...fee, effectiveDate: dateText(ledgerEvent.day), drawId: draw.id } };
    }
    case 'graceChanged':
    case 'drawPaidOff':
      return null;
  }
}

/** An event of the line that is about one of its draws. */
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
