import {
  type Advance,
  AmortizationError,
  amortize,
  aprOfSchedule,
  type Cents,
  cents,
  type Day,
  type IndexValue,
  type Schedule,
  type ScheduleRow,
  sum,
  ZERO,
} from '../../../engine/index.js';
import type { LoanTypeSettings } from '../../company/index.js';
import { scheduleByInstallment } from '../ledger/scheduled-interest.js';
import type { Origination } from './terms.js';
import { planOf, planSchedule, type PlanMode, type SchedulePlan, scheduleTermsOf } from './schedule-plan.js';
import type { AmountsValidation, Contract } from '../state.js';

export interface Activation {
  readonly origination: Origination;
  readonly settings: LoanTypeSettings;
  readonly day: Day;
  readonly mode: PlanMode;
  /** The part of the amount financed that is planned to be paid out later, in advances. */
  readonly plannedCents?: number;
  /** Index values for loans with spreads. */
  readonly index?: readonly IndexValue[];
}

/**
 * The contract of an activation on a day: its rows, its APRs by the actuarial method, and how the caller's figures compare with the
 * service's own.
 *
 * @throws AmortizationError when no schedule fits the terms from that day.
 */
export function contractOf(activation: Activation): Contract {
  const { settings, day, mode } = activation;
  const origination = paidOutAtOnce(activation);
  const plan = planOf(origination, settings, day, mode, activation.index);
  const { schedule } = plan;
  const apr = aprOf(schedule, origination.amountFinancedCents, day);
  return {
    terms: {
      activation: day,
      interestFrom: plan.interestFrom,
      principalCents: origination.principalCents,
      originationFee: { amountCents: origination.fees.originationFeeCents, logic: settings.fees.originationFeeLogic },
      rates: plan.rates,
      dayCount: settings.interest.interestAccrualMethod,
      accrualMethod: settings.interest.accrualMethod,
      rows: (plan.keeping === undefined ? schedule.rows : schedule.rows.filter(({ date }) => date > day)).map((row) => ({
        date: row.date,
        amountCents: cents(row.amountCents - row.feeCents),
        principalCents: row.principalCents,
        interestCents: row.interestCents,
        isForced: row.isForcedAmount,
      })),
      dueDateRule: plan.rule,
      rounding: { payment: settings.schedule.levelPaymentRounding, paymentMultipleCents: 1, interest: settings.interest.rounding },
      totalInterestCapCents: origination.totalInterestCapCents,
      ...(settings.interest.fraction === 'keptUntilPaid' ? { isFractionKept: true } : {}),
      ...(settings.schedule.lastInstalment === 'asScheduled' ? { isLastAsScheduled: true } : {}),
      ...(plan.keeping === undefined ? {} : { keeping: plan.keeping }),
    },
    amortization: mode,
    periodicPaymentCents: periodicPaymentOf(plan),
    totalInterestCents: schedule.totalInterestCents,
    endDate: schedule.endDate,
    aprNominal: apr.nominal,
    aprEffective: apr.effective,
    amountsValidation: compareAmounts(activation, schedule),
  };
}

/** The terms without what is paid out later: each advance re-amortizes the coming rows on its own day. */
function paidOutAtOnce({ origination, plannedCents = 0 }: Activation): Origination {
  if (plannedCents === 0) return origination;
  const amountFinancedCents = cents(Math.max(0, origination.amountFinancedCents - plannedCents));
  const principalCents = cents(Math.min(origination.principalCents, amountFinancedCents));
  if (principalCents === 0)
    throw new AmortizationError('noPrincipal', 'nothing is paid out at activation: schedule an advance for that day');
  return { ...origination, amountFinancedCents, principalCents };
}

/**
 * The rows of a contract with values that the contract does not store: interest before rounding and the fee of each row. The amounts are
 * known, so nothing is solved again. The last row counts as forced, since some schedules leave a rest.
 */
