import { must } from '../../assert.js';
import { type Day, dayUnits, addDays } from '../../calendar/index.js';
import { MAX_CENTS } from '../../money/index.js';
import type { RateSegment } from '../../rates/index.js';
import { addDiscount, bearingPrincipalCents, beginYear, idleAccrual, unpaidInterest, withinLifetime } from '../core/accrual.js';
import { beginStep, JOB_TIMES } from '../core/clock.js';
import { compoundedInterest, type Interest, isSame, isZero, minus, NO_INTEREST, plus, simpleInterest } from '../core/interest.js';
import { settingsOf } from '../core/rules.js';
import { beginEntry, enter } from './entering.js';
import { accrueScheduled } from './scheduled-interest/change-schedule.js';
import type { FrozenStep, LedgerState } from './state.js';

/**
 * Accrues the interest of every day from the state's day up to the day before `to`, each on the balance at its end. Between
 * facts the balance does not change, so days with one rate are one product.
 */
export function accrueTo(state: LedgerState, to: Day): void {
  while (state.totals.yearEnd <= to) {
    accrueDays(state, state.totals.yearEnd);
    beginYear(state.totals);
  }
  accrueDays(state, to);
}

function accrueDays(state: LedgerState, to: Day): void {
  if (state.day >= to) return;
  const from = state.day > state.terms.interestFrom ? state.day : state.terms.interestFrom;
  if (from < to && state.status === 'active') {
    if (state.scheduledFacts !== null) {
      accrueScheduled(state, to);
      return;
    }
    const before = state.watcher === null ? null : beginEntry(state);
    accrueRange(state, from, to, AS_THEY_STAND);
    state.day = to;
    beginStep(state, JOB_TIMES.accrual);
    if (before !== null) enter(state, before, 'interestAccrual');
    return;
  }
  if (state.frozenSteps !== null && from < to) state.frozenSteps = frozenSteps(state, state.frozenSteps, from);
  if (state.watcher !== null) state.watcher.accrued?.(idleAccrual(state.day, to, bearingCents(state)));
  state.day = to;
}

/** By how much earlier balances were above the current ones. */
type Above = Pick<FrozenStep, 'principalCents' | 'unpaid'>;

const AS_THEY_STAND: Above = { principalCents: 0, unpaid: NO_INTEREST };

const bearingOf = (state: LedgerState): Above => ({ principalCents: bearingCents(state), unpaid: unpaidOf(state) });

const bearingCents = (state: LedgerState): number => bearingPrincipalCents(state, settingsOf(state));

const unpaidOf = (state: LedgerState): Interest => unpaidInterest(state, unpaidFeesCents(state));

/** Nothing accrues, but unfreezing with retroactive accrual needs the balances of these days. */
function frozenSteps(state: LedgerState, steps: readonly FrozenStep[], from: Day): readonly FrozenStep[] {
  const bearing = bearingOf(state);
  const isPaidOff = state.status === 'paidOff';
  const last = steps.at(-1);
  const goesOn = last?.principalCents === bearing.principalCents && isSame(last.unpaid, bearing.unpaid) && last.isPaidOff === isPaidOff;
  return goesOn ? steps : [...steps, { from, isPaidOff, ...bearing }];
}

/** Adds the interest of the frozen days, each on the balance at its end. */
export function accrueFrozenDays(state: LedgerState): void {
  const now = bearingOf(state);
  const steps = state.frozenSteps ?? [];
  steps.forEach((step, position) => {
    if (step.isPaidOff) return;
    const above = { principalCents: step.principalCents - now.principalCents, unpaid: minus(step.unpaid, now.unpaid) };
    accrueRange(state, step.from, steps[position + 1]?.from ?? state.day, above);
  });
}

/** Adds the interest of `[from, to)` on the current balances plus `above`. */
function accrueRange(state: LedgerState, from: Day, to: Day, above: Above): void {
  const { segments } = state.rates;
  const principalCents = bearingCents(state) + above.principalCents;
  const isSimple = state.terms.accrualMethod === 'simple';
  let at = from;
  if ((segments[state.rateIndex]?.from ?? 0) > from) state.rateIndex = 0;
  while (at < to) {
    let segment = must(segments[state.rateIndex], 'a timeline covers every day');
    while (segment.until <= at) {
      state.rateIndex += 1;
      segment = must(segments[state.rateIndex], 'a timeline covers every day');
    }
    const until = segment.until < to ? segment.until : to;
    const stretch: Stretch = { from: at, until, segment, principalCents };
    if (isSimple || segment.gross === 0) accrueSimple(state, stretch);
    else accrueCompound(state, stretch, above);
    at = until;
  }
}

