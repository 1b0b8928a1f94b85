import { type Day, day, type DueDateRule, formatDay, must, parseDueDateRule, ZERO, addDays } from '../../../engine/index.js';
import { companyOf } from '../../company/index.js';
import { type Fault, refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { centsOf, dayOfText, orNull } from '../../wire.js';
import { orderReply } from '../commands/order.js';
import { activationOf, isWithAgency, recordOf, requireCase, requireMove, requirePerson, todayOf } from '../context.js';
import { runningOn } from '../ledger/running.js';
import { lineOf } from '../line/ledger.js';
import { ownDueRule } from '../line/schedule.js';
import { payersOn } from '../people/index.js';
import type { ActionRequest } from '../requests.js';
import type { LoanRecord, LoanState } from '../state.js';
import { findInstrument, usedInstrument } from '../transactions/instruments.js';
import type { UsedInstrument } from '../transactions/record.js';
import { type ComingPayment, comingPayments, plannedPayments } from './amounts.js';
import { endPlan } from './ending.js';
import {
  type AutopayInstrumentChanged,
  type AutopayPaymentCanceled,
  autopayPaymentId,
  type AutopayPaymentRescheduled,
  type AutopayStarted,
} from './facts.js';
import { type AutopayMove, mayMove } from './evolve.js';
import { type AutopayAmountType, type AutopayPlan, livePlan, MAX_AUTOPAY_PAYMENTS } from './plan.js';
import type {
  CancelAutopayPaymentRequest,
  CancelAutopayQuery,
  CreateAutopayRequest,
  RescheduleAutopayPaymentRequest,
  UpdateAutopayRequest,
} from './types.js';
import { seenRows } from './daily.js';
import { autopayView } from './view.js';

/** The plan in force; 404 when there is none, 409 when its status does not allow the move. */
function beginOnPlan(context: CommandContext<LoanState>, move: AutopayMove, caseId: string | null | undefined): AutopayPlan {
  const { state, env, command } = context;
  requirePerson(state, command.params['personId'], env);
  const plan = livePlan(state) ?? refuse('notFound', `The loan ${state.id} has no autopay plan.`);
  if (!mayMove(plan.status, move)) refuse('invalidState', `The autopay plan is ${plan.status}.`);
  requireCase(env, state, command, caseId);
  return plan;
}

/** An active instrument of the borrower or an additional one that can be charged without asking. */
function chargeable({ state, env }: CommandContext<LoanState>, anyId: string): UsedInstrument {
  const found = findInstrument(env, payersOn(recordOf(state), todayOf(env, state)), anyId);
  const fault = (message: string): never =>
    refuse('ruleViolation', `The payment instrument ${anyId} cannot be used: ${message}.`, {
      errors: [{ path: 'paymentInstrumentId', expected: 'a bank account or card of the borrower or an additional borrower', message }],
    });
  if (found === undefined) return fault('there is no such object');
  const { id, isExternal, status } = found.instrument;
  if (isExternal) return fault('the service cannot move money of an external instrument');
  if (status !== 'active') {
    refuse('invalidState', `The payment instrument ${id} is ${status}; it must be active.`, {
      errors: [{ path: 'paymentInstrumentId', expected: 'an active payment instrument', message: `it is ${status}` }],
    });
  }
  return usedInstrument(found);
}

/** The facts of a command on a plan, previewed or recorded. The reply is the plan after them. */
function planDecision(
  context: CommandContext<LoanState>,
  request: Pick<ActionRequest, 'previewMode'>,
  planId: string,
  facts: readonly FactDraft[],
): Decision<LoanState> {
  return {
    facts,
    preview: request.previewMode === true,
    reply: (after) => {
      const plan = must(
        after.autopay.find(({ id }) => id === planId),
        `the plan ${planId} is there`,
      );
      return orderReply(context, request, { data: autopayView(after, context.env, plan) });
    },
  };
}

/** `POST L/autopay`: one plan at a time, of an active loan, or of an originated one to take effect on activation. */
export const createAutopay: CommandSpec<LoanState, CreateAutopayRequest> = {
  kind: 'loan',
  type: 'autopay.create',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command, body: request } = context;
    requirePerson(state, command.params['personId'], env);
    refuseFaults(bodyFaults(request));
    requireMove(state, 'enrollAutopay');
    if (isWithAgency(state)) refuse('invalidState', 'A collection agency services the loan.');
    const present = livePlan(state);
    if (present !== null) refuse('activePlanExists', `The loan already has the autopay plan ${present.id}. Cancel it first.`);
    requireCase(env, state, command, request.caseId);
    checkTerms(context, request);
    const today = todayOf(env, state);
    const body: AutopayStarted = {
      id: env.newId('AP'),
      rule: ruleOf(context, request),
      instrument: chargeable(context, request.paymentInstrumentId),
      agreementDocumentId: request.agreementDocumentId ?? null,
      amountType: amountTypeOf(request) ?? AMOUNT_TYPES[recordOf(state).type][0],
      fixedCents: orNull(centsOf, request.fixedAmount),
      extraCents: request.extraAmount == null ? ZERO : centsOf(request.extraAmount),
      caseId: request.caseId ?? null,
      idBase: env.reserveIds(MAX_AUTOPAY_PAYMENTS),
      startDay: today,
      ...seenRows(activationOf(state) === null ? null : runningOn(state, env, today)),
    };
    return planDecision(context, request, body.id, [{ type: 'AutopayStarted', body }]);
  },
};

