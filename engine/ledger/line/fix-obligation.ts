import { ZERO } from '../../money/index.js';
import { carryFee } from '../core/fees.js';
import { type Interest, minusCents, NO_INTEREST, plus } from '../core/interest.js';
import { addObligation, obligationChanged } from '../core/obligations.js';
import { enforcementDay, overdueCents } from '../core/overdue.js';
import { holds, settingsOf } from '../core/rules.js';
import type { Demand } from './demands.js';
import type { LinePayment } from './facts.js';
import { fullBalanceOf, graceOfLine } from './grace-balances.js';
import { openFeesCents } from './owed.js';
import type { DrawBalances, DrawObligation, DrawSplit, GraceBalances, LineFee, LineObligation, LinePeriod, LineState } from './state.js';

/** The part of a payment above the due amounts. */
interface Above {
  /** Money in advance: it lowered balances before they were due. */
  readonly aheadCents: number;
  /** Money that went to late fees and that no obligation lacks. */
  readonly toLateFeesCents: number;
}

type Counting = Pick<LinePayment, 'kind' | 'isPrepaymentEnabled' | 'principalOnlyCents'>;

/**
 * Money above the due amounts is paid in advance for coming obligations, if that is agreed. Otherwise it pays the obligation of
 * the next due date, if its statement is not made yet; the amount is known on the statement date. The rest, and money that comes
 * before another due date, only lowers the balance.
 */
export function countAhead(state: LineState, { aheadCents, toLateFeesCents }: Above, fact: Counting): void {
  if (state.status !== 'active') return;
  const { isPrepaymentEnabled, principalOnlyCents = ZERO } = fact;
  const isPrepaid = isPrepaymentEnabled ?? settingsOf(state).isPrepaymentEnabled;
  const isForOpen = fact.kind !== 'downPayment' && holds(state, 'openObligationFirst') && isOpenNext(state);
  const aloneCents = isPrepaid || isForOpen ? Math.min(aheadCents, principalOnlyCents) : aheadCents;
  state.unassignedCents += aloneCents;
  if (isPrepaid) state.prepaidCents += aheadCents - aloneCents;
  else state.openPaidCents += aheadCents - aloneCents;
  if (isForOpen) state.lateFeeAheadCents += toLateFeesCents;
}

/** Whether the next due date is that of the running period: no statement has a due date in the future. */
const isOpenNext = ({ obligations, day }: LineState): boolean =>
  obligations.every((obligation) => enforcementDay(obligation) <= day || obligation.amountCents === 0);

/** Takes the part of a statement that was paid in advance: first the money that is only for this statement. */
function takeAhead(state: LineState, bodyCents: number): number {
  const ofOpenCents = Math.min(state.openPaidCents, bodyCents);
  const ofPrepaidCents = Math.min(state.prepaidCents, bodyCents - ofOpenCents);
  state.openPaidCents -= ofOpenCents;
  state.prepaidCents -= ofPrepaidCents;
  return ofOpenCents + ofPrepaidCents;
}

/** After the statement, the rest of the money that was only for it counts for no obligation. */
function closeAhead(state: LineState): { readonly unassignedCents: number; readonly lateFeeAheadCents: number } {
  const { lateFeeAheadCents } = state;
  const unassignedCents = state.unassignedCents + state.openPaidCents;
  state.openPaidCents = 0;
  state.lateFeeAheadCents = 0;
  return { unassignedCents, lateFeeAheadCents };
}

/** There are no coming obligations, so nothing is paid in advance any more. */
export function forgetAhead(state: LineState): void {
  state.prepaidCents = 0;
  state.openPaidCents = 0;
  state.lateFeeAheadCents = 0;
}

export interface Statement {
  readonly period: LinePeriod;
  readonly demands: readonly Demand[];
  readonly overLimitCents: number;
  /** The interest of each draw before its fraction was dropped. */
  readonly unrounded: ReadonlyMap<number, Interest>;
}

/** The part of a demand that moved from non-due to due, or was due already. */
interface Moved {
  readonly part: DrawObligation;
  readonly principalCents: number;
  readonly lateFeesCents: number;
}

