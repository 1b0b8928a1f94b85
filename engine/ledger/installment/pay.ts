import { ZERO } from '../../money/index.js';
import { type Bucket, type Component, COMPONENT_BUCKETS, type DueStatus } from '../../waterfall.js';
import { takeInterest, takePrincipal } from '../core/balances.js';
import { assignCounted, type Counted, type WatchedPart } from '../core/count-in-order.js';
import type { Allocation } from '../core/entries.js';
import type { Payment } from '../core/facts.js';
import { isCredit, payFee } from '../core/fees.js';
import { type Fulfilment, fulfilWithoutLateFees, type MetBy, type OnPart } from '../core/obligations.js';
import { holds, settingsOf } from '../core/rules.js';
import type { FeeDueStatus } from '../core/state.js';
import { type AboveDue, countInOrder, isCounting, releaseFees } from './count-in-order.js';
import { cutFraction, fixInterestRow, type OpenDemand, openDemandOf } from './due.js';
import { beginEntry, enter } from './entering.js';
import { closeFulfilled, fulfil } from './fulfil.js';
import { payScheduled } from './scheduled-interest/pay.js';
import { notePayment, type Tally, tallyOf } from './tally.js';
import type { LedgerState } from './state.js';

/**
 * Allocates money to the balances in the order of the waterfall, and counts it: what was due fulfils obligations, the oldest first; what
 * was not due is paid in advance or only lowers the balance. The rest is overpaid.
 */
export function applyPayment(state: LedgerState, fact: Payment): void {
  const before = beginEntry(state);
  const tally = tallyOf(fact);
  allocatePayment(state, tally, fact);
  watchRest(state, tally);
  notePayment(state, tally.fact, tally);
  enter(state, before, fact.kind);
}

/** Allocates the money of a tally, by default in the order of the waterfall, and counts it for obligations. */
export function allocatePayment(
  state: LedgerState,
  tally: Tally,
  fact: Counting,
  allocateAll: (state: LedgerState, tally: Tally) => void = allocateInOrder,
): void {
  const firstOpen = state.firstOpenObligation;
  const ahead = countingAhead(state, fact);
  if (state.watcher?.allocated !== undefined) tally.watched = [];
  allocateAll(state, tally);
  countBehind(state, tally, fact);
  cutFraction(state);
  const toLateFeesCents = fulfilWithoutLateFees(state, tally.obligationCents + tally.looseLateFeeCents, firstOpen);
  closeFulfilled(state);
  tally.aheadCents += releaseFees(state);
  countAhead(state, tally, ahead);
  countLateFees(state, ahead, toLateFeesCents);
}

/** The fields of a payment that decide how its money counts. */
type Counting = Pick<Payment, 'kind' | 'isPrepaymentEnabled' | 'principalOnlyCents'>;

/** Reports the overpaid rest. */
export function watchRest(state: LedgerState, tally: Tally): void {
  if (tally.leftCents > 0) emitPaidOver(state, tally.fact.transaction, tally.leftCents);
}

/** Negative: this much overpaid money has paid other amounts since. */
export const emitPaidOver = (state: LedgerState, transaction: number, amountCents: number): void =>
  state.watcher?.allocated?.({ transaction, bucket: 'paidOver', obligation: null, amountCents });

/** Allocates by the waterfall of the loan's status. A canceled loan takes nothing. */
function allocateInOrder(state: LedgerState, tally: Tally): void {
  const settings = settingsOf(state);
  switch (state.status) {
    case 'active':
    case 'frozen':
    case 'paidOff': {
      if (state.scheduledFacts !== null) {
        payScheduled(state, tally);
        return;
      }
      const buckets = tally.fact.kind === 'credit' ? settings.creditWaterfall : settings.paymentWaterfall;
      for (const bucket of buckets) {
        if (tally.leftCents === 0) return;
        allocate(state, tally, bucket);
      }
      return;
    }
    case 'accelerated':
      for (const component of settings.acceleratedWaterfall) allocateComponent(state, tally, component);
      return;
    case 'chargedOff':
      for (const component of settings.chargedOffWaterfall) allocateChargedOff(state, tally, component);
      return;
    case 'canceled':
      return;
  }
}

