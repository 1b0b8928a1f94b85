import { addDays, type Day, FIRST_DAY, must } from '../../../engine/index.js';
import type { FailureReason, PersonFacts } from '../../borrower/index.js';
import type { AutopaySettings } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, recordOf, statusOf, todayOf } from '../context.js';
import { runningOf } from '../ledger/running.js';
import type { ScheduledWork } from '../scheduled-work.js';
import type { LoanState } from '../state.js';
import { DEACTIVATING, findInstrument } from '../transactions/instruments.js';
import { productOn } from '../transactions/moves.js';
import type { TransactionRecord } from '../transactions/record.js';
import { endOf, endPlan } from './ending.js';
import type { AutopayFailureAnswered, AutopayScheduleAdopted, AutopaySuspended } from './facts.js';
import { isChargeable, payOn, presentAgain } from './payment.js';
import { type AutopayPlan, livePlan, type Retry } from './plan.js';
import { hasNewRows, seenRows } from './terms-of-day.js';

/**
 * What a plan does by itself: it ends or waits with its loan, takes over a changed schedule, answers failures, and pays on
 * its days.
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

/** Failures that may pass by themselves: only these are presented again. */
const PASSING: ReadonlySet<FailureReason> = new Set<FailureReason>(['insufficientFunds', 'networkError']);

/**
 * What follows a failed payment of a plan: an account that cannot be charged ends it, unless the plan has
 * another one by now; a passing failure is presented again, and payments in a row that fail for good end it, too. A payment
 * counts once, with all its tries.
 */
function answerFailure(state: LoanState, env: DecideEnv, plan: AutopayPlan, transactionId: string, day: Day): readonly FactDraft[] {
  const record = must(state.transactions.get(transactionId), `${state.id} knows no transaction ${transactionId}`);
  const { failureReason, instrument } = record;
  const isLost = failureReason === null || DEACTIVATING[failureReason] !== undefined;
  if (isLost && instrument?.id === plan.instrument.id) {
    return endPlan(state, plan, { move: 'cancel', cancelReason: 'invalidPaymentMethod', caseId: null });
  }
  const { autopay } = productOn(state, env, day);
  const retry = retryOf(record, autopay, day);
  const answered: AutopayFailureAnswered = { planId: plan.id, transactionId, retry };
  const facts: FactDraft[] = [{ type: 'AutopayFailureAnswered', body: answered }];
  if (retry !== null || plan.failures + 1 < autopay.maxConsecutiveFailures) return facts;
  facts.push(...endPlan(state, plan, { move: 'cancel', cancelReason: 'consecutiveFailures', caseId: null }));
  if (failureReason !== null) facts.push(...switchedOff(state, env, plan, failureReason));
  return facts;
}

function retryOf({ id, retryAttempt, failureReason }: TransactionRecord, { retry }: AutopaySettings, day: Day): Retry | null {
  const attempt = (retryAttempt ?? 0) + 1;
  if (failureReason === null || !PASSING.has(failureReason) || attempt > retry.maxAttempts) return null;
  return { transactionId: id, attempt, day: addDays(day, Math.max(1, retry.daysBetween)) };
}

/** Only an instrument of the main borrower, who lies on the loan's shard. */
function switchedOff(state: LoanState, env: DecideEnv, { instrument }: AutopayPlan, failureReason: FailureReason): readonly FactDraft[] {
  const { personId } = recordOf(state);
  if (instrument.personId !== personId) return [];
  const found = findInstrument(env, [personId], instrument.id);
  if (found === undefined || found.instrument.status === 'inactive') return [];
  const body: PersonFacts['InstrumentDeactivated'] = { id: instrument.id, reason: 'other', failureReason };
  return [{ type: 'InstrumentDeactivated', body, target: { kind: 'person', id: personId } }];
}
