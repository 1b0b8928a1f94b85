import type { Day } from '../../calendar/index.js';
import { type Cents, RATE_ONE } from '../../money/index.js';
import type { ObligationLedger } from '../core/entries.js';
import { isWaivedAsOf } from '../core/interest.js';
import { holds, settingsOf } from '../core/rules.js';
import type { FeeState, ObligationState } from '../core/state.js';
import { areThresholdsHeld } from '../core/status-moves.js';
import type { FeeAmount, FeeBase, FeeTierTerms, LateFeeTerms } from '../core/terms.js';
import { beginEntry, addFee, enter, type NewFee, noteWaivedFee } from './fees.js';
import { toleratedWithoutLateFees } from './fulfil.js';
import { daysOverdueOf, enforcementDay } from './overdue.js';
import type { LedgerState } from './state.js';

/** The day on which the daily job checks whether an obligation earns this late fee. */
const lateFeeDay = (state: ObligationLedger, obligation: ObligationState, terms: LateFeeTerms): Day =>
  (obligation.dueDay + lateFeeDays(state, terms) + (terms.isChargedWhileFrozen === true ? 0 : obligation.pausedDays)) as Day;

/**
 * The days from the due date to this check, without pauses. Money on the due date itself is in time, whatever the terms say.
 */
export function lateFeeDays(state: ObligationLedger, { triggerDays, stateRule }: LateFeeTerms): number {
  const graceDays = stateRule === null ? 0 : stateRule.graceDays;
  const days = triggerDays > graceDays ? triggerDays : graceDays;
  return days === 0 && holds(state, 'lateFeesAfterDueDate') ? 1 : days;
}

/** Only rows of the contract earn late fees: not a closing row after the last one, and not an acceleration. */
export const canEarnLateFee = (state: LedgerState, obligation: ObligationState): boolean =>
  !obligation.isFulfilled && state.rows[obligation.ordinal]?.isClosing === undefined;

/** The ledger in which late fees are charged: of an installment loan or of a line. */
export interface LateFeeLedger {
  readonly state: ObligationLedger;
  readonly fees: readonly FeeState[];
  /** First day of the running period. */
  readonly periodStart: Day;
  principalCents(): number;
  canEarn(obligation: ObligationState): boolean;
  addFee(fee: NewFee): void;
  noteWaived(fee: NewFee): void;
}

/** 00:50: charges the late fees whose day has come. */
export function chargeLateFees(state: LedgerState): void {
  if (lateFeesNow(state).length === 0) return;
  chargeLateFeesIn({
    state,
    fees: state.fees,
    periodStart: state.periodStart,
    principalCents: () => outstandingPrincipalCents(state),
    canEarn: (obligation) => canEarnLateFee(state, obligation),
    addFee: (fee) => {
      const before = beginEntry(state);
      addFee(state, fee);
      enter(state, before, 'lateFee');
    },
    noteWaived: (fee) => noteWaivedFee(state, fee),
  });
}

const outstandingPrincipalCents = (state: LedgerState): number =>
  state.nonDuePrincipalCents + state.duePrincipalCents + state.overduePrincipalCents;

export function chargeLateFeesIn(ledger: LateFeeLedger): void {
  const { state } = ledger;
  const lateFees = lateFeesNow(state);
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || !ledger.canEarn(obligation)) continue;
    for (const terms of lateFees) {
      if (lateFeeDay(state, obligation, terms) === state.day) chargeLateFee(ledger, obligation, terms);
    }
  }
}

/** While the ledger is frozen, only fees with `isChargedWhileFrozen`; none if it is neither active nor frozen. */
export function lateFeesNow(state: ObligationLedger): readonly LateFeeTerms[] {
  const { lateFees } = settingsOf(state);
  if (state.status === 'active') return lateFees;
  return state.status === 'frozen' ? lateFees.filter(({ isChargedWhileFrozen }) => isChargedWhileFrozen === true) : NO_LATE_FEES;
}

const NO_LATE_FEES: readonly LateFeeTerms[] = [];