function allocateComponent(state: LedgerState, tally: Tally, component: Component): void {
  for (const bucket of COMPONENT_BUCKETS[component]) allocate(state, tally, bucket);
}

/** The table `BUCKETS` as branches, for speed: a payment calls this nine times, and most buckets are empty. */
export function allocate(state: LedgerState, tally: Tally, bucket: Bucket): void {
  if (tally.leftCents === 0) return;
  switch (bucket) {
    case 'overdueFees':
      if (state.overdueOriginationFeeCents > 0 || state.openFeesCents > 0) allocateFees(state, tally, 'overdue', bucket);
      return;
    case 'overdueInterest':
      if (state.overdueInterestCents > 0) allocateInterest(state, tally, 'overdue', bucket);
      return;
    case 'overduePrincipal':
      if (state.overduePrincipalCents > 0) allocatePrincipal(state, tally, 'overdue', bucket);
      return;
    case 'dueFees':
      if (state.dueOriginationFeeCents > 0 || state.openFeesCents > 0) allocateFees(state, tally, 'due', bucket);
      return;
    case 'dueInterest':
      if (state.dueInterestCents > 0) allocateInterest(state, tally, 'due', bucket);
      return;
    case 'duePrincipal':
      if (state.duePrincipalCents > 0) allocatePrincipal(state, tally, 'due', bucket);
      return;
    case 'nonDueFees':
      if (state.nonDueOriginationFeeCents > 0 || state.openFeesCents > 0) allocateFees(state, tally, 'nonDue', bucket);
      return;
    case 'nonDueInterest':
      if (state.nonDueInterest.cents > 0) allocateInterest(state, tally, 'nonDue', bucket);
      return;
    case 'nonDuePrincipal':
      if (state.nonDuePrincipalCents > 0) allocatePrincipal(state, tally, 'nonDue', bucket);
      return;
  }
}

function allocateInterest(state: LedgerState, tally: Tally, dueStatus: DueStatus, bucket: Bucket): void {
  const amountCents = takeInterest(state, dueStatus, tally.leftCents);
  if (amountCents === 0) return;
  tally.leftCents -= amountCents;
  tally.interestCents += amountCents;
  if (dueStatus === 'nonDue') meetAhead(state, tally, bucket, amountCents);
  else meetObligations(state, tally, bucket, amountCents);
}

function allocatePrincipal(state: LedgerState, tally: Tally, dueStatus: DueStatus, bucket: Bucket): void {
  const amountCents = takePrincipal(state, dueStatus, tally.leftCents);
  if (amountCents === 0) return;
  tally.leftCents -= amountCents;
  tally.principalCents += amountCents;
  if (dueStatus === 'nonDue') meetAhead(state, tally, bucket, amountCents);
  else meetObligations(state, tally, bucket, amountCents);
}

/** Fees in the order of their charge dates: the origination fee is the oldest. */
function allocateFees(state: LedgerState, tally: Tally, dueStatus: DueStatus, bucket: Bucket): void {
  const originationCents = takeOriginationFee(state, dueStatus, tally.leftCents);
  if (originationCents > 0) {
    tally.leftCents -= originationCents;
    tally.feesCents += originationCents;
    if (dueStatus === 'nonDue') {
      tally.aheadOriginationCents += originationCents;
      meetAhead(state, tally, bucket, originationCents);
    } else if (isCarried(state)) meetObligations(state, tally, bucket, originationCents);
    else watchAllocation(state, tally, { bucket, obligation: null, amountCents: originationCents });
  }
  allocateDynamicFees(state, tally, dueStatus, bucket);
}

/** A separate origination fee is due by itself until the first obligation includes it. */
const isCarried = (state: LedgerState): boolean => state.obligations.length > 0;

function takeOriginationFee(state: LedgerState, dueStatus: DueStatus, upToCents: number): number {
  switch (dueStatus) {
    case 'nonDue': {
      const amountCents = Math.min(upToCents, state.nonDueOriginationFeeCents);
      state.nonDueOriginationFeeCents -= amountCents;
      return amountCents;
    }
    case 'due': {
      const amountCents = Math.min(upToCents, state.dueOriginationFeeCents);
      state.dueOriginationFeeCents -= amountCents;
      return amountCents;
    }
    case 'overdue': {
      const amountCents = Math.min(upToCents, state.overdueOriginationFeeCents);
      state.overdueOriginationFeeCents -= amountCents;
      return amountCents;
    }
  }
}

