import { holds, plusCents } from '../replay/shared.js';
import { allFees, feesOf } from './fees-of.js';
import { meetPart, type Met } from './meet.js';
import type { DrawState, LineState } from './state.js';

/**
 * An obligation counts money in the order of obligations, whatever the waterfall does with draws and components (loan-terms 3.2): money
 * that met what is not due, of any draw, counts for what the oldest obligations lack. So much of what their draws have due is not due any
 * more: a later statement asks for it. Answers how much has counted.
 */
export function countInOrder(state: LineState, aheadCents: number, money: Omit<Met, 'draw'>): number {
  if (!isCounting(state)) return 0;
  let leftCents = aheadCents;
  for (let at = state.firstOpenObligation; at < state.obligations.length && leftCents > 0; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || obligation.isFulfilled) continue;
    for (const { draw } of obligation.draws) leftCents -= meetPart(obligation, leftCents, { ...money, draw });
  }
  const countedCents = aheadCents - leftCents;
  if (countedCents > 0 || allFees(state).some(({ openCents }) => openCents > 0))
    for (const draw of state.draws) returnToNonDue(state, draw);
  return countedCents;
}

/** Whether obligations count money that met what is not due. */
export const isCounting = (state: LineState): boolean =>
  (state.status === 'active' || state.status === 'frozen') && holds(state, 'obligationsInOrder');

/** What a draw has due and overdue above what obligations ask of it is not due: principal first. */
function returnToNonDue(state: LineState, draw: DrawState): void {
  const { balances } = draw;
  let leftCents = aboveObligations(state, draw);
  const take = (balance: 'overduePrincipalCents' | 'duePrincipalCents' | 'overdueInterestCents' | 'dueInterestCents'): number => {
    const amountCents = Math.min(leftCents, balances[balance]);
    balances[balance] -= amountCents;
    leftCents -= amountCents;
    return amountCents;
  };
  if (leftCents <= 0) return;
  balances.nonDuePrincipalCents += take('overduePrincipalCents') + take('duePrincipalCents');
  balances.nonDueInterest = plusCents(balances.nonDueInterest, take('overdueInterestCents') + take('dueInterestCents'));
}

/** By how much what obligations carry of a draw, or of the line's own fees (null), is above what they lack of it. */
function aboveObligations(state: LineState, draw: DrawState | null): number {
  const { overduePrincipalCents = 0, duePrincipalCents = 0, overdueInterestCents = 0, dueInterestCents = 0 } = draw?.balances ?? {};
  let total = overduePrincipalCents + duePrincipalCents + overdueInterestCents + dueInterestCents;
  for (const fee of feesOf(state, draw)) if (fee.carriedBy !== null && fee.standing !== 'nonDue') total += fee.openCents;
  for (const { draws } of state.obligations) for (const part of draws) if (part.draw === (draw?.draw ?? null)) total -= part.remainingCents;
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
      leftCents ??= aboveObligations(state, holder);
      if (fee.openCents > leftCents) continue;
      fee.carriedBy = null;
      fee.standing = 'due';
      leftCents -= fee.openCents;
      releasedCents += fee.openCents;
    }
  }
  return releasedCents;
}
