import type { ObligationLedger } from './entries.js';
import { centsOfInterest, NO_INTEREST } from './interest.js';
import { holds, settingsOf } from './rules.js';
import { ACCELERATION_ORDINAL, type FeeState, type ObligationState } from './state.js';

/** Everything owed, by component; late fees are part of the fees. */
export interface WholeAmounts {
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
  readonly lateFeesCents: number;
}

export function wholeObligation(ledger: ObligationLedger, whole: WholeAmounts, oldest: ObligationState | undefined): ObligationState {
  const { principalCents, interestCents, feesCents, lateFeesCents } = whole;
  const amountCents = principalCents + interestCents + feesCents;
  return {
    ordinal: ACCELERATION_ORDINAL,
    dueDay: oldest?.dueDay ?? ledger.day,
    amountCents,
    baseCents: principalCents + interestCents,
    principalCents,
    interestCents,
    feesCents,
    unroundedInterest: centsOfInterest(interestCents),
    unroundedDiscount: NO_INTEREST,
    remainingCents: amountCents,
    paymentsCents: 0,
    creditsCents: 0,
    prepaidCents: 0,
    capitalizedCents: 0,
    unassignedCents: 0,
    withoutLateFeesCents: amountCents - lateFeesCents,
    pausedDays: oldest?.pausedDays ?? 0,
    isFulfilled: amountCents <= (holds(ledger, 'toleranceForWhole') ? settingsOf(ledger).overdueToleranceCents : 0),
    isEnforced: oldest?.isEnforced ?? false,
    isLateFeeBlocked: false,
  };
}

interface Replaceable<Obligation extends ObligationState> {
  obligations: Obligation[];
  replaced: readonly Obligation[];
  firstOpenObligation: number;
  firstUnenforced: number;
}

/** One obligation replaces all unfulfilled ones. It may be within the tolerance. */
export function replaceObligations<Obligation extends ObligationState>(state: Replaceable<Obligation>, whole: Obligation): void {
  state.replaced = state.obligations.filter((candidate) => !candidate.isFulfilled);
  state.obligations = state.obligations.filter((candidate) => candidate.isFulfilled).map(withoutRest);
  state.firstOpenObligation = state.obligations.length + (whole.isFulfilled ? 1 : 0);
  state.firstUnenforced = 0;
  state.obligations.push(whole);
}

/** Removes the rest within the tolerance, which is part of the whole now. */
function withoutRest<Obligation extends ObligationState>(fulfilled: Obligation): Obligation {
  if (fulfilled.remainingCents === 0) return fulfilled;
  const rest = restByComponent(fulfilled);
  return {
    ...fulfilled,
    principalCents: fulfilled.principalCents - rest.principalCents,
    interestCents: fulfilled.interestCents - rest.interestCents,
    feesCents: fulfilled.feesCents - rest.feesCents,
    amountCents: fulfilled.amountCents - fulfilled.remainingCents,
    remainingCents: 0,
  };
}

/** Amounts by component. */
export type ComponentCents = Pick<WholeAmounts, 'principalCents' | 'interestCents' | 'feesCents'>;

/** What an obligation lacks, if its principal is given up first, then its interest, then its fees. */
export function restByComponent(part: Pick<ObligationState, 'principalCents' | 'interestCents' | 'remainingCents'>): ComponentCents {
  const principalCents = Math.min(part.principalCents, part.remainingCents);
  const interestCents = Math.min(part.interestCents, part.remainingCents - principalCents);
  return { principalCents, interestCents, feesCents: part.remainingCents - principalCents - interestCents };
}

/** The single obligation carries all unpaid fees. */
export function carryByWhole(fees: readonly FeeState[], { dueDay }: ObligationState): void {
  for (const fee of fees) {
    if (fee.openCents === 0) continue;
    fee.carriedBy = ACCELERATION_ORDINAL;
    fee.dueDay ??= dueDay;
  }
}

/** The single obligation carries a later fee; its amount was raised by the fee. */
export function carryLaterFee({ status }: ObligationLedger, fee: FeeState, whole: ObligationState): void {
  if (fee.kind !== 'lateFee') whole.withoutLateFeesCents += fee.openCents;
  fee.carriedBy = whole.ordinal;
  fee.dueDay = whole.dueDay;
  if (status === 'accelerated') fee.dueStatus = whole.isEnforced ? 'overdue' : 'due';
}
