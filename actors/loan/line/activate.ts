import {
  addDays,
  type Day,
  effectiveFromNominal,
  fixedOfRate,
  type IndexValue,
  LAST_DAY,
  type LineTerms,
  type MinimumTerms,
  type Rate,
  RATE_ZERO,
  rateOfFixed,
  rateOn,
} from '../../../engine/index.js';
import { companyOf, type LoanTypeSettings, loanTypeVersions, settingsAt } from '../../company/index.js';
import type { CommandContext, Decision } from '../../kernel/actor.js';
import { orderReply } from '../commands/order.js';
import { recordOf } from '../context.js';
import type { LineActivated } from '../facts.js';
import { heldAtActivation } from '../ledger/threshold-holds.js';
import { effectiveAtActivation, productAtActivation } from '../origination/at-activation.js';
import { ratesFrom } from '../origination/schedule-plan.js';
import type { MinPaymentTerms, Origination, PaymentFrequency } from '../origination/terms.js';
import { originatedPrograms } from '../promo-programs/program.js';
import { indexOf } from '../rates/rows.js';
import type { ActivateLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { amountsValidation, ratesValidation, scheduleRows } from '../views/loan.js';
import type { ActivationReply } from '../views/types.js';
import type { LineContract } from './ledger.js';
import { lineScheduleOf } from './schedule.js';

export interface LineActivation {
  readonly origination: Origination;
  readonly settings: LoanTypeSettings;
  readonly day: Day;
  /** Index values for lines with spreads. */
  readonly index: readonly IndexValue[];
}

/** The contract of a line at its activation. Its rates apply to draws without rates of their own. */
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

/** The terms of the minimum payment: the draw's own, otherwise the line's, otherwise the product's. */
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

/** The effective APR: the periodic rate of open-end credit (Regulation Z, 1026.14(b)), compounded over a year. */
function effectiveOf(nominal: Rate, frequency: PaymentFrequency): Rate {
  if (nominal <= RATE_ZERO) return nominal;
  return rateOfFixed(effectiveFromNominal(fixedOfRate(nominal), PERIODS_A_YEAR[frequency]), APR_STEP, 'halfUp');
}

/** `POST L/activate` of a line: its first period starts, with an amount of zero. */
export function activateLine(context: CommandContext<LoanState>, request: ActivateLoanRequest, day: Day): Decision<LoanState> {
  const { state, env } = context;
  const { atOrigination: origination, loanTypeId } = recordOf(state);
  const settings = settingsAt(loanTypeVersions(companyOf(env, state.tenant), loanTypeId), day);
  const contract = lineContractOf({ origination, settings, day, index: indexOf(state, env) });
  const body: LineActivated = { contract, ...productAtActivation(state, env) };
  return {
    facts: [
      { type: 'LineActivated', body, effective: effectiveAtActivation(env, state, day) },
      ...originatedPrograms(state, env, { activation: day, lastDue: addDays(LAST_DAY, -1) }),
      ...heldAtActivation(env, state),
    ],
    preview: request.previewMode === true,
    reply(after) {
      const data: ActivationReply = {
        schedule: scheduleRows(after, env),
        ratesValidation: ratesValidation(after, env),
        amountsValidation: amountsValidation(after),
      };
      return orderReply(context, request, { data });
    },
  };
}
