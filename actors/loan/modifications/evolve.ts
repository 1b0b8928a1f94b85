import {
  type BalancesDeferred,
  type DueDateDeferred,
  type LineScheduleChanged,
  must,
  type ScheduleChanged,
} from '../../../engine/index.js';
import type { EventDraft } from '../../kernel/fact.js';
import { amount, dateText, orNull } from '../../wire.js';
import { recordOf } from '../context.js';
import { obligationId } from '../derived-ids.js';
import { loanEvent } from '../events.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';
import { applyLedgerFact, reasonWritten } from '../ledger/evolve.js';
import { ledgerOf } from '../ledger/installment.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../applying.js';
import {
  type ModificationTerms,
  type PaymentPlan,
  type PaymentPlanTerms,
  type PlanCancellationReason,
  type PlanMove,
  planStatusAfter,
  type ScheduleModification,
} from './state.js';

export const APPLY_MODIFICATIONS: {
  readonly [Type in keyof ModificationFacts]: (applying: Applying, body: ModificationFacts[Type]) => void;
} = {
  ScheduleModified: scheduleModified,
  PaymentPlanCreated: planCreated,
  PaymentPlanEnded: planEnded,
  PaymentPlanCanceled: planCanceled,
};

function scheduleModified(applying: Applying, body: ScheduleModified): void {
  const { state, emit, env } = applying;
  const { terms } = body.modification;
  const sequence = change(applying, body);
  note(applying, body, { ...body.modification, sequence });
  if (emit === null) return;
  if (terms.type === 'deferDueDate') {
    const ordinal = ledgerOf(state, env).rows.findIndex((row) => row.date === terms.existingDay);
    const data = {
      obligationId: ordinal < 0 ? null : obligationId(env, state, ordinal),
      oldDate: dateText(terms.existingDay),
      newDate: dateText(terms.newDay),
    };
    emit(loanEvent(state, 'loan.duedate.defer', data));
  }
  if (terms.type === 'deferSchedule') {
    const { endDay } = must(state.servicing, 'a loan with a schedule').summary;
    const data = { fromDate: dateText(terms.startDay), numberOfPeriods: terms.numberOfPeriods, newEndDate: orNull(dateText, endDay) };
    emit(loanEvent(state, 'loan.schedule.defer', data));
  }
}

function planCreated(applying: Applying, body: PaymentPlanCreated): void {
  const { state, fact, emit } = applying;
  const sequence = change(applying, body);
  const plan: PaymentPlan = {
    ...body.plan,
    sequence,
    status: 'active',
    createdAt: fact.businessAt,
    updatedAt: fact.businessAt,
    by: fact.by,
    caseId: body.caseId,
    canceledAt: null,
    cancellationReason: null,
    reasonDetails: null,
  };
  state.modifications = { ...state.modifications, plans: [...state.modifications.plans, plan] };
  notePlan(applying, body, { id: body.modificationId, sequence, terms: { type: 'paymentPlan', paymentPlanId: plan.id } });
  const data = {
    paymentPlanId: plan.id,
    type: plan.paymentPlanType,
    numberOfPeriods: plan.numberOfPeriods,
    amount: orNull(amount, plan.amountCents),
    startDate: dateText(plan.startDay),
  };
  emit?.(planEvent(state, plan, 'paymentplan.created', data));
  emit?.(loanEvent(state, 'loan.paymentplan.setup', data));
}

/** The plan has ended without a command. */
function planEnded(applying: Applying, { planId, move, reason }: PaymentPlanEnded): void {
  movePlan(applying, planId, move, { cancellationReason: reason });
}

function planCanceled(applying: Applying, body: PaymentPlanCanceled): void {
  const sequence = change(applying, reasonWritten(body));
  notePlan(applying, body, { id: body.modificationId, sequence, terms: { type: 'cancelPaymentPlan', paymentPlanId: body.planId } });
  movePlan(applying, body.planId, 'cancel', { cancellationReason: 'canceledByUser', reasonDetails: body.reason });
}

