import { addDays, type Day, earliest } from '../../calendar/index.js';
import { type Cents, RATE_ONE, cents, ZERO } from '../../money/index.js';
import { NEVER } from './clock.js';
import type { ObligationLedger } from './entries.js';
import { isWaivedAsOf, type NewFee } from './fees.js';
import { toleratedWithoutLateFees } from './obligations.js';
import { holds, settingsOf } from './rules.js';
import type { FeeState, ObligationState } from './state.js';
import type { FeeAmount, FeeBase, FeeTierTerms, LateFeeTerms } from './terms.js';

/** While the ledger is frozen, only fees with `isChargedWhileFrozen`; none if it is neither active nor frozen. */
export function lateFeesNow(state: ObligationLedger): readonly LateFeeTerms[] {
  const { lateFees } = settingsOf(state);
  if (state.status === 'active') return lateFees;
  return state.status === 'frozen' ? lateFees.filter(({ isChargedWhileFrozen }) => isChargedWhileFrozen === true) : NO_LATE_FEES;
}

const NO_LATE_FEES: readonly LateFeeTerms[] = [];

/** Whether the daily job checks today whether an obligation earns this late fee. */
export const isLateFeeDay = (state: ObligationLedger, obligation: ObligationState, terms: LateFeeTerms): boolean =>
  lateFeeDay(state, obligation, terms) === state.day;

/** The day on which an obligation may earn this late fee. */
const lateFeeDay = (state: ObligationLedger, obligation: ObligationState, terms: LateFeeTerms): Day =>
  addDays(obligation.dueDay, lateFeeDays(state, terms) + (terms.isChargedWhileFrozen === true ? 0 : obligation.pausedDays));

/**
 * The days from the due date to this check, without pauses. Money on the due date itself is in time, whatever the terms say.
 */
export function lateFeeDays(state: ObligationLedger, { triggerDays, stateRule }: LateFeeTerms): number {
  const graceDays = stateRule === null ? 0 : stateRule.graceDays;
  const days = triggerDays > graceDays ? triggerDays : graceDays;
  return days === 0 && holds(state, 'lateFeesAfterDueDate') ? 1 : days;
}

/** What a late fee depends on beside its obligation and the terms. */
export interface LateFeeBasis {
  /** All fees so far. */
  readonly fees: readonly FeeState[];
  /** First day of the running period. */
  readonly periodStart: Day;
  readonly principalCents: number;
}

/** The late fee that an obligation earns on its day, once for each type of fee; null: none. Notes if anti-pyramiding blocks it. */
export function earnedLateFee(
  state: ObligationLedger,
  obligation: ObligationState,
  terms: LateFeeTerms,
  basis: LateFeeBasis,
): NewFee | null {
  if (obligation.remainingCents <= terms.toleranceCents || hasFee(basis, obligation, terms)) return null;
  if (isBlocked(state, obligation, terms)) {
    obligation.isLateFeeBlocked = true;
    return null;
  }
  const amountCents = changedCents(state, obligation, terms) ?? lateFeeCents(basis, obligation, terms);
  if (amountCents <= 0) return null;
  return {
    fee: null,
    obligation: obligation.ordinal,
    feeTypeId: terms.feeTypeId,
    kind: 'lateFee',
    chargeLogic: terms.chargeLogic,
    chargeDay: state.day,
    chargeSeconds: state.seconds,
    knownDay: state.day,
    amountCents,
  };
}

const hasFee = ({ fees }: LateFeeBasis, { ordinal }: ObligationState, { feeTypeId }: LateFeeTerms): boolean =>
  fees.some((fee) => fee.obligation === ordinal && fee.feeTypeId === feeTypeId);

/** The amount to which the fee was changed. */
const changedCents = ({ orders }: ObligationLedger, { ordinal }: ObligationState, { feeTypeId }: LateFeeTerms): number | undefined =>
  orders.changedLateFees.findLast((changed) => changed.feeTypeId === feeTypeId && changed.obligation === ordinal)?.amountCents;

/**
 * Anti-pyramiding: no fee for a shortfall that only comes from earlier late fees (16 CFR 444.4), also if the rest without them is within
 * the tolerance.
 */
function isBlocked(state: ObligationLedger, obligation: ObligationState, terms: LateFeeTerms): boolean {
  const { lateFeePyramiding } = settingsOf(state);
  if (lateFeePyramiding === 'none') return false;
  if (obligation.withoutLateFeesCents <= Math.max(terms.toleranceCents, toleratedWithoutLateFees(state))) return true;
  return lateFeePyramiding === 'blockOnOldestObligation' && state.obligations[state.firstOpenObligation] !== obligation;
}

function lateFeeCents({ fees, periodStart, principalCents }: LateFeeBasis, obligation: ObligationState, terms: LateFeeTerms): number {
  const earlier = chargedBefore(fees, terms);
  const inPeriod = earlier.filter((fee) => fee.chargeDay >= periodStart).length;
  if (terms.capPerPeriodCount !== null && inPeriod >= terms.capPerPeriodCount) return 0;
  const bases = { overdueAmount: obligation.remainingCents, obligationAmount: obligation.amountCents, principal: principalCents };
  const amountCents = clipped(terms, feeAmountCents(terms.amount, bases));
  if (terms.capPerLoanCents === null) return amountCents;
  return Math.min(amountCents, terms.capPerLoanCents - sumOfFees(earlier));
}

