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
 * How the loan type keeps a loan of these terms by installment; undefined: by the day.
 *
 * @throws AmortizationError when the terms ask for what a book of installments does not know.
 */
export function keepingFor(settings: LoanTypeSettings, terms: ScheduleTerms): ScheduledKeeping | undefined {
  if (settings.byInstalment === null) return undefined;
  const periodsPerYear = PERIODS_PER_YEAR[terms.paymentFrequency];
  if (periodsPerYear === null) throw unkept('a single term has no installments');
  if (terms.expectedPayments !== null || terms.periodicPaymentCents !== null) throw unkept('its amounts follow from its terms');
  if (terms.enforcedEndDate !== null || terms.duration === null) throw unkept('it needs a duration, and no end date');
  if (terms.originationFeeCents !== 0 || (terms.serviceFeeCents ?? 0) !== 0) throw unkept('fees are charged beside its schedule');
  if (terms.totalInterestCapCents !== null) throw unkept('its interest has no cap');
  return keepingOf(settings.byInstalment, settings.interest, periodsPerYear);
}

const unkept = (why: string): AmortizationError =>
  new AmortizationError('unsupportedScheduledInterest', `the loan type charges scheduled interest: ${why}`);

export interface ScheduledPlan {
  readonly keeping: ScheduledKeeping;
  readonly start: Day;
  readonly dueDates: readonly Day[];
  readonly principalCents: Schedule['totalPrincipalCents'];
  readonly rates: RateTimeline;
}

/** The schedule that the book of a new loan shows: a down payment on its first day is a row of it, and none of the contract's. */
export function scheduleByInstallment({ keeping, start, dueDates, principalCents, rates }: ScheduledPlan): Schedule {
  const [first] = ratesSince(rates, start);
  const terms = { ...keeping, start, dueDates, annualRate: first?.annualRate ?? RATE_ZERO };
  const book = computeInstallments(
    terms,
    [
      { type: 'ratesReplaced', day: start, sequence: 1, rates: ratesSince(rates, start) },
      { type: 'advanced', day: start, sequence: 2, amountCents: principalCents },
    ],
    start,
  );
  const rows = installmentViews(book).map((view): ScheduleRow => {
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

/** What a book of installments cannot be told. */
const UNTOLD: ReadonlySet<string> = new Set<LedgerChange['type']>([
  'freeze',
  'unfreeze',
  'advance',
  'refund',
  'scheduleChanged',
  'dueDateDeferred',
  'originationFeeChanged',
]);

/** 422 for what a loan with scheduled interest has no place for. */
export function requireTold({ servicing }: LoanState, type: string): void {
  if (servicing?.contract.terms.keeping === undefined || !UNTOLD.has(type)) return;
  refuse('ruleViolation', 'The loan has scheduled interest: its schedule follows from its loan type alone.', {
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
  /** Of the ledger that runs along with the facts: what is served. */
  readonly running: { readonly digest: string; readonly summary: LedgerSummary };
  /** Of one that is computed from all facts at once. */
  readonly recomputed: { readonly digest: string; readonly summary: LedgerSummary };
}

/** A loan's running ledger beside a replay of all its facts; null before activation. */
export function compareLedgers(state: LoanState, env: EvolveEnv): LedgerComparison | null {
  const activation = activationOf(state);
  if (activation === null) return null;
  runningOf(state, env);
  return { running: { digest: digestOf(state), summary: activation.summary }, recomputed: recompute(state, env) };
}
