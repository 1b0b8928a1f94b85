import { companyOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import { beginAction, finished } from '../commands/order.js';
import { effectiveNow, todayOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { PromiseChanged, PromiseMade, PromiseMoved } from './evolve.js';
import { checkPlanExternalId, promisePlanOf, requirePromiseMove } from './find.js';
import type { PromisePlan, PromiseTerms } from './plan.js';
import { readTerms, saysTerms } from './read-terms.js';
import type { CancelPromisePlanRequest, CreatePromisePlanRequest, UpdatePromisePlanRequest } from './types.js';
import { livePlan } from './tracking.js';
import { promisePlanView } from './view.js';

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

/** `POST L/promise-to-pay-plans`: one plan at a time, on an active loan. */
export const createPromisePlan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'promisePlan.create',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<CreatePromisePlanRequest>(context, 'promise');
    const { state, env } = context;
    const madeAt = effectiveNow(env, state);
    const { startDay, frequency, specificDays, dues } = readTerms(request, madeAt.day);
    const live = livePlan(state);
    if (live !== null) {
      refuse('activePlanExists', `The promise-to-pay plan ${live.id} still runs: cancel it first.`, {
        errors: [{ path: 'status', expected: 'no plan that is scheduled or active', message: `${live.id} still runs` }],
      });
    }
    checkPlanExternalId(env, request.externalId);
    const id = env.newId('PS');
    const body: PromiseMade = {
      id,
      externalId: request.externalId ?? null,
      madeAt,
      startDay,
      frequency,
      specificDays,
      promises: dues.map(({ dueDay, amountCents }) => ({ id: env.newId('P2'), dueDay, amountCents })),
      brokenAfterDays: companyOf(env, env.tenant).profile?.promiseBrokenAfterDays ?? null,
      caseId: request.caseId ?? null,
    };
    return {
      facts: [{ type: 'PromiseMade', body }],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: promisePlanView(after, env, promisePlanOf(after, id)) }),
    };
  },
};

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
