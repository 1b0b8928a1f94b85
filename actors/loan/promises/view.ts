import { addDays, type Cents, type Day } from '../../../engine/index.js';
import { amount, dateText, dateTimeText, orNull } from '../../wire.js';
import { activationOf, recordOf } from '../context.js';
import { periodId } from '../derived-ids.js';
import { periodsIn, runningOn } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import { promiseStatus } from './machine.js';
import type { PromisePlan } from './plan.js';
import { countedThrough, paidCents, type Standing, standingsOf } from './tracking.js';
import type { PromisePeriodView, PromisePlanView } from './view-types.js';

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

export const endDayOf = ({ promises, startDay }: PromisePlan): Day => promises[promises.length - 1]?.dueDay ?? startDay;

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
