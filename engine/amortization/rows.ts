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
import type { OpenBalance } from './level.js';
import type { Growth } from '../rates/index.js';
import { AmortizationError } from './errors.js';
import type { PlannedRow } from './plan.js';
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

export interface BookedRow {
  readonly row: ScheduleRow;
  readonly open: OpenBalance;
  /** The payment was below its interest. */
  readonly hasShortfall: boolean;
}

/** One row on an open balance: interest first, the rest principal (servicing-behaviour 3.5). Fees are added later. */
export function bookRow(open: OpenBalance, planned: PlannedRow, order: RowOrder): BookedRow {
  const earned = withinCap(open, order.earned.net);
  const accrued = addAccrued(open.interest, earned);
  if (accrued > GREATEST_INTEREST) throw new AmortizationError('amountTooLarge', 'the interest of a row is too large');
  const dueCents = order.closing === 'interestAbsorbs' ? interestLeftBy(open, order) : roundAccrued(accrued, order.interestRounding);
  const amountCents = amountOf(open, planned, order, dueCents);
  const interestCents = least(dueCents, amountCents);
  const isCovered = interestCents === dueCents;
  const unrounded = isCovered ? accrued : accruedOfCents(interestCents);
  const saved = subtractAccrued(withinCap(open, order.earned.gross), earned);
  const principalCents = subtract(amountCents, interestCents);
  const remainingPrincipalCents = subtract(open.principalCents, principalCents);
  return {
    row: {
      date: planned.date,
      amountCents,
      principalCents,
      interestCents,
      interestBeforeDiscountCents: beforeDiscount(accrued, saved, interestCents, dueCents, order.interestRounding),
      unroundedPrincipal: subtractAccrued(accruedOfCents(amountCents), unrounded),
      unroundedInterest: unrounded,
      unroundedInterestBeforeDiscount: addAccrued(unrounded, saved),
      feeCents: ZERO,
      isForcedAmount: planned.term.type === 'forced',
      remainingPrincipalCents,
    },
    open: {
      principalCents: remainingPrincipalCents,
      interest: isCovered ? ACCRUED_ZERO : subtractAccrued(accrued, unrounded),
      interestRoom: open.interestRoom === null ? null : subtractAccrued(open.interestRoom, earned),
    },
    hasShortfall: !isCovered && planned.term.type !== 'skipped',
  };
}

/** What a level last row has left for interest. */
const interestLeftBy = (open: OpenBalance, { levelCents }: RowOrder): Cents => greatest(ZERO, subtract(levelCents, open.principalCents));

/** Interest that a balance has earned, bounded by what a cap on total interest still allows. */
export function withinCap(open: OpenBalance, earned: bigint): Accrued {
  return open.interestRoom === null || earned < open.interestRoom ? accruedUnits(earned) : open.interestRoom;
}

function amountOf(open: OpenBalance, planned: PlannedRow, order: RowOrder, dueCents: Cents): Cents {
  const owedCents = add(open.principalCents, dueCents);
  if (order.closing === 'staysLevel') return order.levelCents;
  if (order.closing !== null) return owedCents;
  switch (planned.term.type) {
    case 'level':
      return least(order.levelCents, owedCents);
    case 'forced':
    case 'given':
      return least(planned.term.amountCents, owedCents);
    case 'interestOnly':
      return dueCents;
    case 'skipped':
      return ZERO;
  }
}

function beforeDiscount(accrued: Accrued, saved: Accrued, interestCents: Cents, dueCents: Cents, rounding: Rounding): Cents {
  if (saved === 0n) return interestCents;
  const beforeCents = roundAccrued(addAccrued(accrued, saved), rounding);
  return subtract(add(interestCents, beforeCents), dueCents);
}
