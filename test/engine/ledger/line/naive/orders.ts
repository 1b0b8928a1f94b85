import type Big from 'big.js';
import type { Bucket, LineSettings } from '../../../../../engine/index.js';
import { type NaiveState, closeFulfilled, type NaiveLineStatus, toleranceOf } from './state.js';
import { type Holder, most, type Part, type DueStatus, sum, wholeCents, ZERO } from './holder.js';
import { remainingOf } from './late-fees.js';

/* The effects of orders on the naive line. */

/** Frozen days do not count as days overdue. */
export function endFreeze(state: NaiveState): void {
  const last = state.obligations.at(-1);
  for (const obligation of state.obligations) {
    const isUndecided = obligation === last && obligation.due + obligation.paused >= state.frozenSince;
    if (!obligation.isFulfilled || isUndecided) obligation.paused += state.today - state.frozenSince;
  }
  state.status = 'active';
}

/** The whole balance becomes one obligation with the oldest due date. */
export function accelerate(state: NaiveState): void {
  const oldest = state.obligations.find(({ isFulfilled }) => !isFulfilled);
  const dueStatus = oldest?.isEnforced === true ? 'overdue' : 'due';
  for (const { principal, interest, fees } of state.holders) {
    interest.nonDue = wholeCents(interest.nonDue);
    for (const amounts of [principal, interest]) moveAll(amounts, dueStatus);
    for (const fee of fees) if (fee.open.gt(0)) Object.assign(fee, { dueStatus, isCarried: true, fellDue: null });
  }
  const parts = state.holders.map(wholePart);
  const amount = sum(parts.map(({ remaining }) => remaining));
  state.replaced = state.obligations.filter(({ isFulfilled }) => !isFulfilled);
  const kept = state.obligations.filter(({ isFulfilled }) => isFulfilled);
  // Amounts within the tolerance are part of the whole balance now.
  for (const obligation of kept) {
    obligation.amount = obligation.amount.minus(remainingOf(obligation));
    for (const part of obligation.parts) part.remaining = ZERO;
  }
  state.obligations = [
    ...kept,
    {
      ordinal: null,
      due: oldest?.due ?? state.today,
      amount,
      base: amount,
      statement: state.today,
      parts,
      withoutLate: ZERO,
      paused: oldest?.paused ?? 0,
      isEnforced: oldest?.isEnforced ?? false,
      isFulfilled: amount.lte(toleranceOf(state)),
    },
  ];
  state.ahead = state.forNext = state.forNextButForLateFees = ZERO;
  state.acceleratedSince = state.today;
  state.status = 'accelerated';
}

export function chargeOff(state: NaiveState): void {
  if (state.status !== 'accelerated') accelerate(state);
  for (const { principal, interest, fees } of state.holders) {
    for (const amounts of [principal, interest]) moveAll(amounts, 'chargedOff');
    for (const fee of fees) if (fee.open.gt(0)) fee.dueStatus = 'chargedOff';
  }
  state.chargedOffSince = state.today;
  state.status = 'chargedOff';
}

/** Accelerates the line, or charges it off, at the thresholds of days overdue. */
export function checkThresholds(state: NaiveState): void {
  const oldest = state.obligations.find(({ isEnforced, isFulfilled }) => isEnforced && !isFulfilled);
  if (oldest === undefined || state.thresholdHolders.size > 0) return;
  const days = state.today - oldest.due - oldest.paused;
  const { accelerationDueWithin, chargeOffDueWithin } = state.settings;
  const isReached = (within: number | null, notThrough: number): boolean => within !== null && days >= within && state.today > notThrough;
  if (state.status === 'active' && isReached(accelerationDueWithin, state.adjustments.noAccelerationThrough)) accelerate(state);
  if (isReached(chargeOffDueWithin, state.adjustments.noChargeOffThrough)) chargeOff(state);
}

/** A closed line with no debt, and no payment that may still fail, is paid off. */
export function settle(state: NaiveState): void {
  for (const draw of state.draws) if (owedWhole(draw).eq(0)) draw.interest.nonDue = ZERO;
  if (state.status === 'paidOff' || state.status === 'chargedOff' || !state.isClosed || state.processing.size > 0) return;
  if (state.holders.some((holder) => owedWhole(holder).gt(0))) return;
  for (const { interest } of state.draws) interest.nonDue = ZERO;
  state.ahead = state.forNext = state.forNextButForLateFees = ZERO;
  state.statusBefore = state.status;
  state.status = 'paidOff';
}

