import { type Bucket, BUCKETS, type Component, type DueStatus } from '../../waterfall.js';
import { takeInterest, takePrincipal } from '../core/balances.js';
import { isCountedInOrder, type WatchedPart } from '../core/count-in-order.js';
import { isCredit, payFee } from '../core/fees.js';
import type { FeeDueStatus } from '../core/state.js';
import { feesOf, meetObligations, type Met } from './count-in-order.js';
import type { LineTally, MutableSplit } from './pay.js';
import type { DrawState, LineAllocation, LineFee, LineState } from './state.js';

type Name = LineAllocation['bucket'];

/** Whether a draw may have a balance in a bucket. */
export function holds({ balances, fees }: DrawState, bucket: Bucket): boolean {
  switch (bucket) {
    case 'overdueInterest':
      return balances.overdueInterestCents > 0;
    case 'overduePrincipal':
      return balances.overduePrincipalCents > 0;
    case 'dueInterest':
      return balances.dueInterestCents > 0;
    case 'duePrincipal':
      return balances.duePrincipalCents > 0;
    case 'nonDueInterest':
      return balances.nonDueInterest.cents > 0;
    case 'nonDuePrincipal':
      return balances.nonDuePrincipalCents > 0;
    case 'overdueFees':
    case 'dueFees':
    case 'nonDueFees':
      return fees.length > 0;
  }
}

/** Allocates money to one bucket of a draw, or of the line itself (null), which has only fees. */
export function allocate(state: LineState, tally: LineTally, draw: DrawState | null, bucket: Bucket): void {
  if (tally.leftCents === 0) return;
  const { dueStatus, component } = BUCKETS[bucket];
  if (component === 'fees') allocateFees(state, tally, draw, { dueStatus, bucket });
  else if (draw !== null) allocateBalance(state, tally, draw, { dueStatus, component, bucket });
}

interface Balance {
  readonly dueStatus: DueStatus;
  readonly component: 'principal' | 'interest';
  readonly bucket: Bucket;
}

function allocateBalance(state: LineState, tally: LineTally, draw: DrawState, { dueStatus, component, bucket }: Balance): void {
  const take = component === 'principal' ? takePrincipal : takeInterest;
  const amountCents = take(draw.balances, dueStatus, tally.leftCents);
  if (amountCents === 0) return;
  tally.leftCents -= amountCents;
  splitOf(tally, draw)[component === 'principal' ? 'principalCents' : 'interestCents'] += amountCents;
  if (dueStatus !== 'nonDue') meetDue(state, tally, draw, { bucket, amountCents });
  else {
    tally.aheadCents += amountCents;
    if (component === 'interest') draw.paidAheadInterestCents += amountCents;
    watch(state, tally, draw, { bucket, obligation: null, amountCents, isAhead: true });
  }
}

export interface FeeBucket {
  readonly dueStatus: FeeDueStatus;
  readonly bucket: Name;
  /** Selects fees; absent: all. */
  readonly isWanted?: (fee: LineFee) => boolean;
}

/** Pays fees in the order of their charge. */
export function allocateFees(state: LineState, tally: LineTally, draw: DrawState | null, { dueStatus, bucket, isWanted }: FeeBucket): void {
  for (const fee of feesOf(state, draw)) {
    if (tally.leftCents === 0) return;
    // Money from before the recording of a fee pays what was due then.
    if (fee.dueStatus !== dueStatus || fee.openCents === 0 || isUnknown(fee, state, tally) || isWanted?.(fee) === false) continue;
    const amountCents = Math.min(tally.leftCents, fee.openCents);
    payFee(fee, amountCents, tally.kind);
    tally.leftCents -= amountCents;
    splitOf(tally, draw).feesCents += amountCents;
    if (fee.carriedBy !== null) {
      meetDue(state, tally, draw, { bucket, amountCents });
      continue;
    }
    if (fee.kind === 'lateFee') tally.toLateFeesCents += amountCents;
    watch(state, tally, draw, { bucket, obligation: null, amountCents });
  }
}

const isUnknown = ({ knownDay }: LineFee, { day }: LineState, { isPaidOver }: LineTally): boolean => knownDay > day && isPaidOver !== true;

/** Pays charged-off balances. */
export function allocateChargedOff(state: LineState, tally: LineTally, draw: DrawState | null, component: Component): void {
  if (tally.leftCents === 0) return;
  if (component === 'fees') {
    allocateFees(state, tally, draw, { dueStatus: 'chargedOff', bucket: 'chargedOffFees' });
    return;
  }
  if (draw === null) return;
  const field = component === 'principal' ? 'chargedOffPrincipalCents' : 'chargedOffInterestCents';
  const amountCents = Math.min(tally.leftCents, draw.balances[field]);
  if (amountCents === 0) return;
  draw.balances[field] -= amountCents;
  tally.leftCents -= amountCents;
  splitOf(tally, draw)[component === 'principal' ? 'principalCents' : 'interestCents'] += amountCents;
  meetDue(state, tally, draw, { bucket: component === 'principal' ? 'chargedOffPrincipal' : 'chargedOffInterest', amountCents });
}

function meetDue(
  state: LineState,
  tally: LineTally,
  draw: DrawState | null,
  { bucket, amountCents }: { readonly bucket: Name; readonly amountCents: number },
): void {
  const leftCents = meetObligations(state, amountCents, metBy(state, tally, draw, bucket));
  // Obligations have counted other money for a fee that is paid now: that money is in advance again.
  if (leftCents > 0 && isCountedInOrder(state)) tally.aheadCents += leftCents;
}

function metBy(state: LineState, tally: LineTally, draw: DrawState | null, bucket: Name): Met {
  const isWatched = state.watcher?.allocated !== undefined;
  return {
    draw: draw?.draw ?? null,
    tally,
    how: isCredit(tally.kind) ? 'credit' : 'payment',
    onPart: isWatched ? (obligation, amountCents) => watch(state, tally, draw, { bucket, obligation, amountCents }) : null,
  };
}

function splitOf(tally: LineTally, draw: DrawState | null): MutableSplit {
  const of = draw?.draw ?? null;
  const known = tally.splits.find((split) => split.draw === of);
  if (known !== undefined) return known;
  const split: MutableSplit = { draw: of, principalCents: 0, interestCents: 0, feesCents: 0 };
  tally.splits.push(split);
  return split;
}

function watch(state: LineState, tally: LineTally, draw: DrawState | null, part: WatchedPart & Pick<LineAllocation, 'bucket'>): void {
  const of = draw?.draw ?? null;
  if (tally.watched !== null) tally.watched.push({ draw: of, ...part });
  else emitAllocation(state, tally, { draw: of, ...part });
}

export function emitAllocation(
  state: LineState,
  { transaction }: LineTally,
  { draw, bucket, obligation, amountCents }: WatchedPart & Pick<LineAllocation, 'draw' | 'bucket'>,
): void {
  state.watcher?.allocated?.({ transaction, draw, bucket, obligation, amountCents });
}
