import type { Route } from '../../routing/route.js';
import { feeTypeRoutes } from './fee-types.js';
import { indexRateRoutes } from './index-rates.js';
import { loanModificationRoutes } from './modifications.js';
import { promiseRoutes } from './promises.js';
import { promoProgramRoutes } from './promo-programs.js';
import { promoTypeRoutes } from './promo-types.js';
import { loanRateRoutes } from './rates.js';
import { loanTermRoutes } from './terms.js';

/** Schedules, payment plans, promises, rates, fees and promo programs of loans. */
export const loanTermsRoutes: readonly Route[] = [
  ...loanTermRoutes,
  ...loanModificationRoutes,
  ...promiseRoutes,
  ...loanRateRoutes,
  ...promoProgramRoutes,
  ...feeTypeRoutes,
  ...promoTypeRoutes,
  ...indexRateRoutes,
];
