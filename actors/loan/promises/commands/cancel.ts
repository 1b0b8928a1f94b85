import type { CommandSpec } from '../../../kernel/actor.js';
import { beginAction, finished } from '../../commands/order.js';
import { todayOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import type { PromiseMoved } from '../facts.js';
import { promisePlanOf, requirePromiseMove } from '../find.js';
import type { CancelPromisePlanRequest } from '../requests.js';
import { promisePlanView } from '../view.js';

/** `POST L/promise-to-pay-plans/{planId}/cancel`. */
export const cancelPromisePlan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'promisePlan.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<CancelPromisePlanRequest>(context, 'managePromise');
    const { state, env, command } = context;
    const plan = promisePlanOf(state, command.params['planId']);
    requirePromiseMove(plan, 'cancel');
    const body: PromiseMoved = {
      planId: plan.id,
      move: 'cancel',
      day: todayOf(env, state),
      promiseId: null,
      cancellationReason: request.cancellationReason ?? 'canceledByUser',
      reasonDetails: request.reasonDetails ?? null,
      caseId: request.caseId ?? null,
    };
    return {
      facts: [{ type: 'PromiseMoved', body }],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: promisePlanView(after, env, promisePlanOf(after, plan.id)) }),
    };
  },
};
