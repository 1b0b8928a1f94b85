import { addDays } from '../../calendar/index.js';
import { rateOn } from '../../rates/index.js';
import { bearingPrincipalCents } from '../core/accrual.js';
import { beginStep, JOB_TIMES } from '../core/clock.js';
import { centsOfInterest, type Interest, minus, NO_INTEREST, plus } from '../core/interest.js';
import { settingsOf } from '../core/rules.js';
import { addInterest, isAccruing } from './accrue.js';
import { amortizeBought, dropRows } from './amortized.js';
import { boundDemands, demandsOf, extraOf } from './demands.js';
import { beginEntry, enter } from './entering.js';
import { fixObligation } from './fix-obligation.js';
import type { DrawState, LinePeriod, LineState } from './state.js';

/**
 * 00:30 of a statement date: the minimum payment of the ended period is fixed and moves from non-due to due. Later facts do not
 * change it.
 */
export function makeStatement(state: LineState, period: LinePeriod): void {
  beginStep(state, JOB_TIMES.due);
  for (const draw of state.draws) chargeMinimumInterest(state, draw, period);
  const before = beginEntry(state);
  const unrounded = new Map(state.draws.map((draw) => [draw.draw, draw.balances.nonDueInterest]));
  for (const draw of state.draws) truncateInterest(state, draw);
  for (const draw of state.draws) amortizeBought(state, draw, period);
  const demands = demandsOf(state, period);
  const overLimitCents = extraOf(state, demands);
  boundDemands(demands, state.orders.askedCents.get(period.ordinal));
  fixObligation(state, { period, demands, overLimitCents, unrounded });
  for (const draw of state.draws) dropRows(draw, period);
  enter(state, before, 'movedToDue');
  beginPeriod(state);
}

/** Raises a draw's interest of the period to the minimum, if there is any interest. */
function chargeMinimumInterest(state: LineState, draw: DrawState, period: LinePeriod): void {
  const { minimumInterestChargeCents } = settingsOf(state);
  if (minimumInterestChargeCents === null || !isAccruing(draw)) return;
  const accrued = minus(draw.totals.interestAccrued, draw.totals.interestAccruedBeforePeriod);
  const lacking = minus(centsOfInterest(minimumInterestChargeCents), accrued);
  if (!isPositive(accrued) || !isPositive(lacking)) return;
  const before = beginEntry(state);
  addInterest(state, draw, lacking, lacking);
  enter(state, before, 'minimumInterest');
  watchMinimum(state, draw, lacking);
  const { day, seconds } = state;
  state.watcher?.happened({
    type: 'minimumInterestCharged',
    day,
    seconds,
    draw: draw.draw,
    period: period.ordinal,
    amountCents: minimumInterestChargeCents,
  });
}

/** What the minimum adds is interest of the period's last day. */
function watchMinimum(state: LineState, { draw, balances, rates }: DrawState, interest: Interest): void {
  if (state.watcher?.interestBooked === undefined) return;
  const from = addDays(state.day, -1);
  const { net, gross } = rateOn(rates, from);
  state.watcher.interestBooked({
    draw,
    from,
    until: state.day,
    principalCents: bearingPrincipalCents(balances, settingsOf(state)),
    rate: net,
    rateBeforeDiscount: gross,
    interest,
    interestBeforeDiscount: interest,
  });
}

const isPositive = ({ cents, parts }: Interest): boolean => cents > 0 || (cents === 0 && parts > 0);

/** Only whole cents fall due; the fraction is forgone. */
export function truncateInterest(state: LineState, { balances, totals }: DrawState): void {
  const { cents, parts } = balances.nonDueInterest;
  if (parts === 0) return;
  const fraction: Interest = { cents: 0, parts };
  balances.nonDueInterest = cents === 0 ? NO_INTEREST : centsOfInterest(cents);
  totals.forgoneRounding = plus(totals.forgoneRounding, fraction);
  state.totals.forgoneRounding = plus(state.totals.forgoneRounding, fraction);
}

/** The counters of a period start again. */
export function beginPeriod(state: LineState): void {
  state.unassignedCents = 0;
  state.totals.interestAccruedBeforePeriod = state.totals.interestAccrued;
  for (const draw of state.draws) {
    draw.totals.interestAccruedBeforePeriod = draw.totals.interestAccrued;
    draw.paidAheadInterestCents = 0;
    draw.periodPurchasesCents = 0;
  }
}
