import { addDays, type Day } from '../../calendar/index.js';
import { cents, type Cents, divideRounded, MAX_CENTS, RATE_ONE } from '../../money/index.js';
import { type AccrualMethod, rateOn, type RateTimeline } from '../../rates/index.js';
import { drawMinimum, lineMinimum } from './minimum-payment.js';
import type { MinimumTerms } from './terms.js';

/*
 * How long a line takes to be repaid if the borrower pays the minimum each period and draws no more: the estimate of Regulation Z,
 * 12 CFR 1026.7(b)(12), by the assumptions of Appendix M1 to Part 1026.
 *
 * | Assumption                                             | Appendix M1                  |
 * |--------------------------------------------------------|------------------------------|
 * | the minimum payment formula of each balance            | (b)(1)                       |
 * | rates as they are; one that ends, until it ends        | (b)(2), (b)(4)(iii)          |
 * | no draws, no new fees, no grace, nothing overdue       | (b)(4)(i), (ii), (iv), (x)   |
 * | the last payment also pays the interest of its period  | (b)(4)(v)                    |
 * | periods of one length, paid at their end               | (b)(4)(vii), (viii)          |
 * | interest of a period in whole cents, halves up         | (b)(4)(xi), and Appendix M2  |
 */

/** A balance with its own rate and its own minimum payment: a draw on the day of a statement. */
export interface RepaidBalance {
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
  /** Fees that are paid when nothing else of the balance is left. */
  readonly waitingFeesCents: number;
  readonly rates: RateTimeline;
  readonly repayment: Repayment;
}

/** By minimum payments, or by the amounts of a schedule, the last of which takes what is left. */
type Repayment =
  | { readonly type: 'minimum'; readonly terms: MinimumTerms }
  | { readonly type: 'rows'; readonly amountsCents: readonly number[] };

export interface RepaidLine {
  /** The first day of the first period, which bears interest: the statement date. */
  readonly day: Day;
  readonly periodsPerYear: number;
  readonly accrualMethod: AccrualMethod;
  /** In the order in which the floor of the line is divided over them. */
  readonly balances: readonly RepaidBalance[];
  /** Fees of the line itself: part of the first payment. */
  readonly lineFeesCents: number;
  readonly lineMinCents: Cents;
  readonly isInterestInMinimum: boolean;
  readonly areFeesInMinimum: boolean;
}

export interface Repaid {
  readonly periods: number;
  /** All payments: principal, interest and fees. */
  readonly paidCents: Cents;
}

/** A balance that is not repaid within a hundred years is never repaid. */
const MOST_YEARS = 100;

/** Nor is one that minimum payments let grow to this multiple. */
const MOST_GROWTH = 2;

const DAYS_PER_YEAR = 365;

/** The periods until minimum payments have repaid the line, and their sum; null if they never do. */
export function repaidByMinimum(line: RepaidLine): Repaid | null {
  const balances = line.balances.map((balance) => ({ ...balance }));
  let lineFeesCents = line.lineFeesCents;
  const mostCents = owedCents(balances, lineFeesCents) * MOST_GROWTH;
  let paidCents = 0;
  for (let period = 0; period < MOST_YEARS * line.periodsPerYear; period += 1) {
    const owed = owedCents(balances, lineFeesCents);
    if (owed === 0) return { periods: period, paidCents: cents(paidCents) };
    if (owed > mostCents || paidCents > MAX_CENTS) return null;
    const asked = minimumsOf(line, balances, { period, lineFeesCents });
    const day = addDays(line.day, Math.floor((period * DAYS_PER_YEAR) / line.periodsPerYear));
    for (const [at, balance] of balances.entries()) {
      const interest = periodInterestCents(bearingCents(balance, line.accrualMethod), rateOn(balance.rates, day).net, line.periodsPerYear);
      paidCents += pay(balance, asked[at] ?? 0, interest);
    }
    paidCents += lineFeesCents;
    lineFeesCents = 0;
  }
  return null;
}

type OpenBalance = { -readonly [Name in keyof RepaidBalance]: RepaidBalance[Name] };

/** Without fees that wait. */
const askableCents = ({ principalCents, interestCents, feesCents }: RepaidBalance): number => principalCents + interestCents + feesCents;

const wholeCents = (balance: RepaidBalance): number => askableCents(balance) + balance.waitingFeesCents;

const owedCents = (balances: readonly RepaidBalance[], lineFeesCents: number): number =>
  balances.reduce((total, balance) => total + wholeCents(balance), lineFeesCents);

/** What the statement of a period asks for, balance by balance, raised to the floor of the line. */
function minimumsOf(
  line: RepaidLine,
  balances: readonly RepaidBalance[],
  { period, lineFeesCents }: { readonly period: number; readonly lineFeesCents: number },
): readonly number[] {
  const asked = balances.map((balance) => withWaiting(balance, Math.max(balance.feesCents, askedOf(line, balance, period))));
  const askedCents = asked.reduce((total, amount) => total + amount, lineFeesCents);
  if (askedCents >= line.lineMinCents) return asked;
  const wanted = lineMinimum(
    { minCents: line.lineMinCents, overLimit: 'excluded', isOverdueIncluded: false },
    {
      minimumsCents: asked.map(cents),
      dueFeesCents: cents(lineFeesCents),
      overLimitCents: cents(0),
      overdueCents: cents(0),
      balanceCents: cents(owedCents(balances, lineFeesCents)),
    },
  );
  return raised(balances, asked, wanted - askedCents);
}

