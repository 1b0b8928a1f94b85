import type { DrawObligation } from './state.js';

/** How much an obligation asks for less. */
export interface GivenUp {
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
}

const NOTHING: GivenUp = { principalCents: 0, interestCents: 0, feesCents: 0 };

/** What a part of an obligation lacks is asked for no more: principal, interest and fees were met in the opposite order. */
export function giveUpRest(part: DrawObligation): GivenUp {
  const { amountCents, interestCents, feesCents, remainingCents } = part;
  if (remainingCents === 0) return NOTHING; // a copy of the ledger may share what is settled: it is not written to
  const ofPrincipal = Math.min(amountCents - interestCents - feesCents, remainingCents);
  const ofInterest = Math.min(interestCents, remainingCents - ofPrincipal);
  const ofFees = remainingCents - ofPrincipal - ofInterest;
  part.interestCents -= ofInterest;
  part.feesCents -= ofFees;
  part.amountCents -= remainingCents;
  part.remainingCents = 0;
  return { principalCents: ofPrincipal, interestCents: ofInterest, feesCents: ofFees };
}