/** Pays charged fees of every due status, the overdue fees first. */
export function allocateToChargedFees(state: LedgerState, tally: Tally): void {
  for (const dueStatus of ['overdue', 'due', 'nonDue', 'chargedOff'] as const)
    allocateDynamicFees(state, tally, dueStatus, `${dueStatus}Fees`);
}

function allocateDynamicFees(state: LedgerState, tally: Tally, dueStatus: FeeDueStatus, bucket: Allocation['bucket']): void {
  if (state.openFeesCents === 0) return;
  for (const fee of state.fees) {
    if (tally.leftCents === 0) return;
    // Money from before the recording of a fee pays what was due then.
    if (fee.dueStatus !== dueStatus || fee.openCents === 0 || (fee.knownDay > state.day && tally.isPaidOver !== true)) continue;
    const amountCents = Math.min(tally.leftCents, fee.openCents);
    payFee(fee, amountCents, tally.fact.kind);
    state.openFeesCents -= amountCents;
    tally.leftCents -= amountCents;
    tally.feesCents += amountCents;
    if (fee.carriedBy !== null) {
      meetObligations(state, tally, bucket, amountCents);
      continue;
    }
    if (fee.kind === 'lateFee') tally.looseLateFeeCents += amountCents;
    watchAllocation(state, tally, { bucket, obligation: null, amountCents });
  }
}

/** For each charged-off component: the balance, the field of the tally, and the bucket. */
const CHARGED_OFF = {
  principal: { balance: 'chargedOffPrincipalCents', paid: 'principalCents', bucket: 'chargedOffPrincipal' },
  interest: { balance: 'chargedOffInterestCents', paid: 'interestCents', bucket: 'chargedOffInterest' },
  fees: { balance: 'chargedOffOriginationFeeCents', paid: 'feesCents', bucket: 'chargedOffFees' },
} as const satisfies Record<
  Component,
  { readonly balance: keyof LedgerState; readonly paid: keyof Tally; readonly bucket: Allocation['bucket'] }
>;

/** Pays charged-off balances. */
export function allocateChargedOff(state: LedgerState, tally: Tally, component: Component): void {
  if (tally.leftCents === 0) return;
  const { balance, paid, bucket } = CHARGED_OFF[component];
  const amountCents = Math.min(tally.leftCents, state[balance]);
  state[balance] -= amountCents;
  tally.leftCents -= amountCents;
  tally[paid] += amountCents;
  meetObligations(state, tally, bucket, amountCents);
  if (component === 'fees') allocateDynamicFees(state, tally, 'chargedOff', bucket);
}

function meetObligations(state: LedgerState, tally: Tally, bucket: Allocation['bucket'], amountCents: number): void {
  if (amountCents === 0) return;
  const how = isCredit(tally.fact.kind) ? 'credit' : 'payment';
  const onPart = partWatcher(state, tally, bucket);
  const leftCents = fulfil(state, amountCents, onPart === null ? UNWATCHED[how] : { how, onPart });
  // Obligations have counted other money for a fee that is paid now: that money is in advance again.
  const againCents = leftCents > 0 && isCounting(state) ? leftCents : 0;
  tally.obligationCents += amountCents - againCents;
  tally.aheadCents += againCents;
}

/** Most money is not watched. */
const UNWATCHED = { payment: { how: 'payment', onPart: null }, credit: { how: 'credit', onPart: null } } as const satisfies Record<
  Fulfilment,
  MetBy
>;

function partWatcher(state: LedgerState, tally: Tally, bucket: Allocation['bucket']): OnPart | null {
  if (state.watcher?.allocated === undefined) return null;
  return (obligation, amountCents) => watchAllocation(state, tally, { bucket, obligation, amountCents });
}

function meetAhead(state: LedgerState, tally: Tally, bucket: Bucket, amountCents: number): void {
  tally.aheadCents += amountCents;
  watchAllocation(state, tally, { bucket, obligation: null, amountCents, isAhead: true });
}

