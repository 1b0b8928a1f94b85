import { type Day, dayUnits, addDays } from '../../calendar/index.js';
import { MAX_CENTS } from '../../money/index.js';
import { netRateSegments, type RateSegment } from '../../rates/index.js';
import { addDiscount, bearingPrincipalCents, beginYear, idleAccrual, unpaidInterest, withinLifetime } from '../core/accrual.js';
import { beginStep, JOB_TIMES } from '../core/clock.js';
import {
  centsOfInterest,
  compoundedInterest,
  type Interest,
  isSame,
  isZero,
  minus,
  plus,
  plusCents,
  simpleInterest,
} from '../core/interest.js';
import { settingsOf } from '../core/rules.js';
import { beginEntry, enter } from './entering.js';
import { openFeesCents } from './owed.js';
import type { DrawState, LineState } from './state.js';

/**
 * Accrues the interest of every day from the state's day up to the day before `to`, each on the balance at its end. Between
 * facts balances do not change, so days with one rate are one product.
 */
export function accrueTo(state: LineState, to: Day): void {
  while (state.totals.yearEnd <= to) {
    accrueDays(state, state.totals.yearEnd);
    for (const totals of [state.totals, ...state.draws.map((draw) => draw.totals)]) beginYear(totals);
  }
  accrueDays(state, to);
}

function accrueDays(state: LineState, to: Day): void {
  const from = state.day;
  if (from >= to) return;
  const isBearing = state.status === 'active';
  const before = isBearing ? beginEntry(state) : null;
  for (const draw of state.draws) accrueDraw(state, draw, { from, to, isBearing });
  state.day = to;
  beginStep(state, JOB_TIMES.accrual);
  enter(state, before, 'interestAccrual');
}

interface Stretch {
  readonly from: Day;
  readonly to: Day;
  readonly isBearing: boolean;
}

function accrueDraw(state: LineState, draw: DrawState, { from, to, isBearing }: Stretch): void {
  const start = from > draw.interestFrom ? from : draw.interestFrom;
  if (isBearing && isAccruing(draw) && start < to) accrueRange(state, draw, start, to);
  else {
    if (state.isFrozen && isAccruing(draw) && start < to) noteFrozen(state, draw, start);
    state.watcher?.accrued?.({ draw: draw.draw, ...idleAccrual(from, to, bearingCents(state, draw)) });
  }
}

/** Nothing accrues, but unfreezing with retroactive accrual needs the balances of these days. */
function noteFrozen(state: LineState, draw: DrawState, from: Day): void {
  const base = state.terms.accrualMethod === 'simple' ? centsOfInterest(bearingCents(state, draw)) : compoundBase(state, draw);
  const isPaidOff = state.status === 'paidOff';
  const last = draw.frozenSteps.at(-1);
  if (last === undefined || !isSame(last.base, base) || last.isPaidOff !== isPaidOff)
    draw.frozenSteps = [...draw.frozenSteps, { from, isPaidOff, base }];
}

/** Adds the interest of the frozen days, each on the balance at its end. */
export function accrueFrozenDays(state: LineState, draw: DrawState): void {
  const { frozenSteps } = draw;
  const before = draw.totals.interestAccrued;
  for (const [position, { from, isPaidOff, base }] of frozenSteps.entries()) {
    if (isPaidOff) continue;
    const added = minus(draw.totals.interestAccrued, before);
    const to = frozenSteps[position + 1]?.from ?? state.day;
    accrueOnBase(state, draw, { base: state.terms.accrualMethod === 'simple' ? base : plus(base, added), from, to });
  }
}

/** No interest in grace, and none on migrated history. */
export const isAccruing = ({ isGraceEligible, isCanceled, activation }: DrawState): boolean =>
  !isCanceled && activation.drawType !== 'static' && !(activation.grace.isApplicable && isGraceEligible);

/** Adds the interest of `[from, to)` on the current balances of a draw. */
function accrueRange(state: LineState, draw: DrawState, from: Day, to: Day): void {
  for (const segment of netRateSegments(draw.rates, from, to)) {
    if (state.terms.accrualMethod === 'simple' || segment.gross === 0) {
      accrueStretch(state, draw, segment, (rate) =>
        simpleInterest(bearingCents(state, draw), rate, dayUnits(state.terms.dayCount, segment.from, segment.until)),
      );
    } else accrueDaily(state, draw, segment);
  }
}

/** Compound interest on unpaid interest (and fees) is computed day by day. */
function accrueDaily(state: LineState, draw: DrawState, segment: RateSegment): void {
  for (let from = segment.from; from < segment.until; from = addDays(from, 1)) {
    const until = addDays(from, 1);
    const units = dayUnits(state.terms.dayCount, from, until);
    const base = compoundBase(state, draw);
    accrueStretch(state, draw, { from, until, gross: segment.gross, net: segment.net }, (rate) => compoundedInterest(base, rate, units));
  }
}

function accrueStretch(state: LineState, draw: DrawState, segment: RateSegment, interestAt: (rate: number) => Interest): void {
  const asked = interestAt(segment.net);
  const interest = withinLifetime(state.totals.interestAccrued, asked, MAX_CENTS);
  const before = segment.gross === segment.net ? interest : interestAt(segment.gross);
  if (!isZero(before)) addInterest(state, draw, interest, before);
  state.watcher?.accrued?.({
    draw: draw.draw,
    from: segment.from,
    until: segment.until,
    principalCents: bearingCents(state, draw),
    rate: segment.net,
    rateBeforeDiscount: segment.gross,
    interest,
    interestBeforeDiscount: before,
  });
}

interface RetroactiveStretch {
  readonly base: Interest;
  readonly from: Day;
  readonly to: Day;
}

/** Adds the interest of past days on a constant base. */
export function accrueOnBase(state: LineState, draw: DrawState, { base: first, from, to }: RetroactiveStretch): void {
  const { dayCount, accrualMethod } = state.terms;
  const isSimple = accrualMethod === 'simple';
  let base = first;
  for (const segment of netRateSegments(draw.rates, from, to)) {
    const days = isSimple ? segment.until - segment.from : 1;
    for (let day = segment.from; day < segment.until; day = addDays(day, days)) {
      const stretch = { ...segment, from: day, until: addDays(day, days) };
      const units = dayUnits(dayCount, stretch.from, stretch.until);
      const interestAt = (rate: number): Interest =>
        isSimple ? simpleInterest(first.cents, rate, units) : compoundedInterest(base, rate, units);
      const interest = interestAt(segment.net);
      accrueStretch(state, draw, stretch, interestAt);
      base = plus(base, interest);
    }
  }
}

export function addInterest(state: LineState, { balances, totals }: DrawState, interest: Interest, beforeDiscount: Interest): void {
  balances.nonDueInterest = plus(balances.nonDueInterest, interest);
  totals.interestAccrued = plus(totals.interestAccrued, interest);
  state.totals.interestAccrued = plus(state.totals.interestAccrued, interest);
  if (isSame(beforeDiscount, interest)) return;
  const discount = minus(beforeDiscount, interest);
  for (const counted of [totals, state.totals]) addDiscount(counted, discount);
}

const bearingCents = (state: LineState, { balances }: DrawState): number => bearingPrincipalCents(balances, settingsOf(state));

function compoundBase(state: LineState, draw: DrawState): Interest {
  const feesCents = state.terms.accrualMethod === 'compoundWithFees' ? openFeesCents(draw.fees) : 0;
  return plusCents(unpaidInterest(draw.balances, feesCents), bearingCents(state, draw));
}
