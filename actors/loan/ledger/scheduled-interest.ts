import {
  accruedOfCents,
  addDays,
  AmortizationError,
  cents,
  computeInstallments,
  type Day,
  type ScheduledKeeping,
  installmentViews,
  RATE_ZERO,
  ratesSince,
  type RateTimeline,
  type Schedule,
  type ScheduleRow,
  sum,
  ZERO,
} from '../../../engine/index.js';
import { keepingOf, type LoanTypeSettings } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf } from '../context.js';
import type { LedgerChange } from '../facts.js';
import type { ScheduleTerms } from '../origination/schedule-plan.js';
import type { LedgerSummary, LoanState } from '../state.js';
import { digestOf, recompute, runningOf } from './running.js';

/** Periods of a year by payment frequency; a single term has none. */
const PERIODS_PER_YEAR: Readonly<Record<ScheduleTerms['paymentFrequency'], number | null>> = {
  weekly: 52,
  everyTwoWeeks: 26,
  twiceMonthly: 24,
  monthly: 12,
  singleTerm: null,
};

/**
 * The loan type's settings of scheduled interest for these terms; undefined if interest accrues by the day.
 *
 * @throws AmortizationError if the terms do not go with scheduled interest.
 */
export function keepingFor(settings: LoanTypeSettings, terms: ScheduleTerms): ScheduledKeeping | undefined {
  if (settings.byInstalment === null) return undefined;
  const periodsPerYear = PERIODS_PER_YEAR[terms.paymentFrequency];
  if (periodsPerYear === null) throw unsupported('a single term has no installments');
  if (terms.expectedPayments !== null || terms.periodicPaymentCents !== null) throw unsupported('its amounts follow from its terms');
  if (terms.enforcedEndDate !== null || terms.duration === null) throw unsupported('it needs a duration, and no end date');
  if (terms.originationFeeCents !== 0 || (terms.serviceFeeCents ?? 0) !== 0) throw unsupported('fees are charged beside its schedule');
  if (terms.totalInterestCapCents !== null) throw unsupported('its interest has no cap');
  return keepingOf(settings.byInstalment, settings.interest, periodsPerYear);
}

const unsupported = (why: string): AmortizationError =>
  new AmortizationError('unsupportedScheduledInterest', `the loan type charges scheduled interest: ${why}`);

export interface ScheduledPlan {
  readonly keeping: ScheduledKeeping;
  readonly start: Day;
  readonly dueDates: readonly Day[];
  readonly principalCents: Schedule['totalPrincipalCents'];
  readonly rates: RateTimeline;
}

/** The schedule of a new loan. A down payment on its first day is a row of the ledger, but not of the contract. */
export function scheduleByInstallment({ keeping, start, dueDates, principalCents, rates }: ScheduledPlan): Schedule {
  const [first] = ratesSince(rates, start);
  const terms = { ...keeping, start, dueDates, annualRate: first?.annualRate ?? RATE_ZERO };
  const ledger = computeInstallments(
    terms,
    [
      { type: 'ratesReplaced', day: start, sequence: 1, rates: ratesSince(rates, start) },
      { type: 'advanced', day: start, sequence: 2, amountCents: principalCents },
    ],
    start,
  );
  const rows = installmentViews(ledger).map((view): ScheduleRow => {
    const interest = cents(view.parts.interest);
    return {
      date: view.dueDay,
      amountCents: view.dueCents,
      principalCents: cents(view.parts.principal),
      interestCents: interest,
      interestBeforeDiscountCents: interest,
      unroundedPrincipal: accruedOfCents(cents(view.parts.principal)),
      unroundedInterest: accruedOfCents(interest),
      unroundedInterestBeforeDiscount: accruedOfCents(interest),
      feeCents: ZERO,
      prepaidCents: ZERO,
      isForcedAmount: false,
      remainingPrincipalCents: view.principalBalanceCents,
    };
  });
  return {
    rows,
    levels: rows
      .filter(({ date }) => date > start)
      .slice(0, 1)
      .map(({ date, amountCents }) => ({ from: date, amountCents, unrounded: accruedOfCents(amountCents) })),
    endDate: rows.at(-1)?.date ?? addDays(start, 1),
    totalPrincipalCents: sum(rows.map((row) => row.principalCents)),
    totalInterestCents: sum(rows.map((row) => row.interestCents)),
    totalDiscountCents: ZERO,
    totalFeesCents: ZERO,
    totalAmountCents: sum(rows.map((row) => row.amountCents)),
    separateFeeCents: ZERO,
    unamortizedCents: ZERO,
  };
}

/** Changes of the ledger that do not go with scheduled interest. */
const UNSUPPORTED: ReadonlySet<string> = new Set<LedgerChange['type']>([
  'freeze',
  'unfreeze',
  'advance',
  'refund',
  'scheduleChanged',
  'dueDateDeferred',
  'originationFeeChanged',
]);

/** 422 for a change that does not go with the loan's scheduled interest. */
export function requireSupported({ servicing }: LoanState, type: string): void {
  if (servicing?.contract.terms.keeping === undefined || !UNSUPPORTED.has(type)) return;
  refuse('ruleViolation', 'The schedule of a loan with scheduled interest follows from its loan type and cannot be changed.', {
    errors: [
      {
        path: 'loanTypeId',
        expected: 'a loan type whose byInstalment is null',
        message: 'the loan type charges scheduled interest',
      },
    ],
  });
}

export interface LedgerComparison {
  /** The ledger that moves with each fact, from which requests are answered. */
  readonly running: { readonly digest: string; readonly summary: LedgerSummary };
  /** A ledger that is computed from all facts at once. */
  readonly recomputed: { readonly digest: string; readonly summary: LedgerSummary };
}

/** Compares a loan's running ledger with a replay of all its facts; null before activation. */
export function compareLedgers(state: LoanState, env: EvolveEnv): LedgerComparison | null {
  const activation = activationOf(state);
  if (activation === null) return null;
  runningOf(state, env);
  return { running: { digest: digestOf(state), summary: activation.summary }, recomputed: recompute(state, env) };
}
