import type { tags } from 'typia';
import type { AnyId, DateText, RateValue, SignedRateValue } from '../../wire.js';
import type { ActionRequest, LoanRate } from '../requests.js';
import type { ScheduleReply, ScheduleRowReply } from '../views/types.js';

/** Bodies of commands that change the rates of a loan. End dates are inclusive; null is the end of the loan. */

type InterestRate = SignedRateValue & tags.Minimum<-99.99999999> & tags.Maximum<99.99999999>;

export interface NewInterestRate {
  readonly status?: 'active';
  readonly annualRate: InterestRate;
  /** Default: today. */
  readonly startDate?: DateText | null;
  readonly endDate?: DateText | null;
  readonly isEndExistingRates?: boolean;
}

export interface NewPromoRate {
  readonly status?: 'active';
  readonly annualRate: LoanRate;
  readonly startDate?: DateText | null;
  readonly endDate?: DateText | null;
  readonly isEndExistingRates?: boolean;
}

export interface AddRatesRequest extends ActionRequest {
  readonly interestRate?: NewInterestRate | null;
  readonly promoRate?: NewPromoRate | null;
  /** Only for lines of credit. */
  readonly applyTo?: 'line' | 'lineAndDraws';
}

export interface ChangeRateRequest extends ActionRequest {
  readonly annualRate?: InterestRate;
  readonly startDate?: DateText;
  readonly endDate?: DateText | null;
}

/** The fields of a DELETE are in the query. */
export interface RemoveRateQuery extends ActionRequest {
  readonly sync?: boolean;
}

type RateCapReason = 'MLA' | 'SCRA' | 'federal' | 'state' | 'other';
type CapRate = RateValue & tags.Maximum<9.9999>;

export interface AddRateCapRequest extends ActionRequest {
  readonly maxRate: CapRate;
  readonly startDate: DateText;
  readonly endDate?: DateText | null;
  readonly rateCapReason?: RateCapReason;
  readonly applyTo?: 'line' | 'lineAndDraws';
}

export interface ChangeRateCapRequest extends ActionRequest {
  readonly maxRate?: CapRate;
  readonly startDate?: DateText;
  readonly endDate?: DateText | null;
  readonly rateCapReason?: RateCapReason;
}

type ScraRate = RateValue & tags.Maximum<0.06>;

export interface AddScraRequest extends ActionRequest {
  readonly annualRate?: ScraRate;
  readonly startDate: DateText;
  readonly endDate: DateText | null;
  readonly isCancelFees?: boolean;
}

export interface ChangeScraRequest extends ActionRequest {
  /** May be absent if the loan has only one SCRA period. */
  readonly rateId?: AnyId | null;
  readonly annualRate?: ScraRate;
  readonly startDate?: DateText;
  readonly endDate?: DateText | null;
  readonly isCancelFees?: boolean;
}

export interface RemoveScraQuery extends ActionRequest {
  readonly rateId?: AnyId;
  readonly sync?: boolean;
}

export interface ListedRate {
  readonly id: string;
  readonly type: 'interestRate' | 'promoRate';
  readonly status: 'active' | 'inactive';
  readonly annualRate: SignedRateValue;
  /** Null before activation, from which the days of rates count. */
  readonly startDate: DateText | null;
  /** Inclusive; null: until the end of the loan. */
  readonly endDate: DateText | null;
  readonly setAtActivation: boolean;
}

export interface RatesReply {
  readonly interestRates: readonly (ListedRate & { readonly interestType: string })[];
  readonly promoRates: readonly ListedRate[];
}

/** An interest rate or a promo rate, which has no `interestType`. */
export type RateReply = RatesReply['interestRates'][number] | RatesReply['promoRates'][number];

export interface RatesChangedReply {
  readonly ratesValidation: { readonly interestRateExceedsMax: boolean; readonly interestRateBelowMinOrZero: boolean };
  readonly interestRateId: string | null;
  readonly promoRateId: string | null;
  /** The schedule under the current rates. */
  readonly schedule: readonly ScheduleRowReply[];
}

/** A range of days with the same rates. */
export interface RateDetails {
  readonly startDate: DateText;
  readonly endDate: DateText;
  /** The lowest interest rate in force, a spread including its index, before caps and promo rates. */
  readonly interestRate: RateValue;
  readonly interestType: string | null;
  /** Null unless the rate is a spread. */
  readonly indexRate: SignedRateValue | null;
  readonly spread: SignedRateValue | null;
  /** The sum of the promo rates in force. */
  readonly promoRate: RateValue;
  readonly rateCap: RateValue | null;
  /** The rate that accrues: zero while the loan is frozen or accelerated. */
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

/** The schedule, with the id of the SCRA rate. */
export interface ScraReply extends ScheduleReply {
  readonly rateId: string;
}
