import type { AnyDeclaration } from '../../kernel/resources/index.js';
import { COLLECTION_AGENCY } from './collection-agencies.js';
import { INVESTOR } from './investors.js';
import { MERCHANT } from './merchants.js';
import { SETTLEMENT_INSTRUMENT } from './settlement-instruments.js';
import { LOAN_OWNER_CHANGE } from './owner-changes.js';

export {
  CARD_ISSUER,
  type CardIssuer,
  cardIssuerCommands,
  type CardIssuerCreateBody,
  type CardIssuerListQuery,
  cardIssuerOf,
  type CardIssuerSecret,
  cardIssuerSecret,
  type CardIssuerType,
  type CardIssuerUpdateBody,
  type CardIssuerView,
  type CardType,
} from './card-issuers.js';
export {
  collectionAgencyOf,
  type CollectionAgencyCreateBody,
  type CollectionAgencyListQuery,
  type CollectionAgencyUpdateBody,
  type CollectionAgencyView,
} from './collection-agencies.js';
export {
  defaultInvestorOf,
  type InvestorCreateBody,
  type InvestorListQuery,
  investorOf,
  investorsOf,
  type InvestorUpdateBody,
  type InvestorView,
} from './investors.js';
export {
  CHANGE_OWNERS,
  type LoanOwnerChangeView,
  type OwnerChangeBody,
  type OwnerChangeCreateBody,
  type OwnerSent,
  ownersFrom,
  ownersSent,
  type OwnersOfManyBody,
} from './owner-changes.js';
export {
  listAllSettlementInstruments,
  missingToSettle,
  type SettlementInstrumentCreateBody,
  type SettlementInstrumentListQuery,
  type SettlementInstrumentUpdateBody,
  type SettlementInstrumentView,
  type SettlementInstrumentWriteQuery,
} from './settlement-instruments.js';
export { type MerchantCreateBody, type MerchantListQuery, merchantOf, type MerchantUpdateBody, type MerchantView } from './merchants.js';
export type { PartyWriteQuery } from './contact-details.js';

/** Parties other than borrowers. */
export const PARTIES: readonly AnyDeclaration[] = [INVESTOR, LOAN_OWNER_CHANGE, COLLECTION_AGENCY, SETTLEMENT_INSTRUMENT, MERCHANT];
