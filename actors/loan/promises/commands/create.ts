import { companyOf } from '../../../company/index.js';
import { refuse } from '../../../errors.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import { beginAction, finished } from '../../commands/order.js';
import { effectiveNow } from '../../context.js';
import type { LoanState } from '../../state.js';
import type { PromiseMade } from '../facts.js';
import { checkPlanExternalId, promisePlanOf } from '../find.js';
import { readTerms } from '../read-terms.js';
import type { CreatePromisePlanRequest } from '../requests.js';
import { livePlan } from '../tracking.js';
import { promisePlanView } from '../view.js';

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
