import type { AnyDeclaration } from '../../kernel/resources/index.js';
import { COLLECTION_AGENCY } from './collection-agencies.js';
import { INVESTOR } from './investors.js';
import { LOAN_OWNER_CHANGE } from './owner-changes.js';

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
export type { PartyWriteQuery } from './party-address.js';

/** Parties other than borrowers. */
export const PARTIES: readonly AnyDeclaration[] = [INVESTOR, LOAN_OWNER_CHANGE, COLLECTION_AGENCY];
