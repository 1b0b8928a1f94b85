import { addDays, type ScheduleChanged } from '../../../../engine/index.js';
import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import { beginAction, finished } from '../../commands/order.js';
import { effectiveNow } from '../../context.js';
import type { LedgerChange } from '../../facts.js';
import type { LoanState } from '../../state.js';
import type { PaymentPlanCanceled } from '../evolve.js';
import { planAsked } from '../find-plan.js';
import { mayMovePlan } from '../plan-machine.js';
import type { CancelPaymentPlanRequest } from '../types.js';
import { keptTerm } from '../row-terms.js';
import { ledgerBeforeTools, scheduleNow, type ScheduleNow, tried } from '../schedule-now.js';
import type { PaymentPlan } from '../state.js';
import { planCreatedReply } from '../views.js';

/**
 * `POST L/custom-payment-plans/{paymentPlanId}/cancel`: the schedule before the plan, re-amortized from the next due date.
 */
export const cancelPaymentPlan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'paymentPlan.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<CancelPaymentPlanRequest>(context, 'modify');
    const { state, env, command } = context;
    const plan = planAsked(state, command.params['paymentPlanId'], env);
    if (!mayMovePlan(plan.status, 'cancel')) {
      refuse('invalidTransition', `The payment plan is ${plan.status}.`, {
        errors: [{ path: 'status', expected: 'active', message: `the plan is ${plan.status}` }],
      });
    }
    const now = scheduleNow(context);
    const change = restored(context, now, plan);
    tried(now, change);
    const body: PaymentPlanCanceled = {
      change,
      planId: plan.id,
      modificationId: env.newId('MO'),
      recordedDay: now.today,
      caseId: request.caseId ?? null,
      reason: request.reasonDetails ?? null,
    };
    return {
      facts: [{ type: 'PaymentPlanCanceled', body, effective: effectiveNow(env, state) }],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: planCreatedReply(after, plan.id, env) }),
    };
  },
};

/** The due dates before the plan that are to come; once all of them have passed, those that there are now. */
function restored(context: CommandContext<LoanState>, now: ScheduleNow, plan: PaymentPlan): LedgerChange<ScheduleChanged> {
  const before = ledgerBeforeTools(context, now, plan.sequence);
  const rows = before.rows.filter((row) => row.date > now.today);
  if (rows.length === 0) return { type: 'scheduleChanged', dueDates: now.open.map((row) => row.date), payment: { type: 'level' } };
  return {
    type: 'scheduleChanged',
    from: addDays(now.today, 1),
    dueDates: rows.map((row) => row.date),
    payment: { type: 'level' },
    rowTerms: rows.map(keptTerm),
    rule: before.dueDateRule,
  };
}
