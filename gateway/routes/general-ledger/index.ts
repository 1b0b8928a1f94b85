import type { ContentStore } from '../../documents/content-store.js';
import type { Route } from '../../routing/route.js';
import { ledgerConfigurationRoutes } from './configuration.js';
import { ledgerDayRoutes } from './days.js';

/** The general ledger of a company's loans. */
export const generalLedgerRoutes = (contents: ContentStore): readonly Route[] => [
  ...ledgerConfigurationRoutes,
  ...ledgerDayRoutes(contents),
];