function askedOf(line: RepaidLine, balance: RepaidBalance, period: number): number {
  const { principalCents, interestCents, feesCents, repayment } = balance;
  if (repayment.type === 'rows') {
    const isLast = period >= repayment.amountsCents.length - 1;
    return isLast ? askableCents(balance) : Math.min(askableCents(balance), feesCents + (repayment.amountsCents[period] ?? 0));
  }
  return drawMinimum(
    {
      percentage: repayment.terms.percentageOfPrincipal,
      percentageOf: 'principal',
      fixedCents: cents(0),
      minCents: repayment.terms.minCents,
      isInterestIncluded: line.isInterestInMinimum,
      areFeesIncluded: line.areFeesInMinimum,
    },
    {
      principalCents: cents(principalCents),
      balanceCents: cents(askableCents(balance)),
      interestCents: cents(interestCents),
      feesCents: cents(feesCents),
    },
  );
}

const withWaiting = (balance: RepaidBalance, askedCents: number): number =>
  askedCents >= askableCents(balance) ? wholeCents(balance) : askedCents;

/** Adds an amount to the minimums in the order of the balances, each up to the whole balance. */
function raised(balances: readonly RepaidBalance[], asked: readonly number[], extraCents: number): readonly number[] {
  let leftCents = extraCents;
  return balances.map((balance, at) => {
    const before = asked[at] ?? 0;
    if (leftCents <= 0) return before;
    const after = withWaiting(balance, Math.min(wholeCents(balance), before + leftCents));
    leftCents -= after - before;
    return after;
  });
}

const bearingCents = ({ principalCents, interestCents, feesCents, waitingFeesCents }: RepaidBalance, method: AccrualMethod): number =>
  method === 'simple'
    ? principalCents
    : principalCents + interestCents + (method === 'compoundWithFees' ? feesCents + waitingFeesCents : 0);

/** Pays fees, then interest, then principal, as a minimum payment does. Returns the payment. */
function pay(balance: OpenBalance, askedCents: number, interestOfPeriodCents: number): number {
  const wholeBefore = wholeCents(balance);
  if (askedCents >= wholeBefore) {
    balance.principalCents = 0;
    balance.interestCents = 0;
    balance.feesCents = 0;
    balance.waitingFeesCents = 0;
    return wholeBefore + interestOfPeriodCents;
  }
  const feesCents = Math.min(balance.feesCents, askedCents);
  const interestCents = Math.min(balance.interestCents, askedCents - feesCents);
  balance.feesCents -= feesCents;
  balance.interestCents += interestOfPeriodCents - interestCents;
  balance.principalCents -= askedCents - feesCents - interestCents;
  return askedCents;
}

/** The only rounding of the estimate's interest: to the cent, halves up. */
function periodInterestCents(baseCents: number, rate: number, periodsPerYear: number): number {
  const divisor = RATE_ONE * periodsPerYear;
  const raisedProduct = baseCents * rate + divisor / 2;
  if (raisedProduct > Number.MAX_SAFE_INTEGER) return Number(divideRounded(BigInt(baseCents) * BigInt(rate), BigInt(divisor), 'halfUp'));
  return (raisedProduct - (raisedProduct % divisor)) / divisor;
}

export const THREE_YEARS_OF_MONTHS = 36;

const MONTHS_PER_YEAR = 12;

/** Digits of the fixed-point growth: far below a cent of the largest balance. */
const SCALE = 2n ** 128n;

/**
 * The level monthly payment that repays the line in 36 months, at the average of the rates of these months, weighted by the balances
 * (Appendix M1 (d), computed as in Appendix M2). Rounded to the cent, halves up.
 */
export function threeYearPaymentCents({ day, balances, lineFeesCents }: Pick<RepaidLine, 'day' | 'balances' | 'lineFeesCents'>): Cents {
  const owed = BigInt(owedCents(balances, lineFeesCents));
  let weighted = 0n;
  for (const balance of balances) {
    let rates = 0n;
    for (let month = 0; month < THREE_YEARS_OF_MONTHS; month += 1) {
      rates += BigInt(rateOn(balance.rates, addDays(day, Math.floor((month * DAYS_PER_YEAR) / MONTHS_PER_YEAR))).net);
    }
    weighted += BigInt(wholeCents(balance)) * rates;
  }
  const months = BigInt(THREE_YEARS_OF_MONTHS);
  if (weighted === 0n) return cents(Number(divideRounded(owed, months, 'halfUp')));
  const monthly = (weighted * SCALE) / (owed * months * BigInt(MONTHS_PER_YEAR * RATE_ONE));
  let growth = SCALE;
  for (let month = 0; month < THREE_YEARS_OF_MONTHS; month += 1) growth += (growth * monthly) / SCALE;
  return cents(Number(divideRounded(owed * monthly * growth, (growth - SCALE) * SCALE, 'halfUp')));
}
