import type { ContentStore } from '../../documents/content-store.js';
import type { Lookups } from '../../lookups.js';
import type { AddressRules } from '../../outgoing.js';
import type { Route } from '../../routing/route.js';
import { accountLinkRoutes } from './account-links.js';
import { cardCallbackRoutes } from './card-callbacks.js';
import { cardIssuerRoutes } from './card-issuers.js';
import { collectionAgencyRoutes } from './collection-agencies.js';
import { creditAgencyRoutes } from './credit-agencies.js';
import { investorRoutes } from './investors.js';
import { loanAgencyRoutes } from './loan-agency.js';
import { loanTapeRoutes } from './loan-tapes.js';
import { merchantRoutes } from './merchants.js';
import { ownerRoutes } from './owners.js';
import { paymentInstrumentRoutes } from './payment-instruments.js';
import { paymentProcessorRoutes } from './payment-processors.js';
import { settlementInstrumentRoutes } from './settlement-instruments.js';
import { settlementRoutes } from './settlements.js';

interface PartyParts {
  readonly lookups: Lookups;
  readonly contents: ContentStore;
  /** Addresses that the service may call. */
  readonly addresses: AddressRules;
}

/** Payment instruments of borrowers, and the parties other than borrowers: processors, investors, agencies and merchants. */
export const partyRoutes = ({ lookups, contents, addresses }: PartyParts): readonly Route[] => [
  ...paymentInstrumentRoutes(addresses),
  ...accountLinkRoutes(lookups),
  ...paymentProcessorRoutes(addresses),
  ...cardCallbackRoutes,
  ...investorRoutes,
  ...ownerRoutes,
  ...collectionAgencyRoutes,
  ...creditAgencyRoutes,
  ...loanAgencyRoutes,
  ...cardIssuerRoutes,
  ...merchantRoutes,
  ...settlementInstrumentRoutes,
  ...settlementRoutes(contents),
  ...loanTapeRoutes(contents),
];