/** Makes the obligation of the period from the demands, and moves its remaining amount from non-due to due. */
export function fixObligation(state: LineState, { period, demands, overLimitCents, unrounded }: Statement): void {
  const carriedOverdueCents = overdueCents(state);
  const moved = demands.map((demand) => moveToDue(state, demand, period));
  const sum = (amountOf: (part: Moved) => number): number => moved.reduce((total, part) => total + amountOf(part), 0);
  const amountCents = demands.reduce((total, { askedCents }) => total + askedCents, 0);
  const prepaidCents = sum(({ part }) => part.prepaidCents);
  const feesCents = sum(({ part }) => part.feesCents);
  const remainingCents = amountCents - prepaidCents;
  const draws = moved.map(({ part }) => part);
  const { unassignedCents, lateFeeAheadCents } = closeAhead(state);
  const obligation: LineObligation = {
    ordinal: period.ordinal,
    dueDay: period.dueDate,
    amountCents,
    baseCents: amountCents - feesCents,
    principalCents: sum(({ principalCents }) => principalCents) + prepaidCents,
    interestCents: sum(({ part }) => part.interestCents),
    feesCents,
    unroundedInterest: [...unrounded.values()].reduce(plus, NO_INTEREST),
    unroundedDiscount: NO_INTEREST,
    remainingCents,
    paymentsCents: 0,
    creditsCents: 0,
    prepaidCents,
    capitalizedCents: 0,
    unassignedCents,
    withoutLateFeesCents: Math.max(0, remainingCents - sum(({ lateFeesCents }) => lateFeesCents) - lateFeeAheadCents),
    pausedDays: 0,
    isFulfilled: remainingCents <= settingsOf(state).overdueToleranceCents,
    isEnforced: false,
    isLateFeeBlocked: false,
    period,
    overLimitCents,
    carriedOverdueCents,
    grace: graceOfLine(state),
    draws,
  };
  addObligation(state, obligation);
  obligationChanged(state, obligation);
}

/** Moves fees first, then interest in whole cents, then principal; the last two less money paid in advance. */
function moveToDue(state: LineState, demand: Demand, period: LinePeriod): Moved {
  const { draw, askedCents } = demand;
  const grace = fullBalanceOf(state, draw);
  const fees = carriedFees(demand);
  const feesCents = openFeesCents(fees);
  const lateFeesCents = openFeesCents(fees.filter((fee) => fee.kind === 'lateFee'));
  for (const fee of fees) carryFee(fee, { ordinal: period.ordinal, dueDay: period.dueDate });
  const bodyCents = askedCents - feesCents;
  const prepaidCents = takeAhead(state, bodyCents);
  const interestCents = draw === null ? 0 : Math.min(draw.balances.nonDueInterest.cents, bodyCents - prepaidCents);
  const principalCents = bodyCents - prepaidCents - interestCents;
  if (draw !== null) fallDue(draw.balances, { interestCents, principalCents });
  const part: DrawObligation = {
    draw: draw?.draw ?? null,
    amountCents: askedCents,
    interestCents,
    feesCents,
    remainingCents: askedCents - prepaidCents,
    paymentsCents: 0,
    creditsCents: 0,
    prepaidCents,
    capitalizedCents: 0,
    grace,
  };
  return { part, principalCents, lateFeesCents };
}

function fallDue(
  balances: DrawBalances,
  { interestCents, principalCents }: { readonly interestCents: number; readonly principalCents: number },
): void {
  balances.nonDueInterest = minusCents(balances.nonDueInterest, interestCents);
  balances.dueInterestCents += interestCents;
  balances.nonDuePrincipalCents -= principalCents;
  balances.duePrincipalCents += principalCents;
}

/** Waiting fees fall due only together with the whole balance. */
function carriedFees({ loose, falling, waiting, feesCents, bodyCents, askedCents }: Demand): readonly LineFee[] {
  const isAll = askedCents >= feesCents + bodyCents;
  return isAll ? [...loose, ...falling, ...waiting] : [...loose, ...falling];
}

/** A part of an obligation of which nothing is paid. Draw null: the line itself. */
export function unpaidPart({ draw, principalCents, interestCents, feesCents }: DrawSplit, grace: GraceBalances): DrawObligation {
  const amountCents = principalCents + interestCents + feesCents;
  return {
    draw,
    amountCents,
    interestCents,
    feesCents,
    remainingCents: amountCents,
    paymentsCents: 0,
    creditsCents: 0,
    prepaidCents: 0,
    capitalizedCents: 0,
    grace: { ...grace },
  };
}
