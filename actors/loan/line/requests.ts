import type { tags } from 'typia';
import type { Amount, AnyId, RateValue, ShortText, Text, Whole } from '../../wire.js';
import type { ActionRequest, AddressRequest } from '../requests.js';

/** What only a line of credit agrees. */

/** Percentages above 100 % would ask for more than is owed. */
type Share = RateValue & tags.Maximum<1>;

export interface MinPaymentRequest {
  readonly percentageOfPrincipal?: Share | null;
  readonly minAmount?: (Amount & tags.Maximum<999999999.99>) | null;
  readonly isIncludeOverLimitAmount?: boolean | null;
}

/** A card of a line. Of the card itself only the last four digits are ever answered. */
export interface CardRequest {
  readonly issuerId?: AnyId | null;
  readonly token?: ShortText | null;
  readonly type?: ShortText | null;
  readonly cardDetails?: {
    readonly status?: ShortText | null;
    readonly usageType?: ShortText | null;
    readonly fulfillmentStatus?: ShortText | null;
    readonly cardNumberLastFour?: (string & tags.Pattern<'^[0-9]{4}$'>) | null;
    readonly expirationYear?: Whole | null;
    readonly expirationMonth?: Whole | null;
    readonly network?: ShortText | null;
    readonly firstName?: ShortText | null;
    readonly lastName?: ShortText | null;
    readonly address?: AddressRequest | null;
    readonly nickname?: ShortText | null;
  } | null;
}

/** A limit of a line or a draw: zero lets nothing be bought. */
export type LimitAmount = Amount & tags.Maximum<999999999.99>;

export interface ChangeDrawLimitRequest extends ActionRequest {
  readonly creditLimitAmount: LimitAmount;
}

export interface ChangeLineLimitRequest extends ChangeDrawLimitRequest {
  /** Required when the limit becomes another; may be used in a disclosure. */
  readonly adverseActionReason?: Text | null;
  /** The spelling of one client. */
  readonly adverseReactionReason?: Text | null;
}

/** The limit that is in force on a day, and what was said when it was set. */
export interface CreditLimitReply {
  /** Null: a draw without a limit of its own. */
  readonly creditLimitAmount: Amount | null;
  readonly adverseActionReason: string | null;
  readonly sendNotice: boolean | null;
  readonly caseId: string | null;
}
