import { must, ZERO } from '../../../engine/index.js';
import { actorView } from '../../kernel/actor-view.js';
import { amount, dateText, dateTimeText, orNull } from '../../wire.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import { scheduleRows } from '../views/schedule.js';
import type { ModificationTerms, PaymentPlan, ScheduleModification } from './state.js';
import type { PaymentPlanReply, PlannedScheduleReply, ScheduleModificationReply } from './types.js';

export function planReply(state: LoanState, plan: PaymentPlan): PaymentPlanReply {
  return {
    object: 'paymentPlan',
    id: plan.id,
    externalId: plan.externalId,
    loanId: state.id,
    paymentPlanType: plan.paymentPlanType,
    numberOfPeriods: plan.numberOfPeriods,
    amount: orNull(amount, plan.amountCents),
    selectedDueDate: dateText(plan.startDay),
    isExtendLoanDuration: plan.isExtendLoanDuration,
    status: plan.status,
    startDate: dateText(plan.startDay),
    endDate: dateText(plan.endDay),
    originalAmount: amount(plan.originalCents),
    cancellationReason: plan.cancellationReason,
    reasonDetails: plan.reasonDetails,
    canceledAt: orNull(dateTimeText, plan.canceledAt),
    createdAt: dateTimeText(plan.createdAt),
    updatedAt: dateTimeText(plan.updatedAt),
    createdBy: actorView(plan.by),
    caseId: plan.caseId,
  };
}

/** A plan with the schedule that it makes. */
export function planCreatedReply(state: LoanState, planId: string, env: ViewEnv): PlannedScheduleReply {
  const plan = must(
    state.modifications.plans.find((candidate) => candidate.id === planId),
    `the loan has no plan ${planId}`,
  );
  return { ...planReply(state, plan), schedule: scheduleRows(state, env) };
}

export function modificationReply(modification: ScheduleModification): ScheduleModificationReply {
  const { terms, fee } = modification;
  return {
    object: 'scheduleModification',
    id: modification.id,
    type: terms.type,
    effectiveDate: dateText(modification.effectiveDay),
    createdAt: dateTimeText(modification.recordedAt),
    createdBy: actorView(modification.by),
    caseId: modification.caseId,
    agreementDocumentId: modification.agreementDocumentId,
    loanFeeId: fee?.id ?? null,
    feeAmount: amount(fee?.amountCents ?? ZERO),
    isFeeWaived: modification.isFeeWaived,
    ...NO_TERMS,
    ...termsReply(terms),
  };
}

const NO_TERMS = {
  existingDueDate: null,
  newDueDate: null,
  days: null,
  startDueDate: null,
  selectedDueDate: null,
  numberOfPeriods: null,
  isExtendLoanDuration: null,
  isInterestOnly: null,
  amount: null,
  dueDatesFrequency: null,
  specificDays: null,
  paymentPlanId: null,
} as const;

function termsReply(terms: ModificationTerms): Partial<ScheduleModificationReply> {
  switch (terms.type) {
    case 'changeDueDates':
      return { dueDatesFrequency: terms.dueDatesFrequency, specificDays: terms.specificDays, newDueDate: dateText(terms.firstDay) };
    case 'deferDueDate':
      return { existingDueDate: dateText(terms.existingDay), newDueDate: dateText(terms.newDay) };
    case 'deferSchedule':
      return { startDueDate: dateText(terms.startDay), days: terms.days, numberOfPeriods: terms.numberOfPeriods };
    case 'changeLoanTerms': {
      const { numberOfPeriods, isExtendLoanDuration, isInterestOnly, dueDatesFrequency, specificDays } = terms;
      return {
        selectedDueDate: dateText(terms.selectedDay),
        numberOfPeriods,
        isExtendLoanDuration,
        isInterestOnly,
        amount: orNull(amount, terms.amountCents),
        dueDatesFrequency,
        specificDays,
      };
    }
    case 'deferRemainingBalances':
      return {};
    case 'paymentPlan':
    case 'cancelPaymentPlan':
      return { paymentPlanId: terms.paymentPlanId };
  }
}
