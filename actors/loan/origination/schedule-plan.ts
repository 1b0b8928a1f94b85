import {
  type Advance,
  AmortizationError,
  shiftToBusinessDay,
  addDays,
  amortize,
  type AmortizationInput,
  consecutiveBands,
  consecutiveInterestBands,
  type Day,
  dueDateRuleOf,
  dueDates,
  dueDatesUntil,
  type DueDateRule,
  type IndexValue,
  type ScheduledKeeping,
  beginningAt,
  firstDueDate,
  MAX_SCHEDULE_ROWS,
  netRateSegments,
  parseDueDateRule,
  type PaymentTerm,
  RATE_ONE,
  rateTimeline,
  type RateTimeline,
  type RowTerm,
  type Schedule,
  ZERO,
} from '../../../engine/index.js';
import type { LoanTypeSettings } from '../../company/index.js';
import { BoundedMap } from '../../kernel/lists/bounded-map.js';
import { keepingFor, scheduleByInstallment } from '../ledger/scheduled-interest.js';
import type { Origination } from './terms.js';
import type { ScheduleFields } from './read.js';

/** The terms that decide a schedule. */
export type ScheduleTerms = ScheduleFields &
  Pick<Origination, 'principalCents'> & {
    readonly originationFeeCents: Origination['fees']['originationFeeCents'];
    /** A fee in each row; only for the calculator and the preview. */
    readonly serviceFeeCents?: Origination['fees']['originationFeeCents'];
    /** The index values to which spreads are added. */
    readonly index?: readonly IndexValue[];
    /** Overrides the first date that would follow from the days. */
    readonly firstDueDate?: Day;
    /** Paid out after the start, in addition to the principal; only for the calculator and the preview. */
    readonly advances?: readonly Advance[];
  };

export interface SchedulePlan {
  readonly schedule: Schedule;
  readonly rates: RateTimeline;
  readonly rule: DueDateRule;
  /** First day that bears interest. */
  readonly interestFrom: Day;
  /** The settings of scheduled interest; absent: interest accrues by the day. */
  readonly keeping?: ScheduledKeeping;
}

export type PlanMode = 'useAtOrigination' | 'reAmortize';

export const scheduleTermsOf = (origination: Origination, index: readonly IndexValue[] = NO_INDEX): ScheduleTerms => ({
  originationFeeCents: origination.fees.originationFeeCents,
  index,
  ...origination,
});

const NO_INDEX: readonly IndexValue[] = [];

/**
 * `planSchedule` of a loan's terms. The creation and the activation of a loan both need the plan, so the last plans are cached.
 *
 * @throws AmortizationError when no schedule fits the terms.
 */
export function planOf(origination: Origination, settings: LoanTypeSettings, start: Day, mode: PlanMode, index = NO_INDEX): SchedulePlan {
  const known = recentPlans.get(origination);
  if (known !== undefined && known.settings === settings && known.start === start && known.mode === mode && known.index === index)
    return known.plan;
  const plan = planSchedule(scheduleTermsOf(origination, index), settings, start, mode);
  recentPlans.set(origination, { settings, start, mode, index, plan });
  return plan;
}

interface RecentPlan {
  readonly settings: LoanTypeSettings;
  readonly start: Day;
  readonly mode: PlanMode;
  readonly index: readonly IndexValue[];
  readonly plan: SchedulePlan;
}

const MAX_RECENT_PLANS = 512;
/** Terms and settings are replaced, never changed, so they can be compared by identity. */
const recentPlans = new BoundedMap<Origination, RecentPlan>(MAX_RECENT_PLANS);

/**
 * The schedule of terms that start on a day: the caller's rows if they are to be used as given, otherwise computed from the activation
 * date.
 *
 * @throws AmortizationError when no schedule fits the terms.
 */
export function planSchedule(terms: ScheduleTerms, settings: LoanTypeSettings, start: Day, mode: PlanMode): SchedulePlan {
  refuseEarlyDates(terms, start, mode);
  const rule = ruleOf(terms, start);
  const rates = ratesFrom(terms, start);
  const interestFrom = settings.interest.firstDay === 'dayAfter' ? addDays(start, 1) : start;
  const rows = rowsOf(terms, settings, rule, start, mode);
  refuseTooLarge(terms, settings, rates, { from: interestFrom, until: rows.dueDates.at(-1) ?? start });
  const keeping = keepingFor(settings, terms);
  if (keeping !== undefined) {
    const plan = { keeping, start, dueDates: rows.dueDates, principalCents: terms.principalCents, rates };
    return {
      schedule: scheduleByInstallment(plan),
      rates,
      rule,
      interestFrom,
      keeping,
    };
  }
  const schedule = amortize({
    start: interestFrom,
    principalCents: terms.principalCents,
    ...rows,
    ...(terms.advances === undefined ? {} : { advances: terms.advances }),
    rates,
    dayCount: settings.interest.interestAccrualMethod,
    accrualMethod: settings.interest.accrualMethod,
    lastPayment: settings.schedule.lastPaymentLogic,
    rounding: { payment: settings.schedule.levelPaymentRounding, paymentMultipleCents: 1, interest: settings.interest.rounding },
    fees: {
      originationCents: terms.originationFeeCents,
      originationLogic: settings.fees.originationFeeLogic,
      perRowCents: terms.serviceFeeCents ?? ZERO,
    },
    totalInterestCapCents: terms.totalInterestCapCents,
  });
  return { schedule, rates, rule, interestFrom };
}

