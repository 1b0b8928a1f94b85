import { must } from '../../../assert.js';
import { addDays, type Day } from '../../../calendar/index.js';
import { beginStep, JOB_TIMES } from '../../core/clock.js';
import type { RatesChanged, Reamortized } from '../../core/facts.js';
import { centsOfInterest, isMore, minus, NO_INTEREST } from '../../core/interest.js';
import { addObligation, obligationChanged } from '../../core/obligations.js';
import { holds, settingsOf } from '../../core/rules.js';
import type { ObligationState } from '../../core/state.js';
import { type Installment, ratesSince, type ScheduledFact, sumOf } from '../../scheduled/index.js';
import { copyFee, copyObligation } from '../copies.js';
import { beginEntry, enter } from '../entering.js';
import { closeFulfilled } from '../fulfil.js';
import { beginPeriod } from '../period.js';
import type { LedgerState } from '../state.js';
import {
  addScheduledFact,
  bearingOn,
  readScheduled,
  scheduledLedgerOf,
  settle,
  settleInterest,
  watchInterest,
} from './scheduled-ledger.js';

/** Solves the coming rows again. Interest that is owed from the beginning changes at once. */
export function changeScheduledRates(state: LedgerState, { recordedDay }: RatesChanged): void {
  const before = beginEntry(state);
  const { day } = state;
  const late = recordedDay > day ? { knownDay: recordedDay } : {};
  if (holds(state, 'ratesSolvedFromChange'))
    addScheduledFact(state, { type: 'ratesReplaced', day, rates: nightsSince(state), solved: 'fromChange', ...late });
  else addScheduledFact(state, { type: 'ratesReplaced', day, rates: ratesSince(state.rates, day) });
  settle(state);
  enter(state, before, 'interestAccrual');
}

type Rates = Extract<ScheduledFact, { type: 'ratesReplaced' }>['rates'];

/** The rates of coming nights. A new rate may apply to the night that ends on its day; rates of the contract begin as contracted. */
function nightsSince({ terms, rates, day, orders }: LedgerState): Rates {
  if (terms.keeping?.newRateCountsFrom !== 'nightBefore') return ratesSince(rates, day);
  const contracted = new Set(terms.rates.segments.map(({ from, net }) => `${from} ${net}`));
  const edges = new Set(orders.idle.flatMap(({ from, until }) => [from, until]));
  const nights = rates.segments.map(({ from, net }) => {
    const isNew = !contracted.has(`${from} ${net}`) && !edges.has(from);
    return { from: isNew ? addDays(from, -1) : from, annualRate: net };
  });
  const last = day > terms.activation ? addDays(day, -1) : day;
  const held = nights.findLast(({ from }) => from <= last);
  const coming = nights.filter(({ from }) => from > last);
  return held === undefined ? coming : [{ ...held, from: last }, ...coming];
}

/** The interest of the days up to `to` is the difference of the scheduled ledger on that day. */
export function accrueScheduled(state: LedgerState, to: Day): void {
  const from = state.day;
  const before = beginEntry(state);
  const interestBefore = state.nonDueInterest;
  const accruedBefore = state.totals.interestAccrued;
  state.day = to;
  if (state.terms.keeping?.recalculation.type === 'cumulative') settleOnCopies(state);
  else settleInterest(state, scheduledLedgerOf(state));
  const isGrown = isMore(state.nonDueInterest, interestBefore);
  const interest = isGrown ? minus(state.nonDueInterest, interestBefore) : NO_INTEREST;
  beginStep(state, JOB_TIMES.accrual);
  enter(state, before, 'interestAccrual');
  state.watcher?.accrued?.({ from, until: to, ...bearingOn(state, from), interest, interestBeforeDiscount: interest });
  watchInterest(state, addDays(to, -1), minus(minus(state.totals.interestAccrued, accruedBefore), interest));
}

/** A day may move older money between interest and principal, so objects that copies share are copied first. */
function settleOnCopies(state: LedgerState): void {
  state.obligations = state.obligations.map(copyObligation);
  state.fees = state.fees.map(copyFee);
  readScheduled(state);
}

/** 00:30 of a due date: the installment becomes an obligation, less money paid in advance. */
export function scheduledFallsDue(state: LedgerState): void {
  const before = beginEntry(state);
  const installment = must(scheduledLedgerOf(state).installments[state.nextRow], 'a row has an installment');
  const obligation = obligationOf(state, installment, state.nextRow);
  state.nextRow += 1;
  beginPeriod(state);
  if (obligation.amountCents > 0) addObligation(state, obligation);
  const accruedBefore = state.totals.interestAccrued;
  readScheduled(state);
  // The installment has its exact interest: the difference belongs to the last night of its period.
  watchInterest(state, addDays(state.day, -1), minus(state.totals.interestAccrued, accruedBefore));
  enter(state, before, 'movedToDue');
  if (obligation.amountCents > 0) obligationChanged(state, obligation);
}

/** From the last due date on, a row that a fact or a late fee of the day has added is due at once. */
export function addedScheduledFallsDue(state: LedgerState): void {
  if (state.scheduledFacts === null || state.status !== 'active') return;
  if (state.rows[state.nextRow]?.date === state.day) scheduledFallsDue(state);
}

/** An installment as an obligation, on the state's day. */
export function obligationOf(state: LedgerState, { dueDay, due, paid }: Installment, ordinal: number): ObligationState {
  const amountCents = sumOf(due);
  const remainingCents = amountCents - sumOf(paid);
  return {
    ordinal,
    dueDay,
    amountCents,
    baseCents: due.principal + due.interest,
    principalCents: due.principal,
    interestCents: due.interest,
    feesCents: due.fees + due.penalties,
    unroundedInterest: centsOfInterest(due.interest),
    unroundedDiscount: NO_INTEREST,
    remainingCents,
    paymentsCents: 0,
    creditsCents: 0,
    prepaidCents: sumOf(paid),
    capitalizedCents: 0,
    unassignedCents: 0,
    withoutLateFeesCents: Math.max(0, remainingCents - (due.penalties - paid.penalties)),
    pausedDays: 0,
    isFulfilled: remainingCents <= settingsOf(state).overdueToleranceCents,
    isEnforced: false,
    isLateFeeBlocked: false,
  };
}

/**
 * Past due amounts move to the coming rows (engine/ledger/scheduled/revive.ts) and are not overdue any more. Their obligations keep the
 * paid amounts and their charges. A loan with daily interest spreads its balance by a new schedule instead.
 */
export function reamortizeScheduled(state: LedgerState, { from }: Reamortized): void {
  if (state.scheduledFacts === null) return;
  const before = beginEntry(state);
  addScheduledFact(state, { type: 'reamortized', day: state.day, from });
  settle(state);
  closeFulfilled(state);
  enter(state, before, 'reamortization');
}
