import {
  addDays,
  type Day,
  effectiveFromNominal,
  fixedOfRate,
  type IndexValue,
  type LineTerms,
  type MinimumTerms,
  type Rate,
  RATE_ZERO,
  rateOfFixed,
  rateOn,
} from '../../../engine/index.js';
import type { LoanTypeSettings } from '../../company/index.js';
import type { MinPaymentTerms, Origination, PaymentFrequency } from '../origination/terms.js';
import { ratesFrom } from '../origination/schedule-plan.js';
import { lineScheduleOf } from './schedule.js';
import type { LineContract } from './state.js';

export interface LineActivation {
  readonly origination: Origination;
  readonly settings: LoanTypeSettings;
  readonly day: Day;
  /** Of lines with spreads. */
  readonly index: readonly IndexValue[];
}

/** The contract that the activation of a line brings into force. Its rates are those that its draws take over. */
export function lineContractOf({ origination, settings, day, index }: LineActivation): LineContract {
  const { net } = rateOn(ratesFrom({ ...origination, index }, day), day);
  return { terms: termsOf(origination, settings, day), aprNominal: net, aprEffective: effectiveOf(net, origination.paymentFrequency) };
}

function termsOf(origination: Origination, settings: LoanTypeSettings, day: Day): Omit<LineTerms, 'settings'> {
  const { interest, schedule, fees } = settings;
  return {
    activation: day,
    interestFrom: interest.firstDay === 'dayAfter' ? addDays(day, 1) : day,
    creditLimitCents: creditTermsOf(origination).limitCents,
    originationFee: { amountCents: origination.fees.originationFeeCents, logic: fees.originationFeeLogic },
    dayCount: interest.interestAccrualMethod,
    accrualMethod: interest.accrualMethod,
    schedule: lineScheduleOf(origination, settings, day),
    rounding: { payment: schedule.levelPaymentRounding, paymentMultipleCents: 1, interest: interest.rounding },
    minimum: minimumOf(origination.credit?.minPayment ?? null, null, settings),
  };
}

export function creditTermsOf({ credit }: Origination): NonNullable<Origination['credit']> {
  if (credit === undefined) throw new TypeError('a line of credit has its terms');
  return credit;
}

/** The minimum payment's parts: the draw's own, else the line's, else the product's. */
export function minimumOf(own: MinPaymentTerms | null, line: MinPaymentTerms | null, { minPayment }: LoanTypeSettings): MinimumTerms {
  return {
    percentageOfPrincipal: own?.percentageOfPrincipal ?? line?.percentageOfPrincipal ?? minPayment.percentageOfPrincipal,
    minCents: own?.minCents ?? line?.minCents ?? minPayment.minAmount,
    isOverLimitIncluded: own?.isOverLimitIncluded ?? line?.isOverLimitIncluded ?? minPayment.includeOverLimit,
  };
}

const PERIODS_A_YEAR: Readonly<Record<PaymentFrequency, number>> = {
  weekly: 52,
  everyTwoWeeks: 26,
  twiceMonthly: 24,
  monthly: 12,
  singleTerm: 1,
};

/** APRs have six decimals. */
const APR_STEP = 100;

/** Of open-end credit the APR is the periodic rate over a year (Regulation Z, 1026.14(b)); compounded it is the effective one. */
function effectiveOf(nominal: Rate, frequency: PaymentFrequency): Rate {
  if (nominal <= RATE_ZERO) return nominal;
  return rateOfFixed(effectiveFromNominal(fixedOfRate(nominal), PERIODS_A_YEAR[frequency]), APR_STEP, 'halfUp');
}
