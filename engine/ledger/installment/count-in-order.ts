import { plusCents } from '../core/interest.js';
import { fulfil, type MetBy } from './fulfil.js';
import { holds } from '../core/rules.js';
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
  if (countedCents > 0 || !isMatched) returnToNonDue(state);
  return countedCents;
}

/** The parts of a payment that lowered balances which are not due, and fees. */
export interface AboveDue {
  readonly aheadCents: number;
  readonly feesCents: number;
}

/** The same for money that counts for the oldest obligations and has no part in advance. */
export function matchBalances(state: LedgerState): void {
  if (isCounting(state)) returnToNonDue(state);
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
export const isCounting = (state: LedgerState): boolean =>
  (state.status === 'active' || state.status === 'frozen') && state.scheduledFacts === null && holds(state, 'obligationsInOrder');

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
function returnToNonDue(state: LedgerState): void {
  lower(state, 'overdue', aboveObligations(state, 'overdue'), Math.max(0, -aboveObligations(state, 'due')));
  // Money may have paid overdue balances instead of due ones: the balances must not exceed what all obligations lack.
  const aboveCents = aboveObligations(state, 'due');
  lower(state, 'due', Math.min(aboveCents, aboveCents + aboveObligations(state, 'overdue')), 0);
}

/** The balances that obligations carry, without fees. */
const CARRIED = {
  overdue: { principal: 'overduePrincipalCents', interest: 'overdueInterestCents', originationFee: 'overdueOriginationFeeCents' },
  due: { principal: 'duePrincipalCents', interest: 'dueInterestCents', originationFee: 'dueOriginationFeeCents' },
} as const;

/** Due, or overdue. */
type Lateness = keyof typeof CARRIED;

function lower(state: LedgerState, lateness: Lateness, aboveCents: number, toDueCents: number): void {
  let leftCents = Math.max(0, aboveCents);
  let missingCents = toDueCents;
  /** Returns the part that is not due any more. */
  const take = (component: keyof (typeof CARRIED)['due']): number => {
    const amountCents = Math.min(leftCents, state[CARRIED[lateness][component]]);
    const stillDueCents = Math.min(amountCents, missingCents);
    state[CARRIED[lateness][component]] -= amountCents;
    state[CARRIED.due[component]] += stillDueCents;
    leftCents -= amountCents;
    missingCents -= stillDueCents;
    return amountCents - stillDueCents;
  };
  state.nonDuePrincipalCents += take('principal');
  state.nonDueInterest = plusCents(state.nonDueInterest, take('interest'));
  if (state.obligations.length === 0) return;
  const originationCents = take('originationFee');
  state.nonDueOriginationFeeCents += originationCents;
  state.originationAskedCents += originationCents;
}

/** By how much the due or overdue balances that obligations carry are above what those obligations lack. */
function aboveObligations(state: LedgerState, lateness: Lateness): number {
  const { principal, interest, originationFee } = CARRIED[lateness];
  let total = state[principal] + state[interest];
  // A separate origination fee is due by itself until the first obligation includes it.
  if (state.obligations.length > 0) total += state[originationFee];
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

/** A part of watched money: the obligation for which it counts, or money in advance. */
export interface WatchedPart {
  readonly obligation: number | null;
  readonly amountCents: number;
  readonly isAhead?: true;
}

/** Money that counts for an obligation. */
export type Counted = Pick<WatchedPart, 'obligation' | 'amountCents'>;

/**
 * The parts of money in their order. Parts in advance get the obligations that have counted them, from the first part on; the rest has
 * none.
 */
export function assignCounted<Part extends WatchedPart>(parts: readonly Part[], counted: readonly Counted[]): readonly Part[] {
  const assigned: Part[] = [];
  let at = 0;
  let countedCents = 0;
  for (const part of parts) {
    if (part.isAhead !== true) {
      assigned.push(part);
      continue;
    }
    let leftCents = part.amountCents;
    for (let by = counted[at]; by !== undefined && leftCents > 0; by = counted[at]) {
      const amountCents = Math.min(leftCents, by.amountCents - countedCents);
      assigned.push({ ...part, obligation: by.obligation, amountCents });
      leftCents -= amountCents;
      countedCents += amountCents;
      if (countedCents < by.amountCents) continue;
      at += 1;
      countedCents = 0;
    }
    if (leftCents > 0) assigned.push({ ...part, amountCents: leftCents });
  }
  return assigned;
}
