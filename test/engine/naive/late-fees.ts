import type { Big } from 'big.js';
import type { LateFeeTerms, LedgerSettings, Refund } from '../../../engine/index.js';
import { isRefunded, type Orders, isDuringScra } from './history.js';
import type { Holdings } from './holdings.js';
import { amountOf, type Fee, feeOf, max, min, type NewFee, type Obligation, sum, ZERO } from './parts.js';

/** Late fees are booked at 00:50. */
const LATE_FEE_SECONDS = 3_000;

/** What a day's late fees are looked for in. */
export interface LateFeeDay {
  readonly day: number;
  readonly held: Holdings;
  readonly settings: LedgerSettings;
  /** Those that are charged today: of a frozen loan not all. */
  readonly lateFees: readonly LateFeeTerms[];
  readonly refunds: readonly Refund[];
  readonly orders: Orders;
  /** The first day of the running period. */
  readonly periodStart: number;
  /** Names of late fees that were waived, or that a refund took back: their obligations earn none again. */
  readonly taken: Set<string>;
}

/** The late fees that obligations earn on a day, one after the other. */
export function* lateFeesOf(today: LateFeeDay): Generator<NewFee> {
  for (const obligation of [...today.held.obligations]) {
    for (const terms of today.lateFees) {
      const fee = lateFeeOf(today, obligation, terms);
      if (fee !== null) yield fee;
    }
  }
}

/** On the due date itself money is in time. */
function isDayOf(day: number, obligation: Obligation, { triggerDays, stateRule, isChargedWhileFrozen }: LateFeeTerms): boolean {
  const pausedDays = isChargedWhileFrozen === true ? 0 : obligation.pausedDays;
  return obligation.dueDay + pausedDays + Math.max(triggerDays, stateRule?.graceDays ?? 0, 1) === day;
}

function lateFeeOf(today: LateFeeDay, obligation: Obligation, terms: LateFeeTerms): NewFee | null {
  const { day, held, orders, refunds, taken } = today;
  if (!obligation.isRow || !isDayOf(day, obligation, terms)) return null;
  if (held.isFulfilled(obligation) || held.remaining(obligation).lte(amountOf(terms.toleranceCents))) return null;
  const { feeTypeId } = terms;
  const name = `late ${feeTypeId} ${obligation.dueDay}`;
  if (taken.has(name) || held.fees.some((fee) => fee.name === name)) return null;
  if (pyramids(today, obligation, terms)) {
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

/** What late fees have taken money from is not short, nor what the tolerance would let pass without them. */
function pyramids({ held, settings }: LateFeeDay, obligation: Obligation, terms: LateFeeTerms): boolean {
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
