import type { Amount, DateText, RateValue, UnroundedText } from '../../wire.js';

export interface CalculatedRow {
  readonly date: DateText;
  readonly paymentType: 'periodicPayment';
  readonly amount: Amount;
  readonly principalAmount: Amount;
  readonly interestAmount: Amount;
  readonly interestBeforeDiscountAmount: Amount;
  readonly unroundedPrincipalAmount: UnroundedText;
  readonly unroundedInterestAmount: UnroundedText;
  readonly unroundedInterestBeforeDiscountAmount: UnroundedText;
  readonly feeAmount: Amount;
  readonly remainingPrincipalAmount: Amount;
  readonly isForcedAmount: boolean;
}

/** `POST L/schedule-preview`. */
export interface SchedulePreviewReply {
  readonly schedule: readonly CalculatedRow[];
  readonly aprNominal: RateValue;
  readonly aprEffective: RateValue;
  readonly totalInterestAmount: Amount;
}

/** `POST /utilities/amortize`. */
export interface AmortizeReply extends SchedulePreviewReply {
  readonly paymentFrequency: string;
  readonly periodicPaymentAmount: Amount;
  readonly duration: number;
  readonly startDate: DateText;
  readonly endDate: DateText;
  readonly totalFeesAmount: Amount;
  readonly totalAmount: Amount;
}
