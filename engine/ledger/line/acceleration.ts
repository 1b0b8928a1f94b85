import { must } from '../../assert.js';
import { moveAllToDue, moveDueToOverdue, moveToChargedOff } from '../core/balances.js';
import type { StatusCause } from '../core/entries.js';
import type { ChargeOffReason } from '../core/facts.js';
import { ACCELERATION_ORDINAL } from '../core/state.js';
import { askForMore, moveStatus, obligationChanged, replaceObligations, wholeObligation } from '../installment/shared.js';
import { allFees } from './count-in-order.js';
import { beginEntry, enter } from './entering.js';
import { forgetAhead } from './fix-obligation.js';
import { fullBalanceOf, graceOfLine } from './grace-balances.js';
import { openFeesCents } from './owed.js';
import { runningPeriod } from './periods.js';
import type { DrawObligation, DrawState, LineFee, LineObligation, LineState } from './state.js';
import { truncateInterest } from './statement.js';

/** By how much an obligation is lowered. */
export interface GivenUp {
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
}

const NOTHING: GivenUp = { principalCents: 0, interestCents: 0, feesCents: 0 };

/** Removes what a part of an obligation lacks: from principal first, then interest and fees. */
export function giveUpRest(part: DrawObligation): GivenUp {
  const { amountCents, interestCents, feesCents, remainingCents } = part;
  if (remainingCents === 0) return NOTHING; // copies of the ledger may share settled parts, which must not change
  const ofPrincipal = Math.min(amountCents - interestCents - feesCents, remainingCents);
  const ofInterest = Math.min(interestCents, remainingCents - ofPrincipal);
  const ofFees = remainingCents - ofPrincipal - ofInterest;
  part.interestCents -= ofInterest;
  part.feesCents -= ofFees;
  part.amountCents -= remainingCents;
  part.remainingCents = 0;
  return { principalCents: ofPrincipal, interestCents: ofInterest, feesCents: ofFees };
}

/** Interest stops, and everything is due at once as one obligation with the oldest due date. */
export function accelerate(state: LineState, cause: StatusCause): void {
  const before = beginEntry(state);
  const oldest = state.obligations.find((obligation) => !obligation.isFulfilled);
  for (const draw of state.draws) {
    truncateInterest(state, draw);
    moveAllToDue(draw.balances);
    if (oldest?.isEnforced === true) moveDueToOverdue(draw.balances);
  }
  for (const fee of allFees(state)) if (fee.openCents > 0) fee.dueStatus = oldest?.isEnforced === true ? 'overdue' : 'due';
  const obligation = wholeOf(state, oldest);
  replaceObligations(state, obligation);
  // A rest within the tolerance is part of the whole now.
  for (const fulfilled of state.obligations.slice(0, -1)) fulfilled.draws.forEach(giveUpRest);
  for (const fee of allFees(state)) {
    if (fee.openCents === 0) continue;
    fee.carriedBy = ACCELERATION_ORDINAL;
    fee.dueDay ??= obligation.dueDay;
  }
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
  const feesCents = openFeesCents(draw === null ? state.fees : draw.fees);
  const interestCents = draw === null ? 0 : draw.balances.dueInterestCents + draw.balances.overdueInterestCents;
  const principalCents = draw === null ? 0 : draw.balances.duePrincipalCents + draw.balances.overduePrincipalCents;
  const amountCents = feesCents + interestCents + principalCents;
  return {
    draw: draw?.draw ?? null,
    amountCents,
    interestCents,
    feesCents,
    remainingCents: amountCents,
    paymentsCents: 0,
    creditsCents: 0,
    prepaidCents: 0,
    capitalizedCents: 0,
    grace: fullBalanceOf(state, draw),
  };
}

/** All balances become charged off and stay payable; an active line is accelerated first. */
export function chargeOff(state: LineState, reason: ChargeOffReason, cause: StatusCause): void {
  if (state.status !== 'accelerated') accelerate(state, { type: 'chargeOff' });
  const before = beginEntry(state);
  for (const draw of state.draws) moveToChargedOff(draw.balances);
  for (const fee of allFees(state)) if (fee.openCents > 0) fee.dueStatus = 'chargedOff';
  state.chargeOffReason = reason;
  state.chargedOffSince = state.day;
  enter(state, before, 'chargeOff');
  moveStatus(state, 'chargeOff', cause);
}

/** After an acceleration one obligation carries everything, including later amounts. */
export function joinWhole(state: LineState, draw: DrawState | null, fee: LineFee): void {
  const obligation = raiseWhole(state, draw, fee.openCents);
  if (fee.kind !== 'lateFee') obligation.withoutLateFeesCents += fee.openCents;
  fee.carriedBy = obligation.ordinal;
  fee.dueDay = obligation.dueDay;
  if (state.status === 'accelerated') fee.dueStatus = obligation.isEnforced ? 'overdue' : 'due';
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
