import { addDays, type Day, dayUnits } from '../../calendar/index.js';
import { MAX_CENTS } from '../../money/index.js';
import { netRateSegments } from '../../rates/index.js';
import { bearingPrincipalCents } from '../core/accrual.js';
import { accruedOf, centsOfInterest, type Interest, NO_INTEREST, plus, simpleInterest } from '../core/interest.js';
import { settingsOf } from '../core/rules.js';
import { isAccruing } from './accrue.js';
import { advanceTo } from './advance.js';
import { cloneLine } from './read-schedule.js';
import type { DrawState, LineState } from './state.js';

/** Outstanding interest of a draw at the beginning and at the end of a day, exact. */
interface PlainDrawDay {
  readonly draw: number;
  readonly before: bigint;
  readonly after: bigint;
}

/** A line whose lifetime interest may come to its bound is computed from its facts. */
const FAR_FROM_BOUND = MAX_CENTS / 2;

/**
 * The interest of each draw on a day on which nothing else has happened, nor on the day before and the next one, without a computation of
 * the line's history. Null if that cannot be said of the ledger: then the whole history is needed. The ledger has no facts of the day or
 * later.
 */
export function plainDayOfLine(ledger: LineState, day: Day): readonly PlainDrawDay[] | null {
  const next = addDays(day, 1);
  if (ledger.day > next || !isPlainBefore(ledger, day)) return null;
  if (ledger.day === next) return isPlain(ledger, day) ? drawsBehind(ledger, day) : null;
  const state = cloneLine(ledger);
  if (state.day < day) advanceTo(state, day);
  const before = new Map(state.draws.map((draw) => [draw.draw, outstandingInterest(draw)]));
  advanceTo(state, next);
  if (!isPlain(state, day)) return null;
  return state.draws.map((draw) => ({ draw: draw.draw, before: before.get(draw.draw) ?? 0n, after: outstandingInterest(draw) }));
}

/** What is known without moving the ledger: most days that are not plain are found here. */
function isPlainBefore({ terms, lastFactDay, totals }: LineState, day: Day): boolean {
  // The daily job takes up on the next day what a fact has left behind it.
  if (lastFactDay >= day - 1 || day <= terms.activation) return false;
  if (totals.reimbursementCents !== totals.reimbursedCents || totals.interestAccrued.cents > FAR_FROM_BOUND) return false;
  return terms.settings.every(({ from }) => from < day - 1 || from > day + 1);
}

function isPlain(state: LineState, day: Day): boolean {
  if (state.statusSince >= day - 1) return false;
  const isNear = (of: Day): boolean => of >= day - 1 && of <= day + 1;
  if (state.periods.some(({ statementDate }) => isNear(statementDate))) return false;
  if (state.obligations.some(({ dueDay, pausedDays }) => pausedDays !== 0 || (dueDay >= day - 2 && dueDay <= day + 1))) return false;
  const isNew = ({ chargeDay, knownDay }: { readonly chargeDay: Day; readonly knownDay: Day }): boolean =>
    chargeDay >= day - 1 || knownDay >= day - 1;
  return !state.fees.some(isNew) && !state.draws.some(({ fees }) => fees.some(isNew));
}

/** From a ledger that has already accrued the day. Compound interest cannot be taken off again. */
function drawsBehind(state: LineState, day: Day): readonly PlainDrawDay[] | null {
  if (state.terms.accrualMethod !== 'simple') return null;
  return state.draws.map((draw) => {
    const after = outstandingInterest(draw);
    return { draw: draw.draw, before: after - accruedOf(interestOf(state, draw, day)), after };
  });
}

function interestOf(state: LineState, draw: DrawState, day: Day): Interest {
  if (state.status !== 'active' || !isAccruing(draw) || day < draw.interestFrom) return NO_INTEREST;
  const principalCents = bearingPrincipalCents(draw.balances, settingsOf(state));
  let interest = NO_INTEREST;
  for (const { from, until, net } of netRateSegments(draw.rates, day, addDays(day, 1)))
    interest = plus(interest, simpleInterest(principalCents, net, dayUnits(state.terms.dayCount, from, until)));
  return interest;
}

const outstandingInterest = ({ balances }: DrawState): bigint =>
  accruedOf(plus(balances.nonDueInterest, centsOfInterest(balances.dueInterestCents + balances.overdueInterestCents)));
