import { addDays, civil, type Day, formatDay, type ScheduledTerms, must } from '../../../engine/index.js';
import {
  annualRateOf,
  COMPUTED,
  datesOf,
  expectedOf,
  type ScheduleVector,
  type Settings,
  startOf,
} from '../../engine/amortization/published-schedules.js';
import type { Step } from '../../engine/ledger/scheduled/play-vector.js';
import { excessFrom, type PublishedLoan, termsOf } from '../../engine/ledger/scheduled/published-loans.js';
import { READINGS } from '../../engine/ledger/scheduled/readings.js';
import { dayFrom } from '../../engine/numbers.js';
import { type DayVector, promotionOf, STANDARD_RATE, GIVEN_AMOUNTS } from '../../engine/ledger/installment/published-days.js';
import type { PublishedVector } from './published.js';

/** A published loan as bodies of requests. */
export interface LoanPlan {
  readonly loanType: object;
  readonly atOrigination: object;
  readonly start: Day;
  /** Further rates, sent with the activation. */
  readonly rates: readonly object[];
  /** The rows of the vector begin with this one. */
  readonly firstRow: number;
  /** True if the lender keeps the down payment back, so that it is no transaction. */
  readonly isDownPaymentKept: boolean;
  /** The day on which the steps of a day of the vector are played. */
  dayFor(published: Day): Day;
}

export const asNumber = (rate: number): number => rate / 1e8;

const sameDay = (day: Day): Day => day;

const PLAIN = { rates: [], firstRow: 1, isDownPaymentKept: false, dayFor: sameDay } as const;

export function planOf(vector: PublishedVector): LoanPlan {
  if (vector.id.startsWith('fsp-l')) return planByDay(vector as unknown as DayVector);
  if (vector.loan['interestType'] === undefined || settingsByDay(vector) !== undefined) return planOfSchedule(vector);
  return planByInstallment(vector);
}

/** Settings of a schedule whose interest is by the day and whose installments are not in whole units. */
function settingsByDay({ id, ...vector }: PublishedVector): Settings | undefined {
  const { settings } = vector as { readonly settings?: Settings & { readonly by?: string } };
  if (settings?.by === 'day') return settings;
  const computed = COMPUTED[id];
  return id.startsWith('fin-') ? undefined : computed;
}

function planOfSchedule(published: PublishedVector): LoanPlan {
  const vector = published as unknown as ScheduleVector;
  const { dayCount, rounding, lastPayment } = must(settingsByDay(published), `settings of ${vector.id}`);
  const start = startOf(vector);
  const dates = datesOf(vector, expectedOf(vector));
  const first = must(dates[0], 'a due date');
  const isSingle = dates.length === 1;
  return {
    loanType: {
      interest: { interestAccrualMethod: dayCount, rounding: rounding.interest },
      // The amount that level payments leave open at the end is a separate row.
      schedule: { levelPaymentRounding: rounding.payment, ...(lastPayment === undefined ? {} : { lastPaymentLogic: 'extraPayment' }) },
    },
    atOrigination: {
      amountFinanced: Number(vector.loan.principal),
      paymentFrequency: isSingle ? 'singleTerm' : 'monthly',
      duration: dates.length + (lastPayment === undefined ? 0 : 1),
      specificDays: [civil(first).day],
      bufferToPushOutSchedule: first - start,
      interestRates: ratesFrom(annualRateOf(vector)),
    },
    start,
    ...PLAIN,
  };
}

const ratesFrom = (annualRate: string): readonly object[] => [{ interestType: 'absolute', days: null, rate: Number(annualRate) }];

function planByInstallment({ id, loan: published, steps = [] }: PublishedVector): LoanPlan {
  const loan = published as unknown as PublishedLoan;
  const terms = termsOf(loan, { ...READINGS[id]?.terms, ...excessOf(steps) });
  const advance = steps.find(({ op }) => op === 'disburse')?.amount;
  const principal = advance ?? loan.principal ?? loan.principalApplied;
  return {
    loanType: loanTypeOf(terms),
    atOrigination: {
      amountFinanced: Number(principal),
      duration: loan.numberOfRepayments,
      interestRates: ratesFrom(loan.annualRate),
      ...daysOf(loan, terms),
    },
    start: terms.start,
    ...PLAIN,
    firstRow: READINGS[id]?.firstRow ?? 1,
    isDownPaymentKept: terms.downPayment?.isAutomatic === true,
    dayFor: isEvery15Days(loan) ? (day) => on14Days(terms.start, day) : sameDay,
  };
}

/** The setting among the steps before the payout: where money above the due amounts goes. */
function excessOf(steps: readonly Step[]): Partial<ScheduledTerms> {
  const paidOut = steps.findIndex(({ op }) => op === 'disburse');
  const rule = steps.slice(0, Math.max(0, paidOut)).find(({ op }) => op === 'allocationRule');
  return rule === undefined ? {} : { excess: excessFrom(String(rule['futureInstallments'])) };
}

