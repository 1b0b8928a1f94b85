import { plusCents } from '../core/interest.js';
import { fulfil, type MetBy } from './fulfil.js';
import { holds } from '../core/rules.js';
import type { LedgerState } from './state.js';

/**
 * An obligation counts money in the order of obligations, whatever the waterfall does with components: money that met
 * what is not due counts for what the oldest obligations lack, and the rest of it is ahead. Answers how much has counted.
 *
 *   overdue 35.52: 18.72 principal, 16.80 interest       money, interest first: 16.80 overdue interest, 16.80 interest not due, 1.88
 * principal
 *   the obligation counts all of 35.48 and lacks 0.04    16.80 of overdue principal is not due any more: later rows ask for it
 */
export function countInOrder(state: LedgerState, { aheadCents, feesCents }: AboveDue, money: MetBy): number {
  // A fee for which other money was counted keeps balances above what obligations lack, until it is met.
  const isMatched = feesCents === 0 && state.openFeesCents === 0 && isOverdueMatched(state);
  if ((aheadCents === 0 && isMatched) || !isCounting(state)) return 0;
  const countedCents = aheadCents === 0 ? 0 : Math.min(aheadCents, lackedCents(state));
  if (countedCents > 0) fulfil(state, countedCents, money);
  if (countedCents > 0 || !isMatched) returnToNonDue(state);
  return countedCents;
}

/** What of a payment met balances that are not due, and what met fees. */
export interface AboveDue {
  readonly aheadCents: number;
  readonly feesCents: number;
}

/** The same for what takes money off balances and counts for the oldest obligations without anything ahead. */
export function matchBalances(state: LedgerState): void {
  if (isCounting(state)) returnToNonDue(state);
}

/** Whether overdue balances are just what overdue obligations lack: nearly always, and seen by the open ones alone. */
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

/** Whether obligations count money that met what is not due. */
export const isCounting = (state: LedgerState): boolean =>
  (state.status === 'active' || state.status === 'frozen') && state.scheduledFacts === null && holds(state, 'obligationsInOrder');

/** What obligations lack that are not fulfilled. */
function lackedCents({ obligations, firstOpenObligation }: LedgerState): number {
  let total = 0;
  for (let at = firstOpenObligation; at < obligations.length; at += 1) {
    const obligation = obligations[at];
    if (obligation !== undefined && !obligation.isFulfilled) total += obligation.remainingCents;
  }
  return total;
}

/**
 * What is overdue above what overdue obligations lack makes good what others lack of what is due, since money for those has counted for
 * the older ones; the rest of it, and what is due above what obligations lack, is not due: principal first, then interest and the
 * origination fee.
 */
function returnToNonDue(state: LedgerState): void {
  lower(state, 'overdue', aboveObligations(state, 'overdue'), Math.max(0, -aboveObligations(state, 'due')));
  // Money may have met what is overdue in place of what is due: no more is asked for than obligations lack in all.
  const aboveCents = aboveObligations(state, 'due');
  lower(state, 'due', Math.min(aboveCents, aboveCents + aboveObligations(state, 'overdue')), 0);
}

/** The balances that obligations carry, beside fees. */
const CARRIED = {
  overdue: { principal: 'overduePrincipalCents', interest: 'overdueInterestCents', originationFee: 'overdueOriginationFeeCents' },
  due: { principal: 'duePrincipalCents', interest: 'dueInterestCents', originationFee: 'dueOriginationFeeCents' },
} as const;

/** Due, or overdue. */
type Lateness = keyof typeof CARRIED;

function lower(state: LedgerState, lateness: Lateness, aboveCents: number, toDueCents: number): void {
  let leftCents = Math.max(0, aboveCents);
  let missingCents = toDueCents;
  /** Answers what of it is not due any more. */
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
  // A separate origination fee is due by itself until the first obligation takes it in.
  if (state.obligations.length > 0) total += state[originationFee];
  for (const fee of state.fees) if (fee.carriedBy !== null && fee.dueStatus === lateness) total += fee.openCents;
  for (const obligation of state.obligations) if (obligation.isEnforced === (lateness === 'overdue')) total -= obligation.remainingCents;
  return total;
}

/**
 * Once every obligation is fulfilled, a fee that other money was counted for is carried by none: it is due by itself, and the next
 * obligation takes it in. The newest fees first: money meets the oldest ones first. Answers how much money had been counted for them: it
 * is ahead again.
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

/** A part of money that somebody watches: the obligation that it has met, or that it met what is not due. */
export interface WatchedPart {
  readonly obligation: number | null;
  readonly amountCents: number;
  readonly isAhead?: true;
}

/** Money that an obligation has counted. */
export type Counted = Pick<WatchedPart, 'obligation' | 'amountCents'>;

/**
 * The parts of money in their order, with the obligations that have counted what met what is not due: the first of it, and none the rest.
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
