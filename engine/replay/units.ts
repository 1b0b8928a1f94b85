import { accruedOfCents, cents } from '../money/index.js';

/** One cent in the exact unit of interest. */
export const CENT = accruedOfCents(cents(1)) as bigint;

/** A cent is an even number of units, so that a half is one too. */
const HALF_CENT = CENT / 2n;

/** The whole cents in unpaid interest: what money can pay before the due date (servicing-behaviour 4.6). */
export const wholeCents = (interest: bigint): number => Number(interest / CENT);

/** Interest in cents, halves up. Unpaid interest is never negative. */
export const roundedCents = (interest: bigint): number => Number((interest + HALF_CENT) / CENT);

export const exact = (amountCents: number): bigint => BigInt(amountCents) * CENT;
