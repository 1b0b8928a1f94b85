import { must } from '../../assert.js';
import {
  carryByWhole,
  carryLaterFee,
  type ComponentCents,
  replaceObligations,
  restByComponent,
  wholeObligation,
} from '../core/acceleration.js';
import { moveAllToDue, moveDueToOverdue, moveToChargedOff } from '../core/balances.js';
import type { StatusCause } from '../core/entries.js';
import type { ChargeOffReason } from '../core/facts.js';
import { moveFees } from '../core/fees.js';
import { askForMore, obligationChanged } from '../core/obligations.js';
import { reachedThresholds } from '../core/overdue.js';
import { moveStatus } from '../core/status-moves.js';
import { allFees, feesOf } from './count-in-order.js';
import { beginEntry, enter } from './entering.js';
import { forgetAhead, unpaidPart } from './fix-obligation.js';
import { fullBalanceOf, graceOfLine } from './grace-balances.js';
import { openFeesCents } from './owed.js';
import { runningPeriod } from './periods.js';
import type { DrawObligation, DrawState, LineFee, LineObligation, LineState } from './state.js';
import { truncateInterest } from './statement.js';

/** Interest stops, and everything is due at once as one obligation with the oldest due date. */
export function accelerate(state: LineState, cause: StatusCause): void {
  const before = beginEntry(state);
  const oldest = state.obligations.find((obligation) => !obligation.isFulfilled);
  for (const draw of state.draws) {
    truncateInterest(state, draw);
    moveAllToDue(draw.balances);
    if (oldest?.isEnforced === true) moveDueToOverdue(draw.balances);
  }
  moveFees(allFees(state), oldest?.isEnforced === true ? 'overdue' : 'due');
  const obligation = wholeOf(state, oldest);
  replaceObligations(state, obligation);
  // A rest within the tolerance is part of the whole now.
  for (const fulfilled of state.obligations.slice(0, -1)) fulfilled.draws.forEach(giveUpRest);
  carryByWhole(allFees(state), obligation);
  forgetAhead(state);
  state.acceleratedSince = state.day;
  enter(state, before, 'acceleration');
  moveStatus(state, 'accelerate', cause);
  obligationChanged(state, obligation);
}

function wholeOf(state: LineState, oldest: LineObligation | undefined): LineObligation {
  const fees = allFees(state);
  const sum = (of: (draw: DrawState) => number): number => state.draws.reduce((total, draw) => total + of(draw), 0);
  const whole = wholeObligation(
    state,
    {
      principalCents: sum(({ balances }) => balances.duePrincipalCents + balances.overduePrincipalCents),
      interestCents: sum(({ balances }) => balances.dueInterestCents + balances.overdueInterestCents),
      feesCents: openFeesCents(fees),
      lateFeesCents: openFeesCents(fees.filter((fee) => fee.kind === 'lateFee')),
    },
    oldest,
  );
  const draws = [...state.draws, null].map((draw) => wholePart(state, draw));
  return {
    ...whole,
    period: oldest?.period ?? runningPeriod(state),
    overLimitCents: 0,
    carriedOverdueCents: 0,
    grace: graceOfLine(state),
    draws,
  };
}

function wholePart(state: LineState, draw: DrawState | null): DrawObligation {
  const share = {
    draw: draw?.draw ?? null,
    principalCents: draw === null ? 0 : draw.balances.duePrincipalCents + draw.balances.overduePrincipalCents,
    interestCents: draw === null ? 0 : draw.balances.dueInterestCents + draw.balances.overdueInterestCents,
    feesCents: openFeesCents(feesOf(state, draw)),
  };
  return unpaidPart(share, fullBalanceOf(state, draw));
}

/** All balances become charged off and stay payable; an active line is accelerated first. */
export function chargeOff(state: LineState, reason: ChargeOffReason, cause: StatusCause): void {
  if (state.status !== 'accelerated') accelerate(state, { type: 'chargeOff' });
  const before = beginEntry(state);
  for (const draw of state.draws) moveToChargedOff(draw.balances);
  moveFees(allFees(state), 'chargedOff');
  state.chargeOffReason = reason;
  state.chargedOffSince = state.day;
  enter(state, before, 'chargeOff');
  moveStatus(state, 'chargeOff', cause);
}

/** After an acceleration one obligation carries everything, including later amounts. */
export function joinWhole(state: LineState, draw: DrawState | null, fee: LineFee): void {
  carryLaterFee(state, fee, raiseWhole(state, draw, fee.openCents));
}

/** Raises the single obligation. */
export function raiseWhole(state: LineState, draw: DrawState | null, amountCents: number): LineObligation {
  const obligation = must(state.obligations.at(-1), 'an acceleration makes an obligation');
  askForMore(state, obligation, amountCents);
  const part = wholePartOf(state, obligation, draw);
  part.amountCents += amountCents;
  part.remainingCents += amountCents;
  return obligation;
}

/** The part of a draw in the single obligation: zero for a draw that was activated after the acceleration. */
function wholePartOf(state: LineState, obligation: LineObligation, draw: DrawState | null): DrawObligation {
  const known = obligation.draws.find((part) => part.draw === (draw?.draw ?? null));
  if (known !== undefined) return known;
  const part: DrawObligation = { ...wholePart(state, draw), amountCents: 0, remainingCents: 0 };
  obligation.draws.push(part);
  return part;
}

/** 00:50, after the late fees: accelerates or charges off a line that is overdue for too long. */
export function checkThresholds(state: LineState): void {
  const reached = reachedThresholds(state);
  if (reached?.isAcceleration === true) accelerate(state, reached.cause);
  if (reached?.isChargeOff === true) chargeOff(state, 'term', reached.cause);
}

/** Removes what a draw's part of an obligation lacks, and returns it. */
export function giveUpRest(part: DrawObligation): ComponentCents {
  const { amountCents, interestCents, feesCents, remainingCents } = part;
  const rest = restByComponent({ principalCents: amountCents - interestCents - feesCents, interestCents, remainingCents });
  if (remainingCents === 0) return rest; // copies of the ledger may share settled parts, which must not change
  part.interestCents -= rest.interestCents;
  part.feesCents -= rest.feesCents;
  part.amountCents -= remainingCents;
  part.remainingCents = 0;
  return rest;
}