/** Whether a late fee was waived: by order, by a refund, or for military service. */
export const isLateFeeWaived = ({ orders }: ObligationLedger, fee: NewFee, terms: LateFeeTerms): boolean =>
  orders.waivedLateFees.some(({ feeTypeId, obligation }) => feeTypeId === fee.feeTypeId && obligation === fee.obligation) ||
  isWaivedAsOf(orders, fee, terms);

export function emitLateFee({ day, seconds, watcher }: ObligationLedger, { feeTypeId, obligation, amountCents }: NewFee): void {
  watcher?.happened({ type: 'lateFeeBooked', day, seconds, feeTypeId, obligation: obligation ?? 0, amountCents: cents(amountCents) });
}

/** The next day on which an unfulfilled obligation may earn a late fee. */
export function nextLateFeeDay<Obligation extends ObligationState>(
  state: ObligationLedger & { readonly obligations: readonly Obligation[] },
  canEarn: (obligation: Obligation) => boolean,
): Day {
  let next = NEVER;
  const lateFees = lateFeesNow(state);
  if (lateFees.length === 0) return next;
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || !canEarn(obligation)) continue;
    for (const terms of lateFees) {
      const day = lateFeeDay(state, obligation, terms);
      if (day > state.day) next = earliest(next, day);
    }
  }
  return next;
}

/** The largest late fee that an obligation of this amount can earn, by the terms of each fee. Statements warn of it. */
export function largestLateFee(
  state: ObligationLedger,
  obligationCents: number,
  { fees, principalCents }: Omit<LateFeeBasis, 'periodStart'>,
): Cents {
  if (obligationCents === 0) return ZERO;
  let largest = 0;
  for (const terms of settingsOf(state).lateFees) {
    if (obligationCents <= terms.toleranceCents) continue;
    const feeCents = clipped(terms, largestAmountCents(principalCents, terms, obligationCents));
    const leftCents = terms.capPerLoanCents === null ? feeCents : terms.capPerLoanCents - sumOfFees(chargedBefore(fees, terms));
    largest = Math.max(largest, Math.min(feeCents, leftCents));
  }
  return cents(largest);
}

const sumOfFees = (fees: readonly FeeState[]): number => fees.reduce((total, { amountCents }) => total + amountCents, 0);

/** With tiers, a smaller base may have a larger fee. */
function largestAmountCents(principal: number, { amount, toleranceCents }: LateFeeTerms, obligationCents: number): number {
  const amountOf = (overdueAmount: number): number =>
    feeAmountCents(amount, { overdueAmount, obligationAmount: obligationCents, principal });
  const whole = amountOf(obligationCents);
  if (amount.type !== 'tiered' || amount.base !== 'overdueAmount') return whole;
  const bounds = amount.tiers.flatMap(({ upToCents }) =>
    upToCents !== null && upToCents > toleranceCents && upToCents < obligationCents ? [upToCents] : [],
  );
  return bounds.reduce((most, bound) => Math.max(most, amountOf(bound)), whole);
}

const chargedBefore = (fees: readonly FeeState[], terms: LateFeeTerms): readonly FeeState[] =>
  fees.filter((fee) => fee.feeTypeId === terms.feeTypeId && fee.obligation !== null && !fee.isCanceled);

function clipped(terms: LateFeeTerms, feeCents: number): number {
  let amountCents = feeCents;
  if (terms.minCents !== null) amountCents = Math.max(amountCents, terms.minCents);
  if (terms.maxCents !== null) amountCents = Math.min(amountCents, terms.maxCents);
  const stateMaxCents = terms.stateRule?.maxCents ?? null;
  return stateMaxCents === null ? amountCents : Math.min(amountCents, stateMaxCents);
}

/** The amount before clipping; percentages are rounded half up to the cent. */
function feeAmountCents(amount: FeeAmount, bases: Readonly<Record<FeeBase, number>>): number {
  switch (amount.type) {
    case 'fixed':
      return amount.amountCents;
    case 'percentage':
      return percentageCents(amount.percentage, bases[amount.base]);
    case 'greaterOf':
      return Math.max(amount.amountCents, percentageCents(amount.percentage, bases[amount.base]));
    case 'lesserOf':
      return Math.min(amount.amountCents, percentageCents(amount.percentage, bases[amount.base]));
    case 'tiered':
      return tierCents(amount.tiers, bases[amount.base]);
  }
}

/** The first tier whose bound is at or above the base; above all bounds there is no fee. */
function tierCents(tiers: readonly FeeTierTerms[], base: number): number {
  const tier = tiers.find((candidate) => candidate.upToCents === null || base <= candidate.upToCents);
  if (tier === undefined) return 0;
  return tier.amountCents ?? (tier.percentage === null ? 0 : percentageCents(tier.percentage, base));
}

function percentageCents(percentage: number, ofCents: number): number {
  const one = BigInt(RATE_ONE);
  return Number((BigInt(percentage) * BigInt(ofCents) * 2n + one) / (2n * one));
}
