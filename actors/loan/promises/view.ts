import { addDays, type Cents, type Day } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { resolveId } from '../../kernel/any-id.js';
import { pageOf } from '../../page.js';
import { amount, dateText, dateTimeText, dayOfText, orNull } from '../../wire.js';
import { activationOf, recordOf, requirePerson } from '../context.js';
import { periodId } from '../derived-ids.js';
import { periodsIn, runningOn } from '../ledger/running.js';
import { newestFirst } from '../newest-first.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import { promisePlanOf } from './find.js';
import { promiseStatus } from './machine.js';
import type { PromisePlan } from './plan.js';
import { countedThrough, paidCents, type Standing, standingsOf } from './tracking.js';
import type { ListAllPromisePlansQuery, PromisePeriodView, PromisePlanView } from './types.js';

export function promisePlanView(state: LoanState, env: ViewEnv, plan: PromisePlan): PromisePlanView {
  const { promises } = plan;
  return {
    id: plan.id,
    object: 'promiseToPayPlan',
    companyId: state.tenant.company,
    loanId: state.id,
    externalId: plan.externalId,
    status: promiseStatus(plan.state),
    isOverdue: plan.state === 'overdue',
    startDate: dateText(plan.startDay),
    endDate: dateText(endDayOf(plan)),
    frequency: plan.frequency,
    specificDays: plan.specificDays,
    duration: promises.length,
    amount: orNull(amount, sameAmount(plan)),
    schedule: periodViews(state, env, plan),
    promiseBrokenAfterDays: plan.brokenAfterDays,
    cancellationReason: plan.cancellationReason,
    reasonDetails: plan.reasonDetails,
    caseId: plan.caseId,
    createdAt: dateTimeText(plan.createdAt),
    updatedAt: dateTimeText(plan.updatedAt),
    deletedAt: null,
  };
}

const endDayOf = ({ promises, startDay }: PromisePlan): Day => promises[promises.length - 1]?.dueDay ?? startDay;

function sameAmount({ promises }: PromisePlan): Cents | null {
  const first = promises[0]?.amountCents ?? null;
  return promises.every(({ amountCents }) => amountCents === first) ? first : null;
}

function periodViews(state: LoanState, env: ViewEnv, plan: PromisePlan): readonly PromisePeriodView[] {
  const today = env.today(recordOf(state).zone);
  const periods = activationOf(state) === null ? [] : periodsIn(runningOn(state, env, today));
  const standings = standingsOf(plan, paidCents(state, plan.madeAt, countedThrough(plan)));
  return standings.map((standing, index) => {
    const { promise } = standing;
    const before = standings[index - 1]?.promise;
    const period = periods.find(({ startDay, endDay }) => startDay <= promise.dueDay && promise.dueDay <= endDay);
    return {
      id: promise.id,
      object: 'promisePeriod',
      periodId: period === undefined ? null : periodId(env, state, period.ordinal),
      startDate: dateText(before === undefined ? plan.madeAt.day : addDays(before.dueDay, 1)),
      dueDate: dateText(promise.dueDay),
      amount: amount(promise.amountCents),
      paidAmount: amount(standing.paidCents),
      status: statusOf(standing, plan, today),
      timestamps: { createdAt: dateTimeText(plan.createdAt), updatedAt: dateTimeText(plan.updatedAt), deletedAt: null },
    };
  });
}

function statusOf({ promise, isMet }: Standing, { state, endedDay }: PromisePlan, today: Day): PromisePeriodView['status'] {
  if (isMet) return 'kept';
  const asOf = endedDay ?? today;
  return promise.dueDay < asOf || state === 'broken' ? 'broken' : 'scheduled';
}

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
