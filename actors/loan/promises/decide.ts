import {
  type Cents,
  type Day,
  dueDateOnOrAfter,
  type DueDateRule,
  dueDates,
  formatSpecificDays,
  must,
  parseDueDateRule,
} from '../../../engine/index.js';
import { companyOf } from '../../company/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { centsOf, dateText, dayOfText } from '../../wire.js';
import { beginAction, orderReply } from '../commands/order.js';
import { effectiveNow, todayOf } from '../context.js';
import type { ScheduledWork } from '../catch-up.js';
import type { LoanState } from '../state.js';
import type { PromiseChanged, PromiseMade, PromiseMoved } from './evolve.js';
import type {
  CancelPromisePlanRequest,
  CreatePromisePlanRequest,
  PromiseFrequency,
  PromisePlan,
  PromiseTerms,
  PromiseTermsRequest,
  UpdatePromisePlanRequest,
} from './types.js';
import { checkPlanExternalId, livePlan, promisePlanOf, promisePlanView, promiseTask, requirePromiseMove } from './view.js';

/** The promised payments of a request, before they have ids. */
interface ReadTerms {
  readonly startDay: Day;
  readonly frequency: PromiseFrequency | null;
  readonly specificDays: readonly string[] | null;
  readonly dues: readonly { readonly dueDay: Day; readonly amountCents: Cents }[];
}

const DESCRIPTORS = ['startDate', 'frequency', 'specificDays', 'duration', 'amount'] as const;

/** Whether a body has any terms of the promise. */
const saysTerms = (request: PromiseTermsRequest): boolean => request.schedule != null || DESCRIPTORS.some((name) => request[name] != null);

/**
 * The promised payments, from `schedule` or from the fields that describe one. 400 for both or neither, 422 for a past day.
 */
function readTerms(request: PromiseTermsRequest, today: Day): ReadTerms {
  const described = DESCRIPTORS.filter((name) => request[name] != null);
  if (request.schedule != null && described.length > 0) {
    refuseAll(
      described.map((path) => ({ path, expected: 'absent beside `schedule`', message: 'is given together with `schedule`' })),
      ONE_OF_BOTH,
    );
  }
  const terms = request.schedule == null ? describedTerms(request) : namedTerms(request.schedule, today);
  const first = must(terms.dues[0], 'a plan promises something');
  const earliest = request.schedule == null ? terms.startDay : first.dueDay;
  if (earliest < today) {
    const path = request.schedule == null ? 'startDate' : 'schedule';
    refuse('ruleViolation', `\`${path}\` must be today or later: ${dateText(earliest)} is past.`, {
      errors: [{ path, expected: `${dateText(today)} or later`, message: 'is before today' }],
    });
  }
  return terms;
}

function namedTerms(schedule: NonNullable<PromiseTermsRequest['schedule']>, today: Day): ReadTerms {
  const dues = schedule
    .map(({ dueDate, amount }) => ({ dueDay: dayOfText(dueDate), amountCents: centsOf(amount) }))
    .sort((a, b) => a.dueDay - b.dueDay);
  const twice = dues.find(({ dueDay }, index) => dues[index + 1]?.dueDay === dueDay);
  if (twice !== undefined) {
    refuseAll([{ path: 'schedule', expected: 'each due date once', message: `${dateText(twice.dueDay)} is listed twice` }]);
  }
  return { startDay: today, frequency: null, specificDays: null, dues };
}

function describedTerms(request: PromiseTermsRequest): ReadTerms {
  const { startDate, frequency, specificDays, amount } = request;
  const needed =
    frequency === 'oneTime' ? (['startDate', 'frequency', 'amount'] as const) : (['startDate', 'frequency', 'duration', 'amount'] as const);
  const missing = needed.filter((name) => request[name] == null);
  if (missing.length > 0 || startDate == null || frequency == null || amount == null) {
    return refuseAll(missing.map((path) => ({ path, expected: 'a value, or a schedule', message: 'is missing' })));
  }
  const startDay = dayOfText(startDate);
  const amountCents = centsOf(amount);
  if (frequency === 'oneTime') {
    refuseRepetition(request);
    return { startDay, frequency, specificDays: null, dues: [{ dueDay: startDay, amountCents }] };
  }
  const rule = parseDueDateRule(frequency, specificDays, startDay);
  if (rule === undefined)
    return refuseAll([{ path: 'specificDays', expected: `days of ${frequency}`, message: `the days do not fit ${frequency}` }]);
  const days = dueDates(rule, dueDateOnOrAfter(cycleFrom(rule, startDay), startDay), request.duration ?? 1);
  return { startDay, frequency, specificDays: formatSpecificDays(rule), dues: days.map((dueDay) => ({ dueDay, amountCents })) };
}

