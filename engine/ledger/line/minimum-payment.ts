import { shareOfCents, add, type Cents, greatest, least, type Rate, subtract, sum, ZERO } from '../../money/index.js';

/** The balance of a draw, or of a line without draws, on a statement. */
export interface StatementBalance {
  readonly principalCents: Cents;
  /** Everything owed: principal, interest and fees. */
  readonly balanceCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
}

/** The minimum payment of one balance. */
export interface MinimumPaymentRule {
  readonly percentage: Rate;
  /** The base of the percentage: principal, or the whole balance of the statement. */
  readonly percentageOf: 'principal' | 'balance';
  /** Added to the percentage in any case. */
  readonly fixedCents: Cents;
  /** The least amount; a smaller balance is due as a whole. */
  readonly minCents: Cents;
  readonly isInterestIncluded: boolean;
  readonly areFeesIncluded: boolean;
}

/**
 * How the over-limit amount enters the minimum of a line: not at all; together with the draws, under the line's floor; on top
 * of the floor; or the greater of over-limit and overdue amount on top, as in some card agreements.
 */
type OverLimitLogic = 'excluded' | 'underFloor' | 'onTop' | 'greaterOfOverdue';

export interface LineMinimumRule {
  readonly minCents: Cents;
  readonly overLimit: OverLimitLogic;
  readonly isOverdueIncluded: boolean;
}

export interface LineAmounts {
  /** The minimum of each draw; for an amortized draw the row of its period. */
  readonly minimumsCents: readonly Cents[];
  /** Fees of the line itself that have fallen due. */
  readonly dueFeesCents: Cents;
  readonly overLimitCents: Cents;
  readonly overdueCents: Cents;
  /** Everything owed on the line: the minimum never exceeds it. */
  readonly balanceCents: Cents;
}

/** `min(balance, max(floor, fixed + percentage + interest + fees))`; the percentage is rounded half up. */
export function drawMinimum(rule: MinimumPaymentRule, statement: StatementBalance): Cents {
  const base = rule.percentageOf === 'principal' ? statement.principalCents : statement.balanceCents;
  const asked = sum([
    rule.fixedCents,
    percentageOf(greatest(base, ZERO), rule.percentage),
    rule.isInterestIncluded ? statement.interestCents : ZERO,
    rule.areFeesIncluded ? statement.feesCents : ZERO,
  ]);
  return upTo(statement.balanceCents, greatest(rule.minCents, asked));
}

/** `min(balance, max(floor, draws + line fees + over-limit) + overdue)`, and its variants by `overLimit`. */
export function lineMinimum(rule: LineMinimumRule, line: LineAmounts): Cents {
  const overdueCents = rule.isOverdueIncluded ? line.overdueCents : ZERO;
  const underFloor = rule.overLimit === 'underFloor' ? line.overLimitCents : ZERO;
  const asked = sum([...line.minimumsCents, line.dueFeesCents, underFloor]);
  const floored = greatest(rule.minCents, asked);
  return upTo(line.balanceCents, add(floored, onTop(rule.overLimit, line.overLimitCents, overdueCents)));
}

/** The balance above the limit. */
export const overLimitCents = (balanceCents: Cents, limitCents: Cents): Cents => greatest(ZERO, subtract(balanceCents, limitCents));

function onTop(logic: OverLimitLogic, limitExcessCents: Cents, overdueCents: Cents): Cents {
  switch (logic) {
    case 'excluded':
    case 'underFloor':
      return overdueCents;
    case 'onTop':
      return add(overdueCents, limitExcessCents);
    case 'greaterOfOverdue':
      return greatest(overdueCents, limitExcessCents);
  }
}

/** Zero for a borrower with a credit balance. */
const upTo = (balanceCents: Cents, asked: Cents): Cents => greatest(ZERO, least(balanceCents, asked));

const percentageOf = (base: Cents, percentage: Rate): Cents => shareOfCents(base, percentage, 'halfUp');
