import type { Cents } from '../../money/index.js';
import { earnedLateFee, emitLateFee, isLateFeeDay, isLateFeeWaived, largestLateFee, lateFeesNow } from '../core/late-fees.js';
import type { ObligationState } from '../core/state.js';
import type { LateFeeTerms } from '../core/terms.js';
import { beginEntry, enter } from './entering.js';
import { addFee, noteWaivedFee } from './fees.js';
import type { LedgerState } from './state.js';

/** Only rows of the contract earn late fees: not a closing row after the last one, and not an acceleration. */
export const canEarnLateFee = (state: LedgerState, obligation: ObligationState): boolean =>
  !obligation.isFulfilled && state.rows[obligation.ordinal]?.isClosing === undefined;

/** 00:50: charges the late fees whose day has come. */
export function chargeLateFees(state: LedgerState): void {
  const lateFees = lateFeesNow(state);
  if (lateFees.length === 0) return;
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || !canEarnLateFee(state, obligation)) continue;
    for (const terms of lateFees) if (isLateFeeDay(state, obligation, terms)) chargeLateFee(state, obligation, terms);
  }
}

function chargeLateFee(state: LedgerState, obligation: ObligationState, terms: LateFeeTerms): void {
  const { fees, periodStart } = state;
  const fee = earnedLateFee(state, obligation, terms, { fees, periodStart, principalCents: outstandingPrincipalCents(state) });
  if (fee === null) return;
  if (isLateFeeWaived(state, fee, terms)) {
    noteWaivedFee(state, fee);
    return;
  }
  const before = beginEntry(state);
  addFee(state, fee);
  enter(state, before, 'lateFee');
  emitLateFee(state, fee);
}

/** The largest late fee that an obligation of this amount can earn. */
export const largestLateFeeCents = (state: LedgerState, obligationCents: number): Cents =>
  largestLateFee(state, obligationCents, { fees: state.fees, principalCents: outstandingPrincipalCents(state) });

const outstandingPrincipalCents = (state: LedgerState): number =>
  state.nonDuePrincipalCents + state.duePrincipalCents + state.overduePrincipalCents;
