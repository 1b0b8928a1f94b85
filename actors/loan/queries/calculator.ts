import { type Advance, AmortizationError, type Cents, cents, type Day, ownJson, sum, ZERO } from '../../../engine/index.js';
import { companyOf, currentSettings, LOAN_TYPE_DEFAULTS, type LoanTypeSettings, zoneOf } from '../../company/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { amount, centsOf, dateText, dayOfText, orNull, rateValue, toJsonText, unrounded } from '../../wire.js';
import { aprOf, periodicPaymentOf } from '../origination/contract.js';
import { loanTypeOf, recordOf, requireInstallment, requirePerson } from '../context.js';
import { originationFaults, readSchedule, scheduleFaults } from '../origination/read.js';
import type { AdvanceRequest, AmortizeRequest, OriginationRequest, SchedulePreviewRequest } from '../requests.js';
import { planSchedule, type PlanMode, type SchedulePlan, type ScheduleTerms } from '../origination/schedule-plan.js';
import type { LoanState } from '../state.js';
import type { AmortizeReply, CalculatedRow, SchedulePreviewReply } from '../views/read-types.js';
import { originationView } from '../views/origination.js';

/** `POST /utilities/amortize`: by a loan type's settings, or by those in the body. */
export const amortizeUtility: QuerySpec<LoanState, AmortizeRequest> = {
  kind: 'loan',
  type: 'utility.amortize',
  on: 'company',
  read({ query, env }): AmortizeReply {
    const request = query;
    refuseAll(scheduleFaults(request, ''));
    const { settings, zone } = settingsAsked(request, env);
    const start = request.startDate == null ? env.today(zone) : dayOfText(request.startDate);
    const terms: ScheduleTerms = {
      ...readSchedule(request),
      ...paidOut(centsOf(request.principalAmount ?? request.amountFinanced), request.advanceSchedule ?? [], start),
      originationFeeCents: orNull(centsOf, request.fees?.originationFeeAmount) ?? ZERO,
      serviceFeeCents: orNull(centsOf, request.fees?.serviceFeeAmount) ?? ZERO,
      ...(request.firstDueDate == null ? {} : { firstDueDate: dayOfText(request.firstDueDate) }),
    };
    return calculated(plan(terms, settings, start, isGiven(request)), terms, centsOf(request.amountFinanced), start);
  },
};

/** `POST L/schedule-preview`: the schedule with some terms changed; nothing is recorded. */
export const previewSchedule: QuerySpec<LoanState, SchedulePreviewRequest> = {
  kind: 'loan',
  type: 'loan.schedulePreview',
  on: 'target',
  read({ state, env, query, request: asked }): SchedulePreviewReply {
    requirePerson(state, asked.params['personId'], env);
    requireInstallment(state);
    const request = query;
    const record = recordOf(state);
    const known = ownJson<OriginationRequest>(toJsonText(originationView(state, record, env)));
    const merged = { ...known, ...request };
    refuseAll(originationFaults(merged, 'installment', ''));
    const today = env.today(record.zone);
    const start = request.startDate == null ? (state.servicing?.contract.terms.activation ?? today) : dayOfText(request.startDate);
    const principalCents = centsOf(request.principalAmount ?? request.amountFinanced ?? known.principalAmount ?? known.amountFinanced ?? 0);
    const terms: ScheduleTerms = {
      ...readSchedule(merged),
      ...paidOut(principalCents, merged.advanceSchedule ?? [], start),
      originationFeeCents: orNull(centsOf, merged.fees?.originationFeeAmount) ?? ZERO,
    };
    const { schedule, aprNominal, aprEffective, totalInterestAmount } = calculated(
      plan(terms, currentSettings(loanTypeOf(env, state)), start, isGiven(request)),
      terms,
      centsOf(merged.amountFinanced ?? 0),
      start,
    );
    return { schedule, aprNominal, aprEffective, totalInterestAmount };
  },
};

/** The amount paid out at the start and the later advances, which together are the principal. */
function paidOut(
  principalCents: Cents,
  planned: readonly AdvanceRequest[],
  start: Day,
): Required<Pick<ScheduleTerms, 'principalCents' | 'advances'>> {
  const advances = planned
    .filter(({ status }) => status !== 'canceled')
    .map((row): Advance => ({ date: dayOfText(row.advanceDate), amountCents: centsOf(row.amount) }))
    .filter(({ date }) => date > start);
  const atStart = principalCents - sum(advances.map(({ amountCents }) => amountCents));
  if (atStart > 0) return { principalCents: cents(atStart), advances };
  return refuse('ruleViolation', 'The scheduled advances must be less than the principal: something must be paid out at the start.', {
    errors: [{ path: 'advanceSchedule', expected: 'less than the principal', message: 'is not less than the principal' }],
  });
}

