import type { Day } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import { findDraw, newDraw } from './draws.js';
import { beginEntry, enter } from './entering.js';
import type { DrawActivated } from './facts.js';
import { bookFee } from './fees.js';
import type { DrawState, LineState } from './state.js';

/** The draw begins to be serviced, with its fee. */
export function activateDraw(state: LineState, fact: DrawActivated): void {
  if (findDraw(state, fact.draw) !== undefined) return;
  const draw = newDraw(state, fact);
  state.draws.push(draw);
  bookDrawFee(state, draw, state.orders.drawFeesCents.get(fact.draw) ?? fact.fee.amountCents);
}

/** Charged by the configured option: due at once, or with the due dates to come. */
export function bookDrawFee(state: LineState, draw: DrawState, amountCents: number, knownDay: Day = state.day): void {
  if (amountCents === 0) return;
  const { day, seconds } = state;
  const before = beginEntry(state);
  bookFee(state, draw, {
    fee: null,
    obligation: null,
    feeTypeId: 'drawFee',
    kind: 'otherFee',
    chargeLogic: draw.activation.fee.logic === 'separate' ? 'immediate' : 'nextDueDate',
    chargeDay: day,
    chargeSeconds: seconds,
    knownDay,
    amountCents,
    origin: 'draw',
  });
  enter(state, before, 'drawFee');
  state.watcher?.happened({ type: 'drawFeeBooked', day, seconds, draw: draw.draw, amountCents: amountCents as Cents });
}
