import { ZERO } from '../../money/index.js';
import { type Interest, minusCents, NO_INTEREST, plus } from '../core/interest.js';
import { holds, settingsOf } from '../core/rules.js';
import { advanceFirstOpen, enforcementDay, obligationChanged, overdueCents } from '../installment/shared.js';
import type { Demand } from './demands.js';
import type { LinePayment } from './facts.js';
import { fullBalanceOf, graceOfLine } from './grace-balances.js';
import { openFeesCents } from './owed.js';
import type { DrawBalances, DrawObligation, LineFee, LineObligation, LinePeriod, LineState } from './state.js';

/** What a payment has left after all that is due. */
interface Above {
  /** It lowered balances before they were due. */
  readonly aheadCents: number;
  /** Late fees took it, and no obligation lacks it. */
  readonly toLateFeesCents: number;
}

type Counting = Pick<LinePayment, 'kind' | 'isPrepaymentEnabled' | 'principalOnlyCents'>;

/**
 * Money above what is due: paid in advance for coming obligations where that is agreed. Else it meets the
 * obligation of the next due date while its statement is to come, which is known on the statement date; what exceeds
 * that, and what comes while another due date lies ahead, lowers the balance alone.
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

/** Whether the next due date is the one of the running period: no statement asks for money by a day that is still to come. */
const isOpenNext = ({ obligations, day }: LineState): boolean =>
  obligations.every((obligation) => enforcementDay(obligation) <= day || obligation.amountCents === 0);

/** Of what a statement asks for, what was paid in advance: first the money that is for it alone. */
function takeAhead(state: LineState, bodyCents: number): number {
  const ofOpenCents = Math.min(state.openPaidCents, bodyCents);
  const ofPrepaidCents = Math.min(state.prepaidCents, bodyCents - ofOpenCents);
  state.openPaidCents -= ofOpenCents;
  state.prepaidCents -= ofPrepaidCents;
  return ofOpenCents + ofPrepaidCents;
}

/** The statement is made: what was for it alone and was not asked for has met no obligation. */
function closeAhead(state: LineState): { readonly unassignedCents: number; readonly lateFeeAheadCents: number } {
  const { lateFeeAheadCents } = state;
  const unassignedCents = state.unassignedCents + state.openPaidCents;
  state.openPaidCents = 0;
  state.lateFeeAheadCents = 0;
  return { unassignedCents, lateFeeAheadCents };
}

/** Nothing is paid in advance any more: there are no obligations to come. */
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

/** What of a demand moved from non-due to due, or was due already. */
interface Moved {
  readonly part: DrawObligation;
  readonly principalCents: number;
  readonly lateFeesCents: number;
}

/** Makes the period's obligation of the demands, and moves what remains of it from non-due to due. */
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
  state.obligations.push(obligation);
  advanceFirstOpen(state);
  obligationChanged(state, obligation);
}

/** Fees first, then interest in whole cents, principal for the rest; less of these two where money was paid in advance. */
function moveToDue(state: LineState, demand: Demand, period: LinePeriod): Moved {
  const { draw, askedCents } = demand;
  const grace = fullBalanceOf(state, draw);
  const fees = carriedFees(demand);
  const feesCents = openFeesCents(fees);
  const lateFeesCents = openFeesCents(fees.filter((fee) => fee.kind === 'lateFee'));
  for (const fee of fees) carryFee(fee, period);
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

/** Fees that wait are asked for with all the rest, or not at all. */
function carriedFees({ loose, falling, waiting, feesCents, bodyCents, askedCents }: Demand): readonly LineFee[] {
  const isAll = askedCents >= feesCents + bodyCents;
  return isAll ? [...loose, ...falling, ...waiting] : [...loose, ...falling];
}

function carryFee(fee: LineFee, period: LinePeriod): void {
  fee.dueStatus = 'due';
  fee.carriedBy = period.ordinal;
  fee.dueDay = period.dueDate;
}