interface Stretch {
  readonly from: Day;
  readonly until: Day;
  readonly segment: RateSegment;
  readonly principalCents: number;
}

function accrueSimple(state: LedgerState, { from, until, segment, principalCents }: Stretch): void {
  if (principalCents === 0 || segment.gross === 0) {
    if (state.watcher !== null) watchAccrual(state, { from, until, principalCents, segment, interest: NO_INTEREST, before: NO_INTEREST });
    return;
  }
  const units = dayUnits(state.terms.dayCount, from, until);
  const interest = simpleInterest(principalCents, segment.net, units);
  const before = segment.gross === segment.net ? interest : simpleInterest(principalCents, segment.gross, units);
  const added = addInterest(state, interest, before);
  if (state.watcher !== null) watchAccrual(state, { from, until, principalCents, segment, interest: added, before });
}

function accrueCompound(state: LedgerState, { from, until, segment, principalCents }: Stretch, above: Above): void {
  for (let at = from; at < until; ) {
    const next = addDays(at, 1);
    accrueCompoundDay(state, { from: at, until: next, segment, principalCents }, above);
    at = next;
  }
}

/** The interest of one day on principal and unpaid interest (and fees). */
function accrueCompoundDay(state: LedgerState, { from, until, segment, principalCents }: Stretch, above: Above): void {
  const units = dayUnits(state.terms.dayCount, from, until);
  const unpaid = above === AS_THEY_STAND ? unpaidOf(state) : plus(unpaidOf(state), above.unpaid);
  const base: Interest = { cents: principalCents + unpaid.cents, parts: unpaid.parts };
  if (isZero(base)) return;
  const interest = compoundedInterest(base, segment.net, units);
  const before = segment.gross === segment.net ? interest : compoundedInterest(base, segment.gross, units);
  const added = addInterest(state, interest, before);
  if (state.watcher !== null) watchAccrual(state, { from, until, principalCents, segment, interest: added, before });
}

function unpaidFeesCents(state: LedgerState): number {
  if (state.terms.accrualMethod !== 'compoundWithFees') return 0;
  const originationCents = state.nonDueOriginationFeeCents + state.dueOriginationFeeCents + state.overdueOriginationFeeCents;
  return originationCents + state.openFeesCents;
}

/** Adds interest up to the lifetime cap; the watcher receives what the cap stopped. */
function addInterest(state: LedgerState, interest: Interest, beforeDiscount: Interest): Interest {
  const { totals } = state;
  const { totalInterestCapCents } = state.terms;
  const added = withinLifetime(totals.interestAccrued, interest, totalInterestCapCents ?? MAX_CENTS);
  if (added !== interest && totalInterestCapCents !== null) totals.forgoneCap = plus(totals.forgoneCap, minus(interest, added));
  state.nonDueInterest = state.nonDueInterest === NO_INTEREST ? added : plus(state.nonDueInterest, added);
  totals.interestAccrued = plus(totals.interestAccrued, added);
  if (beforeDiscount !== interest && !isSame(beforeDiscount, interest)) addDiscount(totals, minus(beforeDiscount, interest));
  return added;
}

interface WatchedAccrual {
  readonly from: Day;
  readonly until: Day;
  readonly principalCents: number;
  readonly segment: RateSegment;
  readonly interest: Interest;
  readonly before: Interest;
}

function watchAccrual({ watcher }: LedgerState, accrual: WatchedAccrual): void {
  watcher?.accrued?.({
    from: accrual.from,
    until: accrual.until,
    principalCents: accrual.principalCents,
    rate: accrual.segment.net,
    rateBeforeDiscount: accrual.segment.gross,
    interest: accrual.interest,
    interestBeforeDiscount: accrual.before,
  });
}
