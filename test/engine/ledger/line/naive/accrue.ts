import type Big from 'big.js';
import type { Day, LineTerms } from '../../../../../engine/index.js';
import type { NaiveState } from './state.js';
import { dailyRate, DIGITS } from './daily-rate.js';
import { bearingOf, type Holder, interestFromOf, sure, ZERO } from './holder.js';

/** The amounts that would have borne interest on a frozen day, at its end. */
export interface FrozenDay {
  readonly draw: Holder;
  readonly day: Day;
  readonly bearing: Big;
}

export const interestOn = ({ terms }: NaiveState, draw: Holder, day: Day, base: Big): Big =>
  base.times(dailyRate(terms, sure(draw.rates), day));

export function addInterest(draw: Holder, exact: Big): void {
  const interest = exact.round(DIGITS);
  draw.interest.nonDue = draw.interest.nonDue.plus(interest);
  draw.accrued = draw.accrued.plus(interest);
}

const isBearing = (terms: LineTerms, draw: Holder, day: Day): boolean =>
  !draw.inGrace && !draw.isCanceled && sure(draw.terms).drawType !== 'static' && day >= interestFromOf(terms, sure(draw.terms));

export function accrue(state: NaiveState, day: Day): void {
  for (const draw of state.draws)
    if (isBearing(state.terms, draw, day)) addInterest(draw, interestOn(state, draw, day, bearingOf(draw, state.settings, state.terms)));
}

export const frozenDays = ({ draws, settings, terms }: NaiveState, day: Day): readonly FrozenDay[] =>
  draws.filter((draw) => isBearing(terms, draw, day)).map((draw) => ({ draw, day, bearing: bearingOf(draw, settings, terms) }));

/** The interest of the frozen days, as if the line had not been frozen; it compounds if interest does. */
export function accrueFrozen(state: NaiveState, days: readonly FrozenDay[]): void {
  const before = new Map(state.draws.map((draw) => [draw, draw.accrued]));
  for (const { draw, day, bearing } of days) {
    if (draw.isCanceled) continue;
    const added = state.terms.accrualMethod === 'simple' ? ZERO : draw.accrued.minus(before.get(draw) ?? ZERO);
    addInterest(draw, interestOn(state, draw, day, bearing.plus(added)));
  }
}
