import { cents } from '../../money/index.js';
import type { Bucket } from '../../waterfall.js';
import type { Refund } from '../core/facts.js';
import { centsOfInterest, NO_INTEREST, plus } from '../core/interest.js';
import { fulfilWithoutLateFees } from '../core/obligations.js';
import type { FeeState } from '../core/state.js';
import { matchBalances, releaseFees } from './count-in-order.js';
import { beginEntry, enter } from './entering.js';
import { closeFulfilled, fulfil } from './fulfil.js';
import { allocate, allocateChargedOff, watchRest } from './pay.js';
import { beginTally, notePayment, ownMoney, type Tally } from './tally.js';
import { originationFeeCentsOf } from './start.js';
import type { LedgerState } from './state.js';

/** Principal from the end of the loan first, so that the recurring amount stays and the last rows disappear. */
const PRINCIPAL: readonly Bucket[] = ['nonDuePrincipal', 'duePrincipal', 'overduePrincipal'];

/** What a refund above the principal pays. */
const BEYOND: readonly Bucket[] = ['overdueInterest', 'dueInterest', 'nonDueInterest', 'overdueFees', 'dueFees', 'nonDueFees'];

/**
 * Applies a return of what the loan financed: principal falls, and the part above the outstanding balance is owed to the
 * borrower. A full refund also cancels interest and fees: unpaid amounts are dropped, and paid amounts are owed to the borrower.
 */
export function applyRefund(state: LedgerState, fact: Refund): void {
  if (state.status === 'canceled') return;
  const refundedCents = state.totals.refundsCents;
  const isFull = refundedCents < fact.fullCents && refundedCents + fact.amountCents >= fact.fullCents;
  const before = beginEntry(state);
  const firstOpen = state.firstOpenObligation;
  const tally = beginTally(fact.transaction, 'refund', fact);
  allocateInBuckets(state, tally, PRINCIPAL);
  if (isFull) reverseAll(state, tally);
  else if (fact.isOriginationFeeRefunded) reverseOriginationFee(state, tally);
  if (!isFull) allocateInBuckets(state, tally, BEYOND);
  matchBalances(state);
  fulfilWithoutLateFees(state, tally.obligationCents + tally.looseLateFeeCents, firstOpen);
  closeFulfilled(state);
  releaseFees(state);
  watchRest(state, tally);
  notePayment(state, tally.fact, tally);
  enter(state, before, 'refund');
}

function allocateInBuckets(state: LedgerState, tally: Tally, buckets: readonly Bucket[]): void {
  if (state.status !== 'chargedOff') {
    for (const bucket of buckets) allocate(state, tally, bucket);
    return;
  }
  if (buckets === PRINCIPAL) allocateChargedOff(state, tally, 'principal');
  else for (const component of ['interest', 'fees'] as const) allocateChargedOff(state, tally, component);
}

/** Cancels interest and fees. Credits that paid them are not refunded. */
function reverseAll(state: LedgerState, tally: Tally): void {
  reverseInterest(state, tally);
  reverseFees(state, tally);
  giveBack(state, paidByBorrower(state) - state.totals.returnedCents);
}

function paidByBorrower({ payments }: LedgerState): number {
  let paidCents = 0;
  for (const { kind, interestCents, feesCents } of payments)
    if (kind === 'payment' || kind === 'downPayment') paidCents += interestCents + feesCents;
  return paidCents;
}

function giveBack(state: LedgerState, amountCents: number): void {
  const ownCents = ownMoney(state, amountCents);
  state.totals.returnedCents += ownCents;
  state.totals.reimbursementCents += ownCents;
}

function reverseInterest(state: LedgerState, tally: Tally): void {
  const { totals } = state;
  const dueCents = state.dueInterestCents + state.overdueInterestCents + state.chargedOffInterestCents;
  totals.reversedInterest = plus(plus(totals.reversedInterest, state.nonDueInterest), centsOfInterest(dueCents));
  state.nonDueInterest = NO_INTEREST;
  state.dueInterestCents = 0;
  state.overdueInterestCents = 0;
  state.chargedOffInterestCents = 0;
  meetWithout(state, tally, dueCents);
}

function reverseFees(state: LedgerState, tally: Tally): void {
  takeOriginationFee(state, tally);
  for (const fee of state.fees) if (!fee.isCanceled) reverseFee(state, tally, fee);
}

function reverseFee(state: LedgerState, tally: Tally, fee: FeeState): void {
  const { openCents } = fee;
  fee.openCents = 0;
  fee.isCanceled = true;
  state.openFeesCents -= openCents;
  state.totals.reversedFeesCents += openCents;
  if (fee.carriedBy !== null) meetWithout(state, tally, openCents);
  else if (fee.kind === 'lateFee') tally.looseLateFeeCents += openCents;
  state.watcher?.happened({
    type: 'feeCanceled',
    day: state.day,
    seconds: state.seconds,
    feeTypeId: fee.feeTypeId,
    obligation: fee.obligation,
    fee: fee.fee,
    chargeDay: fee.chargeDay,
    amountCents: cents(fee.amountCents),
  });
}

/** Lowers obligations by canceled amounts, without money. */
function meetWithout(state: LedgerState, tally: Tally, amountCents: number): void {
  if (amountCents === 0) return;
  tally.obligationCents += amountCents;
  fulfil(state, amountCents, { how: 'credit', onPart: null });
}

/** Cancels the origination fee on the day of activation. The paid part is owed to the borrower. */
function reverseOriginationFee(state: LedgerState, tally: Tally): void {
  if (state.day !== state.terms.activation) return;
  giveBack(state, originationFeeCentsOf(state) - takeOriginationFee(state, tally));
}

/** Drops the unpaid part. */
function takeOriginationFee(state: LedgerState, tally: Tally): number {
  const dueCents = state.dueOriginationFeeCents + state.overdueOriginationFeeCents + state.chargedOffOriginationFeeCents;
  const openCents = state.nonDueOriginationFeeCents + dueCents;
  state.nonDueOriginationFeeCents = 0;
  state.originationAskedCents = 0;
  state.dueOriginationFeeCents = 0;
  state.overdueOriginationFeeCents = 0;
  state.chargedOffOriginationFeeCents = 0;
  state.totals.reversedFeesCents += openCents;
  // A separate origination fee is due by itself until the first obligation includes it.
  if (state.obligations.length > 0) meetWithout(state, tally, dueCents);
  return openCents;
}
