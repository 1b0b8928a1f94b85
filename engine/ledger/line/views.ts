import type { Day } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import type { BalanceBlock, InterestAndFees, InterestDay, ObligationView, PaidBalances } from '../core/views.js';
import type { Credit } from './credit.js';

/** As an installment loan's block, with the fees that came with draws. */
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

/** What must be paid until the due date for the grace to hold. */
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
  /** Overdue when the statement was made: part of the minimum payment beside the obligation itself. */
  readonly carriedOverdueCents: Cents;
  /** What the statement asks for: with what is overdue where the product counts it in. */
  readonly minimumDueCents: Cents;
  readonly loanGracePeriod: GraceView;
  readonly gracePeriods: readonly DrawGraceView[];
}

export interface LineInterestDay extends InterestDay {
  readonly draw: number;
}

/** A day on which something is expected of a line or a draw. */
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
