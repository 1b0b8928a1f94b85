import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import { beginAction, finished } from '../../commands/order.js';
import { todayOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import type { PromiseChanged } from '../facts.js';
import { checkPlanExternalId, promisePlanOf, requirePromiseMove } from '../find.js';
import type { PromisePlan, PromiseTerms } from '../plan.js';
import { readTerms, saysTerms } from '../read-terms.js';
import type { UpdatePromisePlanRequest } from '../requests.js';
import { promisePlanView } from '../view.js';

/** `PUT L/promise-to-pay-plans/{planId}`: new terms take the place of what is not due yet; what was due stays as it was. */
export const updatePromisePlan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'promisePlan.update',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<UpdatePromisePlanRequest>(context, 'managePromise');
    const { state, env, command } = context;
    const plan = promisePlanOf(state, command.params['planId']);
    const { externalId } = request;
    if (externalId !== plan.externalId) checkPlanExternalId(env, externalId);
    const changes: PromiseChanged['changes'] = {
      ...(externalId === undefined || externalId === plan.externalId ? {} : { externalId }),
      ...(saysTerms(request) ? newTerms(context, plan, request) : {}),
    };
    const body: PromiseChanged = { planId: plan.id, changes, caseId: request.caseId ?? null };
    return {
      facts: Object.keys(changes).length === 0 ? [] : [{ type: 'PromiseChanged', body }],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: promisePlanView(after, env, promisePlanOf(after, plan.id)) }),
    };
  },
};

function newTerms({ state, env }: CommandContext<LoanState>, plan: PromisePlan, request: UpdatePromisePlanRequest): PromiseTerms {
  requirePromiseMove(plan, 'change');
  const today = todayOf(env, state);
  const { startDay, frequency, specificDays, dues } = readTerms(request, today);
  const past = plan.promises.filter(({ dueDay }) => dueDay < today);
  const coming = dues.map(({ dueDay, amountCents }) => {
    const same = plan.promises.find((promise) => promise.dueDay === dueDay);
    return { id: same?.id ?? env.newId('P2'), dueDay, amountCents };
  });
  return { startDay: plan.state === 'scheduled' ? startDay : plan.startDay, frequency, specificDays, promises: [...past, ...coming] };
}
