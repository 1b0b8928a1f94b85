import { must } from '../../assert.js';
import { dayUnits } from '../../calendar/index.js';
import { MAX_CENTS, RATE_ONE } from '../../money/index.js';
import { demandOf, isLastRow, leaveNonDue } from './due.js';
import { centsOfInterest, type Interest, isSame, NO_INTEREST, plus, roundedBy, simpleInterest } from '../core/interest.js';
import { emptyRow, fixedRow, type RowStatus } from './schedule-row.js';
import type { LedgerState, OpenRow } from './state.js';
import type { ScheduleRowView } from '../core/views.js';

/** The most lifetime interest of plain rows, so far below the largest amount that nothing clips it. */
const ROOM_CENTS = MAX_CENTS / 2;

/**
 * Whether coming rows have only simple interest, as on nearly every loan: no manual fees, no promo, no lifetime cap on interest, and no
 * row that fell due before a late recording. Then `plainRow` computes the rows.
 */
export function isPlain(state: LedgerState): boolean {
  const { terms, totals, unknownRates } = state;
  if (terms.accrualMethod !== 'simple' || terms.isFractionKept === true || terms.totalInterestCapCents !== null) return false;
  if (state.openFeesCents > 0 || !isSame(totals.interestDiscount, totals.interestDiscountBeforePeriod)) return false;
  if (unknownRates !== null && (state.rows[state.nextRow]?.date ?? 0) <= unknownRates.through) return false;
  return areRatesPlain(state);
}

/** Whether there are no promos from now on, and the rates keep interest within the room. */
function areRatesPlain({ rates: { segments }, day, rows, nonDuePrincipalCents, totals }: LedgerState): boolean {
  const days = (rows.at(-1)?.date ?? day) - day;
  let dearest = 0;
  for (const { until, gross, net } of segments) {
    if (until <= day) continue;
    if (gross !== net) return false;
    if (net > dearest) dearest = net;
  }
  return totals.interestAccrued.cents + (nonDuePrincipalCents * dearest * days) / (RATE_ONE * 360) < ROOM_CENTS;
}

/**
 * The next row of a plain projection: like `moveRowToDue`, without an obligation and without totals, which no row shows. Null
 * if it has no amount. `state` is a copy on which nothing is due.
 */
export function plainRow(state: LedgerState, row: OpenRow, status: RowStatus): ScheduleRowView | null {
  const ordinal = state.nextRow;
  const unrounded = accruedTo(state, row);
  if (row.isDeferred === true) {
    state.nonDueInterest = unrounded;
    state.nextRow += 1;
    return emptyRow(state, ordinal);
  }
  const interestCents = roundedBy(unrounded, state.terms.rounding.interest);
  const isAlone = state.originationAskedCents === 0 && state.nonDueOriginationFeeCents === 0 && state.prepaidCents === 0;
  if (isAlone && row.isInterestOnly !== true && !isLastRow(state)) return rowAlone(state, row, status, { unrounded, cents: interestCents });
  const demand = demandOf(state, row, interestCents);
  state.nonDueInterest = centsOfInterest(interestCents);
  leaveNonDue(state, demand);
  state.nextRow += 1;
  const amountCents = demand.baseCents + demand.originationCents;
  if (amountCents === 0) return null;
  const { movedInterestCents, movedOriginationCents } = demand;
  return fixedRow(
    state,
    {
      ordinal,
      dueDay: row.date,
      amountCents,
      principalCents: amountCents - movedOriginationCents - movedInterestCents,
      interestCents: movedInterestCents,
      feesCents: movedOriginationCents,
      prepaidCents: demand.prepaidCents,
      unroundedInterest: movedInterestCents === interestCents ? unrounded : centsOfInterest(movedInterestCents),
      unroundedDiscount: NO_INTEREST,
    },
    status,
  );
}

/** Interest before rounding, and in cents. */
interface AccruedInterest {
  readonly unrounded: Interest;
  readonly cents: number;
}

/** A row that is not the last, of a loan without origination fee and money in advance: a faster `demandOf`. */
function rowAlone(state: LedgerState, row: OpenRow, status: RowStatus, { unrounded, cents }: AccruedInterest): ScheduleRowView | null {
  const ordinal = state.nextRow;
  const amountCents = Math.min(row.amountCents, state.nonDuePrincipalCents + cents);
  const interestCents = Math.min(cents, amountCents);
  const isWhole = interestCents === cents;
  state.nonDuePrincipalCents -= amountCents - interestCents;
  state.nonDueInterest = isWhole ? NO_INTEREST : centsOfInterest(cents - interestCents);
  state.nextRow += 1;
  if (amountCents === 0) return null;
  return fixedRow(
    state,
    {
      ordinal,
      dueDay: row.date,
      amountCents,
      principalCents: amountCents - interestCents,
      interestCents,
      feesCents: 0,
      prepaidCents: 0,
      unroundedInterest: isWhole ? unrounded : centsOfInterest(interestCents),
      unroundedDiscount: NO_INTEREST,
    },
    status,
  );
}

/** Moves the ledger to the day of a row. Returns the interest that is not due. */
function accruedTo(state: LedgerState, { date }: OpenRow): Interest {
  const {
    terms,
    rates: { segments },
  } = state;
  let interest = state.nonDueInterest;
  let at = state.day > terms.interestFrom ? state.day : terms.interestFrom;
  while (at < date) {
    const { until: end, net } = must(segments[state.rateIndex], 'a timeline covers every day');
    const until = end < date ? end : date;
    if (until > at) {
      const earned = simpleInterest(state.nonDuePrincipalCents, net, dayUnits(terms.dayCount, at, until));
      interest = interest === NO_INTEREST ? earned : plus(interest, earned);
      at = until;
    }
    if (end <= at) state.rateIndex += 1;
  }
  if (date > state.day) state.day = date;
  return interest;
}
