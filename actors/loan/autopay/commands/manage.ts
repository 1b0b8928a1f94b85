import { type Day, formatDay, must } from '../../../../engine/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import { dayOfText } from '../../../wire.js';
import { requireBody, todayOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import { type ComingPayment, comingPayments, plannedPayments } from '../dates.js';
import { autopayPaymentId } from '../events.js';
import { endPlan } from '../ending.js';
import type { AutopayInstrumentChanged, AutopayPaymentCanceled, AutopayPaymentRescheduled } from '../facts.js';
import type { AutopayPlan } from '../plan.js';
import type {
  CancelAutopayPaymentRequest,
  CancelAutopayQuery,
  RescheduleAutopayPaymentRequest,
  UpdateAutopayRequest,
} from '../requests.js';
import { beginOnPlan, chargeable, planDecision } from './common.js';

/** `DELETE L/autopay`. */
export const cancelAutopay: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'autopay.cancel',
  place: { on: 'target' },
  decide(context) {
    const query = (context.command.query ?? {}) as CancelAutopayQuery;
    const plan = beginOnPlan(context, 'cancel', query.caseId);
    const end = { move: 'cancel', cancelReason: query.cancelReason ?? 'canceledByAgent', caseId: query.caseId ?? null } as const;
    return planDecision(context, query, plan.id, endPlan(context.state, plan, end));
  },
};

/** `PUT L/autopay`: another instrument. */
export const updateAutopay: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'autopay.update',
  place: { on: 'target' },
  decide(context) {
    const request = requireBody<UpdateAutopayRequest>(context.body);
    const plan = beginOnPlan(context, 'changeInstrument', request.caseId);
    const instrument = chargeable(context, request.paymentInstrumentId);
    const agreementDocumentId = request.agreementDocumentId ?? plan.agreementDocumentId;
    const body: AutopayInstrumentChanged = { planId: plan.id, instrument, agreementDocumentId, caseId: request.caseId ?? null };
    const isSame = instrument.id === plan.instrument.id && agreementDocumentId === plan.agreementDocumentId;
    return planDecision(context, request, plan.id, isSame ? [] : [{ type: 'AutopayInstrumentChanged', body }]);
  },
};

/** `POST L/autopay/expected-payments/{autopayPaymentId}/reschedule` (money 6, rule 8). */
export const rescheduleAutopayPayment: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'autopay.reschedulePayment',
  place: { on: 'target' },
  decide(context) {
    const request = requireBody<RescheduleAutopayPaymentRequest>(context.body);
    const plan = beginOnPlan(context, 'reschedulePayment', request.caseId);
    const { ordinal, day: oldDay } = comingPayment(context, plan);
    const day = dayOfText(request.date);
    const today = todayOf(context.env, context.state);
    if (day <= today) refuseProperty('date', `a day after ${formatDay(today)}`, 'The new date has passed.');
    const { first, last } = periodOf(plan, ordinal);
    if (day < first || (day > last && request.caseId == null)) {
      refuse('ruleViolation', 'The new date lies outside of the period of the payment.', {
        errors: [{ path: 'date', expected: `${formatDay(first)} to ${formatDay(last)}, later only with a case`, message: 'lies outside' }],
      });
    }
    const body: AutopayPaymentRescheduled = { planId: plan.id, ordinal, oldDay, day, caseId: request.caseId ?? null };
    return planDecision(context, request, plan.id, [{ type: 'AutopayPaymentRescheduled', body }]);
  },
};

/** `POST L/autopay/expected-payments/{autopayPaymentId}/cancel`. */
export const cancelAutopayPayment: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'autopay.cancelPayment',
  place: { on: 'target' },
  decide(context) {
    const request = requireBody<CancelAutopayPaymentRequest>(context.body);
    const plan = beginOnPlan(context, 'cancelPayment', request.caseId);
    const { ordinal, day } = comingPayment(context, plan);
    const body: AutopayPaymentCanceled = { planId: plan.id, ordinal, day, caseId: request.caseId ?? null };
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
    refuse('invalidState', `The payment ${id} is not to come any more; its transaction can be moved or canceled while it is scheduled.`);
  }
  return refuse('notFound', `The autopay plan has no payment ${id}.`);
}

/** The days from after the due date before through the payment's own. */
function periodOf(plan: AutopayPlan, ordinal: number): { readonly first: Day; readonly last: Day } {
  const { plannedDay } = must(
    plannedPayments(plan).find((payment) => payment.ordinal === ordinal),
    'a coming payment is planned',
  );
  const row = plan.rowDays.findIndex((due) => due >= plannedDay);
  const last = plan.rowDays[row] ?? plannedDay;
  const before = plan.rowDays[row - 1];
  return { first: before === undefined ? plan.startDay : ((before + 1) as Day), last };
}
