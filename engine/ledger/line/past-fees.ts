import type { Bucket } from '../../waterfall/index.js';
import { returnAllToNonDue } from './count-in-order.js';
import { findDraw } from './draws.js';
import { beginEntry, enter } from './entering.js';
import type { PastFeeCanceled } from './facts.js';
import { endMeeting } from './meet.js';
import { beginTally, type LineTally, notePayment } from './pay.js';
import { pour, pourChargedOff, pourFees } from './pour.js';
import type { DrawState, LineFee, LineState } from './state.js';

const STANDINGS = ['overdue', 'due', 'nonDue', 'chargedOff'] as const;

const PRINCIPAL: readonly Bucket[] = ['nonDuePrincipal', 'duePrincipal', 'overduePrincipal'];

/** What other systems had charged is in the balances that were seeded, as far as it was unpaid: that goes first, then principal. */
export function takePastFeeBack(state: LineState, fact: PastFeeCanceled): void {
  const draw = findDraw(state, fact.draw);
  if (draw === undefined || state.status === 'canceled') return;
  const before = beginEntry(state);
  const firstOpen = state.firstOpenObligation;
  const { transaction, effective, amountCents } = fact;
  const tally = beginTally({ transaction, kind: 'refund', effective, amountCents });
  for (const standing of STANDINGS) pourFees(state, tally, draw, { standing, bucket: `${standing}Fees`, isWanted: isSeeded });
  pourPrincipal(state, tally, draw);
  returnAllToNonDue(state);
  endMeeting(state, tally.toLateFeesCents, firstOpen);
  state.unassignedCents += state.status === 'active' ? tally.aheadCents : 0;
  notePayment(state, tally, { isProcessing: false, holdUntil: null });
  enter(state, before, 'migration');
}

/** Of a dynamic fee that came with the cutoff; it names no fee of this service. */
const isSeeded = ({ fee, obligation, origin }: LineFee): boolean => fee === null && obligation === null && origin === 'charged';

function pourPrincipal(state: LineState, tally: LineTally, draw: DrawState): void {
  if (state.status === 'chargedOff') pourChargedOff(state, tally, draw, 'principal');
  else for (const bucket of PRINCIPAL) pour(state, tally, draw, bucket);
}
