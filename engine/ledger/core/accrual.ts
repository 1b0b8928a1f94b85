import { civil, type Day, dayOf } from '../../calendar/index.js';
import { MAX_CENTS, RATE_ZERO } from '../../money/index.js';
import type { RateSegment, RateTimeline } from '../../rates/index.js';
import type { BalancesByDueStatus } from './balances.js';
import type { Accrual } from './entries.js';
import type { FactPosition } from './facts.js';
import { centsOfInterest, type Interest, isMore, minus, NO_INTEREST, plus } from './interest.js';
import type { IdleDays, LedgerHead, Totals } from './state.js';
import type { LedgerSettings } from './terms.js';

/** Principal that bears interest. */
export function bearingPrincipalCents(balances: BalancesByDueStatus, { isAccruingOnOverdue }: LedgerSettings): number {
  const notOverdueCents = balances.nonDuePrincipalCents + balances.duePrincipalCents;
  return isAccruingOnOverdue ? notOverdueCents + balances.overduePrincipalCents : notOverdueCents;
}

/** Unpaid interest, and fees that bear interest: compound interest is on them, too. */
export const unpaidInterest = (balances: BalancesByDueStatus, feesCents: number): Interest => ({
  cents: balances.nonDueInterest.cents + balances.dueInterestCents + balances.overdueInterestCents + feesCents,
  parts: balances.nonDueInterest.parts,
});

/** The part of new interest that keeps the lifetime interest within a bound. */
export function withinLifetime(accrued: Interest, interest: Interest, mostCents: number): Interest {
  if (accrued.cents + interest.cents + 1 < mostCents) return interest;
  const room = minus(centsOfInterest(mostCents), accrued);
  return isMore(interest, room) ? room : interest;
}

/** The largest lifetime interest, and the largest discount of promos. */
const MAX_INTEREST = centsOfInterest(MAX_CENTS);

/** Counts what a promo saved. */
export function addDiscount(totals: { interestDiscount: Interest }, discount: Interest): void {
  const saved = plus(totals.interestDiscount, discount);
  totals.interestDiscount = isMore(saved, MAX_INTEREST) ? MAX_INTEREST : saved;
}

/** Days on which nothing accrues, because of the status or a grace. */
export const idleAccrual = (from: Day, until: Day, principalCents: number): Accrual => ({
  from,
  until,
  principalCents,
  rate: RATE_ZERO,
  rateBeforeDiscount: RATE_ZERO,
  interest: NO_INTEREST,
  interestBeforeDiscount: NO_INTEREST,
});

/** The yearly totals start again. Interest of 31 December accrues on 1 January and still belongs to the old year. */
export function beginYear(totals: Totals): void {
  totals.interestAccruedBeforeYear = totals.interestAccrued;
  totals.feesChargedBeforeYearCents = totals.feesChargedCents;
  totals.paidInterestBeforeYearCents = totals.paidInterestCents;
  totals.yearEnd = yearEndAfter(totals.yearEnd);
}

/** 1 January of the next year. */
export const yearEndAfter = (value: Day): Day => dayOf(civil(value).year + 1, 1, 1);

/** The rates, with a rate of zero on idle days. */
export function withoutIdleDays(rates: RateTimeline, idle: readonly IdleDays[]): RateTimeline {
  return idle.length === 0 ? rates : { segments: idle.reduce(silenced, rates.segments) };
}

function silenced(segments: readonly RateSegment[], { from, until }: IdleDays): readonly RateSegment[] {
  return segments.flatMap((segment) => {
    if (segment.until <= from || segment.from >= until) return [segment];
    const parts: RateSegment[] = [];
    const start = segment.from < from ? from : segment.from;
    const end = segment.until > until ? until : segment.until;
    if (segment.from < start) parts.push({ ...segment, until: start });
    parts.push({ from: start, until: end, gross: RATE_ZERO, net: RATE_ZERO });
    if (end < segment.until) parts.push({ ...segment, from: end });
    return parts;
  });
}

type FoundStatus = Pick<LedgerHead, 'status' | 'acceleratedSince' | 'chargedOffSince'>;

/**
 * The days from an acceleration up to a reversed charge-off: the acceleration had stopped interest, and the reversal restores
 * it only from the day of the charge-off on. `found` computes the ledger of fewer facts.
 */
export function idleDaysOf<Fact extends FactPosition & { readonly type: string }>(
  facts: readonly Fact[],
  found: (facts: readonly Fact[], idle: readonly IdleDays[], through: Day) => FoundStatus,
): readonly IdleDays[] {
  const reversals = facts.filter((fact) => fact.type === 'reverseChargeOff');
  const idle: IdleDays[] = [];
  for (const reversal of reversals.sort((a, b) => a.sequence - b.sequence)) {
    const isLater = ({ type, sequence }: Fact): boolean =>
      (type === 'reverseChargeOff' || type === 'reverseAccelerate') && sequence >= reversal.sequence;
    const {
      status,
      acceleratedSince: from,
      chargedOffSince: until,
    } = found(
      facts.filter((fact) => !isLater(fact)),
      [...idle],
      reversal.effective.day,
    );
    if (status === 'chargedOff' && from !== null && until !== null && from < until) idle.push({ from, until });
  }
  return idle;
}
