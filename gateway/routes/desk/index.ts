import type { Route } from '../../routing/route.js';
import { caseTypeRoutes } from './case-types.js';

/** What the servicing desk works with, and how it is configured. */
export const deskRoutes: readonly Route[] = [...caseTypeRoutes];
