import { must, ZERO } from '../../../engine/index.js';
import { refuseProperty } from '../../errors.js';
import { actorView } from '../../kernel/actor-logic.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { pageOf, type PageQuery } from '../../list-order.js';
import { amount, dateText, dateTimeText, type ListResult, orNull } from '../../wire.js';
import { activatedOf, recordOf, requirePerson } from '../context.js';
import { runningOn } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { productOn } from '../transactions/moves.js';
import { scheduleRows, type ViewEnv } from '../views/loan.js';
import { toolFee } from './schedule-now.js';
import {
  MODIFICATION_TYPES,
  type ModificationTerms,
  type ModificationTool,
  type PaymentPlan,
  planAsked,
  type ScheduleModification,
} from './state.js';
import type { ModificationFeeReply, PaymentPlanReply, PlannedScheduleReply, ScheduleModificationReply } from './types.js';

function planReply(state: LoanState, plan: PaymentPlan): PaymentPlanReply {
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

function modificationReply(modification: ScheduleModification): ScheduleModificationReply {
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

interface ListModificationsQuery extends PageQuery {
  readonly types?: readonly string[];
}

const listModifications: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.scheduleModifications',
  on: 'target',
  read({ state, env, query, request }): ListResult {
    requirePerson(state, request.params['personId'], env);
    const { types = [], ...page } = (query ?? {}) as ListModificationsQuery;
    const unknown = types.find((type) => !MODIFICATION_TYPES.some((known) => known === type));
    if (unknown !== undefined) refuseProperty('types', MODIFICATION_TYPES.join(', '), `Unknown modification ${unknown}.`);
    const wanted = state.modifications.history.filter(({ terms }) => types.length === 0 || types.includes(terms.type));
    return pageOf(wanted.toReversed(), page, modificationReply);
  },
};

const listModificationFees: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.modificationFees',
  on: 'target',
  read({ state, env, request }): readonly ModificationFeeReply[] {
    requirePerson(state, request.params['personId'], env);
    activatedOf(state);
    const today = env.today(recordOf(state).zone);
    const ledger = runningOn(state, env, today);
    const product = productOn(state, env, today);
    return TOOLS.map((tool): ModificationFeeReply => {
      const fee = toolFee(state, { ledger, product }, tool, env);
      const name = fee?.feeType.name;
      return {
        tool,
        feeTypeId: fee?.feeType.id ?? null,
        apiName: name?.apiName ?? null,
        displayName: name?.displayName ?? null,
        feeAmount: amount(fee?.amountCents ?? ZERO),
      };
    });
  },
};

const TOOLS: readonly ModificationTool[] = ['duedate.defer', 'schedule.defer', 'change.duedates', 'change.terms'];

const listPlans: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'paymentPlan.list',
  on: 'target',
  read({ state, env, query, request }): ListResult {
    requirePerson(state, request.params['personId'], env);
    const newestFirst = state.modifications.plans.toReversed();
    return pageOf(
      newestFirst,
      (query ?? {}) as PageQuery,
      (plan) => planReply(state, plan),
      (plan) => plan.externalId,
    );
  },
};

const getPlan: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'paymentPlan.get',
  on: 'target',
  read({ state, env, request }): PaymentPlanReply {
    requirePerson(state, request.params['personId'], env);
    return planReply(state, planAsked(state, request.params['paymentPlanId'], env));
  },
};

export const modificationQueries: readonly QuerySpec<LoanState>[] = [listModifications, listModificationFees, listPlans, getPlan];
