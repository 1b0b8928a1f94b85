import type { Route } from '../../routing/route.js';
import { loanActionRoutes } from './actions.js';
import { advanceRoutes } from './advances.js';
import { drawRoutes } from './draws.js';
import { loanRoutes } from './loans.js';
import { lineHistoryRoutes } from './line-history.js';
import { migrationRoutes } from './migration.js';
import { loanModificationRoutes } from './modifications.js';
import { loanPeopleRoutes } from './people.js';
import { promoProgramRoutes } from './promo-programs.js';
import { promiseRoutes } from './promises.js';
import { loanReadRoutes } from './reads.js';
import { loanRateRoutes } from './rates.js';
import { disputeRoutes } from './disputes.js';
import { purchaseRoutes } from './purchases.js';
import { refundRoutes } from './refunds.js';
import { loanTermRoutes } from './terms.js';

/** All of loans.md 1, and what of loan-terms.md and money.md hangs on a loan's ledger. */
export const allLoanRoutes: readonly Route[] = [
  ...loanRoutes,
  ...loanActionRoutes,
  ...loanReadRoutes,
  ...loanTermRoutes,
  ...loanModificationRoutes,
  ...promiseRoutes,
  ...loanPeopleRoutes,
  ...promoProgramRoutes,
  ...loanRateRoutes,
  ...advanceRoutes,
  ...refundRoutes,
  ...migrationRoutes,
  ...drawRoutes,
  ...purchaseRoutes,
  ...disputeRoutes,
  ...lineHistoryRoutes,
];