/** Refuses due dates on or before the day on which interest starts. */
function refuseEarlyDates(terms: ScheduleTerms, start: Day, mode: PlanMode): void {
  const given = mode === 'useAtOrigination' ? terms.expectedPayments?.[0]?.date : undefined;
  const dates = [terms.enforcedEndDate, given, terms.firstDueDate];
  if (dates.some((date) => date != null && date <= start)) {
    throw new AmortizationError('noDueDates', 'a due date or the end date is not after the start');
  }
}

/** The most to which interest may raise the principal, so that it stays a valid amount; a level payment never reaches this. */
const MAX_GROWN_CENTS = 1e15;

function refuseTooLarge(
  { principalCents }: ScheduleTerms,
  { interest }: LoanTypeSettings,
  rates: RateTimeline,
  { from, until }: { readonly from: Day; readonly until: Day },
): void {
  let growth = 0;
  for (const segment of netRateSegments(rates, from, until)) growth += (segment.gross / RATE_ONE) * ((segment.until - segment.from) / 360);
  const factor = interest.accrualMethod === 'simple' ? 1 + growth : Math.exp(growth);
  if (principalCents * factor < MAX_GROWN_CENTS) return;
  throw new AmortizationError('paymentDoesNotCoverInterest', 'the interest over the term is beyond all amounts');
}

/** The days of rate bands, which follow one another from the start on. */
export function ratesFrom(terms: Pick<ScheduleTerms, 'interestRates' | 'promoRates' | 'rateCaps' | 'index'>, start: Day): RateTimeline {
  const { index } = terms;
  const timeline = rateTimeline({
    ...(index === undefined ? {} : { index }),
    interest: consecutiveInterestBands(
      start,
      terms.interestRates.map(({ interestType, days, rate }) => ({ type: interestType, days, rate })),
    ),
    promos: consecutiveBands(start, terms.promoRates ?? []),
    caps: consecutiveBands(
      start,
      (terms.rateCaps ?? []).map(({ days, maxRate }) => ({ days, rate: maxRate })),
    ),
  });
  return index === undefined || index.length === 0 ? timeline : beginningAt(timeline, start);
}

/** The rule of the due dates. It was checked when the loan was made; days that do not fit are replaced by the day of the start. */
function ruleOf(terms: Pick<ScheduleTerms, 'paymentFrequency' | 'specificDays'>, start: Day): DueDateRule {
  return parseDueDateRule(terms.paymentFrequency, terms.specificDays, start) ?? dueDateRuleOf(terms.paymentFrequency, start);
}

type Rows = Pick<AmortizationInput, 'dueDates' | 'rowTerms' | 'payment' | 'enforcedEndDate'>;

function rowsOf(terms: ScheduleTerms, settings: LoanTypeSettings, rule: DueDateRule, start: Day, mode: PlanMode): Rows {
  const given = terms.expectedPayments;
  if (given !== null && mode === 'useAtOrigination') {
    return {
      dueDates: given.map((row) => row.date),
      rowTerms: given.map((row) => ({ type: row.isForced ? 'forced' : 'given', amountCents: row.amountCents })),
      payment: { type: 'level' },
    };
  }
  const first = terms.firstDueDate ?? firstDueDateOf(terms, settings, rule, start);
  const dates = datesFrom(terms, rule, first);
  return {
    dueDates: dates.map((date) => shiftToBusinessDay(date, settings.schedule.nonBusinessDays)),
    rowTerms: given?.map((row): RowTerm => (row.isForced ? { type: 'forced', amountCents: row.amountCents } : { type: 'level' })) ?? [],
    payment: paymentOf(terms),
    enforcedEndDate: terms.enforcedEndDate,
  };
}

function firstDueDateOf(terms: ScheduleTerms, settings: LoanTypeSettings, rule: DueDateRule, start: Day): Day {
  if (rule.type === 'singleTerm' && terms.specificDays === null && terms.enforcedEndDate !== null) return terms.enforcedEndDate;
  return firstDueDate({
    rule,
    activation: start,
    minDaysToFirstDueDate: settings.schedule.minDaysToFirstDueDate,
    bufferToPushOutSchedule: terms.bufferToPushOutSchedule ?? 0,
  });
}

/** As many dates as the duration says, or up to the enforced end date; if only the payment is given, as many as it needs. */
function datesFrom(terms: ScheduleTerms, rule: DueDateRule, first: Day): readonly Day[] {
  const count = rowCount(terms);
  if (count !== null) return dueDates(rule, first, count);
  if (terms.periodicPaymentCents !== null || terms.enforcedEndDate === null) return dueDates(rule, first, MAX_SCHEDULE_ROWS);
  const dates = dueDatesUntil(rule, first, terms.enforcedEndDate, MAX_SCHEDULE_ROWS);
  return dates.length > 0 ? dates : [first];
}

function rowCount(terms: ScheduleTerms): number | null {
  if (terms.paymentFrequency === 'singleTerm') return 1;
  return terms.duration ?? terms.expectedPayments?.length ?? null;
}

function paymentOf(terms: ScheduleTerms): PaymentTerm {
  const amountCents = terms.periodicPaymentCents;
  if (amountCents === null) return { type: 'level' };
  return { type: terms.duration === null ? 'openEnded' : 'fixed', amountCents };
}
