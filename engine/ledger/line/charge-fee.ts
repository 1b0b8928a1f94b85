import { isWaivedAsOf } from '../core/waivers.js';
import { findDraw } from './draws.js';
import { beginEntry, enter } from './entering.js';
import type { LineFeeCharged } from './facts.js';
import { isCovered } from './paid-over.js';
import { bookFee, type NewLineFee, noteWaivedFee } from './fees.js';
import { reopen } from './settle.js';
import type { LineState } from './state.js';

/**
 * A fee by hand. One that somebody waived later comes in as waived; a paid-off line is opened by it, unless money that was paid over
 * covers it.
 */
export function chargeFee(state: LineState, fact: LineFeeCharged): void {
  const draw = fact.draw === null ? null : findDraw(state, fact.draw);
  if (draw === undefined || state.status === 'canceled') return;
  const { day, seconds } = fact.effective;
  const fee: NewLineFee = {
    fee: fact.fee,
    obligation: null,
    feeTypeId: fact.feeTypeId,
    kind: fact.kind,
    chargeLogic: fact.chargeLogic,
    chargeDay: day,
    chargeSeconds: seconds,
    knownDay: fact.recordedDay > day ? fact.recordedDay : day,
    amountCents: fact.amountCents,
    origin: 'charged',
  };
  if (state.orders.waivedFees.includes(fact.fee) || isWaivedAsOf(state.orders, fee, fact)) {
    noteWaivedFee(state, draw, fee);
    return;
  }
  if (state.status === 'paidOff' && !isCovered(state, fact.amountCents)) reopen(state);
  const before = beginEntry(state);
  bookFee(state, draw, fee);
  enter(state, before, 'fee');
}
