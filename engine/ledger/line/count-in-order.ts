import { holds } from '../core/rules.js';
import { plusCents } from '../core/interest.js';
import { allFees, feesOf } from './fees-of.js';
import { meetPart, type Met } from './meet.js';
import type { DrawState, LineState } from './state.js';

/**
 * An obligation counts money in the order of obligations, whatever the waterfall does with draws and components: money
 * that met what is not due, of any draw, counts for what the oldest obligations lack. So much of what their draws have due is not due any
 * more: a later statement asks for it. Answers how much has counted.
 */
export function countInOrder(state: LineState, aheadCents: number, money: Omit<Met, 'draw'> & { readonly tally: Tally }): number {
  if (!isCounting(state)) return 0;
  let leftCents = aheadCents;
  for (let at = state.firstOpenObligation; at < state.obligations.length && leftCents > 0; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || obligation.isFulfilled) continue;
    for (const { draw } of obligation.draws) leftCents -= meetPart(state, obligation, leftCents, { ...money, draw });
  }
  const countedCents = aheadCents - leftCents;
  const isOfSeveral = state.obligations.length - state.firstOpenObligation > 1;
  const areFeesMet = money.tally.splits.some(({ feesCents }) => feesCents > 0);
  if (countedCents > 0 || isOfSeveral || areFeesMet || allFees(state).some(({ openCents }) => openCents > 0))
    for (const draw of state.draws) returnToNonDue(state, draw);
  return countedCents;
}

interface Tally {
  readonly splits: readonly { readonly feesCents: number }[];
  toLateFeesCents: number;
}

/** The same for what takes money off balances and counts for the oldest obligations without anything ahead. */
export function returnAllToNonDue(state: LineState): void {
  if (isCounting(state)) for (const draw of state.draws) returnToNonDue(state, draw);
}

/** Whether obligations count money that met what is not due. */
export const isCounting = (state: LineState): boolean =>
  (state.status === 'active' || state.status === 'frozen') && holds(state, 'obligationsInOrder');

/**
 * What a draw has overdue above what overdue obligations ask of it makes good what others lack of what it has due; the rest of it, and
 * what is due above what obligations ask of the draw, is not due: principal first.
 */
function returnToNonDue(state: LineState, draw: DrawState): void {
  lower(draw, 'overdue', aboveObligations(state, draw, 'overdue'), Math.max(0, -aboveObligations(state, draw, 'due')));
  // Money may have met what is overdue in place of what is due: no more is asked for than obligations lack in all.
  const aboveCents = aboveObligations(state, draw, 'due');
  lower(draw, 'due', Math.min(aboveCents, aboveCents + aboveObligations(state, draw, 'overdue')), 0);
}

/** The balances of a draw that obligations carry, beside fees. */
const CARRIED = {
  overdue: { principal: 'overduePrincipalCents', interest: 'overdueInterestCents' },
  due: { principal: 'duePrincipalCents', interest: 'dueInterestCents' },
} as const;

/** Due, or overdue. */
type Lateness = keyof typeof CARRIED;

function lower({ balances }: DrawState, lateness: Lateness, aboveCents: number, toDueCents: number): void {
  let leftCents = Math.max(0, aboveCents);
  let missingCents = toDueCents;
  /** Answers what of it is not due any more. */
  const take = (component: keyof (typeof CARRIED)['due']): number => {
    const amountCents = Math.min(leftCents, balances[CARRIED[lateness][component]]);
    const stillDueCents = Math.min(amountCents, missingCents);
    balances[CARRIED[lateness][component]] -= amountCents;
    balances[CARRIED.due[component]] += stillDueCents;
    leftCents -= amountCents;
    missingCents -= stillDueCents;
    return amountCents - stillDueCents;
  };
  balances.nonDuePrincipalCents += take('principal');
  balances.nonDueInterest = plusCents(balances.nonDueInterest, take('interest'));
}

/** By how much what obligations carry of a draw that is due or overdue, or of the line's own fees (null), is above what they lack of it. */
function aboveObligations(state: LineState, draw: DrawState | null, lateness: Lateness): number {
  const { principal, interest } = CARRIED[lateness];
  let total = draw === null ? 0 : draw.balances[principal] + draw.balances[interest];
  for (const fee of feesOf(state, draw)) if (fee.carriedBy !== null && fee.standing === lateness) total += fee.openCents;
  for (const { draws, isEnforced } of state.obligations) {
    if (isEnforced !== (lateness === 'overdue')) continue;
    for (const part of draws) if (part.draw === (draw?.draw ?? null)) total -= part.remainingCents;
  }
  return total;
}

/**
 * Once every obligation is fulfilled, a fee that other money was counted for is carried by none: it is due by itself, and the next
 * statement takes it in. The newest fees first: money meets the oldest ones first. Answers how much money had been counted for them: it is
 * ahead again.
 */
export function releaseFees(state: LineState): number {
  if (state.firstOpenObligation < state.obligations.length || !isCounting(state)) return 0;
  let releasedCents = 0;
  for (const holder of [null, ...state.draws]) {
    let leftCents: number | null = null;
    for (const fee of [...feesOf(state, holder)].reverse()) {
      if (fee.carriedBy === null || fee.openCents === 0) continue;
      leftCents ??= aboveObligations(state, holder, 'overdue') + aboveObligations(state, holder, 'due');
      if (fee.openCents > leftCents) continue;
      fee.carriedBy = null;
      fee.standing = 'due';
      leftCents -= fee.openCents;
      releasedCents += fee.openCents;
    }
  }
  return releasedCents;
}
