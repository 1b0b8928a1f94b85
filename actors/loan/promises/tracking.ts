import { addDays, type Cents, type Day, type EffectiveTime, LAST_DAY } from '../../../engine/index.js';
import { activationOf } from '../context.js';
import type { LoanStatus } from '../machine.js';
import type { LoanState } from '../state.js';
import { chargebacksOf, lostCents } from '../transactions/chargebacks/record.js';
import { isPaidToBorrower, isCredit } from '../transactions/record.js';
import { isOver, type PromiseMove } from './machine.js';
import type { PromiseCancellation, PromisedPayment, PromisePlan } from './plan.js';

/** The plan that still runs: a loan has one at most, and it is the newest. */
export function livePlan({ promises }: Pick<LoanState, 'promises'>): PromisePlan | null {
  const newest = promises[promises.length - 1];
  return newest === undefined || isOver(newest.state) ? null : newest;
}

/** What the borrower has paid from a time on through a day. Credits are the lender's, and what came back does not count. */
export function paidCents(
  { transactions, chargebacks }: Pick<LoanState, 'transactions' | 'chargebacks'>,
  from: EffectiveTime,
  through: Day,
): number {
  let total = 0;
  for (const record of transactions.among(({ firstDay, lastDay }) => lastDay >= from.day && firstDay <= through)) {
    const { effective } = record;
    const isLater = effective.day > from.day || (effective.day === from.day && effective.seconds >= from.seconds);
    if (record.payment === null || !isLater || effective.day > through || isCredit(record) || isPaidToBorrower(record)) continue;
    total += (record.actualCents ?? record.scheduledCents) - lostCents(chargebacksOf(chargebacks, record.id));
  }
  return total;
}

/** Payments through this day count: a plan that is over has met its judgement on the day before, or ended by hand. */
export function countedThrough({ state, endedDay }: PromisePlan): Day {
  if (endedDay === null) return LAST_DAY;
  return state === 'canceled' ? endedDay : addDays(endedDay, -1);
}

export interface Standing {
  readonly promise: PromisedPayment;
  readonly paidCents: Cents;
  readonly isMet: boolean;
}

/** What was paid towards each promise. Payments count together: the oldest promise is met first. */
export function standingsOf({ promises }: PromisePlan, paid: number): readonly Standing[] {
  let left = paid;
  return promises.map((promise) => {
    const part = Math.min(left, promise.amountCents) as Cents;
    left -= part;
    return { promise, paidCents: part, isMet: part === promise.amountCents };
  });
}

/** What comes next for a plan by itself. */
export interface PromiseTask {
  readonly move: Exclude<PromiseMove, 'change'>;
  readonly day: Day;
  readonly promise: PromisedPayment | null;
  readonly cancellationReason: PromiseCancellation | null;
}

/** A loan in these statuses ends the promises on it. */
const ENDINGS: Partial<Record<LoanStatus, PromiseCancellation>> = {
  paidOff: 'loanPaidOff',
  chargedOff: 'loanChargedOff',
  canceled: 'loanCanceled',
};

/** The next thing that the days ask of the loan's plan. What has happened already is due today. */
export function promiseTask(state: LoanState): PromiseTask | null {
  const plan = livePlan(state);
  const activation = activationOf(state);
  if (plan === null || activation === null) return null;
  const { status, through: today } = activation.summary;
  const ending = ENDINGS[status];
  if (ending !== undefined) return { move: 'cancel', day: today, promise: null, cancellationReason: ending };
  if (plan.state === 'scheduled') return task('start', plan.startDay);
  let next: PromiseTask | null = null;
  for (const found of [shortfallTask(state, plan, today), endTask(state, plan), dueTask(plan)]) {
    if (found !== null && (next === null || found.day < next.day)) next = found;
  }
  return next;
}

function task(move: PromiseTask['move'], day: Day, promise: PromisedPayment | null = null): PromiseTask {
  return { move, day, promise, cancellationReason: null };
}

/** Falling behind, catching up, and being broken by days overdue. */
function shortfallTask(state: LoanState, plan: PromisePlan, today: Day): PromiseTask | null {
  const unmet = standingsOf(plan, paidCents(state, plan.madeAt, LAST_DAY)).find(({ isMet }) => !isMet)?.promise ?? null;
  if (plan.state === 'overdue') {
    if (unmet === null || unmet.dueDay >= today) return task('catchUp', today);
    return plan.brokenAfterDays === null ? null : task('break', later(addDays(unmet.dueDay, plan.brokenAfterDays), today), unmet);
  }
  return unmet === null ? null : task('fallBehind', later(addDays(unmet.dueDay, 1), today), unmet);
}

/** The day after the last due date, on which the plan as a whole was kept or not. */
function endTask(state: LoanState, plan: PromisePlan): PromiseTask | null {
  const last = plan.promises[plan.promises.length - 1];
  if (last === undefined) return null;
  const promisedCents = plan.promises.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const isKept = plan.state === 'active' && paidCents(state, plan.madeAt, last.dueDay) >= promisedCents;
  return task(isKept ? 'keep' : 'break', addDays(last.dueDay, 1), last);
}

function dueTask({ promises, toldThrough }: PromisePlan): PromiseTask | null {
  const promise = promises.find(({ dueDay }) => dueDay > toldThrough);
  return promise === undefined ? null : task('fallDue', promise.dueDay, promise);
}

const later = (a: Day, b: Day): Day => (a > b ? a : b);