function chargeLateFee(ledger: LateFeeLedger, obligation: ObligationState, terms: LateFeeTerms): void {
  if (obligation.remainingCents <= terms.toleranceCents) return;
  if (hasFee(ledger, obligation, terms)) return;
  if (isBlocked(ledger, obligation, terms)) {
    obligation.isLateFeeBlocked = true;
    return;
  }
  const amountCents = changedCents(ledger, obligation, terms) ?? lateFeeCents(ledger, obligation, terms);
  if (amountCents <= 0) return;
  const fee: NewFee = {
    fee: null,
    obligation: obligation.ordinal,
    feeTypeId: terms.feeTypeId,
    kind: 'lateFee',
    chargeLogic: terms.chargeLogic,
    chargeDay: ledger.state.day,
    chargeSeconds: ledger.state.seconds,
    knownDay: ledger.state.day,
    amountCents,
  };
  if (isWaived(ledger, fee, terms)) ledger.noteWaived(fee);
  else enterLateFee(ledger, fee);
}

function enterLateFee(ledger: LateFeeLedger, fee: NewFee): void {
  const { day, seconds, watcher } = ledger.state;
  ledger.addFee(fee);
  const { feeTypeId, obligation } = fee;
  watcher?.happened({ type: 'lateFeeBooked', day, seconds, feeTypeId, obligation: obligation ?? 0, amountCents: fee.amountCents as Cents });
}

/** Once per obligation. */
function hasFee(ledger: LateFeeLedger, obligation: ObligationState, terms: LateFeeTerms): boolean {
  return ledger.fees.some((fee) => fee.obligation === obligation.ordinal && fee.feeTypeId === terms.feeTypeId);
}

function isWaived(ledger: LateFeeLedger, fee: NewFee, terms: LateFeeTerms): boolean {
  const { orders } = ledger.state;
  return (
    orders.waivedLateFees.some((waived) => waived.feeTypeId === fee.feeTypeId && waived.obligation === fee.obligation) ||
    isWaivedAsOf(orders, fee, terms)
  );
}

/** The amount to which the fee was changed. */
const changedCents = (ledger: LateFeeLedger, { ordinal }: ObligationState, { feeTypeId }: LateFeeTerms): number | undefined =>
  ledger.state.orders.changedLateFees.findLast((changed) => changed.feeTypeId === feeTypeId && changed.obligation === ordinal)?.amountCents;

/**
 * Anti-pyramiding: no fee for a shortfall that only comes from earlier late fees (16 CFR 444.4), also if the rest without them is within
 * the tolerance.
 */
function isBlocked({ state }: LateFeeLedger, obligation: ObligationState, terms: LateFeeTerms): boolean {
  const { lateFeePyramiding } = settingsOf(state);
  if (lateFeePyramiding === 'none') return false;
  if (obligation.withoutLateFeesCents <= Math.max(terms.toleranceCents, toleratedWithoutLateFees(state))) return true;
  return lateFeePyramiding === 'blockOnOldestObligation' && state.obligations[state.firstOpenObligation] !== obligation;
}

function lateFeeCents(ledger: LateFeeLedger, obligation: ObligationState, terms: LateFeeTerms): number {
  const earlier = chargedBefore(ledger.fees, terms);
  const inPeriod = earlier.filter((fee) => fee.chargeDay >= ledger.periodStart).length;
  if (terms.capPerPeriodCount !== null && inPeriod >= terms.capPerPeriodCount) return 0;
  let amountCents = clipped(
    terms,
    feeAmountCents(terms.amount, (base) => baseCents(ledger, obligation, base)),
  );
  if (terms.capPerLoanCents !== null) {
    const chargedCents = earlier.reduce((total, fee) => total + fee.amountCents, 0);
    amountCents = Math.min(amountCents, terms.capPerLoanCents - chargedCents);
  }
  return amountCents;
}

/** The largest late fee that an obligation of this amount can earn, by the terms of each fee. Statements warn of it. */
export const largestLateFeeCents = (state: LedgerState, obligationCents: number): Cents =>
  largestLateFeeIn({ state, fees: state.fees, principalCents: () => outstandingPrincipalCents(state) }, obligationCents);

type FeesSoFar = Pick<LateFeeLedger, 'state' | 'fees' | 'principalCents'>;

