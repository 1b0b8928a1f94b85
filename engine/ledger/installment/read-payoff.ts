import type { Day } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import { advanceTo } from './advance.js';
import { cloneState } from './clone.js';
import { dailyInterestOf } from './read-balances.js';
import { keptPayoff } from './kept/project.js';
import type { LedgerState } from './state.js';
import type { Payoff } from '../core/views.js';

/**
 * What a payment on `day` (the state's or a later one) must be to leave nothing: the outstanding balance with the
 * interest of every day before it, truncated to the cent. Without payments until then.
 */
export function payoffOf(state: LedgerState, day: Day): Payoff {
  const copy = cloneState(state);
  advanceTo(copy, day);
  const principal = copy.nonDuePrincipalCents + copy.duePrincipalCents + copy.overduePrincipalCents + copy.chargedOffPrincipalCents;
  const interest = copy.nonDueInterest.cents + copy.dueInterestCents + copy.overdueInterestCents + copy.chargedOffInterestCents;
  const origination =
    copy.nonDueOriginationFeeCents + copy.dueOriginationFeeCents + copy.overdueOriginationFeeCents + copy.chargedOffOriginationFeeCents;
  const fees = origination + copy.openFeesCents;
  const processing = processingCents(state);
  if (copy.instalmentFacts !== null) return payoffByInstalment(copy, processing as Cents);
  return {
    day,
    payoffCents: (principal + interest + fees) as Cents,
    principalCents: principal as Cents,
    interestCents: interest as Cents,
    feesCents: fees as Cents,
    dailyInterest: dailyInterestOf(copy),
    processingCents: processing as Cents,
  };
}

function payoffByInstalment(state: LedgerState, processingCents: Cents): Payoff {
  const { day } = state;
  const parts = keptPayoff(state, day);
  const payoffCents = (parts.principalCents + parts.interestCents + parts.feesCents) as Cents;
  return { day, payoffCents, ...parts, dailyInterest: dailyInterestOf(state), processingCents };
}

function processingCents({ payments, processingPayments }: LedgerState): number {
  if (processingPayments === 0) return 0;
  return payments.reduce((sum, payment) => (payment.isProcessing ? sum + payment.amountCents : sum), 0);
}