/** Counts money in advance for obligations that lack money. Money for principal only counts for none. */
function countBehind(state: LedgerState, tally: Tally, { principalOnlyCents = ZERO }: Counting): void {
  const above = { aheadCents: Math.max(0, tally.aheadCents - principalOnlyCents), feesCents: tally.feesCents };
  const how = isCredit(tally.fact.kind) ? 'credit' : 'payment';
  const askedCents = state.originationAskedCents;
  const countedCents = tally.watched === null ? countInOrder(state, above, UNWATCHED[how]) : countWatched(state, tally, how, above);
  tally.askedAgainCents = state.originationAskedCents - askedCents;
  if (countedCents === 0) return;
  tally.aheadCents -= countedCents;
  tally.obligationCents += countedCents;
  const originationCents = Math.min(countedCents, tally.aheadOriginationCents);
  tally.aheadOriginationCents -= originationCents;
  state.originationAskedCents = Math.max(0, state.originationAskedCents - originationCents);
}

/** The same with a watcher, which now receives each part with the obligation that has counted it. */
function countWatched(state: LedgerState, tally: Tally, how: Fulfilment, above: AboveDue): number {
  const counted: Counted[] = [];
  const onPart: OnPart = (obligation, amountCents) => counted.push({ obligation, amountCents });
  const countedCents = countInOrder(state, above, { how, onPart });
  const watched = tally.watched ?? [];
  tally.watched = null;
  for (const part of assignCounted(watched, counted)) watchAllocation(state, tally, part);
  return countedCents;
}

/** How much money above the due amounts counts as paid in advance: all except money for principal only, or at most `mostCents`. */
interface Ahead {
  readonly principalOnlyCents: number;
  readonly mostCents: number;
  readonly open: OpenDemand | null;
}

/**
 * Money above the due amounts pays the obligation of the open period, whatever the setting for prepayments. The rest is paid in
 * advance for later obligations, or only lowers the balance. A down payment does not pay rows in advance.
 */
function countingAhead(state: LedgerState, { kind, isPrepaymentEnabled, principalOnlyCents = ZERO }: Counting): Ahead {
  if (state.status !== 'active' || state.scheduledFacts !== null) return { principalOnlyCents, mostCents: 0, open: null };
  const open = kind !== 'downPayment' && holds(state, 'openObligationFirst') ? openDemandOf(state) : null;
  const isPrepaid = isPrepaymentEnabled ?? settingsOf(state).isPrepaymentEnabled;
  return { principalOnlyCents, mostCents: isPrepaid ? Infinity : lackingOf(state, open), open };
}

const lackingOf = ({ prepaidCents }: LedgerState, open: OpenDemand | null): number =>
  open === null ? 0 : Math.max(0, open.askedCents - prepaidCents);

/** An origination fee that was paid by money for the balance only is in no row any more. */
function countAhead(state: LedgerState, tally: Tally, { principalOnlyCents, mostCents, open }: Ahead): void {
  const { aheadCents, aheadOriginationCents, askedAgainCents } = tally;
  if (aheadCents === 0) return;
  const prepaidCents = Math.min(Math.max(0, aheadCents - principalOnlyCents), open === null ? mostCents : mostCents + askedAgainCents);
  state.originationAskedCents = Math.max(0, state.originationAskedCents - Math.max(0, aheadOriginationCents - prepaidCents));
  if (state.status !== 'active') return;
  if (prepaidCents > 0 && open !== null) fixInterestRow(state, open);
  state.prepaidCents += prepaidCents;
  state.unassignedCents += aheadCents - prepaidCents;
}

/**
 * A borrower who pays the open obligation but owes a late fee lacks at most that fee, which earns no further late fee.
 */
function countLateFees(state: LedgerState, { open }: Ahead, toLateFeesCents: number): void {
  if (open === null) return;
  state.lateFeeAheadCents = Math.min(state.lateFeeAheadCents + toLateFeesCents, lackingOf(state, open));
}

function watchAllocation(state: LedgerState, tally: Tally, part: WatchedPart & Pick<Allocation, 'bucket'>): void {
  if (tally.watched !== null) {
    tally.watched.push(part);
    return;
  }
  const { bucket, obligation, amountCents } = part;
  state.watcher?.allocated?.({ transaction: tally.fact.transaction, bucket, obligation, amountCents });
}
