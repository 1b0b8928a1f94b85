import type { Big } from 'big.js';
import type { LateFeeTerms, LedgerSettings, Refund } from '../../../engine/index.js';
import { isRefunded, type Orders, isDuringScra } from './history.js';
import type { Holdings } from './holdings.js';
import { amountOf, type Fee, feeOf, max, min, type NewFee, type Obligation, sum, ZERO } from './parts.js';

/** The time at which late fees are charged: 00:50. */
const LATE_FEE_SECONDS = 3_000;

/** The input for the late fees of a day. */
export interface LateFeeDay {
  readonly day: number;
  readonly held: Holdings;
  readonly settings: LedgerSettings;
  /** The late fees that can be charged today; for a frozen loan, not all of them. */
  readonly lateFees: readonly LateFeeTerms[];
  readonly refunds: readonly Refund[];
  readonly orders: Orders;
  /** The first day of the current period. */
  readonly periodStart: number;
  /** Names of late fees that were waived or canceled by a refund; they are not charged again. */
  readonly taken: Set<string>;
}

/** The late fees of obligations on a day, in order. */
export function* lateFeesOf(today: LateFeeDay): Generator<NewFee> {
  for (const obligation of [...today.held.obligations]) {
    for (const terms of today.lateFees) {
      const fee = lateFeeOf(today, obligation, terms);
      if (fee !== null) yield fee;
    }
  }
}

/** Whether late fees for the obligation are charged on this day. Not on the due date itself: a payment on it is on time. */
function isLateFeeDay(day: number, obligation: Obligation, { triggerDays, stateRule, isChargedWhileFrozen }: LateFeeTerms): boolean {
  const pausedDays = isChargedWhileFrozen === true ? 0 : obligation.pausedDays;
  return obligation.dueDay + pausedDays + Math.max(triggerDays, stateRule?.graceDays ?? 0, 1) === day;
}

function lateFeeOf(today: LateFeeDay, obligation: Obligation, terms: LateFeeTerms): NewFee | null {
  const { day, held, orders, refunds, taken } = today;
  if (!obligation.isRow || !isLateFeeDay(day, obligation, terms)) return null;
  if (held.isFulfilled(obligation) || held.remaining(obligation).lte(amountOf(terms.toleranceCents))) return null;
  const { feeTypeId } = terms;
  const name = `late ${feeTypeId} ${obligation.dueDay}`;
  if (taken.has(name) || held.fees.some((fee) => fee.name === name)) return null;
  if (isPyramiding(today, obligation, terms)) {
    obligation.isBlocked = true;
    return null;
  }
  const key = `${feeTypeId} ${obligation.ordinal}`;
  const amount = orders.changedLate.get(key) ?? amountFor(today, obligation, terms);
  if (amount.lte(0)) return null;
  const isScra = terms.isWaivedDuringScra === true && isDuringScra(orders, day);
  if (!isScra && !orders.waivedLate.has(key) && !isRefunded(refunds, day, LATE_FEE_SECONDS, true)) {
    return { name, feeTypeId, amount, isLate: true, chargeLogic: terms.chargeLogic, chargeDay: day, knownDay: day };
  }
  taken.add(name);
  return null;
}

/** No late fee for a shortfall that only late fees have caused, or that would be within the tolerance without them. */
function isPyramiding({ held, settings }: LateFeeDay, obligation: Obligation, terms: LateFeeTerms): boolean {
  const rule = settings.lateFeePyramiding;
  if (rule === 'none') return false;
  const lacking = obligation.amountWithoutLateFees.minus(obligation.fulfilledWithoutLateFees);
  if (lacking.lte(max(held.tolerance, amountOf(terms.toleranceCents)))) return true;
  const older = held.obligations.filter((other) => other.dueDay < obligation.dueDay);
  return rule === 'blockOnOldestObligation' && older.some((other) => !held.isFulfilled(other));
}

function amountFor({ held, periodStart }: LateFeeDay, obligation: Obligation, terms: LateFeeTerms): Big {
  const earlier = held.fees.filter((fee: Fee) => fee.feeTypeId === terms.feeTypeId);
  const inPeriod = earlier.filter((fee) => fee.chargeDay >= periodStart).length;
  if (terms.capPerPeriodCount !== null && inPeriod >= terms.capPerPeriodCount) return ZERO;
  const whole = held.principal.plus(sum(held.obligations.map((other) => other.principal)));
  const asked = feeOf(terms.amount, { principal: whole, obligationAmount: obligation.amount, overdueAmount: held.remaining(obligation) });
  const least = max(asked, amountOf(terms.minCents ?? 0));
  const wanted = [terms.maxCents, terms.stateRule?.maxCents ?? null].reduce(
    (amount, cap) => (cap === null ? amount : min(amount, amountOf(cap))),
    least,
  );
  if (terms.capPerLoanCents === null) return wanted;
  return min(wanted, max(ZERO, amountOf(terms.capPerLoanCents).minus(sum(earlier.map((fee) => fee.amount)))));
}
