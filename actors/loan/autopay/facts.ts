import type { Cents, Day } from '../../../engine/index.js';
import type { UsedInstrument } from '../transactions/record.js';
import type { AutopayCancelReason, AutopayTerms, Retry } from './plan.js';

/**
 * What happens to autopay plans. The transactions that they make, and what the ledger makes of those, are facts of their own
 * in the same batch.
 */
export interface AutopayFacts {
  readonly AutopayStarted: AutopayStarted;
  readonly AutopayEnded: AutopayEnded;
  readonly AutopaySuspended: AutopaySuspended;
  readonly AutopayResumed: AutopaySuspended;
  readonly AutopayScheduleAdopted: AutopayScheduleAdopted;
  readonly AutopayInstrumentChanged: AutopayInstrumentChanged;
  readonly AutopayPaymentRescheduled: AutopayPaymentRescheduled;
  readonly AutopayPaymentCanceled: AutopayPaymentCanceled;
  readonly AutopayDayWorked: AutopayDayWorked;
  readonly AutopayFailureAnswered: AutopayFailureAnswered;
  readonly AutopayRetried: AutopayRetried;
}

interface OfPlan {
  readonly planId: string;
}

interface SeenRows {
  readonly rowDays: readonly Day[];
  readonly rowCents: readonly Cents[];
}

export interface AutopayStarted extends AutopayTerms, SeenRows {}

export interface AutopayEnded extends OfPlan {
  readonly move: 'cancel' | 'complete';
  readonly cancelReason: AutopayCancelReason;
  readonly caseId: string | null;
}

/** `day`: the loan's business day. */
export interface AutopaySuspended extends OfPlan {
  readonly day: Day;
}

/** The loan's schedule has changed, or is there for the first time. What lies before `day` is past. */
export interface AutopayScheduleAdopted extends OfPlan, SeenRows {
  readonly day: Day;
}

export interface AutopayInstrumentChanged extends OfPlan {
  readonly instrument: UsedInstrument;
  readonly agreementDocumentId: string | null;
  readonly caseId: string | null;
}

export interface AutopayPaymentRescheduled extends OfPlan {
  readonly ordinal: number;
  readonly oldDay: Day;
  readonly day: Day;
  readonly caseId: string | null;
}

export interface AutopayPaymentCanceled extends OfPlan {
  readonly ordinal: number;
  readonly day: Day;
  readonly caseId: string | null;
}

/** The day of these payments has come. Null: there was nothing to pay. */
export interface AutopayDayWorked extends OfPlan {
  readonly day: Day;
  readonly ordinals: readonly number[];
  readonly amountCents: Cents;
  readonly transactionId: string | null;
}

/** A failed payment either comes again or counts as failed for good. */
export interface AutopayFailureAnswered extends OfPlan {
  readonly transactionId: string;
  readonly retry: Retry | null;
}

/** The day of a re-presentment has come. Null: nothing was left to pay. */
export interface AutopayRetried extends OfPlan {
  readonly originalId: string;
  readonly transactionId: string | null;
}
