import { resolveId } from '../../kernel/any-id.js';
import type { Day } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import { pageOf } from '../../page.js';
import type { QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { dayOfText } from '../../wire.js';
import { requirePerson } from '../context.js';
import { newestFirst } from '../newest-first.js';
import type { LoanState } from '../state.js';
import { promisePlanOf } from './find.js';
import { promiseStatus } from './machine.js';
import type { PromisePlan } from './plan.js';
import type { ListAllPromisePlansQuery } from './requests.js';
import { endDayOf, promisePlanView } from './view.js';

/** `GET L/promise-to-pay-plans`, one of them, and those of the whole company. */
export const promiseQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'promisePlan.list',
    on: 'target',
    read({ state, query, request, env }) {
      requirePerson(state, request.params['personId'], env);
      const asked = (query ?? {}) as ListAllPromisePlansQuery;
      const plans = state.promises.filter(filterOf(asked)).reverse();
      return pageOf(
        plans,
        asked,
        (plan) => promisePlanView(state, env, plan),
        (plan) => plan.externalId,
      );
    },
  },
  {
    kind: 'loan',
    type: 'promisePlan.get',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      return promisePlanView(state, env, promisePlanOf(state, request.params['planId']));
    },
  },
  {
    kind: 'loan',
    type: 'promisePlan.listAll',
    on: 'tenant',
    read: ({ query, env }) => listAll(query ?? {}, env),
  },
];

/** As of what was last recorded of each loan; only loans with promises are opened, and only as many as the page needs. */
function listAll(query: ListAllPromisePlansQuery, env: QueryEnv): ReturnType<typeof newestFirst> {
  const loanId = query.loanId === undefined ? undefined : resolveId(env, env.tenant, 'loan', query.loanId);
  const { rows } = env.list('loan', {
    matches: ({ id, fields }) => fields['lastPromiseStamp'] !== 0 && (query.loanId === undefined || id === loanId),
    sort: [{ field: 'lastPromiseStamp', descending: true }],
    limit: Number.MAX_SAFE_INTEGER,
  });
  const matches = filterOf(query);
  return newestFirst(rows, query, {
    stampOf: ({ fields }) => fields['lastPromiseStamp'] as number,
    countOf: matches === ANY ? ({ fields }) => fields['promiseCount'] as number : null,
    partsOf: (row) => {
      const state = env.read<LoanState>('loan', row.id) ?? refuse('notFound', `The loan ${row.id} is gone.`);
      return state.promises.filter(matches).map((plan) => ({
        id: plan.id,
        externalId: plan.externalId,
        createdStamp: plan.createdStamp,
        view: () => promisePlanView(state, env, plan),
      }));
    },
  });
}

const ANY = (): boolean => true;

function filterOf(query: ListAllPromisePlansQuery): (plan: PromisePlan) => boolean {
  const { status = [], isOverdue, startDateAfter, endDateBefore } = query;
  if (status.length === 0 && [isOverdue, startDateAfter, endDateBefore].every((filter) => filter === undefined)) return ANY;
  const after = dayOr(startDateAfter, -Infinity as Day);
  const before = dayOr(endDateBefore, Infinity as Day);
  return (plan) =>
    (status.length === 0 || status.includes(promiseStatus(plan.state))) &&
    (isOverdue === undefined || isOverdue === (plan.state === 'overdue')) &&
    plan.startDay > after &&
    endDayOf(plan) < before;
}

const dayOr = (text: string | undefined, other: Day): Day => (text === undefined ? other : dayOfText(text));
