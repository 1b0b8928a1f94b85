import type { Route } from '../../routing/route.js';
import { loanActionRoutes } from './actions.js';
import { advanceRoutes } from './advances.js';
import { disputeRoutes } from './disputes.js';
import { drawRoutes } from './draws.js';
import { lineHistoryRoutes } from './line-history.js';
import { loanTypeRoutes } from './loan-types.js';
import { loanRoutes } from './loans.js';
import { migrationRoutes } from './migration.js';
import { payoutRoutes } from './payouts.js';
import { loanPeopleRoutes } from './people.js';
import { purchaseRoutes } from './purchases.js';
import { loanReadRoutes } from './reads.js';
import { refundRoutes } from './refunds.js';

/** Loan types, loans, and what only lines of credit have. */
export const allLoanRoutes: readonly Route[] = [
  ...loanTypeRoutes,
  ...loanRoutes,
  ...loanActionRoutes,
  ...loanReadRoutes,
  ...loanPeopleRoutes,
  ...advanceRoutes,
  ...refundRoutes,
  ...payoutRoutes,
  ...migrationRoutes,
  ...drawRoutes,
  ...purchaseRoutes,
  ...disputeRoutes,
  ...lineHistoryRoutes,
];
