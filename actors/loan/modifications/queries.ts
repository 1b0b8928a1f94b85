import { ZERO } from '../../../engine/index.js';
import { refuseProperty } from '../../errors.js';
import { pageOf, type PageQuery } from '../../page.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { amount, type ListResult } from '../../wire.js';
import { activatedOf, recordOf, requirePerson } from '../context.js';
import { runningOn } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { productOn } from '../transactions/moves.js';
import { toolFee } from './fee.js';
import { planAsked } from './find-plan.js';
import { MODIFICATION_TYPES, type ModificationTool } from './state.js';
import type { ModificationFeeReply, PaymentPlanReply } from './types.js';
import { modificationReply, planReply } from './views.js';

interface ListModificationsQuery extends PageQuery {
  readonly types?: readonly string[];
}

const listModifications: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.scheduleModifications',
  on: 'target',
  read({ state, env, query, request }): ListResult {
    requirePerson(state, request.params['personId'], env);
    const { types = [], ...page } = (query ?? {}) as ListModificationsQuery;
    const unknown = types.find((type) => !MODIFICATION_TYPES.some((known) => known === type));
    if (unknown !== undefined) refuseProperty('types', MODIFICATION_TYPES.join(', '), `There is no modification ${unknown}.`);
    const wanted = state.modifications.history.filter(({ terms }) => types.length === 0 || types.includes(terms.type));
    return pageOf(wanted.toReversed(), page, modificationReply);
  },
};

const listModificationFees: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.modificationFees',
  on: 'target',
  read({ state, env, request }): readonly ModificationFeeReply[] {
    requirePerson(state, request.params['personId'], env);
    activatedOf(state);
    const today = env.today(recordOf(state).zone);
    const ledger = runningOn(state, env, today);
    const product = productOn(state, env, today);
    return TOOLS.map((tool): ModificationFeeReply => {
      const fee = toolFee(state, { ledger, product }, tool, env);
      const name = fee?.feeType.name;
      return {
        tool,
        feeTypeId: fee?.feeType.id ?? null,
        apiName: name?.apiName ?? null,
        displayName: name?.displayName ?? null,
        feeAmount: amount(fee?.amountCents ?? ZERO),
      };
    });
  },
};

const TOOLS: readonly ModificationTool[] = ['duedate.defer', 'schedule.defer', 'change.duedates', 'change.terms'];

const listPlans: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'paymentPlan.list',
  on: 'target',
  read({ state, env, query, request }): ListResult {
    requirePerson(state, request.params['personId'], env);
    const newestFirst = state.modifications.plans.toReversed();
    return pageOf(
      newestFirst,
      (query ?? {}) as PageQuery,
      (plan) => planReply(state, plan),
      (plan) => plan.externalId,
    );
  },
};

const getPlan: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'paymentPlan.get',
  on: 'target',
  read({ state, env, request }): PaymentPlanReply {
    requirePerson(state, request.params['personId'], env);
    return planReply(state, planAsked(state, request.params['paymentPlanId'], env));
  },
};

export const modificationQueries: readonly QuerySpec<LoanState>[] = [listModifications, listModificationFees, listPlans, getPlan];
