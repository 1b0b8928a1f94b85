import type { Cents, Day, FeeCanceled, FeeCharged, LateFeeTerms, LineFeeCharged } from '../../../engine/index.js';
import type { EffectiveTime } from '../../kernel/fact.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';
import type { ChargedFee } from '../state.js';
import type { RecurringTrigger } from './recurring.js';

export interface FeeFacts {
  readonly FeeCharged: FeeChargedBody;
  readonly FeeScheduled: FeeScheduledBody;
  readonly FeeCanceled: FeeCanceledBody;
  readonly ScheduledFeeCanceled: ScheduledFeeCanceledBody;
  readonly ScheduledFeeChanged: ScheduledFeeChangedBody;
  readonly LateFeesTaken: LateFeesTaken;
  readonly RecurringFeesTaken: RecurringFeesTaken;
  readonly RecurringFeesDone: RecurringFeesDone;
}

export interface FeeChargedBody extends LedgerChanged {
  readonly change: LedgerChange<FeeCharged | LineFeeCharged>;
  readonly details: FeeDetails;
}

/** A fee that is to be charged on a day to come. */
export interface FeeScheduledBody {
  readonly change: LedgerChange<FeeCharged | LineFeeCharged>;
  readonly details: FeeDetails;
  readonly at: EffectiveTime;
  readonly caseId: string | null;
}

type FeeDetails = Pick<
  ChargedFee,
  'id' | 'externalId' | 'category' | 'customDisplayName' | 'transactionId' | 'purchaseId' | 'period' | 'draw'
>;

export interface FeeCanceledBody extends LedgerChanged {
  readonly change: LedgerChange<FeeCanceled>;
  /** The fee by hand; null for a late fee. */
  readonly feeId: string | null;
}

/** A fee that was canceled before it was charged. */
export interface ScheduledFeeCanceledBody {
  readonly feeId: string;
  readonly reason: string | null;
  readonly caseId: string | null;
}

/** The amount of a fee that is still to be charged. */
export interface ScheduledFeeChangedBody {
  readonly feeId: string;
  readonly amountCents: Cents;
  readonly caseId: string | null;
}

/** The product's late fees changed: the loan takes them over from a day on. */
export interface LateFeesTaken {
  readonly from: Day;
  readonly lateFees: readonly LateFeeTerms[];
}

/** The product's fee types ask for other recurring fees than before: what began up to a day is done with. */
export interface RecurringFeesTaken {
  readonly triggers: readonly RecurringTrigger[];
  readonly doneThrough: Day;
}

/** Periods and years that began up to a day were looked at; so many fees were charged for them in all. */
export interface RecurringFeesDone {
  readonly through: Day;
  readonly made: number;
}
