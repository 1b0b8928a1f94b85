import { type Day, FIRST_DAY } from '../../../engine/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, statusOf, todayOf } from '../context.js';
import { runningOf } from '../ledger/running.js';
import type { ScheduledWork } from '../scheduled-work.js';
import type { LoanState } from '../state.js';
import { endOf, endPlan } from './ending.js';
import type { AutopayScheduleAdopted, AutopaySuspended } from './facts.js';
import { answerFailure } from './failures.js';
import { isChargeable, payOn, presentAgain } from './payment.js';
import { type AutopayPlan, livePlan, type Retry } from './plan.js';
import { hasNewRows, seenRows } from './terms-of-day.js';

/**
 * What a plan does by itself: it ends or waits with its loan, takes over a changed schedule, answers failures, and pays on
 * its days (servicing-behaviour 14).
 */
export const autopayWork: ScheduledWork = {
  nextDay(state) {
    const plan = livePlan(state);
    if (plan === null) return null;
    if (isAsked(state, plan)) return activationOf(state)?.summary.through ?? FIRST_DAY;
    if (plan.status === 'suspended') return null;
    const retry = nextRetry(plan);
    if (retry === null) return plan.nextDay;
    return plan.nextDay === null || retry.day < plan.nextDay ? retry.day : plan.nextDay;
  },
  *due(state, day, env) {
    const today = activationOf(state) === null ? todayOf(env, state) : day;
    for (let facts = nextStep(state, today, env); facts.length > 0; facts = nextStep(state, today, env)) yield* facts;
  },
};

/** Whether something has happened that the plan has not followed yet. */
function isAsked(state: LoanState, plan: AutopayPlan): boolean {
  return (
    isSuspended(state) !== (plan.status === 'suspended') ||
    plan.unanswered.length > 0 ||
    endOf(state, plan) !== null ||
    hasNewRows(state, plan)
  );
}

const isSuspended = (state: LoanState): boolean => statusOf(state) === 'frozen';

function nextRetry({ retries }: AutopayPlan): Retry | null {
  let next: Retry | null = null;
  for (const retry of retries) if (next === null || retry.day < next.day) next = retry;
  return next;
}

/** The next thing to do on a day, as facts; nothing when all is done. */
function nextStep(state: LoanState, day: Day, env: DecideEnv): readonly FactDraft[] {
  const plan = livePlan(state);
  if (plan === null) return [];
  const end = endOf(state, plan);
  if (end !== null) return endPlan(state, plan, end);
  const [failed] = plan.unanswered;
  if (failed !== undefined) return answerFailure(state, env, plan, failed, day);
  if (isSuspended(state) !== (plan.status === 'suspended')) return [follow(plan, day)];
  if (hasNewRows(state, plan)) return [adopt(state, env, plan, day)];
  if (plan.status === 'suspended') return [];
  const retry = nextRetry(plan);
  const isRetryDue = retry !== null && retry.day <= day;
  const isPaymentDue = plan.nextDay !== null && plan.nextDay <= day;
  if (!isRetryDue && !isPaymentDue) return [];
  if (!isChargeable(env, plan)) return endPlan(state, plan, { move: 'cancel', cancelReason: 'invalidPaymentMethod', caseId: null });
  return isRetryDue ? presentAgain(state, env, plan, retry, day) : payOn(state, env, plan, plan.nextDay ?? day);
}

function follow({ id, status }: AutopayPlan, day: Day): FactDraft {
  const body: AutopaySuspended = { planId: id, day };
  return { type: status === 'suspended' ? 'AutopayResumed' : 'AutopaySuspended', body };
}

function adopt(state: LoanState, env: DecideEnv, plan: AutopayPlan, day: Day): FactDraft {
  const body: AutopayScheduleAdopted = { planId: plan.id, day, ...seenRows(runningOf(state, env)) };
  return { type: 'AutopayScheduleAdopted', body };
}
