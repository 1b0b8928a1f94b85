import {
  type Accrued,
  ACCRUED_ZERO,
  accruedOfCents,
  accruedUnits,
  add,
  addAccrued,
  type Cents,
  greatest,
  least,
  MAX_CENTS,
  type Rounding,
  roundAccrued,
  subtract,
  subtractAccrued,
  ZERO,
} from '../money/index.js';
import { AmortizationError, type OpenBalance, type PlannedRow } from './level.js';
import type { Growth } from '../rates/index.js';
import { NOTHING_PREPAID, type Prepaid, prepaidRow } from './prepaid.js';
import type { ScheduleRow } from './types.js';

export interface RowOrder {
  /** What the balance earns in the row. */
  readonly earned: Growth;
  readonly levelCents: Cents;
  readonly interestRounding: Rounding;
  /** The row is the last one, and this is what it does; null: others follow, or nothing closes. */
  readonly closing: 'paysAll' | 'staysLevel' | 'interestAbsorbs' | null;
}

const GREATEST_INTEREST = accruedOfCents(MAX_CENTS);

export interface ComputedRow {
  readonly row: ScheduleRow;
  readonly open: OpenBalance;
  /** The payment was below its interest. */
  readonly hasShortfall: boolean;
}

/** One row on an open balance: interest first, the rest principal. Fees are added later. */
export function computeRow(open: OpenBalance, planned: PlannedRow, order: RowOrder): ComputedRow {
  const earned = withinCap(open, order.earned.net);
  const accrued = addAccrued(open.interest, earned);
  if (accrued > GREATEST_INTEREST) throw new AmortizationError('amountTooLarge', 'the interest of a row is too large');
  const dueCents = order.closing === 'interestAbsorbs' ? interestLeftBy(open, order) : roundAccrued(accrued, order.interestRounding);
  const owedCents = add(open.principalCents, dueCents);
  const amountCents = amountOf(open, planned, order, { earned, dueCents, owedCents });
  const { prepaidCents, paidCents, after: prepaid } = takenInAdvance(open, planned, order, { amountCents, owedCents });
  const interestCents = least(dueCents, paidCents);
  const isCovered = interestCents === dueCents;
  const unrounded = isCovered ? accrued : accruedOfCents(interestCents);
  const saved = subtractAccrued(withinCap(open, order.earned.gross), earned);
  const principalCents = subtract(paidCents, interestCents);
  const remainingPrincipalCents = subtract(open.principalCents, principalCents);
  return {
    row: {
      date: planned.date,
      amountCents,
      principalCents,
      interestCents,
      interestBeforeDiscountCents: beforeDiscount(accrued, saved, interestCents, dueCents, order.interestRounding),
      unroundedPrincipal: subtractAccrued(accruedOfCents(paidCents), unrounded),
      unroundedInterest: unrounded,
      unroundedInterestBeforeDiscount: addAccrued(unrounded, saved),
      feeCents: ZERO,
      prepaidCents,
      isForcedAmount: planned.term.type === 'forced',
      remainingPrincipalCents,
    },
    open: {
      principalCents: remainingPrincipalCents,
      interest: isCovered ? ACCRUED_ZERO : subtractAccrued(accrued, unrounded),
      interestRoom: open.interestRoom === null ? null : subtractAccrued(open.interestRoom, earned),
      prepaid,
    },
    hasShortfall: !isCovered && planned.term.type !== 'skipped',
  };
}

interface Taken {
  readonly prepaidCents: Cents;
  /** What is left for interest and principal. */
  readonly paidCents: Cents;
  readonly after: Prepaid;
}

/** The last row brings what is left, and takes in advance what it asks for above that. */
function takenInAdvance(
  { prepaid }: OpenBalance,
  { term }: PlannedRow,
  { closing }: RowOrder,
  row: { readonly amountCents: Cents; readonly owedCents: Cents },
): Taken {
  const { amountCents, owedCents } = row;
  if (prepaid === NOTHING_PREPAID) return { prepaidCents: ZERO, paidCents: amountCents, after: prepaid };
  if (closing === null && term.type !== 'skipped') return prepaidRow(prepaid, amountCents, owedCents);
  const prepaidCents = least(prepaid.leftCents, closing === null ? amountCents : greatest(ZERO, subtract(amountCents, owedCents)));
  return { prepaidCents, paidCents: subtract(amountCents, prepaidCents), after: prepaid };
}

/** What a level last row has left for interest. */
const interestLeftBy = (open: OpenBalance, { levelCents }: RowOrder): Cents => greatest(ZERO, subtract(levelCents, open.principalCents));

/** Interest that a balance has earned, bounded by what a cap on total interest still allows. */
export function withinCap(open: OpenBalance, earned: bigint): Accrued {
  return open.interestRoom === null || earned < open.interestRoom ? accruedUnits(earned) : open.interestRoom;
}

interface RowOwed {
  /** In the row's own nights. */
  readonly earned: Accrued;
  readonly dueCents: Cents;
  readonly owedCents: Cents;
}

function amountOf(open: OpenBalance, planned: PlannedRow, order: RowOrder, owed: RowOwed): Cents {
  const { owedCents } = owed;
  if (order.closing === 'staysLevel') return order.levelCents;
  if (order.closing === 'interestAbsorbs') return owedCents;
  const askedCents = least(askedOf(open, planned, order, owed), add(owedCents, open.prepaid.leftCents));
  return order.closing === 'paysAll' ? greatest(owedCents, askedCents) : askedCents;
}

/**
 * What a row is asked to be, whatever is left to be paid. Interest that earlier rows have left unpaid waits until nothing is paid in
 * advance.
 */
function askedOf(
  open: OpenBalance,
  { term }: PlannedRow,
  { levelCents, interestRounding }: RowOrder,
  { earned, dueCents }: RowOwed,
): Cents {
  switch (term.type) {
    case 'level':
      return levelCents;
    case 'forced':
    case 'given':
      return term.amountCents;
    case 'interestOnly':
      return open.prepaid.leftCents === 0 ? dueCents : roundAccrued(earned, interestRounding);
    case 'skipped':
      return ZERO;
  }
}

function beforeDiscount(accrued: Accrued, saved: Accrued, interestCents: Cents, dueCents: Cents, rounding: Rounding): Cents {
  if (saved === 0n) return interestCents;
  const beforeCents = roundAccrued(addAccrued(accrued, saved), rounding);
  return subtract(add(interestCents, beforeCents), dueCents);
}
