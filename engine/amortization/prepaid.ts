import { add, type Cents, greatest, least, subtract, ZERO } from '../money/index.js';

/**
 * Money paid in advance: the oldest rows take what they ask for from it, and only the rest of it is still to come.
 * A row asks for its share of the origination fee beside its own amount, also where money in
 * advance has paid the fee already: what the fee does not need is for interest and principal then.
 */
export interface Prepaid {
  readonly leftCents: Cents;
  readonly feeShareCents: Cents;
  /** What of the fee the rows to come ask for together. */
  readonly feeAskedCents: Cents;
  /** What of the fee is unpaid and not due. */
  readonly feeOpenCents: Cents;
}

export const NOTHING_PREPAID: Prepaid = { leftCents: ZERO, feeShareCents: ZERO, feeAskedCents: ZERO, feeOpenCents: ZERO };

/** Whether each row brings its own amount to interest and principal, and its share to the fee. */
export const isNothingPrepaid = ({ leftCents, feeAskedCents, feeOpenCents }: Prepaid): boolean =>
  leftCents === 0 && feeAskedCents === feeOpenCents;

/** What a row does with what is paid in advance. */
export interface PrepaidRow {
  readonly shareCents: Cents;
  readonly prepaidCents: Cents;
  /** Of what is not paid in advance: for the fee, and for interest and principal. */
  readonly feeCents: Cents;
  readonly paidCents: Cents;
  readonly after: Prepaid;
}

/** A row of an amount of its own, with its share; together at most all that is left, `owedCents` of interest and principal included. */
export function prepaidRow(prepaid: Prepaid, baseCents: Cents, owedCents: Cents): PrepaidRow {
  const { leftCents, feeShareCents, feeAskedCents, feeOpenCents } = prepaid;
  const roomCents = subtract(add(add(owedCents, leftCents), feeOpenCents), baseCents);
  const shareCents = least(least(feeShareCents, feeAskedCents), greatest(ZERO, roomCents));
  const askedCents = add(baseCents, shareCents);
  const prepaidCents = least(leftCents, askedCents);
  const cashCents = subtract(askedCents, prepaidCents);
  const feeCents = least(least(shareCents, cashCents), feeOpenCents);
  const after: Prepaid = {
    leftCents: subtract(leftCents, prepaidCents),
    feeShareCents,
    feeAskedCents: subtract(feeAskedCents, shareCents),
    feeOpenCents: subtract(feeOpenCents, feeCents),
  };
  return { shareCents, prepaidCents, feeCents, paidCents: subtract(cashCents, feeCents), after };
}
