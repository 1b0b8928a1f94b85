import { CARRIED, isCountedInOrder, type Lateness, returnToNonDue, takeAbove } from '../core/count-in-order.js';
import type { MetBy } from '../core/obligations.js';
import { fulfil } from './fulfil.js';
import type { LedgerState } from './state.js';

/**
 * Money counts for the oldest obligations first, whatever component the waterfall pays. Money that lowered balances which are not due
 * counts for what the oldest obligations lack; the rest is paid in advance. Returns how much has counted.
 *
 *   overdue 35.52: 18.72 principal, 16.80 interest    a payment of 35.48, interest first: 16.80 overdue interest,
 *                                                     16.80 interest not due, 1.88 principal
 *   the obligation counts 35.48 and lacks 0.04        16.80 of overdue principal is not due any more: later rows have it
 */
export function countInOrder(state: LedgerState, { aheadCents, feesCents }: AboveDue, money: MetBy): number {
  // A fee for which other money was counted keeps balances above what obligations lack, until it is paid.
  const isMatched = feesCents === 0 && state.openFeesCents === 0 && isOverdueMatched(state);
  if ((aheadCents === 0 && isMatched) || !isCounting(state)) return 0;
  const countedCents = aheadCents === 0 ? 0 : Math.min(aheadCents, lackedCents(state));
  if (countedCents > 0) fulfil(state, countedCents, money);
  if (countedCents > 0 || !isMatched) returnAbove(state);
  return countedCents;
}

/** The parts of a payment that lowered balances which are not due, and fees. */
export interface AboveDue {
  readonly aheadCents: number;
  readonly feesCents: number;
}

/** The same for money that counts for the oldest obligations and has no part in advance. */
export function matchBalances(state: LedgerState): void {
  if (isCounting(state)) returnAbove(state);
}

/** Whether overdue balances equal what overdue obligations lack: nearly always. Reads only the open obligations. */
function isOverdueMatched(state: LedgerState): boolean {
  const { obligations, firstOpenObligation } = state;
  if (obligations.length - firstOpenObligation < 2) return true;
  let lackingCents = state.overduePrincipalCents + state.overdueInterestCents + state.overdueOriginationFeeCents;
  for (let at = firstOpenObligation; at < obligations.length; at += 1) {
    const obligation = obligations[at];
    if (obligation?.isEnforced === true) lackingCents -= obligation.remainingCents;
  }
  return lackingCents === 0;
}

/** Whether obligations count money that lowered balances which are not due. */
export const isCounting = (state: LedgerState): boolean => state.scheduledFacts === null && isCountedInOrder(state);

/** What unfulfilled obligations lack. */
function lackedCents({ obligations, firstOpenObligation }: LedgerState): number {
  let total = 0;
  for (let at = firstOpenObligation; at < obligations.length; at += 1) {
    const obligation = obligations[at];
    if (obligation !== undefined && !obligation.isFulfilled) total += obligation.remainingCents;
  }
  return total;
}

/**
 * Overdue balances above what overdue obligations lack become due as far as other obligations lack due balances, since their money has
 * counted for older obligations. The rest, and due balances above what obligations lack, become non-due: principal first, then interest
 * and the origination fee.
 */
function returnAbove(state: LedgerState): void {
  lower(state, 'overdue', aboveObligations(state, 'overdue'), Math.max(0, -aboveObligations(state, 'due')));
  // Money may have paid overdue balances instead of due ones: the balances must not exceed what all obligations lack.
  const aboveCents = aboveObligations(state, 'due');
  lower(state, 'due', Math.min(aboveCents, aboveCents + aboveObligations(state, 'overdue')), 0);
}

const ORIGINATION_FEE = { overdue: 'overdueOriginationFeeCents', due: 'dueOriginationFeeCents' } as const;

function lower(state: LedgerState, lateness: Lateness, aboveCents: number, missingCents: number): void {
  const above = { leftCents: Math.max(0, aboveCents), missingCents };
  returnToNonDue(state, lateness, above);
  if (state.obligations.length === 0) return;
  const originationCents = takeAbove(state, ORIGINATION_FEE[lateness], ORIGINATION_FEE.due, above);
  state.nonDueOriginationFeeCents += originationCents;
  state.originationAskedCents += originationCents;
}

/** By how much the due or overdue balances that obligations carry are above what those obligations lack. */
function aboveObligations(state: LedgerState, lateness: Lateness): number {
  const { principal, interest } = CARRIED[lateness];
  let total = state[principal] + state[interest];
  // A separate origination fee is due by itself until the first obligation includes it.
  if (state.obligations.length > 0) total += state[ORIGINATION_FEE[lateness]];
  for (const fee of state.fees) if (fee.carriedBy !== null && fee.dueStatus === lateness) total += fee.openCents;
  for (const obligation of state.obligations) if (obligation.isEnforced === (lateness === 'overdue')) total -= obligation.remainingCents;
  return total;
}

/**
 * Once every obligation is fulfilled, no obligation carries the fees for which other money was counted: they are due by themselves, and the
 * next obligation includes them. The newest fees first, since money pays the oldest first. Returns the money that was counted for them: it
 * is paid in advance again.
 */
export function releaseFees(state: LedgerState): number {
  if (state.openFeesCents === 0 || state.firstOpenObligation < state.obligations.length || !isCounting(state)) return 0;
  const aboveCents = aboveObligations(state, 'overdue') + aboveObligations(state, 'due');
  let leftCents = aboveCents;
  for (let at = state.fees.length - 1; at >= 0 && leftCents > 0; at -= 1) {
    const fee = state.fees[at];
    if (fee === undefined || fee.carriedBy === null || fee.openCents === 0 || fee.openCents > leftCents) continue;
    fee.carriedBy = null;
    fee.dueStatus = 'due';
    leftCents -= fee.openCents;
  }
  return aboveCents - leftCents;
}
