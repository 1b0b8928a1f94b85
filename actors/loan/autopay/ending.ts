import type { FactDraft } from '../../kernel/fact.js';
import { isWithAgency, statusOf } from '../context.js';
import type { LoanStatus } from '../machine.js';
import type { LoanState } from '../state.js';
import { moveDraft } from '../transactions/moves.js';
import { nextDayOf } from './amounts.js';
import type { AutopayEnded } from './facts.js';
import type { AutopayCancelReason, AutopayPlan } from './plan.js';

/** Ends a plan and cancels its payments that wait for a business day, except those that the caller cancels for a reason of their own. */
export function endPlan(
  state: LoanState,
  plan: AutopayPlan,
  end: Omit<AutopayEnded, 'planId'>,
  except: ReadonlySet<string> = NONE,
): readonly FactDraft[] {
  const body: AutopayEnded = { planId: plan.id, ...end };
  const facts: FactDraft[] = [{ type: 'AutopayEnded', body }];
  // Payments on the same day are one transaction.
  for (const id of new Set(plan.payments.map(({ transactionIds }) => transactionIds.at(-1) ?? ''))) {
    const record = state.transactions.get(id);
    if (record?.status === 'scheduled' && !except.has(id))
      facts.push(moveDraft(record, 'cancel', { cancelReason: 'autopayCanceled' }, end.caseId));
  }
  return facts;
}

const NONE: ReadonlySet<string> = new Set();

/** Statuses of a loan that end its plan (a frozen one waits). */
const ENDING: Partial<Record<LoanStatus, AutopayCancelReason>> = {
  paidOff: 'loanPaidOff',
  chargedOff: 'loanChargedOff',
  accelerated: 'loanAccelerated',
  canceled: 'loanCanceled',
  declined: 'loanCanceled',
};

/**
 * How the loan's status ends the plan, or that a collection agency has taken the loan over; null
 * while nothing does. A plan that has come to its last payment is completed.
 */
export function endOf(state: LoanState, plan: AutopayPlan): Omit<AutopayEnded, 'planId'> | null {
  const status = statusOf(state);
  const cancelReason = ENDING[status] ?? (isWithAgency(state) ? 'canceledByAgent' : undefined);
  if (cancelReason === undefined) return null;
  const isComplete = status === 'paidOff' && plan.payments.length > 0 && nextDayOf(plan) === null;
  return { move: isComplete ? 'complete' : 'cancel', cancelReason, caseId: null };
}
