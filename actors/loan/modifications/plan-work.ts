import { addDays, type Day } from '../../../engine/index.js';
import type { LoanStatus } from '../machine.js';
import type { ScheduledWork } from '../scheduled-work.js';
import type { LoanState } from '../state.js';
import type { PaymentPlanEnded } from './evolve.js';
import { activePlanOf, type PaymentPlan, type PlanCancellationReason } from './state.js';

/** Why a plan is canceled by the status of its loan; in the other statuses it goes on, or is completed. */
const CANCELING: Partial<Record<LoanStatus, PlanCancellationReason>> = {
  accelerated: 'loanAccelerated',
  chargedOff: 'loanChargedOff',
  canceled: 'loanCanceled',
};

/** A plan is completed on the day after its last due date, or when its loan is paid off; a frozen loan keeps it waiting. */
export const planWork: ScheduledWork = {
  nextDay(state) {
    const plan = activePlanOf(state.modifications);
    return plan === undefined ? null : endOf(state, plan);
  },
  *due(state, day) {
    const ended = planEndedBy(state, day);
    if (ended !== null) yield { type: 'PaymentPlanEnded', body: ended.body };
  },
};

/** The active plan, where it is over on a day, and since when. */
export function planEndedBy(state: LoanState, day: Day): { readonly day: Day; readonly body: PaymentPlanEnded } | null {
  const plan = activePlanOf(state.modifications);
  const end = plan === undefined ? null : endOf(state, plan);
  if (plan === undefined || end === null || end > day) return null;
  const reason = CANCELING[state.servicing?.summary.status ?? 'active'] ?? null;
  return { day: end, body: { planId: plan.id, move: reason === null ? 'complete' : 'cancel', reason } };
}

function endOf({ servicing }: LoanState, plan: PaymentPlan): Day | null {
  if (servicing === null) return null;
  const { status, through } = servicing.summary;
  if (status === 'active') return addDays(plan.endDay, 1);
  return status === 'frozen' ? null : through;
}
