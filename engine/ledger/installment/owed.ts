import type { LedgerState } from './state.js';

/** What the borrower owes in whole cents, charged-off parts included. */
export function owedCents(state: LedgerState): number {
  return outstandingCents(state) + state.chargedOffPrincipalCents + state.chargedOffInterestCents + state.chargedOffOriginationFeeCents;
}

/** Non-due, due and overdue balances in whole cents; the fraction of interest that nobody can pay is left out. */
function outstandingCents(state: LedgerState): number {
  return (
    state.nonDuePrincipalCents +
    state.duePrincipalCents +
    state.overduePrincipalCents +
    state.nonDueInterest.cents +
    state.dueInterestCents +
    state.overdueInterestCents +
    state.nonDueOriginationFeeCents +
    state.dueOriginationFeeCents +
    state.overdueOriginationFeeCents +
    state.openFeesCents
  );
}
