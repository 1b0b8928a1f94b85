import {
  addDays,
  type Cents,
  type Day,
  type LedgerState,
  MAX_SCHEDULE_ROWS,
  must,
  type OpenRow,
  type RowTerm,
  type ScheduleChanged,
} from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import { centsOf, dayOfText, orNull } from '../../wire.js';
import { beginAction, orderReply } from '../commands/order.js';
import { effectiveNow, servicingOf } from '../context.js';
import type { LedgerChange } from '../facts.js';
import type { LoanState } from '../state.js';
import type { PaymentPlanCanceled, PaymentPlanCreated } from './evolve.js';
import {
  beginTool,
  datesAfter,
  keptTerm,
  ledgerBeforeTools,
  onBusinessDays,
  rowsFrom,
  scheduleNow,
  type ScheduleNow,
  sized,
  simulatedSchedule,
} from './schedule-now.js';
import { mayMovePlan, type PaymentPlan, planAsked } from './state.js';
import type { CancelPaymentPlanRequest, CreatePaymentPlanRequest } from './types.js';
import { planCreatedReply } from './view.js';

/** `POST L/custom-payment-plans`: an amount, or interest-only payments, for some periods. Then the earlier schedule continues. */
export const createPaymentPlan: CommandSpec<LoanState, CreatePaymentPlanRequest> = {
  kind: 'loan',
  type: 'paymentPlan.create',
  place: { on: 'target' },
  decide(context) {
    const request = beginTool(context);
    requireBodyFits(request);
    requireNewExternalId(context, request);
    const now = scheduleNow(context);
    const { change, endDay, originalCents } = planned(context, request, now);
    simulatedSchedule(now, change);
    const id = context.env.newId('PP');
    const body: PaymentPlanCreated = {
      change,
      plan: {
        id,
        externalId: request.externalId ?? null,
        paymentPlanType: request.paymentPlanType,
        numberOfPeriods: request.numberOfPeriods,
        amountCents: orNull(centsOf, request.amount),
        isExtendLoanDuration: request.isExtendLoanDuration === true,
        startDay: must(change.dueDates[0], 'a first due date'),
        endDay,
        originalCents,
      },
      modificationId: context.env.newId('MO'),
      recordedDay: now.today,
      caseId: request.caseId ?? null,
      reason: null,
    };
    return decisionOf(context, request, body);
  },
};

function decisionOf(context: CommandContext<LoanState>, request: CreatePaymentPlanRequest, body: PaymentPlanCreated): Decision<LoanState> {
  const { state, env } = context;
  return {
    facts: [{ type: 'PaymentPlanCreated', body, effective: effectiveNow(env, state) }],
    preview: request.previewMode === true,
    reply: (after) => orderReply(context, request, { data: planCreatedReply(after, body.plan.id, env) }),
  };
}

function requireBodyFits({ paymentPlanType, amount }: CreatePaymentPlanRequest): void {
  if (paymentPlanType === 'fixedAmountAndFees' && amount == null)
    refuseProperty('amount', 'the amount of each period', '`amount` is required for a plan with a fixed amount.');
  if (paymentPlanType === 'interestOnlyAndFees' && amount != null)
    refuseProperty('amount', 'no amount', '`amount` cannot be set where only interest is paid.');
}

