import { COMPONENT_BUCKETS } from '../../waterfall.js';
import { assignCounted, type Counted, type WatchedPart } from '../core/count-in-order.js';
import type { EffectiveTime, MoneyKind } from '../core/facts.js';
import { settingsOf } from '../core/rules.js';
import { allocate, allocateChargedOff, emitAllocation, holds } from './allocate.js';
import { countInOrder, drawsInOrder, endMeeting, releaseFees } from './count-in-order.js';
import { countFor, findDraw } from './credit.js';
import { beginEntry, enter } from './entering.js';
import type { LinePayment } from './facts.js';
import { countAhead } from './fix-obligation.js';
import { noteFulfilled } from './grace-balances.js';
import { addPayment } from './payments.js';
import type { DrawSplit, DrawState, LineAllocation, LineState } from './state.js';

/** The effect of one payment, credit or refund so far. */
export interface LineTally {
  readonly transaction: number;
  readonly kind: MoneyKind;
  readonly effective: EffectiveTime;
  readonly amountCents: number;
  leftCents: number;
  /** Money for late fees: those that no obligation carries, and the part of obligations that they would not lack without late fees. */
  toLateFeesCents: number;
  /** Money in advance: it lowered balances before they were due. */
  aheadCents: number;
  /** With a watcher: the parts, collected until it is known which obligation counts which part. */
  watched: (WatchedPart & Pick<LineAllocation, 'draw' | 'bucket'>)[] | null;
  readonly splits: MutableSplit[];
  /** Overpaid money, which also pays fees that were not known when it came. */
  readonly isPaidOver?: true;
}

export type MutableSplit = { -readonly [Key in keyof DrawSplit]: DrawSplit[Key] };

export const beginTally = (money: Pick<LineTally, 'transaction' | 'kind' | 'effective' | 'amountCents'>): LineTally => ({
  transaction: money.transaction,
  kind: money.kind,
  effective: money.effective,
  amountCents: money.amountCents,
  leftCents: money.amountCents,
  toLateFeesCents: 0,
  aheadCents: 0,
  watched: null,
  splits: [],
});

/**
 * Allocates money to the balances of the line: the named draw first, then by the multi-waterfall. The rest is overpaid.
 */
export function applyPayment(state: LineState, fact: LinePayment): void {
  const before = beginEntry(state);
  const tally = beginTally(fact);
  const toLateFeesCents = allocateMoney(state, tally, fact.draw, fact.principalOnlyCents);
  countAhead(state, { aheadCents: tally.aheadCents, toLateFeesCents }, fact);
  notePayment(state, tally, fact);
  enter(state, before, fact.kind);
}

/** Allocates the money of a tally, and closes fulfilled obligations. Returns money for late fees that no obligation lacks. */
export function allocateMoney(state: LineState, tally: LineTally, directed: number | null, principalOnlyCents: number = 0): number {
  const toLateFeesCents = allocateCounted(state, tally, { directed, principalOnlyCents });
  if (tally.leftCents > 0) emitPaidOver(state, tally.transaction, tally.leftCents);
  return toLateFeesCents;
}

interface Way {
  readonly directed: number | null;
  readonly principalOnlyCents: number;
}

/** The same without reporting the overpaid rest. */
export function allocateCounted(state: LineState, tally: LineTally, { directed, principalOnlyCents }: Way): number {
  const firstOpen = state.firstOpenObligation;
  if (state.watcher?.allocated !== undefined) tally.watched = [];
  allocateInOrder(state, tally, directed);
  countBehind(state, tally, principalOnlyCents);
  const toLateFeesCents = endMeeting(state, tally.toLateFeesCents, firstOpen);
  tally.aheadCents += releaseFees(state);
  return toLateFeesCents;
}

/** Negative: this much overpaid money has paid other amounts since. */
export const emitPaidOver = (state: LineState, transaction: number, amountCents: number): void =>
  state.watcher?.allocated?.({ transaction, draw: null, bucket: 'paidOver', obligation: null, amountCents });

/**
 * Counts money in advance for obligations that lack money. Money for principal only, and refunds, count for none.
 */