/** How loans of each type may be paid; the first one unless another is asked for. */
const AMOUNT_TYPES: Readonly<Record<LoanRecord['type'], readonly [AutopayAmountType, ...AutopayAmountType[]]>> = {
  installment: ['scheduledAmount'],
  lineOfCredit: ['minimumDueAmount', 'statementBalance', 'fixedAmount', 'outstandingBalance'],
};

/** `statementMinimumAmount` is another name of what a statement asks for at least. */
const amountTypeOf = ({ amountType }: CreateAutopayRequest): AutopayAmountType | null =>
  amountType === 'statementMinimumAmount' ? 'minimumDueAmount' : (amountType ?? null);

/** Faults that the body shows by itself. */
function bodyFaults({
  isAlignedToDueDates,
  paymentFrequency,
  specificDays,
  amountType,
  fixedAmount,
}: CreateAutopayRequest): readonly Fault[] {
  const faults: Fault[] = [];
  const isOwn = isAlignedToDueDates === false || paymentFrequency != null || specificDays != null;
  const missing = (path: string): void => void faults.push({ path, expected: 'a frequency with its days', message: 'is missing' });
  if (isOwn && paymentFrequency == null) missing('paymentFrequency');
  if (isOwn && specificDays == null) missing('specificDays');
  if (amountType === 'fixedAmount' && fixedAmount == null)
    faults.push({ path: 'fixedAmount', expected: 'the amount', message: 'is missing' });
  if (amountType !== 'fixedAmount' && fixedAmount != null) {
    faults.push({ path: 'fixedAmount', expected: 'nothing', message: 'can only be set with amountType fixedAmount' });
  }
  if (paymentFrequency != null && specificDays != null && parseDueDateRule(paymentFrequency, specificDays, ANY_DAY) === undefined) {
    faults.push({ path: 'specificDays', expected: `days of ${paymentFrequency}`, message: 'do not match the frequency' });
  }
  return faults;
}

/** Any value will do: days that are named do not depend on the day of activation. */
const ANY_DAY = day(0);

function refuseFaults(errors: readonly Fault[]): void {
  if (errors.length > 0) refuse('validationError', 'The autopay plan is not valid: see `errors`.', { errors });
}

/** What the loan and its company refuse. */
function checkTerms({ state, env }: CommandContext<LoanState>, request: CreateAutopayRequest): void {
  const { type } = recordOf(state);
  const { agreementDocumentId } = request;
  const amountType = amountTypeOf(request);
  if (amountType != null && !AMOUNT_TYPES[type].includes(amountType)) {
    refuse('ruleViolation', `\`amountType\` ${amountType} is not supported for a loan of the type ${type}.`, {
      errors: [{ path: 'amountType', expected: AMOUNT_TYPES[type].join(', '), message: 'is only supported for the other product' }],
    });
  }
  const isRequired = companyOf(env, state.tenant).profile?.config.autopay.requireAgreement ?? true;
  if (isRequired && agreementDocumentId == null) {
    refuse('ruleViolation', '`agreementDocumentId` is required: autopay needs the signed authorization of the borrower.', {
      errors: [{ path: 'agreementDocumentId', expected: 'the id of the document with the authorization', message: 'is missing' }],
    });
  }
}

/** Null: on the due dates, also if the request names dates that are the same as the due dates. */
function ruleOf(
  context: CommandContext<LoanState>,
  { isAlignedToDueDates, paymentFrequency, specificDays }: CreateAutopayRequest,
): DueDateRule | null {
  if (paymentFrequency == null || specificDays == null) return null;
  const rule = parseDueDateRule(paymentFrequency, specificDays, ANY_DAY) ?? null;
  const own = loanRule(context);
  if (rule === null || (own !== null && JSON.stringify(rule) === JSON.stringify(own))) return null;
  if (isAlignedToDueDates === true) {
    refuse('ruleViolation', '`specificDays` are not the due days of the loan. Send those, or isAlignedToDueDates false.', {
      errors: [
        { path: 'specificDays', expected: 'the days of the loan, or isAlignedToDueDates false', message: 'contradict isAlignedToDueDates' },
      ],
    });
  }
  return rule;
}

function loanRule({ state, env }: CommandContext<LoanState>): DueDateRule | null {
  if (state.line !== null) return ownDueRule(lineOf(state, env).schedule);
  if (state.servicing !== null) return state.servicing.contract.terms.dueDateRule;
  const { paymentFrequency, specificDays } = recordOf(state).atOrigination;
  return specificDays === null ? null : (parseDueDateRule(paymentFrequency, specificDays, ANY_DAY) ?? null);
}