/** A two-week cycle without a start of its own begins with the plan. */
const cycleFrom = (rule: DueDateRule, startDay: Day): DueDateRule =>
  rule.type === 'everyTwoWeeks' && rule.cycleStart === null ? { ...rule, cycleStart: startDay } : rule;

function refuseRepetition({ specificDays, duration }: PromiseTermsRequest): void {
  const faults: Fault[] = [];
  if (specificDays != null && specificDays.length > 0)
    faults.push({ path: 'specificDays', expected: 'nothing for oneTime', message: 'cannot be set for oneTime: startDate is the day' });
  if (duration != null && duration !== 1) faults.push({ path: 'duration', expected: '1 for oneTime', message: 'there is one payment' });
  if (faults.length > 0) refuseAll(faults);
}

const ONE_OF_BOTH = 'Provide exactly one of `schedule` or `startDate`, `frequency`, `duration` and `amount`.';

function refuseAll(errors: readonly Fault[], text = 'The terms of the promise are invalid.'): never {
  return refuse('validationError', text, { errors });
}

/** `POST L/promise-to-pay-plans/{planId}/cancel`. */
export const cancelPromisePlan: CommandSpec<LoanState, CancelPromisePlanRequest> = {
  kind: 'loan',
  type: 'promisePlan.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'managePromise');
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
      reply: (after) => orderReply(context, request, { data: promisePlanView(after, env, promisePlanOf(after, plan.id)) }),
    };
  },
};

/** `POST L/promise-to-pay-plans`: one plan at a time, on an active loan. */
export const createPromisePlan: CommandSpec<LoanState, CreatePromisePlanRequest> = {
  kind: 'loan',
  type: 'promisePlan.create',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'promise');
    const { state, env } = context;
    const madeAt = effectiveNow(env, state);
    const { startDay, frequency, specificDays, dues } = readTerms(request, madeAt.day);
    const live = livePlan(state);
    if (live !== null) {
      refuse('activePlanExists', `The promise-to-pay plan ${live.id} is still active. Cancel it first.`, {
        errors: [{ path: 'status', expected: 'no plan that is scheduled or active', message: `${live.id} is still active` }],
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
      reply: (after) => orderReply(context, request, { data: promisePlanView(after, env, promisePlanOf(after, id)) }),
    };
  },
};

/** `PUT L/promise-to-pay-plans/{planId}`: new terms replace promises that are not due yet. */
export const updatePromisePlan: CommandSpec<LoanState, UpdatePromisePlanRequest> = {
  kind: 'loan',
  type: 'promisePlan.update',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'managePromise');
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
      reply: (after) => orderReply(context, request, { data: promisePlanView(after, env, promisePlanOf(after, plan.id)) }),
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

/** The daily work of promises to pay: they start, fall due, fall behind, catch up, and end. */
export const promiseWork: ScheduledWork = {
  nextDay: (state) => promiseTask(state)?.day ?? null,
  *due(state, day) {
    for (let draft = moveBy(state, day); draft !== null; draft = moveBy(state, day)) yield draft;
  },
};

function moveBy(state: LoanState, today: number): FactDraft | null {
  const plan = livePlan(state);
  const next = promiseTask(state);
  if (plan === null || next === null || next.day > today) return null;
  const { move, day, promise, cancellationReason } = next;
  const body: PromiseMoved = {
    planId: plan.id,
    move,
    day,
    promiseId: promise?.id ?? null,
    cancellationReason,
    reasonDetails: null,
    caseId: null,
  };
  return { type: 'PromiseMoved', body };
}
