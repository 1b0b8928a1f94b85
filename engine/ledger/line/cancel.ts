import type { StatusCause } from '../core/ledger-events.js';
import { centsOfInterest, plus } from '../core/interest.js';
import { moveStatus } from '../installment/shared.js';
import { clearBalances } from '../core/balances.js';
import { holds } from '../core/rules.js';
import { cancelingMove } from '../core/status-moves.js';
import { findDraw } from './draws.js';
import { beginEntry, enter } from './entering.js';
import { feesOf } from './fees-of.js';
import { giveUpRest } from './give-up.js';
import { closeFulfilled } from './meet.js';
import { forgetAhead } from './ahead.js';
import { openFeesCents, principalCents } from './owed.js';
import type { DrawState, LineObligation, LineState } from './state.js';
import { countFor } from './totals.js';

/** The line is as if it had never existed: nothing is owed. */
export function cancelLine(state: LineState, cause: StatusCause): void {
  const move = cancelingMove(state.status);
  if (move === null) return;
  const before = beginEntry(state);
  for (const draw of [...state.draws, null]) clearOwed(state, draw);
  for (const draw of state.draws) draw.isCanceled = true;
  forgetAhead(state);
  state.obligations = [];
  state.firstOpenObligation = 0;
  state.firstUnenforced = 0;
  enter(state, before, 'cancellation');
  moveStatus(state, move, cause);
}

/** A draw without purchases, and what was charged for it. */
export function cancelDraw(state: LineState, number: number): void {
  const draw = findDraw(state, number);
  if (draw === undefined || draw.isCanceled) return;
  const before = beginEntry(state);
  clearOwed(state, draw);
  draw.isCanceled = true;
  state.obligations = state.obligations.map((obligation) => withoutDraw(obligation, number));
  closeFulfilled(state);
  enter(state, before, 'cancellation');
}

function withoutDraw(obligation: LineObligation, number: number): LineObligation {
  const part = obligation.draws.find(({ draw }) => draw === number);
  if (part === undefined || part.remainingCents === 0) return obligation;
  const lessCents = part.remainingCents;
  const { principalCents, interestCents, feesCents } = giveUpRest(part);
  return {
    ...obligation,
    amountCents: obligation.amountCents - lessCents,
    // What has joined an acceleration is in its amount alone.
    principalCents: Math.max(0, obligation.principalCents - principalCents),
    interestCents: Math.max(0, obligation.interestCents - interestCents),
    feesCents: Math.max(0, obligation.feesCents - feesCents),
    remainingCents: obligation.remainingCents - lessCents,
    withoutLateFeesCents: Math.max(0, obligation.withoutLateFeesCents - lessCents),
  };
}

function clearOwed(state: LineState, draw: DrawState | null): void {
  const fees = feesOf(state, draw);
  const feesCents = openFeesCents(fees);
  const principal = draw === null ? 0 : principalCents(draw);
  countFor(state, draw, (totals) => {
    totals.canceledFeesCents += feesCents;
    totals.canceledPrincipalCents += principal;
  });
  for (const fee of fees) fee.openCents = 0;
  if (draw === null) return;
  const { nonDueInterest, dueInterestCents, overdueInterestCents, chargedOffInterestCents } = draw.balances;
  const interest = plus(nonDueInterest, centsOfInterest(dueInterestCents + overdueInterestCents + chargedOffInterestCents));
  countFor(state, draw, (totals) => (totals.reversedInterest = plus(totals.reversedInterest, interest)));
  clearBalances(draw.balances);
  draw.rows = [];
  if (holds(state, 'bearingDrawsAlone')) draw.frozenSteps = [];
}