const isEvery15Days = ({ repaymentUnit, repaymentEvery }: PublishedLoan): boolean => repaymentUnit === 'DAYS' && repaymentEvery === 15;

/**
 * The interface has no frequency of 15 days. Without interest no amount depends on the distance of the rows: they are played every 14
 * days. Each day of the vector keeps its distance to its row, except that the 14th is the day before the next row.
 */
function on14Days(start: Day, day: Day): Day {
  const row = Math.floor((day - start) / 15);
  return addDays(start, row * 14 + Math.min(day - start - row * 15, 13));
}

function daysOf(loan: PublishedLoan, { start, dueDates, annualRate }: ScheduledTerms): object {
  const first = must(dueDates[0], 'a due date');
  if (loan.repaymentUnit !== 'DAYS' || dueDates.length === 1) return { paymentFrequency: 'monthly', specificDays: [civil(first).day] };
  if (!isEvery15Days(loan) || annualRate !== 0) throw new Error(`no frequency has rows every ${loan.repaymentEvery ?? 1} days`);
  return { paymentFrequency: 'everyTwoWeeks', specificDays: null, bufferToPushOutSchedule: on14Days(start, first) - start };
}

/** The terms of a loan with scheduled interest as settings of a loan type. */
function loanTypeOf(terms: ScheduledTerms): object {
  const { interest, principal, recalculation, downPayment, rounding, allocation } = terms;
  if (principal.type === 'share') throw new Error('no setting fixes the principal of a row');
  const isCumulative = recalculation.type === 'cumulative';
  return {
    interest: {
      rounding: rounding.interest,
      ...(interest.type === 'daily' ? { interestAccrualMethod: interest.dayCount } : {}),
      ...(recalculation.type === 'progressive' ? { accrueOnOverdue: recalculation.isOverdueBearing } : {}),
    },
    byInstalment: {
      interestMethod: interest.type,
      recalculation: recalculation.type,
      ...(isCumulative ? { recalculationRest: recalculation.rest, compoundUnpaidInterest: recalculation.isCompounding } : {}),
      principalMethod: principal.type,
      ...(principal.type === 'level' ? { levelSolvedOver: principal.solvedOver } : {}),
      amountsIn: rounding.multipleCents === 100 ? 'wholeUnits' : 'cents',
      interestRoundedPer: rounding.interestPer === 'period' ? 'period' : 'stretch',
      pastDueOrder: allocation.pastDue,
      dueOrder: allocation.due,
      inAdvanceOrder: allocation.inAdvance,
      excess: terms.excess,
      creditExcess: terms.creditExcess,
      chargebackOrder: isCumulative ? null : terms.chargebackOrder,
      payoffInterest: terms.payoffInterest,
      newRateCountsFrom: terms.newRateCountsFrom,
      ...(downPayment === null
        ? {}
        : { downPaymentShare: asNumber(downPayment.share), downPaymentFrom: downPayment.isAutomatic ? 'advance' : 'borrower' }),
    },
  };
}

function planByDay({ id, loan, expected }: DayVector): LoanPlan {
  const rows = (expected?.rows ?? []).filter(({ scheduled }) => scheduled !== undefined);
  const first = dayFrom(rows[0]?.['date'] ?? '');
  const start = startOf({ loan } as unknown as ScheduleVector);
  const promotion = promotionOf(loan['promotionalRates'] ?? '');
  const isMonthEnd = loan['paymentDates']?.endsWith('month-end') === true;
  const hasAmounts = GIVEN_AMOUNTS.has(id);
  return {
    loanType: {
      interest: { interestAccrualMethod: 'daily365', rounding: 'down', fraction: 'keptUntilPaid' },
      schedule: { levelPaymentRounding: 'up', lastInstalment: 'asScheduled' },
    },
    atOrigination: {
      amountFinanced: Number(loan['principal']),
      duration: rows.length,
      paymentFrequency: 'monthly',
      specificDays: [isMonthEnd ? 31 : civil(first).day],
      bufferToPushOutSchedule: first - start,
      interestRates: [{ interestType: 'absolute', days: null, rate: asNumber(STANDARD_RATE) }],
      // The cap is a share of the principal: all of it.
      totalInterestCapAmount: Number(loan['principal']),
      ...(hasAmounts
        ? { expectedPayments: rows.map(({ date, scheduled }) => ({ date, amount: Number(scheduled), isForcedAmount: true })) }
        : {}),
    },
    start,
    ...PLAIN,
    rates:
      promotion === null
        ? []
        : [
            {
              annualRate: asNumber(promotion.rate),
              startDate: formatDay(promotion.from),
              endDate: formatDay(addDays(promotion.until, -1)),
            },
          ],
  };
}