/** `DELETE L/autopay`. */
export const cancelAutopay: CommandSpec<LoanState, unknown, CancelAutopayQuery> = {
  kind: 'loan',
  type: 'autopay.cancel',
  place: { on: 'target' },
  decide(context) {
    const query: CancelAutopayQuery = context.command.query ?? {};
    const plan = beginOnPlan(context, 'cancel', query.caseId);
    const end = { move: 'cancel', cancelReason: query.cancelReason ?? 'canceledByAgent', caseId: query.caseId ?? null } as const;
    return planDecision(context, query, plan.id, endPlan(context.state, plan, end));
  },
};

/** `PUT L/autopay`: another instrument. */
export const updateAutopay: CommandSpec<LoanState, UpdateAutopayRequest> = {
  kind: 'loan',
  type: 'autopay.update',
  place: { on: 'target' },
  decide(context) {
    const request = context.body;
    const plan = beginOnPlan(context, 'changeInstrument', request.caseId);
    const instrument = chargeable(context, request.paymentInstrumentId);
    const agreementDocumentId = request.agreementDocumentId ?? plan.agreementDocumentId;
    const body: AutopayInstrumentChanged = { planId: plan.id, instrument, agreementDocumentId, caseId: request.caseId ?? null };
    const isSame = instrument.id === plan.instrument.id && agreementDocumentId === plan.agreementDocumentId;
    return planDecision(context, request, plan.id, isSame ? [] : [{ type: 'AutopayInstrumentChanged', body }]);
  },
};

/** `POST L/autopay/expected-payments/{autopayPaymentId}/reschedule`. */
export const rescheduleAutopayPayment: CommandSpec<LoanState, RescheduleAutopayPaymentRequest> = {
  kind: 'loan',
  type: 'autopay.reschedulePayment',
  place: { on: 'target' },
  decide(context) {
    const request = context.body;
    const plan = beginOnPlan(context, 'reschedulePayment', request.caseId);
    const { ordinal, day: oldDay } = comingPayment(context, plan);
    const newDay = dayOfText(request.date);
    const today = todayOf(context.env, context.state);
    if (newDay <= today) refuseProperty('date', `a day after ${formatDay(today)}`, '`date` must be after today.');
    const { first, last } = periodOf(plan, ordinal);
    if (newDay < first || (newDay > last && request.caseId == null)) {
      refuse('ruleViolation', '`date` is outside of the period of the payment.', {
        errors: [
          {
            path: 'date',
            expected: `${formatDay(first)} to ${formatDay(last)}, later only with a case`,
            message: 'is outside of this range',
          },
        ],
      });
    }
    const body: AutopayPaymentRescheduled = { planId: plan.id, ordinal, oldDay, day: newDay, caseId: request.caseId ?? null };
    return planDecision(context, request, plan.id, [{ type: 'AutopayPaymentRescheduled', body }]);
  },
};

/** `POST L/autopay/expected-payments/{autopayPaymentId}/cancel`. */
export const cancelAutopayPayment: CommandSpec<LoanState, CancelAutopayPaymentRequest> = {
  kind: 'loan',
  type: 'autopay.cancelPayment',
  place: { on: 'target' },
  decide(context) {
    const request = context.body;
    const plan = beginOnPlan(context, 'cancelPayment', request.caseId);
    const coming = comingPayment(context, plan);
    const body: AutopayPaymentCanceled = { planId: plan.id, ordinal: coming.ordinal, day: coming.day, caseId: request.caseId ?? null };
    return planDecision(context, request, plan.id, [{ type: 'AutopayPaymentCanceled', body }]);
  },
};

/** The coming payment of the path: 404 when the plan has no such payment, 409 when its day has come or it was canceled. */
function comingPayment({ state, env, command }: CommandContext<LoanState>, plan: AutopayPlan): ComingPayment {
  const id = command.params['autopayPaymentId'] ?? '';
  const isAsked = ({ ordinal }: { readonly ordinal: number }): boolean => autopayPaymentId(env, state, plan, ordinal) === id;
  const coming = comingPayments(plan).find(isAsked);
  if (coming !== undefined) return coming;
  if (plannedPayments(plan).some(isAsked)) {
    refuse('invalidState', `The payment ${id} has already been created. Move or cancel its transaction while that is scheduled.`);
  }
  return refuse('notFound', `The autopay plan has no payment ${id}.`);
}

/** The days after the previous due date, through the payment's own. */
function periodOf(plan: AutopayPlan, ordinal: number): { readonly first: Day; readonly last: Day } {
  const { plannedDay } = must(
    plannedPayments(plan).find((payment) => payment.ordinal === ordinal),
    'a coming payment is planned',
  );
  const row = plan.rowDays.findIndex((due) => due >= plannedDay);
  const last = plan.rowDays[row] ?? plannedDay;
  const before = plan.rowDays[row - 1];
  return { first: before === undefined ? plan.startDay : addDays(before, 1), last };
}
