import type { DateText, RateValue, SignedRateValue } from '../../wire.js';
import type { ScheduleReply, ScheduleRowReply } from '../views/types.js';

export interface ListedRate {
  readonly id: string;
  readonly type: 'interestRate' | 'promoRate';
  readonly status: 'active' | 'inactive';
  readonly annualRate: SignedRateValue;
  /** Null before activation, which places the rates on their days. */
  readonly startDate: DateText | null;
  /** Inclusive; null = until the end of the loan. */
  readonly endDate: DateText | null;
  readonly setAtActivation: boolean;
}

export interface RatesReply {
  readonly interestRates: readonly (ListedRate & { readonly interestType: string })[];
  readonly promoRates: readonly ListedRate[];
}

/** One of them; a promo rate has no `interestType`. */
export type RateReply = RatesReply['interestRates'][number] | RatesReply['promoRates'][number];

export interface RatesChangedReply {
  readonly ratesValidation: { readonly interestRateExceedsMax: boolean; readonly interestRateBelowMinOrZero: boolean };
  readonly interestRateId: string | null;
  readonly promoRateId: string | null;
  /** What is expected under the rates as they are now. */
  readonly schedule: readonly ScheduleRowReply[];
}

/** Days that share their rates. */
export interface RateDetails {
  readonly startDate: DateText;
  readonly endDate: DateText;
  /** The lowest rate in force, a spread with its index, before caps and promos. */
  readonly interestRate: RateValue;
  readonly interestType: string | null;
  /** Null unless the rate is a spread. */
  readonly indexRate: SignedRateValue | null;
  readonly spread: SignedRateValue | null;
  /** The sum of the promo rates in force. */
  readonly promoRate: RateValue;
  readonly rateCap: RateValue | null;
  /** What accrues: zero while the loan is frozen or accelerated. */
  readonly effectiveRate: RateValue;
  readonly rateIds: readonly string[];
}

export interface RateCapReply {
  readonly id: string;
  readonly maxRate: RateValue;
  readonly startDate: DateText;
  readonly endDate: DateText | null;
  readonly rateCapReason: string;
  readonly setAtActivation: boolean;
}

export interface ScraPeriodReply {
  readonly rateId: string;
  readonly status: 'active' | 'inactive';
  readonly annualRate: RateValue;
  readonly startDate: DateText;
  readonly endDate: DateText | null;
  readonly isCancelFees: boolean;
}

/** The schedule, with the id of the rate that the terms brought. */
export interface ScraReply extends ScheduleReply {
  readonly rateId: string;
}
