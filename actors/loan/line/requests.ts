import type { tags } from 'typia';
import type { Amount, RateValue, Text } from '../../wire.js';
import type { CreateCardRequest, IssuerText } from '../cards/types.js';
import type { ActionRequest } from '../requests.js';

/** A share of at most 100 %: a larger one would ask for more than is owed. */
type Share = RateValue & tags.Maximum<1>;

export interface MinPaymentRequest {
  readonly percentageOfPrincipal?: Share | null;
  readonly minAmount?: (Amount & tags.Maximum<999999999.99>) | null;
  readonly isIncludeOverLimitAmount?: boolean | null;
}

/** A card of a line. Replies show only the last four digits of its number. */
export interface CardRequest extends CreateCardRequest {
  /** The issuer's token or identifier of the card. */
  readonly token?: IssuerText | null;
}

/** A limit of a line or a draw: zero allows no purchases. */
export type LimitAmount = Amount & tags.Maximum<999999999.99>;

export interface ChangeDrawLimitRequest extends ActionRequest {
  readonly creditLimitAmount: LimitAmount;
}

export interface ChangeLineLimitRequest extends ChangeDrawLimitRequest {
  /** Required when the limit is lowered; may be used in a disclosure. */
  readonly adverseActionReason?: Text | null;
  /** Another spelling of `adverseActionReason`. */
  readonly adverseReactionReason?: Text | null;
}

/** The limit in force on a day, and the reason given when it was set. */
export interface CreditLimitReply {
  /** Null: a draw without a limit of its own. */
  readonly creditLimitAmount: Amount | null;
  readonly adverseActionReason: string | null;
  readonly sendNotice: boolean | null;
  readonly caseId: string | null;
}
