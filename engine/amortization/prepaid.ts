import { type Cents, least, subtract, ZERO } from '../money/index.js';

/**
 * Money paid in advance: the oldest rows take what they ask for from it, and only the rest of it is still to come
 * (servicing-behaviour 13.7).
 */
export interface Prepaid {
  readonly leftCents: Cents;
  /** What a row takes of it beside its own amount, and after that: its part of the origination fee. */
  readonly feeShareCents: Cents;
}

export const NOTHING_PREPAID: Prepaid = { leftCents: ZERO, feeShareCents: ZERO };

/** What a row leaves that takes so much for its own amount. */
export function takenFrom(prepaid: Prepaid, partCents: Cents): Prepaid {
  if (prepaid.leftCents === 0) return prepaid;
  const leftCents = subtract(prepaid.leftCents, partCents);
  return { leftCents: subtract(leftCents, least(leftCents, prepaid.feeShareCents)), feeShareCents: prepaid.feeShareCents };
}