export function largestLateFeeIn(ledger: FeesSoFar, obligationCents: number): Cents {
  if (obligationCents === 0) return 0 as Cents;
  let largest = 0;
  for (const terms of settingsOf(ledger.state).lateFees) {
    if (obligationCents <= terms.toleranceCents) continue;
    const feeCents = clipped(terms, largestAmountCents(ledger.principalCents(), terms, obligationCents));
    const chargedCents = chargedBefore(ledger.fees, terms).reduce((total, fee) => total + fee.amountCents, 0);
    largest = Math.max(largest, terms.capPerLoanCents === null ? feeCents : Math.min(feeCents, terms.capPerLoanCents - chargedCents));
  }
  return largest as Cents;
}

/** With tiers, a smaller base may have a larger fee. */
function largestAmountCents(principal: number, { amount, toleranceCents }: LateFeeTerms, obligationCents: number): number {
  const amountOf = (overdueCents: number): number =>
    feeAmountCents(amount, (base) => (base === 'principal' ? principal : base === 'overdueAmount' ? overdueCents : obligationCents));
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

function baseCents(ledger: LateFeeLedger, obligation: ObligationState, base: FeeBase): number {
  switch (base) {
    case 'overdueAmount':
      return obligation.remainingCents;
    case 'obligationAmount':
      return obligation.amountCents;
    case 'principal':
      return ledger.principalCents();
  }
}

/** The amount before clipping; percentages are rounded half up to the cent. */
function feeAmountCents(amount: FeeAmount, baseCentsOf: (base: FeeBase) => number): number {
  switch (amount.type) {
    case 'fixed':
      return amount.amountCents;
    case 'percentage':
      return percentageCents(amount.percentage, baseCentsOf(amount.base));
    case 'greaterOf':
      return Math.max(amount.amountCents, percentageCents(amount.percentage, baseCentsOf(amount.base)));
    case 'lesserOf':
      return Math.min(amount.amountCents, percentageCents(amount.percentage, baseCentsOf(amount.base)));
    case 'tiered':
      return tierCents(amount.tiers, baseCentsOf(amount.base));
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

/** Stands for no day. */
export const NEVER = Number.MAX_SAFE_INTEGER as Day;

export const earliest = (a: Day, b: Day): Day => (a < b ? a : b);

/** The next day on which the settings change. */
export function nextSettingsDay(state: ObligationLedger): Day {
  const next = state.terms.settings[state.settingsIndex + 1]?.from ?? NEVER;
  return next <= state.day ? ((state.day + 1) as Day) : next;
}

/**
 * The next day on which unpaid balances become overdue. Amounts that join an obligation on its enforcement day, after the daily job, wait
 * for the next day. `mayStayDue`: something is due, perhaps of a fulfilled obligation.
 */
export function nextEnforcementDay(state: ObligationLedger, mayStayDue: boolean): Day {
  let next = NEVER;
  for (let at = state.firstUnenforced; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || obligation.isEnforced || (obligation.remainingCents === 0 && !mayStayDue)) continue;
    next = earliest(next, Math.max(enforcementDay(obligation), state.day + 1) as Day);
  }
  return next;
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

/**
 * The day on which the oldest overdue obligation reaches a threshold. A reversed threshold is checked again on the next day; held
 * thresholds are never reached.
 */
export function thresholdDay(state: ObligationLedger): Day {
  const oldest = state.obligations[state.firstOpenObligation];
  if (oldest === undefined || !oldest.isEnforced || areThresholdsHeld(state)) return NEVER;
  const { accelerationDueWithin, chargeOffDueWithin } = settingsOf(state);
  const { noAccelerationThrough, noChargeOffThrough } = state.orders;
  const dayOf = (threshold: number | null, blockedThrough: Day | null): Day => {
    if (threshold === null) return NEVER;
    const reached = state.day + threshold - daysOverdueOf(state, oldest);
    const allowed = blockedThrough === null ? 0 : blockedThrough + 1;
    return Math.max(reached, allowed, state.day + 1) as Day;
  };
  const acceleration = state.status === 'active' ? dayOf(accelerationDueWithin, noAccelerationThrough) : NEVER;
  return earliest(acceleration, dayOf(chargeOffDueWithin, noChargeOffThrough));
}
