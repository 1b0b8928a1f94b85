import { accruedOf, balancesOf, type LedgerState } from '../../../../engine/index.js';

const CENT = 160_308_000_000_000n;

/** Invariants of a ledger on every day. */
export function isNothingNegative(state: LedgerState): boolean {
  const numbers = [
    state.nonDuePrincipalCents,
    state.duePrincipalCents,
    state.overduePrincipalCents,
    state.chargedOffPrincipalCents,
    state.dueInterestCents,
    state.overdueInterestCents,
    state.chargedOffInterestCents,
    state.nonDueOriginationFeeCents,
    state.dueOriginationFeeCents,
    state.overdueOriginationFeeCents,
    state.openFeesCents,
    state.prepaidCents,
    state.processingPayments,
    ...state.fees.map((fee) => fee.openCents),
    ...state.obligations.flatMap((obligation) => [obligation.remainingCents, obligation.amountCents, obligation.principalCents]),
    ...state.obligations.map((obligation) => obligation.withoutLateFeesCents),
  ];
  return accruedOf(state.nonDueInterest) >= 0n && numbers.every((value) => Number.isSafeInteger(value) && value >= 0);
}

/** All lent, accrued and charged amounts are paid, owed or forgiven, and all money is allocated. */
export function isNothingLost(state: LedgerState): boolean {
  const { terms, totals } = state;
  const principal = state.nonDuePrincipalCents + state.duePrincipalCents + state.overduePrincipalCents + state.chargedOffPrincipalCents;
  const interest = state.dueInterestCents + state.overdueInterestCents + state.chargedOffInterestCents;
  const origination =
    state.nonDueOriginationFeeCents + state.dueOriginationFeeCents + state.overdueOriginationFeeCents + state.chargedOffOriginationFeeCents;
  const principalHolds =
    terms.principalCents + totals.advancedCents + totals.owedAgainCents + totals.capitalizedInterestCents ===
    principal + totals.paidPrincipalCents;
  const settled = BigInt(interest + totals.paidInterestCents + totals.capitalizedInterestCents) * CENT;
  const interestHolds =
    accruedOf(totals.interestAccrued) ===
    accruedOf(state.nonDueInterest) + settled + accruedOf(totals.forgoneRounding) + accruedOf(totals.reversedInterest);
  const feesHold = totals.feesChargedCents === origination + state.openFeesCents + totals.paidFeesCents + totals.reversedFeesCents;
  const paid = totals.paidPrincipalCents + totals.paidInterestCents + totals.paidFeesCents + totals.paidOverCents;
  return principalHolds && interestHolds && feesHold && paid === totals.paymentsCents + totals.creditsCents + totals.refundsCents;
}

/** Obligations sum to the due and overdue balances, except for fees for which they have counted other money. */
export function areObligationsWhole(state: LedgerState): boolean {
  const loose = state.fees.reduce((sum, fee) => (fee.dueStatus === 'due' && fee.carriedBy === null ? sum + fee.openCents : sum), 0);
  const separate = state.obligations.length === 0 ? state.dueOriginationFeeCents : 0;
  const balances = balancesOf(state);
  const carried = balances.due.totalCents + balances.overdue.totalCents + balances.chargedOff.totalCents - loose - separate;
  const feesCents = state.fees.reduce((sum, fee) => (fee.carriedBy === null ? sum : sum + fee.openCents), 0);
  const aboveCents = carried - state.obligations.reduce((sum, obligation) => sum + obligation.remainingCents, 0);
  if (aboveCents < 0 || aboveCents > feesCents) return false;
  if (state.status !== 'active' && state.status !== 'frozen') return true;
  const enforced = state.obligations.filter(({ isEnforced }) => isEnforced);
  const overdueCents = balances.overdue.totalCents - remainingOf(enforced);
  // Money may have paid overdue balances within the tolerance instead of due ones.
  return overdueCents >= -remainingOf(enforced.filter(({ isFulfilled }) => isFulfilled)) && overdueCents <= feesCents;
}

const remainingOf = (obligations: LedgerState['obligations']): number =>
  obligations.reduce((sum, { remainingCents }) => sum + remainingCents, 0);
