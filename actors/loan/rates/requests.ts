import type { tags } from 'typia';
import type { AnyId, DateText, RateValue, SignedRateValue } from '../../wire.js';
import type { ActionRequest, LoanRate } from '../requests.js';

/** Bodies of what changes the rates of a loan (loan-terms 7, 8, 11). End dates are inclusive; null = the end of the loan. */

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
  /** Of lines of credit. */
  readonly applyTo?: 'line' | 'lineAndDraws';
}

export interface ChangeRateRequest extends ActionRequest {
  readonly annualRate?: InterestRate;
  readonly startDate?: DateText;
  readonly endDate?: DateText | null;
}

/** DELETE says what it has to say in the query. */
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
  /** May be absent when the loan has one SCRA period. */
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
