import type { Amount, DateText, DateTimeText, SignedAmount } from '../../wire.js';
import type { AutopayStatus } from './machine.js';
import type { AutopayCancelReason } from './plan.js';
import type { AutopayPaymentStatus } from './requests.js';

/** A plan as replies show it (money 6). */
export interface AutopayView {
  readonly object: 'autopay';
  readonly id: string;
  readonly loanId: string;
  readonly isLocked: boolean;
  readonly status: AutopayStatus;
  readonly isAlignedToDueDates: boolean;
  readonly paymentFrequency: string;
  readonly specificDays: readonly string[] | null;
  readonly paymentInstrumentId: string;
  readonly agreementDocumentId: string | null;
  readonly type: 'alignedToDueDates' | 'ownSchedule';
  readonly amountType: string;
  readonly extraAmount: Amount;
  readonly fixedAmount: Amount | null;
  /** What was made, then what is to come if nothing else happens. */
  readonly schedule: readonly AutopayPaymentView[];
  readonly deltaTerms: DeltaTermsView | null;
  readonly caseId: string | null;
  readonly cancelReason: AutopayCancelReason | null;
  readonly canceledAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
}

/** The plan against the loan's present schedule: what the borrower saves is negative. */
export interface DeltaTermsView {
  readonly deltaInterestAmount: SignedAmount;
  readonly deltaFeeAmount: SignedAmount;
  readonly deltaDurationDays: number;
  readonly deltaDueDatesNumber: number;
}

export interface AutopayPaymentView {
  readonly id: string;
  readonly date: DateText;
  /** As the plan had it, before it was rescheduled. */
  readonly originalDate: DateText;
  readonly periodId: string | null;
  readonly paymentType: 'periodicPayment' | 'final';
  readonly status: AutopayPaymentStatus;
  readonly amount: Amount;
  readonly originalAmount: Amount;
  readonly principalAmount: Amount;
  readonly interestAmount: Amount;
  readonly interestBeforeDiscountAmount: Amount;
  readonly isDeferred: boolean;
  readonly dynamicFeeDetails: {
    readonly loanFeeId: string | null;
    readonly dynamicFeeTypeId: string | null;
    readonly apiName: string | null;
    readonly displayName: string | null;
  };
  readonly transactionId: string | null;
}
