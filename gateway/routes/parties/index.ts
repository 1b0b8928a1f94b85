import type { ContentStore } from '../../documents/content-store.js';
import type { Route } from '../../routing/route.js';
import { collectionAgencyRoutes } from './collection-agencies.js';
import { investorRoutes } from './investors.js';
import { loanAgencyRoutes } from './loan-agency.js';
import { merchantRoutes } from './merchants.js';
import { ownerRoutes } from './owners.js';
import { paymentInstrumentRoutes } from './payment-instruments.js';
import { settlementInstrumentRoutes } from './settlement-instruments.js';
import { settlementRoutes } from './settlements.js';

/** Payment instruments of borrowers, and parties other than borrowers: investors and collection agencies. */
export const partyRoutes = (contents: ContentStore): readonly Route[] => [
  ...paymentInstrumentRoutes,
  ...investorRoutes,
  ...ownerRoutes,
  ...collectionAgencyRoutes,
  ...loanAgencyRoutes,
  ...merchantRoutes,
  ...settlementInstrumentRoutes,
  ...settlementRoutes(contents),
];
