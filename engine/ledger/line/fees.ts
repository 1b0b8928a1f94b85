import type { Day } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import { feeState, type NewFee } from '../core/fees.js';
import { earnedLateFee, emitLateFee, isLateFeeDay, isLateFeeWaived, largestLateFee, lateFeesNow } from '../core/late-fees.js';
import { ACCELERATION_ORDINAL, type FeeDueStatus, type ObligationState } from '../core/state.js';
import type { LateFeeTerms } from '../core/terms.js';
import { joinWhole } from './acceleration.js';
import { feesOf } from './count-in-order.js';
import { countFor } from './credit.js';
import { beginEntry, enter } from './entering.js';
import { principalCents } from './owed.js';
import { runningPeriod } from './periods.js';
import type { DrawState, LineFee, LineState } from './state.js';

export interface NewLineFee extends NewFee {
  readonly origin: LineFee['origin'];
  readonly fromDueDate?: Day;
}

/** Adds a fee of a draw, or of the line, with the due status of its charge logic. */
export function addFee(state: LineState, draw: DrawState | null, fee: NewLineFee): void {
  const dueStatus = dueStatusAtCharge(state, fee);
  const added = lineFee(draw, fee, false);
  added.openCents = fee.amountCents;
  added.dueStatus = dueStatus;
  added.dueDay = dueStatus === 'nonDue' ? null : fee.chargeDay;
  feesOf(state, draw).push(added);
  countFor(state, draw, (totals) => (totals.feesChargedCents += fee.amountCents));
  if (state.status === 'accelerated' || state.status === 'chargedOff') joinWhole(state, draw, added);
}

/** A waived fee stays in the list without effect, so that the interface can show it. */
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

function dueStatusAtCharge(state: LineState, { chargeLogic }: NewLineFee): FeeDueStatus {
  if (state.status === 'chargedOff') return 'chargedOff';
  return chargeLogic === 'immediate' || state.status === 'accelerated' ? 'due' : 'nonDue';
}

/** 00:50: charges late fees of the line for minimum payments whose day has come. */
export function chargeLateFees(state: LineState): void {
  const lateFees = lateFeesNow(state);
  if (lateFees.length === 0) return;
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || !canEarnLateFee(obligation)) continue;
    for (const terms of lateFees) if (isLateFeeDay(state, obligation, terms)) chargeLateFee(state, obligation, terms);
  }
}

function chargeLateFee(state: LineState, obligation: ObligationState, terms: LateFeeTerms): void {
  const { startDate: periodStart } = runningPeriod(state);
  const earned = earnedLateFee(state, obligation, terms, { fees: state.fees, periodStart, principalCents: principalOf(state) });
  if (earned === null) return;
  const fee: NewLineFee = { ...earned, origin: 'late' };
  if (isLateFeeWaived(state, fee, terms)) {
    noteWaivedFee(state, null, fee);
    return;
  }
  const before = beginEntry(state);
  addFee(state, null, fee);
  enter(state, before, 'lateFee');
  emitLateFee(state, fee);
}

/** Minimum payments earn late fees, an acceleration does not. */
export const canEarnLateFee = ({ isFulfilled, ordinal }: ObligationState): boolean => !isFulfilled && ordinal !== ACCELERATION_ORDINAL;

/** The largest late fee that a minimum payment of this amount can earn. */
export const largestLineLateFeeCents = (state: LineState, obligationCents: number): Cents =>
  largestLateFee(state, obligationCents, { fees: state.fees, principalCents: principalOf(state) });

const principalOf = (state: LineState): number => state.draws.reduce((sum, draw) => sum + principalCents(draw), 0);