/** Removes all balances of a draw, and its part of the obligations. */
export function cancelDraw(state: NaiveState, draw: Holder): void {
  if (draw.isCanceled) return;
  draw.isCanceled = true;
  for (const amounts of [draw.principal, draw.interest])
    Object.assign(amounts, { nonDue: ZERO, due: ZERO, overdue: ZERO, chargedOff: ZERO });
  for (const fee of draw.fees) fee.open = ZERO;
  draw.rows = [];
  for (const obligation of state.obligations) {
    for (const part of obligation.parts) {
      if (part.holder !== draw) continue;
      obligation.amount = obligation.amount.minus(part.remaining);
      obligation.withoutLate = most(ZERO, obligation.withoutLate.minus(part.remaining));
      part.remaining = ZERO;
    }
  }
  closeFulfilled(state, remainingOf);
}

const owedWhole = ({ principal, interest, fees }: Holder): Big =>
  sum([...Object.values(principal), ...Object.values(interest).map(wholeCents), ...fees.map(({ open }) => open)]);

/** Due and overdue principal becomes non-due; due and overdue interest and fees become non-due principal. */
export function deferBalances(state: NaiveState): void {
  for (const draw of state.draws) {
    for (const dueStatus of ['due', 'overdue'] as const) {
      draw.principal.nonDue = draw.principal.nonDue.plus(draw.principal[dueStatus]).plus(draw.interest[dueStatus]);
      draw.principal[dueStatus] = draw.interest[dueStatus] = ZERO;
    }
    deferFees(draw, draw);
  }
  const oldest = state.draws.find(({ terms, isCanceled }) => !isCanceled && terms?.drawType !== 'static');
  deferFees(state.line, oldest ?? null);
  for (const obligation of state.obligations) {
    obligation.withoutLate = most(ZERO, obligation.withoutLate.minus(remainingOf(obligation)));
    for (const part of obligation.parts) part.remaining = ZERO;
  }
  closeFulfilled(state, remainingOf);
}

function deferFees({ fees }: Holder, into: Holder | null): void {
  for (const fee of fees) {
    if (fee.dueStatus !== 'due' && fee.dueStatus !== 'overdue') continue;
    if (into === null) Object.assign(fee, { dueStatus: 'nonDue', isCarried: false, fellDue: null });
    else {
      into.principal.nonDue = into.principal.nonDue.plus(fee.open);
      fee.open = ZERO;
    }
  }
}

/** Adds a new debt to the obligation of the whole balance. */
export function joinWhole(state: NaiveState, holder: Holder, amount: Big): DueStatus {
  const whole = state.obligations.at(-1);
  if (whole === undefined) throw new Error('an acceleration makes an obligation');
  let part = whole.parts.find((known) => known.holder === holder);
  if (part === undefined) {
    part = { ...wholePart(holder), remaining: ZERO };
    whole.parts.push(part);
  }
  part.remaining = part.remaining.plus(amount);
  whole.amount = whole.amount.plus(amount);
  whole.isFulfilled = remainingOf(whole).lte(toleranceOf(state));
  return state.status === 'chargedOff' ? 'chargedOff' : whole.isEnforced ? 'overdue' : 'due';
}

function wholePart(holder: Holder): Part {
  const { principal, interest, fees } = holder;
  const remaining = sum([principal, interest].flatMap((amounts) => Object.values(amounts))).plus(sum(fees.map(({ open }) => open)));
  return {
    holder,
    full: remaining,
    principal: sum(Object.values(principal)),
    interest: sum(Object.values(interest)),
    remaining,
    fulfilled: ZERO,
  };
}

function moveAll(amounts: Record<DueStatus, Big>, to: DueStatus): void {
  const whole = sum(Object.values(amounts));
  const due = to === 'due' ? amounts.overdue : ZERO;
  Object.assign(amounts, { nonDue: ZERO, due: ZERO, overdue: due, chargedOff: ZERO });
  amounts[to] = whole.minus(due);
}

/** If the whole balance is one obligation, only the components have an order. */
export function bucketsOf(
  status: NaiveLineStatus,
  { acceleratedWaterfall, chargedOffWaterfall }: LineSettings,
  waterfall: readonly Bucket[],
): readonly string[] {
  const named = (dueStatus: string, component: string): string => `${dueStatus}${component.charAt(0).toUpperCase()}${component.slice(1)}`;
  if (status === 'chargedOff') return chargedOffWaterfall.map((component) => named('chargedOff', component));
  if (status !== 'accelerated') return waterfall;
  return acceleratedWaterfall.flatMap((component) => ['overdue', 'due', 'nonDue'].map((dueStatus) => named(dueStatus, component)));
}