function requireNewExternalId({ env }: CommandContext<LoanState>, { externalId }: CreatePaymentPlanRequest): void {
  if (externalId == null || env.findExternal(env.tenant, 'paymentPlan', externalId) === undefined) return;
  refuse('duplicate', `\`externalId\` ${externalId} is already used by another payment plan.`, {
    errors: [{ path: 'externalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}

interface Planned {
  readonly change: LedgerChange<ScheduleChanged>;
  readonly endDay: Day;
  readonly originalCents: Cents;
}

/**
 * The plan's rows from the selected due date on, then the rows of the schedule before other tools. If the loan may last longer, it goes on
 * at the recurring amount; if it keeps its duration, the last due date takes the rest.
 */
function planned(context: CommandContext<LoanState>, request: CreatePaymentPlanRequest, now: ScheduleNow): Planned {
  const before = ledgerBeforeTools(context, now);
  const first = must(rowsFrom(now, 'selectedDueDate', orNull(dayOfText, request.selectedDueDate))[0], 'a due date').date;
  const later = before.rows.filter((row) => row.date > first);
  const originalCents = recurringCents(context, before, first);
  const terms = planTerms(request, later);
  const dates = [first, ...later.map((row) => row.date)];
  const rule = before.dueDateRule;
  const payment = { type: 'fixed', amountCents: originalCents } as const;
  if (request.isExtendLoanDuration !== true) {
    if (request.numberOfPeriods > dates.length) refusePeriods(dates.length);
    const change = { type: 'scheduleChanged', dueDates: dates, payment, rowTerms: closing(terms, dates.length), rule } as const;
    return { change, endDay: must(dates[request.numberOfPeriods - 1], 'a plan has due dates'), originalCents };
  }
  const room = Math.max(0, MAX_SCHEDULE_ROWS - now.ledger.rows.length);
  const more = onBusinessDays(datesAfter(rule, must(dates.at(-1), 'a date'), room), now.product.schedule);
  const all = [...dates, ...more];
  const change = {
    type: 'scheduleChanged',
    dueDates: all,
    payment: { type: 'openEnded', amountCents: originalCents },
    rowTerms: terms,
    rule,
  } as const;
  return { change: sized(now, change), endDay: all[request.numberOfPeriods - 1] ?? refusePeriods(all.length), originalCents };
}

function planTerms({ paymentPlanType, numberOfPeriods, amount }: CreatePaymentPlanRequest, later: readonly OpenRow[]): readonly RowTerm[] {
  const term: RowTerm =
    paymentPlanType === 'interestOnlyAndFees' ? { type: 'interestOnly' } : { type: 'forced', amountCents: centsOf(amount ?? 0) };
  const inPlan = Array.from({ length: numberOfPeriods }, () => term);
  return [...inPlan, ...later.slice(numberOfPeriods - 1).map(keptTerm)];
}

/** The terms with the last due date taking the rest. */
const closing = (terms: readonly RowTerm[], count: number): readonly RowTerm[] =>
  terms.slice(0, count).map((term, position) => (position === count - 1 ? { type: 'level' } : term));

/** The recurring amount of the schedule before the plan; the contract's if only the last due date is left. */
function recurringCents({ state }: CommandContext<LoanState>, { rows }: LedgerState, from: Day): Cents {
  const open = rows.filter((row, position) => row.date >= from && position < rows.length - 1);
  const level = open.find((row) => !row.isForced && row.isDeferred !== true && row.isInterestOnly !== true);
  return level?.amountCents ?? servicingOf(state).contract.periodicPaymentCents;
}

function refusePeriods(most: number): never {
  return refuse('ruleViolation', 'The plan goes beyond the last due date. Send `isExtendLoanDuration` true to add due dates.', {
    errors: [{ path: 'numberOfPeriods', expected: `at most ${most}`, message: 'is more than the loan has' }],
  });
}

/**
 * `POST L/custom-payment-plans/{paymentPlanId}/cancel`: the schedule before the plan, re-amortized from the next due date.
 */
export const cancelPaymentPlan: CommandSpec<LoanState, CancelPaymentPlanRequest> = {
  kind: 'loan',
  type: 'paymentPlan.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'modify');
    const { state, env, command } = context;
    const plan = planAsked(state, command.params['paymentPlanId'], env);
    if (!mayMovePlan(plan.status, 'cancel')) {
      refuse('invalidTransition', `The payment plan is ${plan.status}.`, {
        errors: [{ path: 'status', expected: 'active', message: `the plan is ${plan.status}` }],
      });
    }
    const now = scheduleNow(context);
    const change = restored(context, now, plan);
    simulatedSchedule(now, change);
    const body: PaymentPlanCanceled = {
      change,
      planId: plan.id,
      modificationId: env.newId('MO'),
      recordedDay: now.today,
      caseId: request.caseId ?? null,
      reason: request.reasonDetails ?? null,
    };
    return {
      facts: [{ type: 'PaymentPlanCanceled', body, effective: effectiveNow(env, state) }],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: planCreatedReply(after, plan.id, env) }),
    };
  },
};

/** The coming due dates of the schedule before the plan; if all have passed, the present coming ones. */
function restored(context: CommandContext<LoanState>, now: ScheduleNow, plan: PaymentPlan): LedgerChange<ScheduleChanged> {
  const before = ledgerBeforeTools(context, now, plan.sequence);
  const rows = before.rows.filter((row) => row.date > now.today);
  if (rows.length === 0) return { type: 'scheduleChanged', dueDates: now.open.map((row) => row.date), payment: { type: 'level' } };
  return {
    type: 'scheduleChanged',
    from: addDays(now.today, 1),
    dueDates: rows.map((row) => row.date),
    payment: { type: 'level' },
    rowTerms: rows.map(keptTerm),
    rule: before.dueDateRule,
  };
}