function countBehind(state: LineState, tally: LineTally, principalOnlyCents: number): void {
  const how = tally.kind === 'credit' ? 'credit' : 'payment';
  const counted: Counted[] = [];
  const aheadCents = tally.kind === 'refund' ? 0 : Math.max(0, tally.aheadCents - principalOnlyCents);
  const onPart =
    tally.watched === null ? null : (obligation: number | null, amountCents: number) => void counted.push({ obligation, amountCents });
  const countedCents = countInOrder(state, aheadCents, { how, onPart, tally });
  tally.aheadCents -= countedCents;
  const { watched } = tally;
  tally.watched = null;
  for (const part of assignCounted(watched ?? [], counted)) emitAllocation(state, tally, part);
}

/** Allocates by the waterfall of the line's status. A canceled line takes nothing. */
function allocateInOrder(state: LineState, tally: LineTally, directed: number | null): void {
  const settings = settingsOf(state);
  const first = directed === null ? undefined : findDraw(state, directed);
  switch (state.status) {
    case 'active':
    case 'frozen':
    case 'paidOff': {
      const buckets = tally.kind === 'credit' ? settings.creditWaterfall : settings.paymentWaterfall;
      if (first !== undefined) for (const bucket of buckets) allocate(state, tally, first, bucket);
      for (const bucket of buckets)
        for (const holder of holders(state, tally, (draw) => holds(draw, bucket))) allocate(state, tally, holder, bucket);
      return;
    }
    case 'accelerated': {
      const buckets = settings.acceleratedWaterfall.flatMap((component) => COMPONENT_BUCKETS[component]);
      if (first !== undefined) for (const bucket of buckets) allocate(state, tally, first, bucket);
      for (const bucket of buckets)
        for (const holder of holders(state, tally, (draw) => holds(draw, bucket))) allocate(state, tally, holder, bucket);
      return;
    }
    case 'chargedOff':
      if (first !== undefined) for (const component of settings.chargedOffWaterfall) allocateChargedOff(state, tally, first, component);
      for (const component of settings.chargedOffWaterfall) {
        for (const holder of holders(state, tally, () => true)) allocateChargedOff(state, tally, holder, component);
      }
      return;
    case 'canceled':
      return;
  }
}

/** The holders of one bucket in the order of payment; null: the line itself, which has only fees. */
function holders(state: LineState, tally: LineTally, isHolder: (draw: DrawState) => boolean): readonly (DrawState | null)[] {
  if (tally.leftCents === 0) return [];
  // Draws without a balance in the bucket take nothing. Usually one draw is left, which needs no sorting.
  const draws = drawsInOrder(state, state.draws.filter(isHolder));
  return settingsOf(state).areLineFeesFirst ? [null, ...draws] : [...draws, null];
}

export function notePayment(
  state: LineState,
  tally: LineTally,
  { isProcessing, holdUntil }: Pick<LinePayment, 'isProcessing' | 'holdUntil'>,
): void {
  const { totals } = state;
  const { kind, amountCents, leftCents, splits } = tally;
  if (kind === 'credit') totals.creditsCents += amountCents;
  else {
    if (kind !== 'refund') totals.paymentsCents += amountCents;
    totals.reimbursementCents += leftCents;
  }
  totals.paidOverCents += leftCents;
  const sum = countSplits(state, tally);
  if (isProcessing) state.processingPayments += 1;
  const { day, seconds } = tally.effective;
  const { transaction } = tally;
  addPayment(state, { transaction, kind, day, seconds, amountCents, ...sum, overCents: leftCents, isProcessing, holdUntil, splits });
}

/** Counts the money of each draw. Returns the sums. */
export function countSplits(state: LineState, { kind, splits }: LineTally): Omit<DrawSplit, 'draw'> {
  const sum = { principalCents: 0, interestCents: 0, feesCents: 0 };
  for (const split of splits) {
    countSplit(state, split, kind);
    sum.principalCents += split.principalCents;
    sum.interestCents += split.interestCents;
    sum.feesCents += split.feesCents;
  }
  return sum;
}

function countSplit(state: LineState, split: DrawSplit, kind: MoneyKind): void {
  const draw = split.draw === null ? null : (findDraw(state, split.draw) ?? null);
  const cents = split.principalCents + split.interestCents + split.feesCents;
  countFor(state, draw, (totals) => {
    totals.paidPrincipalCents += split.principalCents;
    totals.paidInterestCents += split.interestCents;
    totals.paidFeesCents += split.feesCents;
  });
  noteFulfilled(state, split.draw, cents);
  if (draw === null) return;
  if (kind === 'credit') draw.totals.creditsCents += cents;
  else if (kind !== 'refund') draw.totals.paymentsCents += cents;
}
