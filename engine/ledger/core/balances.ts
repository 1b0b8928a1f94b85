import type { DueStatus } from '../../waterfall.js';
import { type Interest, minusCents, NO_INTEREST } from './interest.js';

/** Principal and interest, overdue or not: of an installment loan, or of one draw of a line. */
export interface BalancesByDueStatus {
  nonDuePrincipalCents: number;
  duePrincipalCents: number;
  overduePrincipalCents: number;
  chargedOffPrincipalCents: number;
  /** Exact. Whole cents move out of it when they fall due or are paid. */
  nonDueInterest: Interest;
  dueInterestCents: number;
  overdueInterestCents: number;
  chargedOffInterestCents: number;
}

export function takePrincipal(balances: BalancesByDueStatus, dueStatus: DueStatus, upToCents: number): number {
  switch (dueStatus) {
    case 'nonDue': {
      const amountCents = Math.min(upToCents, balances.nonDuePrincipalCents);
      balances.nonDuePrincipalCents -= amountCents;
      return amountCents;
    }
    case 'due': {
      const amountCents = Math.min(upToCents, balances.duePrincipalCents);
      balances.duePrincipalCents -= amountCents;
      return amountCents;
    }
    case 'overdue': {
      const amountCents = Math.min(upToCents, balances.overduePrincipalCents);
      balances.overduePrincipalCents -= amountCents;
      return amountCents;
    }
  }
}

/** Interest that is not due is paid in whole cents only; the fraction stays. */
export function takeInterest(balances: BalancesByDueStatus, dueStatus: DueStatus, upToCents: number): number {
  switch (dueStatus) {
    case 'nonDue': {
      const amountCents = Math.min(upToCents, balances.nonDueInterest.cents);
      if (amountCents > 0) balances.nonDueInterest = minusCents(balances.nonDueInterest, amountCents);
      return amountCents;
    }
    case 'due': {
      const amountCents = Math.min(upToCents, balances.dueInterestCents);
      balances.dueInterestCents -= amountCents;
      return amountCents;
    }
    case 'overdue': {
      const amountCents = Math.min(upToCents, balances.overdueInterestCents);
      balances.overdueInterestCents -= amountCents;
      return amountCents;
    }
  }
}

/** Principal and interest that are not due fall due; of the interest only whole cents. */
export function moveAllToDue(balances: BalancesByDueStatus): void {
  balances.duePrincipalCents += balances.nonDuePrincipalCents;
  balances.dueInterestCents += balances.nonDueInterest.cents;
  balances.nonDuePrincipalCents = 0;
  balances.nonDueInterest = NO_INTEREST;
}

export function moveDueToOverdue(balances: BalancesByDueStatus): void {
  balances.overduePrincipalCents += balances.duePrincipalCents;
  balances.overdueInterestCents += balances.dueInterestCents;
  balances.duePrincipalCents = 0;
  balances.dueInterestCents = 0;
}

/** Due and overdue balances become charged off. */
export function moveToChargedOff(balances: BalancesByDueStatus): void {
  balances.chargedOffPrincipalCents += balances.duePrincipalCents + balances.overduePrincipalCents;
  balances.chargedOffInterestCents += balances.dueInterestCents + balances.overdueInterestCents;
  balances.duePrincipalCents = 0;
  balances.overduePrincipalCents = 0;
  balances.dueInterestCents = 0;
  balances.overdueInterestCents = 0;
}

export function clearBalances(balances: BalancesByDueStatus): void {
  balances.nonDuePrincipalCents = 0;
  balances.duePrincipalCents = 0;
  balances.overduePrincipalCents = 0;
  balances.chargedOffPrincipalCents = 0;
  balances.nonDueInterest = NO_INTEREST;
  balances.dueInterestCents = 0;
  balances.overdueInterestCents = 0;
  balances.chargedOffInterestCents = 0;
}

export const hasDue = ({ duePrincipalCents, dueInterestCents }: BalancesByDueStatus): boolean =>
  duePrincipalCents > 0 || dueInterestCents > 0;

/** All principal, charged off or not. */
export const owedPrincipalCents = (balances: BalancesByDueStatus): number =>
  balances.nonDuePrincipalCents + balances.duePrincipalCents + balances.overduePrincipalCents + balances.chargedOffPrincipalCents;

/** All interest in whole cents, charged off or not: a fraction of a cent cannot be paid. */
export const owedInterestCents = (balances: BalancesByDueStatus): number =>
  balances.nonDueInterest.cents + balances.dueInterestCents + balances.overdueInterestCents + balances.chargedOffInterestCents;
