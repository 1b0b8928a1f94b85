import { addDays, type Day } from '../../calendar/index.js';
import { type Accrued, type Cents, cents } from '../../money/index.js';
import { blockOf, interestAndFeesOf, paidOf, sumOfBlocks } from '../core/balance-views.js';
import { owedInterestCents, owedPrincipalCents } from '../core/balances.js';
import { accruedOf, minus } from '../core/interest.js';
import type { FeeDueStatus } from '../core/state.js';
import type { BalanceBlock, Balances, Payoff } from '../core/views.js';
import { accrueTo } from './accrue.js';
import { advanceTo } from './advance.js';
import { copyState, copyTotals } from './copies.js';
import { cloneState } from './digest.js';
import { owedFeesCents } from './due.js';
import { scheduledPayoff } from './scheduled-interest/pay.js';
import type { LedgerState } from './state.js';

/** All blocks of balances on the state's day. */
export function balancesOf(state: LedgerState): Balances {
  const block = (dueStatus: FeeDueStatus, originationCents: number): BalanceBlock =>
    blockOf(state, state.fees, { dueStatus, originationCents });
  const nonDue = block('nonDue', state.nonDueOriginationFeeCents);
  const due = block('due', state.dueOriginationFeeCents);
  const overdue = block('overdue', state.overdueOriginationFeeCents);
  const chargedOff = block('chargedOff', state.chargedOffOriginationFeeCents);
  return {
    outstanding: sumOfBlocks([nonDue, due, overdue]),
    nonDue,
    due,
    overdue,
    chargedOff,
    paid: paidOf(state.totals),
    interestAndFees: interestAndFeesOf(state.totals, { forgoneCap: state.totals.forgoneCap, dailyInterest: dailyInterestOf(state) }),
  };
}

/** The interest of the state's day on its current balances. */
function dailyInterestOf(state: LedgerState): Accrued {
  // Accrual changes nothing that a shallow copy shares.
  const next = copyState(state);
  next.watcher = null;
  next.totals = copyTotals(state.totals);
  accrueTo(next, addDays(state.day, 1));
  return accruedOf(minus(next.totals.interestAccrued, state.totals.interestAccrued));
}

/**
 * The payment on `day` (the state's day or later) that leaves nothing, if there are no payments until then: the outstanding
 * balance with the interest of every day before it, truncated to the cent.
 */
export function payoffOf(state: LedgerState, day: Day): Payoff {
  const copy = cloneState(state);
  advanceTo(copy, day);
  const principal = owedPrincipalCents(copy);
  const interest = owedInterestCents(copy);
  const fees = owedFeesCents(copy);
  const processing = sumProcessingCents(state);
  if (copy.scheduledFacts !== null) return payoffByInstallment(copy, cents(processing));
  return {
    day,
    payoffCents: cents(principal + interest + fees),
    principalCents: cents(principal),
    interestCents: cents(interest),
    feesCents: cents(fees),
    dailyInterest: dailyInterestOf(copy),
    processingCents: cents(processing),
  };
}

function payoffByInstallment(state: LedgerState, processingCents: Cents): Payoff {
  const { day } = state;
  const parts = scheduledPayoff(state, day);
  const payoffCents = cents(parts.principalCents + parts.interestCents + parts.feesCents);
  return { day, payoffCents, ...parts, dailyInterest: dailyInterestOf(state), processingCents };
}

function sumProcessingCents({ payments, processingPayments }: LedgerState): number {
  let sumCents = 0;
  let leftPayments = processingPayments;
  for (let at = payments.length - 1; at >= 0 && leftPayments > 0; at -= 1) {
    const payment = payments.at(at);
    if (payment?.isProcessing !== true) continue;
    leftPayments -= 1;
    sumCents += payment.amountCents;
  }
  return sumCents;
}
