import type { Day } from '../../calendar/index.js';
import { feeState, type NewFee } from '../installment/shared.js';
import type { FeeStanding } from '../core/state.js';
import { feesOf } from './fees-of.js';
import { joinWhole } from './acceleration.js';
import type { DrawState, LineFee, LineState } from './state.js';
import { countFor } from './totals.js';

export interface NewLineFee extends NewFee {
  readonly origin: LineFee['origin'];
  readonly fromDueDate?: Day;
}

/** Books a fee of a draw, or of the line, and puts it where its charge logic says. */
export function bookFee(state: LineState, draw: DrawState | null, fee: NewLineFee): void {
  const standing = standingAtCharge(state, fee);
  const booked = lineFee(draw, fee, false);
  booked.openCents = fee.amountCents;
  booked.standing = standing;
  booked.dueDay = standing === 'nonDue' ? null : fee.chargeDay;
  feesOf(state, draw).push(booked);
  countFor(state, draw, (totals) => (totals.feesChargedCents += fee.amountCents));
  if (state.status === 'accelerated' || state.status === 'chargedOff') joinWhole(state, draw, booked);
}

/** A waived fee stays in the list without an effect, so that readers see it. */
export function noteWaivedFee(state: LineState, draw: DrawState | null, fee: NewLineFee): void {
  feesOf(state, draw).push(lineFee(draw, fee, true));
}

const lineFee = (draw: DrawState | null, fee: NewLineFee, isCanceled: boolean): LineFee => ({
  ...feeState(fee, isCanceled),
  draw: draw?.draw ?? null,
  origin: fee.origin,
  fromDueDate: fee.fromDueDate ?? null,
  capitalizedCents: 0,
});

function standingAtCharge(state: LineState, { chargeLogic }: NewLineFee): FeeStanding {
  if (state.status === 'chargedOff') return 'chargedOff';
  return chargeLogic === 'immediate' || state.status === 'accelerated' ? 'due' : 'nonDue';
}
