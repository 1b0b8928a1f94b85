import {
  type AllocationOrder,
  type Cents,
  civil,
  type Day,
  type DownPayment,
  dueDates,
  type Excess,
  type ScheduledTerms,
  type InterestMethod,
  type Part,
  type PrincipalMethod,
  type Recalculation,
} from '../../../../engine/index.js';
import { centsFrom, dayFrom, rateFrom } from '../../numbers.js';

/** A loan of the published suites whose ledger has scheduled interest, with the text of its conventions. */
export interface PublishedLoan {
  readonly principal?: string;
  readonly principalApplied?: string;
  readonly annualRate: string;
  readonly interestType?: string;
  readonly interestCalculationPeriod?: string;
  readonly amortization?: string;
  readonly repaymentEvery?: number;
  readonly repaymentUnit?: string;
  readonly numberOfRepayments?: number;
  readonly scheduleStartDate?: string;
  readonly startDate?: string;
  readonly recalculation?: string;
  readonly conventions: {
    readonly scheduleStyle?: string;
    readonly dayCount?: string;
    readonly installmentMultipleOf?: string;
    readonly interestRecalculation?: string;
    readonly recalculationFrequency?: string;
    readonly compounding?: string;
    readonly payoffInterest?: string;
    readonly recalculation?: string;
    readonly downPayment?: string;
    readonly allocationOrder?: readonly string[];
  };
}

/** Settings that a source does not state, but that its figures show. */
export type Unwritten = Partial<Pick<ScheduledTerms, 'recalculation' | 'creditExcess' | 'newRateCountsFrom' | 'rounding'>>;

/** Rows of cents or whole units; interest of a period is rounded once, or where a balance ends. */
export const roundingBy = (multipleCents: number, interestPer: 'period' | 'stretch'): ScheduledTerms['rounding'] => ({
  interest: 'halfEven',
  amount: 'halfUp',
  multipleCents,
  isOfWholeRow: true,
  ...(interestPer === 'period' ? { interestPer } : {}),
});

/** The published conventions as settings. */
export function termsOf(loan: PublishedLoan, unwritten: Unwritten): ScheduledTerms {
  const { conventions } = loan;
  const start = dayFrom(loan.scheduleStartDate ?? loan.startDate ?? '');
  // The source does not round rows of equal principal, regardless of its stated multiples.
  const isEqual = loan.amortization === 'EQUAL_PRINCIPAL_PAYMENTS';
  const multipleCents = centsFrom(isEqual ? '0.01' : (conventions.installmentMultipleOf ?? '0.01'));
  return {
    start,
    dueDates: dueDatesOf(loan, start),
    annualRate: rateFrom(loan.annualRate),
    interest: interestOf(loan),
    principal: principalOf(loan),
    interestOnlyCount: 0,
    rounding: roundingBy(multipleCents, 'period'),
    recalculation: recalculationOf(loan),
    downPayment: downPaymentOf(conventions.downPayment),
    allocation: allocationOf(conventions.allocationOrder ?? []),
    excess: 'next',
    creditExcess: 'next',
    chargebackOrder: ['penalties', 'fees', 'interest', 'principal'],
    newRateCountsFrom: 'day',
    payoffInterest: conventions.payoffInterest === 'accrue to the next rest (due) date' ? 'toPeriodEnd' : 'toDate',
    ...unwritten,
  };
}

function dueDatesOf(loan: PublishedLoan, start: Day): readonly Day[] {
  const count = loan.numberOfRepayments ?? 0;
  const every = loan.repaymentEvery ?? 1;
  if (loan.repaymentUnit === 'DAYS') return Array.from({ length: count }, (_, position) => (start + every * (position + 1)) as Day);
  return monthlyFrom(start, count);
}

/** A number of due dates on the same day of the months after a day. */
export function monthlyFrom(start: Day, count: number): readonly Day[] {
  return dueDates({ type: 'monthly', day: civil(start).day }, start, count + 1).slice(1);
}

/** The cumulative suite solves the amount of loans with daily interest over months of 30 days. */
function principalOf({ amortization, conventions }: PublishedLoan): PrincipalMethod {
  if (amortization === 'EQUAL_PRINCIPAL_PAYMENTS') return { type: 'equal' };
  return { type: 'level', solvedOver: conventions.scheduleStyle === 'cumulative' ? 'thirtyDayMonths' : 'schedule' };
}

function interestOf(loan: PublishedLoan): InterestMethod {
  const periodsPerYear = 12;
  if (loan.interestType === 'FLAT') return { type: 'flat', periodsPerYear };
  if (loan.interestCalculationPeriod === 'SAME_AS_REPAYMENT_PERIOD') return { type: 'periodic', periodsPerYear, firstPeriodYear: null };
  return loan.conventions.dayCount?.startsWith('30/360') === true
    ? { type: 'periodic', periodsPerYear, firstPeriodYear: null }
    : { type: 'daily', dayCount: 'daily365' };
}

function recalculationOf({ conventions, recalculation }: PublishedLoan): Recalculation {
  if (conventions.scheduleStyle === 'cumulative' && conventions.interestRecalculation === 'on') {
    const rest = conventions.recalculationFrequency === 'daily' ? 'daily' : 'dueDates';
    return { type: 'cumulative', rest, isCompounding: conventions.compounding !== 'none' };
  }
  const method = recalculation ?? conventions.recalculation;
  const isRecalculated = conventions.interestRecalculation === 'on' || method?.startsWith('daily') === true;
  return isRecalculated ? { type: 'progressive', isOverdueBearing: true } : { type: 'none' };
}

function downPaymentOf(text: string | undefined): DownPayment | null {
  if (text === undefined) return null;
  const percent = /^(\d+)% of the disbursed amount due on the disbursement date/.exec(text)?.[1] ?? '';
  return { share: rateFrom(`0.${percent}`), isAutomatic: text.endsWith('paid automatically') };
}

const PARTS: Readonly<Record<string, Part>> = { penalty: 'penalties', fee: 'fees', interest: 'interest', principal: 'principal' };

const partsIn = (text: string): readonly Part[] =>
  text.split(/[ ,]+/).flatMap((method) => {
    const part = PARTS[method];
    return part === undefined ? [] : [part];
  });

function allocationOf(order: readonly string[]): AllocationOrder {
  const inAdvanceAt = order[0]?.indexOf('in advance') ?? -1;
  if (inAdvanceAt >= 0) {
    const due = partsIn(order[0]?.slice(0, inAdvanceAt) ?? '');
    return { pastDue: due, due, inAdvance: partsIn(order[0]?.slice(inAdvanceAt) ?? '') };
  }
  const [pastDue = '', due = pastDue, inAdvance = pastDue] = order;
  const [first, second, third] = [pastDue, due, inAdvance].map(partsIn);
  const usual: readonly Part[] = ['penalties', 'fees', 'principal', 'interest'];
  const orElse = (parts: readonly Part[] | undefined): readonly Part[] => (parts === undefined || parts.length === 0 ? usual : parts);
  return { pastDue: orElse(first), due: orElse(second), inAdvance: orElse(third) };
}

const EXCESS: Readonly<Record<string, Excess>> = { NEXT_INSTALLMENT: 'next', LAST_INSTALLMENT: 'last', REAMORTIZATION: 'spread' };

export function excessFrom(text: string): Excess {
  const excess = EXCESS[text];
  if (excess === undefined) throw new Error(`no such rule: ${text}`);
  return excess;
}

export const amountOf = (text: string): Cents => centsFrom(text);
