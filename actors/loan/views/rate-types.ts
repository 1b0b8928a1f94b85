import type { DateText, RateValue } from '../../wire.js';

export interface ListedRate {
  readonly id: string;
  readonly type: 'interestRate' | 'promoRate';
  readonly status: 'active' | 'inactive';
  readonly annualRate: RateValue;
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

/** Days that share their rates. */
export interface RateDetails {
  readonly startDate: DateText;
  readonly endDate: DateText;
  readonly interestRate: RateValue;
  readonly indexRate: null;
  readonly spread: null;
  readonly promoRate: RateValue;
  readonly rateCap: RateValue | null;
  readonly effectiveRate: RateValue;
  readonly rateIds: readonly string[];
}
