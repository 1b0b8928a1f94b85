import { longList } from '../../kernel/lists/long-lists.js';
import { partNamed } from '../../kernel/lists/part-named.js';
import { numberOf } from '../../kernel/lists/row-fields.js';
import { addDays, type Cents, cents, type Day, type EffectiveTime, FIRST_DAY, LAST_DAY } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CatalogRow, DecideEnv, QueryEnv, QueryOf, QuerySpec } from '../../kernel/actor.js';
import { resolveId } from '../../kernel/ids.js';
import { matching, pageOf } from '../../list-order.js';
import { amount, dateText, dateTimeText, dayOfText, orNull } from '../../wire.js';
import { activationOf, recordOf, requirePerson } from '../context.js';
import { periodId } from '../derived-ids.js';
import { periodsIn, runningOn } from '../ledger/running.js';
import type { LoanStatus } from '../machine.js';
import { newestFirst } from '../newest-first.js';
import type { LoanState } from '../state.js';
import { chargebacksOf, lostCents } from '../transactions/chargebacks/record.js';
import { isCredit, isPaidToBorrower, movedCents } from '../transactions/record.js';
import type { ViewEnv } from '../views/loan.js';
import { isOver, mayMove, type PromiseMove, promiseStatus } from './evolve.js';
import type {
  ListAllPromisePlansQuery,
  PromiseCancellation,
  PromisedPayment,
  PromisePeriodView,
  PromisePlan,
  PromisePlanView,
} from './types.js';

/** The loan's plan that an id names. */
export const findPromisePlan = (state: LoanState, anyId: string | undefined): PromisePlan | undefined =>
  state.promises.find(({ id, externalId }) => id === anyId || (externalId !== null && `ext-${externalId}` === anyId));

/** The loan's plan that an id names; 404 if it has no such plan. */
export function promisePlanOf(state: LoanState, anyId: string | undefined): PromisePlan {
  return findPromisePlan(state, anyId) ?? refuse('notFound', `The loan ${state.id} has no promise-to-pay plan ${anyId ?? ''}.`);
}

/** 409 if the plan's state does not allow the move. */
export function requirePromiseMove({ id, state }: PromisePlan, move: PromiseMove): void {
  if (mayMove(state, move)) return;
  refuse('invalidState', `The promise-to-pay plan ${id} is ${promiseStatus(state)}; it must be scheduled or active.`, {
    errors: [{ path: 'status', expected: 'scheduled, active', message: `the plan is ${promiseStatus(state)}` }],
  });
}

