import type { Day } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import type { BalanceBlock, InterestAndFees, InterestDay, ObligationView, PaidBalances } from '../core/views.js';
import type { Credit } from './credit.js';

/** A block as of an installment loan, with the fees of draws. */
export interface LineBalanceBlock extends BalanceBlock {
  readonly drawFeesCents: Cents;
}

export interface LineBalances {
  readonly outstanding: LineBalanceBlock;
  readonly nonDue: LineBalanceBlock;
  readonly due: LineBalanceBlock;
  readonly overdue: LineBalanceBlock;
  readonly chargedOff: LineBalanceBlock;
  readonly paid: PaidBalances;
  readonly interestAndFees: InterestAndFees;
  readonly credit: Credit;
}

/** What must be paid by the due date to keep the grace. */
export interface GraceView {
  readonly fullBalanceCents: Cents;
  readonly fullBalanceMinusOverdueCents: Cents;
  readonly totalFulfilledOnDueDateCents: Cents;
  readonly isEligible: boolean;
}

export interface DrawGraceView extends GraceView {
  readonly draw: number;
}

export interface LineObligationView extends ObligationView {
  readonly overLimitCents: Cents;
  /** Overdue amounts at the time of the statement: part of the minimum payment, in addition to the obligation. */
  readonly carriedOverdueCents: Cents;
  /** The minimum payment of the statement, including overdue amounts if the product includes them. */
  readonly minimumDueCents: Cents;
  readonly loanGracePeriod: GraceView;
  readonly gracePeriods: readonly DrawGraceView[];
}

export interface LineInterestDay extends InterestDay {
  readonly draw: number;
}

/** A day with an expected payment for a line or a draw. */
export interface LineScheduleRow {
  /** The period's ordinal. */
  readonly ordinal: number;
  readonly date: Day;
  readonly status: 'booked' | 'projected' | 'completed' | 'canceled';
  readonly amountCents: Cents;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
}
