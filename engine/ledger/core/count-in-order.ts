import type { BalancesByDueStatus } from './balances.js';
import type { ObligationLedger } from './entries.js';
import { plusCents } from './interest.js';
import { holds } from './rules.js';

/** Due, or overdue. */
export type Lateness = keyof typeof CARRIED;

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

/** The balances that obligations carry, without fees. */
export const CARRIED = {
  overdue: { principal: 'overduePrincipalCents', interest: 'overdueInterestCents' },
  due: { principal: 'duePrincipalCents', interest: 'dueInterestCents' },
} as const;

/** Due or overdue balances above what obligations lack, and the part of them that other obligations lack as due balances. */
export interface AboveObligations {
  leftCents: number;
  missingCents: number;
}

/** Lowers due or overdue balances: the part that other obligations lack becomes due, the rest non-due. Principal first, then interest. */
export function returnToNonDue(balances: BalancesByDueStatus, lateness: Lateness, above: AboveObligations): void {
  balances.nonDuePrincipalCents += takeAbove(balances, CARRIED[lateness].principal, CARRIED.due.principal, above);
  balances.nonDueInterest = plusCents(
    balances.nonDueInterest,
    takeAbove(balances, CARRIED[lateness].interest, CARRIED.due.interest, above),
  );
}

/** Takes from one balance, as much as there is. Returns the part that is not due any more. */
export function takeAbove<Balance extends string>(
  balances: { [Name in Balance]: number },
  balance: Balance,
  due: Balance,
  above: AboveObligations,
): number {
  const amountCents = Math.min(above.leftCents, balances[balance]);
  const stillDueCents = Math.min(amountCents, above.missingCents);
  balances[balance] -= amountCents;
  balances[due] += stillDueCents;
  above.leftCents -= amountCents;
  above.missingCents -= stillDueCents;
  return amountCents - stillDueCents;
}

/** Whether obligations count money that lowered balances which are not due. */
export const isCountedInOrder = (state: ObligationLedger): boolean =>
  (state.status === 'active' || state.status === 'frozen') && holds(state, 'obligationsInOrder');
