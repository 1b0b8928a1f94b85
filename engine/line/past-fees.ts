import { type Bucket, COMPONENT_BUCKETS } from '../waterfall/index.js';
import { findDraw } from './draws.js';
import { beginEntry, enter } from './entering.js';
import type { PastFeeCanceled } from './facts.js';
import { endMeeting } from './meet.js';
import { beginTally, type LineTally, notePayment } from './pay.js';
import { pour, pourChargedOff } from './pour.js';
import type { DrawState, LineFee, LineState } from './state.js';

const PRINCIPAL: readonly Bucket[] = ['nonDuePrincipal', 'duePrincipal', 'overduePrincipal'];

/** What other systems had charged is in the balances that were seeded, as far as it was unpaid: that goes first, then principal. */
export function takePastFeeBack(state: LineState, fact: PastFeeCanceled): void {
  const draw = findDraw(state, fact.draw);
  if (draw === undefined || state.status === 'canceled') return;
  const before = beginEntry(state);
  const firstOpen = state.firstOpenObligation;
  const openCents = draw.fees.reduce((sum, fee) => (isSeeded(fee) ? sum + fee.openCents : sum), 0);
  const { transaction, effective, amountCents } = fact;
  const tally = beginTally({ transaction, kind: 'refund', effective, amountCents });
  pourFees(state, tally, draw, Math.min(openCents, amountCents));
  pourPrincipal(state, tally, draw);
  endMeeting(state, tally.obligationCents + tally.looseLateFeeCents, firstOpen);
  state.unassignedCents += state.status === 'active' ? tally.aheadCents : 0;
  notePayment(state, tally, { isProcessing: false, holdUntil: null });
  enter(state, before, 'migration');
}

/** Of a dynamic fee that came with the cutoff; it names no fee of this service. */
const isSeeded = ({ fee, obligation, origin }: LineFee): boolean => fee === null && obligation === null && origin === 'charged';

/** Seeded fees are the oldest ones, so that they are met first. */
function pourFees(state: LineState, tally: LineTally, draw: DrawState, cents: number): void {
  const restCents = tally.leftCents - cents;
  tally.leftCents = cents;
  if (state.status === 'chargedOff') pourChargedOff(state, tally, draw, 'fees');
  else for (const bucket of COMPONENT_BUCKETS.fees) pour(state, tally, draw, bucket);
  tally.leftCents += restCents;
}

function pourPrincipal(state: LineState, tally: LineTally, draw: DrawState): void {
  if (state.status === 'chargedOff') pourChargedOff(state, tally, draw, 'principal');
  else for (const bucket of PRINCIPAL) pour(state, tally, draw, bucket);
}
