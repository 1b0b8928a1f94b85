import type { Lookups } from '../../lookups.js';
import type { Route } from '../../routing/route.js';
import { accountLinkRoutes } from './account-links.js';
import { collectionAgencyRoutes } from './collection-agencies.js';
import { creditAgencyRoutes } from './credit-agencies.js';
import { investorRoutes } from './investors.js';
import { loanAgencyRoutes } from './loan-agency.js';
import { ownerRoutes } from './owners.js';
import { paymentInstrumentRoutes } from './payment-instruments.js';
import { paymentProcessorRoutes } from './payment-processors.js';

/** Payment instruments of borrowers, and parties other than borrowers: processors, investors, collection agencies and credit agencies. */
export const partyRoutes = (lookups: Lookups): readonly Route[] => [
  ...paymentInstrumentRoutes,
  ...accountLinkRoutes(lookups),
  ...paymentProcessorRoutes,
  ...investorRoutes,
  ...ownerRoutes,
  ...collectionAgencyRoutes,
  ...creditAgencyRoutes,
  ...loanAgencyRoutes,
];
