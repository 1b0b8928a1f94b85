import type { tags } from 'typia';
import type { Cents } from '../../../engine/index.js';
import type { Address, AddressBody } from '../../address.js';
import type { CardType } from '../../company/index.js';
import type { PageQuery } from '../../list-order.js';
import type { Amount, AnyId, DateTimeText, ExternalId, ShortText, Whole } from '../../wire.js';
import type { CardStatus } from './machine.js';

/** Cards of a loan or a line of credit. */

type UsageType = 'singleUse' | 'multiUse';
export type FulfillmentStatus = 'issued' | 'ordered' | 'reordered' | 'rejected' | 'shipped' | 'delivered' | 'digitallyPresented';
export type CardNetwork = 'visa' | 'mastercard' | 'amex' | 'discover';
export type ReplacementReason = 'lost' | 'stolen' | 'damaged' | 'expired' | 'nameChange';

/** How the issuer identifies a card; which of them are used depends on the kind of issuer. */
export const IDENTIFIERS = [
  'issuerUserToken',
  'issuerBusinessToken',
  'issuerCardToken',
  'issuerCardProductToken',
  'issuerAccountToken',
  'issuerAccountNumber',
  'issuerCardIdentifier',
] as const;

export type Identifier = (typeof IDENTIFIERS)[number];

/** Personal data of a card: sealed with the borrower's key. */
export interface CardDetails {
  readonly identifiers: { readonly [Name in Identifier]?: string };
  readonly cardNumberLastFour: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly nickname: string | null;
  readonly address: Address | null;
}

/** Records are replaced, never changed. */
export interface LoanCard {
  readonly id: string;
  readonly externalId: string | null;
  readonly issuerId: string | null;
  readonly type: CardType;
  readonly status: CardStatus;
  readonly usageType: UsageType | null;
  readonly fulfillmentStatus: FulfillmentStatus | null;
  readonly expirationYear: number | null;
  readonly expirationMonth: number | null;
  readonly network: CardNetwork | null;
  /** A borrower who was erased: still sealed. */
  readonly details: CardDetails;
  readonly originalCents: Cents | null;
  readonly replacesCardId: string | null;
  readonly replacementReason: ReplacementReason | null;
  /** Ids of the issuer's last events about its status and details, oldest first. Absent: none, or a release that did not keep them. */
  readonly takenEvents?: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

/** Of nearly all loans. */
export const NO_CARDS: readonly LoanCard[] = [];

export type IssuerText = string & tags.MinLength<1> & tags.MaxLength<255>;

interface IdentifiersRequest {
  readonly issuerUserToken?: IssuerText | null;
  readonly issuerBusinessToken?: IssuerText | null;
  readonly issuerCardToken?: IssuerText | null;
  readonly issuerCardProductToken?: IssuerText | null;
  readonly issuerAccountToken?: IssuerText | null;
  readonly issuerAccountNumber?: (string & tags.Pattern<'^[0-9]{12}$'>) | null;
  readonly issuerCardIdentifier?: IssuerText | null;
}

interface ChangedDetailsRequest {
  readonly usageType?: UsageType | null;
  readonly fulfillmentStatus?: FulfillmentStatus | null;
  readonly cardNumberLastFour?: (string & tags.Pattern<'^[0-9]{4}$'>) | null;
  readonly expirationYear?: (Whole & tags.Minimum<2000> & tags.Maximum<2100>) | null;
  readonly expirationMonth?: (Whole & tags.Minimum<1> & tags.Maximum<12>) | null;
  readonly network?: CardNetwork | null;
  readonly firstName?: ShortText | null;
  readonly lastName?: ShortText | null;
  readonly nickname?: ShortText | null;
  readonly address?: AddressBody | null;
  /** Write only. Of the number only the last four digits are kept. */
  readonly pan?: (string & tags.Pattern<'^[0-9]{12,19}$'>) | null;
  /** Refused: the service keeps no verification values. */
  readonly cvvNumber?: (string & tags.Pattern<'^[0-9]{3,4}$'>) | null;
}

interface CardBalancesRequest {
  readonly originalAmount?: Amount | null;
}

interface CardRequestFields extends IdentifiersRequest {
  readonly externalId?: ExternalId | null;
  readonly issuerId?: AnyId | null;
  readonly cardBalances?: CardBalancesRequest | null;
}

export interface CreateCardRequest extends CardRequestFields {
  /** Default: that of the issuer, else `virtualCard`. */
  readonly type?: CardType;
  readonly cardDetails?: (ChangedDetailsRequest & { readonly status?: CardStatus | null }) | null;
}

export interface UpdateCardRequest extends CardRequestFields {
  readonly cardDetails?: ChangedDetailsRequest;
}

export interface CardStatusRequest {
  readonly status: CardStatus;
}

export interface ReplaceCardRequest {
  readonly reason: ReplacementReason;
  /** Where the new card is sent; default that of the old one. */
  readonly address?: AddressBody | null;
  /** Sent with the event of the request, to those who order the card. */
  readonly expedite?: boolean;
}

export interface ListCardsQuery extends PageQuery {
  readonly status?: CardStatus;
}

export interface LoanCardView extends Pick<LoanCard, 'id' | 'externalId' | 'issuerId' | 'type' | 'replacesCardId' | 'replacementReason'> {
  readonly object: 'card';
  readonly loanId: string;
  readonly issuerUserToken: string | null;
  readonly issuerBusinessToken: string | null;
  readonly issuerCardToken: string | null;
  readonly issuerCardProductToken: string | null;
  readonly issuerAccountToken: string | null;
  readonly issuerAccountNumber: string | null;
  readonly issuerCardIdentifier: string | null;
  readonly cardDetails: Pick<LoanCard, 'status' | 'usageType' | 'fulfillmentStatus' | 'expirationYear' | 'expirationMonth' | 'network'> & {
    readonly cardNumberLastFour: string | null;
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly nickname: string | null;
    readonly address: (Address & { readonly object: 'address' }) | null;
  };
  /** By the purchases that name the card in `externalCardId`. */
  readonly cardBalances: {
    readonly originalAmount: Amount | null;
    readonly usedAmount: Amount;
    readonly refundedAmount: Amount;
  };
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
