import { must } from '../assert.js';
import { civil, type Day, dayOf, dayUnits } from '../calendar/index.js';
import { MAX_CENTS, RATE_ZERO } from '../money/index.js';
import { compoundInterest, type RateSegment } from '../rates/index.js';
import { beginStep, JOB_TIMES } from './clock.js';
import { beginEntry, enter } from './entering.js';
import { settingsOf } from './settings.js';
import type { LedgerState } from './state.js';
import { exact } from './units.js';

/**
 * Books the interest of every day from the state's day up to the day before `to`, each on the balance at its
 * end (servicing-behaviour 1.4). Between facts the balance stands still, so a stretch of one rate is one product.
 */
export function accrueTo(state: LedgerState, to: Day): void {
  while (state.totals.yearEnd <= to) {
    accrueDays(state, state.totals.yearEnd);
    beginYear(state);
  }
  accrueDays(state, to);
}

function accrueDays(state: LedgerState, to: Day): void {
  const from = state.day > state.terms.interestFrom ? state.day : state.terms.interestFrom;
  if (from < to && state.status === 'active') {
    const before = beginEntry(state);
    accrueRange(state, from, to);
    state.day = to;
    beginStep(state, JOB_TIMES.accrual);
    enter(state, before, 'interestAccrual');
  } else if (state.day < to) {
    watchIdleDays(state, state.day, to);
  }
  if (state.day < to) state.day = to;
}

/** The year's figures start anew: interest of 31 December is booked on 1 January and still belongs to the old year. */
function beginYear(state: LedgerState): void {
  const { totals } = state;
  totals.interestAccruedBeforeYear = totals.interestAccrued;
  totals.feesChargedBeforeYearCents = totals.feesChargedCents;
  totals.paidInterestBeforeYearCents = totals.paidInterestCents;
  totals.yearEnd = yearEndAfter(totals.yearEnd);
}

/** 1 January of the year after the day's. */
export const yearEndAfter = (value: Day): Day => dayOf(civil(value).year + 1, 1, 1);

/** Adds the interest of `[from, to)` on the balances as they stand. */
export function accrueRange(state: LedgerState, from: Day, to: Day): void {
  const { segments } = state.rates;
  let at = from;
  if ((segments[state.rateIndex]?.from ?? 0) > from) state.rateIndex = 0;
  while (at < to) {
    let segment = must(segments[state.rateIndex], 'a timeline covers every day');
    while (segment.until <= at) {
      state.rateIndex += 1;
      segment = must(segments[state.rateIndex], 'a timeline covers every day');
    }
    const until = segment.until < to ? segment.until : to;
    accrueSegment(state, at, until, segment);
    at = until;
  }
}

function accrueSegment(state: LedgerState, from: Day, until: Day, segment: RateSegment): void {
  if (state.terms.accrualMethod === 'simple' || segment.gross === 0) {
    accrueSimple(state, from, until, segment);
    return;
  }
  for (let at = from; at < until; ) {
    const next = (at + 1) as Day;
    accrueCompoundDay(state, at, next, segment);
    at = next;
  }
}

function accrueSimple(state: LedgerState, from: Day, until: Day, segment: RateSegment): void {
  const principalCents = bearingPrincipalCents(state);
  if (principalCents === 0 || segment.gross === 0) {
    watchAccrual(state, { from, until, principalCents, segment, interest: 0n, before: 0n });
    return;
  }
  const units = dayUnits(state.terms.dayCount, from, until);
  const base = BigInt(principalCents);
  const interest = base * growthOf(segment.net, units);
  const before = segment.gross === segment.net ? interest : base * growthOf(segment.gross, units);
  const added = addInterest(state, interest, before);
  watchAccrual(state, { from, until, principalCents, segment, interest: added, before });
}

/** Rate times time: a safe integer but for rates of thousands of per cent over a year. */
function growthOf(rate: number, units: number): bigint {
  const product = rate * units;
  return Number.isSafeInteger(product) ? BigInt(product) : BigInt(rate) * BigInt(units);
}

/** A day's interest on principal and unpaid interest (and fees). */
function accrueCompoundDay(state: LedgerState, from: Day, until: Day, segment: RateSegment): void {
  const principalCents = bearingPrincipalCents(state);
  const units = dayUnits(state.terms.dayCount, from, until);
  const base = exact(principalCents) + unpaidInterest(state) + unpaidFees(state);
  if (base === 0n) return;
  const interest = compoundInterest(base, segment.net, units);
  const before = segment.gross === segment.net ? interest : compoundInterest(base, segment.gross, units);
  const added = addInterest(state, interest, before);
  watchAccrual(state, { from, until, principalCents, segment, interest: added, before });
}

/** Principal that bears interest. */
export function bearingPrincipalCents(state: LedgerState): number {
  const notOverdue = state.nonDuePrincipalCents + state.duePrincipalCents;
  return settingsOf(state).isAccruingOnOverdue ? notOverdue + state.overduePrincipalCents : notOverdue;
}

export function unpaidInterest(state: LedgerState): bigint {
  return state.nonDueInterest + exact(state.dueInterestCents + state.overdueInterestCents);
}

function unpaidFees(state: LedgerState): bigint {
  if (state.terms.accrualMethod !== 'compoundWithFees') return 0n;
  const originationCents =
    state.nonDueOriginationFeeCents + state.dueOriginationFeeCents + state.overdueOriginationFeeCents;
  return exact(originationCents + state.openFeesCents);
}

/** Interest of a whole life, and what promos save of it, end at the largest amount that there is. */
const MAX_INTEREST = exact(MAX_CENTS);

/** Interest of a life never passes its cap; what the cap keeps back is told (servicing-behaviour 4.10). */
function addInterest(state: LedgerState, interest: bigint, beforeDiscount: bigint): bigint {
  const { totals } = state;
  const { totalInterestCapCents } = state.terms;
  const room = (totalInterestCapCents === null ? MAX_INTEREST : exact(totalInterestCapCents)) - totals.interestAccrued;
  const added = interest > room ? room : interest;
  if (totalInterestCapCents !== null) totals.forgoneCap += interest - added;
  state.nonDueInterest += added;
  totals.interestAccrued += added;
  if (beforeDiscount !== interest) {
    const discount = totals.interestDiscount + beforeDiscount - interest;
    totals.interestDiscount = discount > MAX_INTEREST ? MAX_INTEREST : discount;
  }
  return added;
}

/** Days on which the loan's status lets nothing accrue. */
function watchIdleDays(state: LedgerState, from: Day, until: Day): void {
  const principalCents = bearingPrincipalCents(state);
  const rate = RATE_ZERO;
  state.watcher?.accrued?.({
    from,
    until,
    principalCents,
    rate,
    rateBeforeDiscount: rate,
    interest: 0n,
    interestBeforeDiscount: 0n,
  });
}

interface WatchedAccrual {
  readonly from: Day;
  readonly until: Day;
  readonly principalCents: number;
  readonly segment: RateSegment;
  readonly interest: bigint;
  readonly before: bigint;
}

function watchAccrual(state: LedgerState, accrual: WatchedAccrual): void {
  state.watcher?.accrued?.({
    from: accrual.from,
    until: accrual.until,
    principalCents: accrual.principalCents,
    rate: accrual.segment.net,
    rateBeforeDiscount: accrual.segment.gross,
    interest: accrual.interest,
    interestBeforeDiscount: accrual.before,
  });
}