/** 409 when another plan of the company has the external id. */
export function checkPlanExternalId(env: DecideEnv, externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(env.tenant, 'promiseToPayPlan', externalId) === undefined) return;
  refuse('duplicate', `\`externalId\` ${externalId} is already used by another promise-to-pay plan.`, {
    errors: [{ path: 'externalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}

/** The plan that has not ended: a loan has at most one, the newest. */
export function livePlan({ promises }: Pick<LoanState, 'promises'>): PromisePlan | null {
  const newest = promises[promises.length - 1];
  return newest === undefined || isOver(newest.state) ? null : newest;
}

/** Whether the borrower has promised to pay, and is not behind with it. */
export function isPromiseKept(state: Pick<LoanState, 'promises'>): boolean {
  const plan = livePlan(state);
  return plan !== null && plan.state !== 'overdue';
}

/** What the borrower has paid from a time on through a day. Credits are the lender's, and what came back does not count. */
function paidCents(
  { transactions, chargebacks }: Pick<LoanState, 'transactions' | 'chargebacks'>,
  from: EffectiveTime,
  through: Day,
): number {
  let total = 0;
  for (const record of transactions.among(({ firstDay, lastDay }) => lastDay >= from.day && firstDay <= through)) {
    const { effective } = record;
    const isLater = effective.day > from.day || (effective.day === from.day && effective.seconds >= from.seconds);
    if (record.payment === null || !isLater || effective.day > through || isCredit(record) || isPaidToBorrower(record)) continue;
    total += movedCents(record) - lostCents(chargebacksOf(chargebacks, record.id));
  }
  return total;
}

/** The last day whose payments count: for a canceled plan the day it ended, for a kept or broken plan the day before. */
function countedThrough({ state, endedDay }: PromisePlan): Day {
  if (endedDay === null) return LAST_DAY;
  return state === 'canceled' ? endedDay : addDays(endedDay, -1);
}

interface PromiseProgress {
  readonly promise: PromisedPayment;
  readonly paidCents: Cents;
  readonly isMet: boolean;
}

/** What was paid towards each promise. Payments count together: the oldest promise is met first. */
function progressOf({ promises }: PromisePlan, paid: number): readonly PromiseProgress[] {
  let left = paid;
  return promises.map((promise) => {
    const part = cents(Math.min(left, promise.amountCents));
    left -= part;
    return { promise, paidCents: part, isMet: part === promise.amountCents };
  });
}

/** The next move of a plan that follows from the days and payments. */
export interface PromiseTask {
  readonly move: Exclude<PromiseMove, 'change'>;
  readonly day: Day;
  readonly promise: PromisedPayment | null;
  readonly cancellationReason: PromiseCancellation | null;
}

/** Statuses of a loan that cancel its promises. */
const ENDINGS: Partial<Record<LoanStatus, PromiseCancellation>> = {
  paidOff: 'loanPaidOff',
  chargedOff: 'loanChargedOff',
  canceled: 'loanCanceled',
};

/** The next move of the loan's plan. One that is already due has today's day. */
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

/** The moves of a plan that falls behind, catches up, or is broken by days overdue. */
function shortfallTask(state: LoanState, plan: PromisePlan, today: Day): PromiseTask | null {
  const unmet = progressOf(plan, paidCents(state, plan.madeAt, LAST_DAY)).find(({ isMet }) => !isMet)?.promise ?? null;
  if (plan.state === 'overdue') {
    if (unmet === null || unmet.dueDay >= today) return task('catchUp', today);
    return plan.brokenAfterDays === null ? null : task('break', later(addDays(unmet.dueDay, plan.brokenAfterDays), today), unmet);
  }
  return unmet === null ? null : task('fallBehind', later(addDays(unmet.dueDay, 1), today), unmet);
}

/** The move on the day after the last due date, which decides whether the plan was kept. */
function endTask(state: LoanState, plan: PromisePlan): PromiseTask | null {
  const last = plan.promises[plan.promises.length - 1];
  if (last === undefined) return null;
  const promisedCents = plan.promises.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const isKept = plan.state === 'active' && paidCents(state, plan.madeAt, last.dueDay) >= promisedCents;
  return task(isKept ? 'keep' : 'break', addDays(last.dueDay, 1), last);
}

function dueTask({ promises, dueReportedThrough }: PromisePlan): PromiseTask | null {
  const promise = promises.find(({ dueDay }) => dueDay > dueReportedThrough);
  return promise === undefined ? null : task('fallDue', promise.dueDay, promise);
}

const later = (a: Day, b: Day): Day => (a > b ? a : b);

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
  const progresses = progressOf(plan, paidCents(state, plan.madeAt, countedThrough(plan)));
  return progresses.map((progress, index) => {
    const { promise } = progress;
    const before = progresses[index - 1]?.promise;
    const period = periods.find(({ startDay, endDay }) => startDay <= promise.dueDay && promise.dueDay <= endDay);
    return {
      id: promise.id,
      object: 'promisePeriod',
      periodId: period === undefined ? null : periodId(env, state, period.ordinal),
      startDate: dateText(before === undefined ? plan.madeAt.day : addDays(before.dueDay, 1)),
      dueDate: dateText(promise.dueDay),
      amount: amount(promise.amountCents),
      paidAmount: amount(progress.paidCents),
      status: statusOf(progress, plan, today),
      timestamps: { createdAt: dateTimeText(plan.createdAt), updatedAt: dateTimeText(plan.updatedAt), deletedAt: null },
    };
  });
}

function statusOf({ promise, isMet }: PromiseProgress, { state, endedDay }: PromisePlan, today: Day): PromisePeriodView['status'] {
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
      const plans = matching(state.promises.toReversed(), filterOf(asked));
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
    read({ query = {}, env }: QueryOf<ListAllPromisePlansQuery | undefined>) {
      return query.loanId === undefined ? longList(env, 'loan', () => listAll(query, env)) : listAll(query, env);
    },
  },
];

/** As of the last fact of each loan. Opens only loans with promises, and only as many as the page needs. */
function listAll(query: ListAllPromisePlansQuery, env: QueryEnv): ReturnType<typeof newestFirst> {
  const loanId = query.loanId === undefined ? undefined : resolveId(env, env.tenant, 'loan', query.loanId);
  const { rows } = env.list('loan', {
    matches: (row) => hasPromises(row) && (query.loanId === undefined || row.id === loanId),
    limit: Number.MAX_SAFE_INTEGER,
  });
  const matches = filterOf(query);
  return newestFirst(rows, query, {
    stampOf: ({ fields }) => numberOf(fields['lastPromiseStamp']) ?? 0,
    countOf: matches === ANY ? ({ fields }) => numberOf(fields['promiseCount']) ?? 0 : null,
    partsOf: (row) => {
      const state = env.read<LoanState>('loan', row.id);
      if (state === undefined) return [];
      return state.promises.filter(matches).map((plan) => ({
        id: plan.id,
        createdStamp: plan.createdStamp,
        view: () => promisePlanView(state, env, plan),
      }));
    },
    named: (cursor) => partNamed(env, cursor, { of: 'loan', kind: 'promiseToPayPlan', mayHave: hasPromises, partOf: findPromisePlan }),
  });
}

const hasPromises = ({ fields }: CatalogRow): boolean => fields['lastPromiseStamp'] !== 0;

const ANY = (): boolean => true;

function filterOf(query: ListAllPromisePlansQuery): (plan: PromisePlan) => boolean {
  const { status = [], isOverdue, startDateAfter, endDateBefore } = query;
  if (status.length === 0 && [isOverdue, startDateAfter, endDateBefore].every((filter) => filter === undefined)) return ANY;
  const after = dayOr(startDateAfter, FIRST_DAY);
  const before = dayOr(endDateBefore, LAST_DAY);
  return (plan) =>
    (status.length === 0 || status.includes(promiseStatus(plan.state))) &&
    (isOverdue === undefined || isOverdue === (plan.state === 'overdue')) &&
    plan.startDay > after &&
    endDayOf(plan) < before;
}

const dayOr = (text: string | undefined, other: Day): Day => (text === undefined ? other : dayOfText(text));