function refuseAll(errors: readonly Fault[]): void {
  const named = errors.map((fault) => ({ ...fault, path: fault.path.replace(/^\./, '') }));
  if (named.length > 0) refuse('validationError', 'The terms are not valid: see `errors`.', { errors: named });
}

interface Asked {
  readonly settings: LoanTypeSettings;
  readonly zone: string;
}

function settingsAsked(request: AmortizeRequest, env: QueryEnv): Asked {
  const company = companyOf(env, env.tenant);
  const loanType = request.loanTypeId == null ? undefined : company.loanTypes.get(request.loanTypeId);
  if (request.loanTypeId != null && loanType === undefined) {
    refuse('ruleViolation', `There is no loan type ${request.loanTypeId}.`, {
      errors: [{ path: 'loanTypeId', expected: 'the id of a loan type', message: 'there is no such loan type' }],
    });
  }
  const base = loanType === undefined ? LOAN_TYPE_DEFAULTS : currentSettings(loanType);
  const settings: LoanTypeSettings = {
    ...base,
    interest: { ...base.interest, interestAccrualMethod: request.interestAccrualMethod ?? base.interest.interestAccrualMethod },
    fees: { ...base.fees, originationFeeLogic: request.fees?.originationFeeLogic ?? base.fees.originationFeeLogic },
  };
  return { settings, zone: zoneOf(company, loanType) };
}

const isGiven = (request: { readonly expectedPayments?: unknown }): PlanMode =>
  request.expectedPayments == null ? 'reAmortize' : 'useAtOrigination';

function plan(terms: ScheduleTerms, settings: LoanTypeSettings, start: Day, mode: PlanMode): SchedulePlan {
  try {
    return planSchedule(terms, settings, start, mode);
  } catch (error) {
    if (!(error instanceof AmortizationError)) throw error;
    return refuse(error.fault === 'paymentDoesNotCoverInterest' ? 'validationError' : 'ruleViolation', error.message, {
      errors: [
        { path: FAULT_PATHS[error.fault] ?? 'periodicPaymentAmount', expected: 'terms that pay the loan off', message: error.message },
      ],
      cause: error,
    });
  }
}

const FAULT_PATHS: Readonly<Partial<Record<AmortizationError['fault'], string>>> = {
  advanceAfterLastDueDate: 'advanceSchedule',
  noDueDates: 'enforcedEndDate',
};

function calculated(
  { schedule, rule }: SchedulePlan,
  { advances = [] }: ScheduleTerms,
  amountFinancedCents: Cents,
  start: Day,
): AmortizeReply {
  const apr = aprOf(schedule, amountFinancedCents, start, advances);
  return {
    schedule: schedule.rows.map(
      (row): CalculatedRow => ({
        date: dateText(row.date),
        paymentType: 'periodicPayment',
        amount: amount(row.amountCents),
        principalAmount: amount(row.principalCents),
        interestAmount: amount(row.interestCents),
        interestBeforeDiscountAmount: amount(row.interestBeforeDiscountCents),
        unroundedPrincipalAmount: unrounded(row.unroundedPrincipal),
        unroundedInterestAmount: unrounded(row.unroundedInterest),
        unroundedInterestBeforeDiscountAmount: unrounded(row.unroundedInterestBeforeDiscount),
        feeAmount: amount(row.feeCents),
        remainingPrincipalAmount: amount(row.remainingPrincipalCents),
        isForcedAmount: row.isForcedAmount,
      }),
    ),
    paymentFrequency: rule.type,
    periodicPaymentAmount: amount(periodicPaymentOf({ schedule })),
    duration: schedule.rows.length,
    startDate: dateText(start),
    endDate: dateText(schedule.endDate),
    totalInterestAmount: amount(schedule.totalInterestCents),
    totalFeesAmount: amount(schedule.totalFeesCents),
    totalAmount: amount(cents(schedule.totalAmountCents + schedule.separateFeeCents)),
    aprNominal: rateValue(apr.nominal),
    aprEffective: rateValue(apr.effective),
  };
}
