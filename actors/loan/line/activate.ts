import {
  addDays,
  type Day,
  effectiveFromNominal,
  fixedOfRate,
  type IndexValue,
  LAST_DAY,
  linePeriodsOf,
  type LineSchedule,
  type LineState,
  type LineTerms,
  type MinimumTerms,
  must,
  type Rate,
  RATE_ZERO,
  rateOfFixed,
  rateOn,
  runningPeriod,
} from '../../../engine/index.js';
import { companyOf, currentSettings, type LoanTypeSettings, loanTypeVersions, settingsAt } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, Decision } from '../../kernel/actor.js';
import { dateText } from '../../wire.js';
import { orderReply } from '../commands/order.js';
import { refuseFaults } from '../commands/update.js';
import { loanTypeOf, recordOf, todayOf } from '../context.js';
import type { LineActivated } from '../facts.js';
import { heldAtActivation } from '../ledger/threshold-holds.js';
import { requireUses, toolDecision, type ToolNow } from '../modifications/schedule-now.js';
import type { ChangeDueDatesRequest } from '../modifications/types.js';
import { effectiveAtActivation, productAtActivation } from '../origination/at-activation.js';
import { ratesFrom } from '../origination/schedule-plan.js';
import type { MinPaymentTerms, Origination, PaymentFrequency } from '../origination/terms.js';
import { originatedPrograms } from '../promo-programs/program.js';
import { indexOf } from '../rates/rows.js';
import type { ActionRequest, ActivateLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { productOn } from '../transactions/moves.js';
import { amountsValidation, ratesValidation, scheduleRows } from '../views/loan.js';
import type { ActivationReply } from '../views/types.js';
import { type LineContract, lineOfCredit } from './ledger.js';
import { readLineDays } from './read-terms.js';
import { daysOfSchedule, lineScheduleFaults, lineScheduleOf } from './schedule.js';

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

type Context<Body = unknown> = CommandContext<LoanState, Body>;

interface LineNow extends ToolNow {
  readonly ledger: LineState;
}

/** `POST L/defer-remaining-balances`: due and overdue balances become non-due; their interest and fees become principal. */
export const deferredBalances = (context: Context, request: ActionRequest): Decision<LoanState> =>
  toolDecision(context, request, lineNow(context), {
    tool: null,
    terms: { type: 'deferRemainingBalances' },
    change: { type: 'balancesDeferred' },
  });

/** `PUT L/expected-payments` of a line: its dates change from the next period on. Amounts follow from the balance. */
export function changedLineDates(context: Context, request: ChangeDueDatesRequest): Decision<LoanState> {
  const now = lineNow(context);
  const schedule = scheduleAsked(context, now, request);
  requireUses(context, now, ['changeDueDates'], now.product.limits.maxDueDateChangesPerYear);
  const running = runningPeriod(now.ledger);
  const first = must(linePeriodsOf({ ...now.ledger, schedule }, running.statementDate).at(-1), 'a period follows').dueDay;
  const least = addDays(running.dueDate, now.product.schedule.minDaysToFirstDueDate);
  if (first < least) {
    refuse('ruleViolation', 'The first new due date is too soon.', {
      errors: [
        {
          path: 'specificDays',
          expected: `a first new due date on ${dateText(least)} or later`,
          message: `it would be ${dateText(first)}`,
        },
      ],
    });
  }
  const { paymentFrequency: dueDatesFrequency, specificDays } = daysOfSchedule(schedule);
  const terms = { type: 'changeDueDates', dueDatesFrequency, specificDays, firstDay: first } as const;
  return toolDecision(context, request, now, { tool: 'change.duedates', terms, change: { type: 'lineScheduleChanged', schedule } });
}

function lineNow({ state, env }: Context): LineNow {
  const today = todayOf(env, state);
  return { today, ledger: lineOfCredit.on(state, env, today), product: productOn(state, env, today) };
}

function scheduleAsked(
  { state, env }: Context,
  { product }: LineNow,
  { dueDatesFrequency, specificDays }: ChangeDueDatesRequest,
): LineSchedule {
  if (dueDatesFrequency === 'singleTerm') refuse('ruleViolation', 'A line of credit cannot have a single due date.');
  if (!product.schedule.allowedFrequencies.includes(dueDatesFrequency)) {
    refuse('ruleViolation', `The line cannot have the frequency ${dueDatesFrequency}.`, {
      errors: [
        { path: 'dueDatesFrequency', expected: product.schedule.allowedFrequencies.join(', '), message: 'not possible for this line' },
      ],
    });
  }
  const settings = currentSettings(loanTypeOf(env, state));
  const days = specificDays == null ? null : specificDays.map(String);
  const asked = {
    paymentFrequency: dueDatesFrequency,
    specificDays: readLineDays({ paymentFrequency: dueDatesFrequency, specificDays: days }) ?? days,
  };
  const faults = lineScheduleFaults(asked, settings);
  if (faults.length > 0) refuseFaults(faults.map((fault) => ({ ...fault, path: fault.path.replace('atOrigination.', '') })));
  return lineScheduleOf(asked, settings, todayOf(env, state));
}