export function plannedRows({ terms }: Contract): readonly ScheduleRow[] {
  const { originationFee: fee, keeping } = terms;
  if (keeping !== undefined) {
    const dueDates = terms.rows.map((row) => row.date);
    return scheduleByInstallment({ keeping, start: terms.activation, dueDates, principalCents: terms.principalCents, rates: terms.rates })
      .rows;
  }
  const last = terms.rows.length - 1;
  const { rows } = amortize({
    start: terms.interestFrom,
    principalCents: terms.principalCents,
    dueDates: terms.rows.map((row) => row.date),
    rowTerms: terms.rows.map(({ amountCents, isForced }, index) => ({
      type: isForced || index === last ? 'forced' : 'given',
      amountCents,
    })),
    payment: { type: 'level' },
    rates: terms.rates,
    dayCount: terms.dayCount,
    accrualMethod: terms.accrualMethod,
    rounding: terms.rounding,
    fees: { originationCents: fee.amountCents, originationLogic: fee.logic, perRowCents: ZERO },
    totalInterestCapCents: terms.totalInterestCapCents,
  });
  return rows.map((row, index) => (index === last ? { ...row, isForcedAmount: terms.rows[last]?.isForced ?? false } : row));
}

/** The APR of the amount financed, without the fee that is paid outside of the schedule, and of all rows with their fees. */
export function aprOf(
  schedule: Schedule,
  amountFinancedCents: Cents,
  start: Day,
  later: readonly Advance[] = [],
): ReturnType<typeof aprOfSchedule> {
  const atStart = amountFinancedCents - schedule.separateFeeCents - sum(later.map(({ amountCents }) => amountCents));
  return aprOfSchedule({
    advances: [{ date: start, amountCents: cents(atStart) }, ...later],
    payments: schedule.rows.map((row) => ({ date: row.date, amountCents: row.amountCents })),
  });
}

/** The recurring amount: the solved level, otherwise the first row's. */
export function periodicPaymentOf({ schedule }: Pick<SchedulePlan, 'schedule'>): Cents {
  return schedule.levels[0]?.amountCents ?? schedule.rows[0]?.amountCents ?? ZERO;
}

/**
 * Compares the caller's figures with the service's own amortization: to the cent for principal, fees and advances, to one cent a payment
 * for interest and the recurring amount. An absent figure matches.
 */
function compareAmounts(activation: Activation, schedule: Schedule): AmountsValidation {
  const { origination } = activation;
  const toleranceCents = schedule.rows.length;
  const own = ownSchedule(activation, schedule);
  const given = origination.expectedPayments ?? [];
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= toleranceCents;
  const advances = origination.advanceSchedule ?? [];
  return {
    principalMatch:
      given.some((row) => row.principalCents === null) ||
      given.length === 0 ||
      sumOf(given, 'principalCents') === origination.principalCents,
    interestMatch: origination.totalInterestCents === null || isNear(origination.totalInterestCents, own.totalInterestCents),
    feesMatch: schedule.totalFeesCents === origination.fees.originationFeeCents,
    totalAdvancesMatch:
      advances.length === 0 || advances.reduce((so, advance) => so + advance.amountCents, 0) === origination.amountFinancedCents,
    recurringAmountsMatch:
      (origination.periodicPaymentCents === null || isNear(origination.periodicPaymentCents, periodicPaymentOf({ schedule: own }))) &&
      given.every((row, index) => isNear(row.amountCents, own.rows[index]?.amountCents ?? 0)),
  };
}

const sumOf = (rows: readonly { readonly principalCents: Cents | null }[], key: 'principalCents'): number =>
  rows.reduce((so, row) => so + (row[key] ?? 0), 0);

/** The service's own schedule of the terms, without the caller's amounts. */
function ownSchedule({ origination, settings, day, index }: Activation, schedule: Schedule): Schedule {
  const isOwn = origination.expectedPayments === null && origination.periodicPaymentCents === null;
  if (isOwn) return schedule;
  const terms = { ...scheduleTermsOf(origination, index), periodicPaymentCents: null, duration: schedule.rows.length };
  const dates = schedule.rows.map((row: ScheduleRow) => row.date);
  const [first] = dates;
  return planSchedule(
    { ...terms, expectedPayments: null, ...(first === undefined ? {} : { firstDueDate: first }) },
    settings,
    day,
    'reAmortize',
  ).schedule;
}