function movePlan({ state, fact, emit }: Applying, planId: string, move: PlanMove, changes: Partial<PaymentPlan>): void {
  const before = must(
    state.modifications.plans.find((plan) => plan.id === planId),
    `the loan has no plan ${planId}`,
  );
  const status = planStatusAfter(before.status, move);
  const after: PaymentPlan = {
    ...before,
    ...changes,
    status,
    updatedAt: fact.businessAt,
    canceledAt: status === 'canceled' ? fact.businessAt : null,
  };
  const plans = state.modifications.plans.map((plan) => (plan === before ? after : plan));
  state.modifications = { ...state.modifications, plans };
  emit?.(planEvent(state, after, 'paymentplan.statuschanged', { paymentPlanId: planId, oldStatus: before.status, newStatus: status }));
}

/** Applies the change to the ledger, and notes that the schedule was amortized again. */
function change(applying: Applying, body: LedgerChanged): number {
  const { sequence } = applyLedgerFact(applying, body);
  const { state, fact } = applying;
  const record = recordOf(state);
  state.record = { ...record, timestamps: { ...record.timestamps, lastAmortizedAt: fact.businessAt } };
  return sequence;
}

type Noted = Pick<ScheduleModification, 'id' | 'agreementDocumentId' | 'fee' | 'isFeeWaived' | 'sequence'> & {
  readonly terms: ModificationTerms;
};

function note({ state, fact }: Applying, body: LedgerChanged, noted: Noted): void {
  const modification: ScheduleModification = {
    ...noted,
    effectiveDay: must(fact.effective, 'a change of the schedule has an effective time').day,
    recordedDay: body.recordedDay,
    recordedAt: fact.businessAt,
    by: fact.by,
    caseId: body.caseId,
  };
  state.modifications = { ...state.modifications, history: [...state.modifications.history, modification] };
}

const notePlan = (applying: Applying, body: LedgerChanged, noted: Pick<Noted, 'id' | 'sequence' | 'terms'>): void =>
  note(applying, body, { ...noted, agreementDocumentId: null, fee: null, isFeeWaived: false });

function planEvent(state: LoanState, plan: PaymentPlan, eventType: string, data: EventDraft['data']): EventDraft {
  const { personId, externalId } = recordOf(state);
  return {
    eventType,
    objectType: 'paymentPlan',
    objectId: plan.id,
    refs: { loanId: state.id, personId },
    externalIds: { loanId: externalId },
    data,
  };
}

/** Facts of tools that change the schedule of a loan. The fee of a tool is a fact of its own in the same batch. */
export interface ModificationFacts {
  readonly ScheduleModified: ScheduleModified;
  readonly PaymentPlanCreated: PaymentPlanCreated;
  readonly PaymentPlanEnded: PaymentPlanEnded;
  readonly PaymentPlanCanceled: PaymentPlanCanceled;
}

type Kept = Pick<ScheduleModification, 'id' | 'agreementDocumentId' | 'fee' | 'isFeeWaived'>;

export interface ScheduleModified extends LedgerChanged {
  readonly change: LedgerChange<ScheduleChanged | DueDateDeferred | LineScheduleChanged | BalancesDeferred>;
  readonly modification: Kept & { readonly terms: ModificationTerms };
}

export interface PaymentPlanCreated extends LedgerChanged {
  readonly change: LedgerChange<ScheduleChanged>;
  readonly plan: PaymentPlanTerms;
  readonly modificationId: string;
}

/** The plan has ended without a command: the schedule stays as it is. */
export interface PaymentPlanEnded {
  readonly planId: string;
  readonly move: PlanMove;
  readonly reason: PlanCancellationReason | null;
}

/** The plan was canceled by a command: the schedule before it is restored. */
export interface PaymentPlanCanceled extends LedgerChanged {
  readonly change: LedgerChange<ScheduleChanged>;
  readonly planId: string;
  readonly modificationId: string;
}
