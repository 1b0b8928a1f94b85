import type { Route } from '../../routing/route.js';
import { caseRoutes } from './cases.js';
import { doNotInteractRoutes } from './do-not-interacts.js';
import { casePartRoutes } from './parts.js';

/** Cases with what hangs on them. */
export const allCaseRoutes: readonly Route[] = [...caseRoutes, ...casePartRoutes, ...doNotInteractRoutes];
