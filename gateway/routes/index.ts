import type { Route } from '../routing/route.js';
import { eventRoutes } from './events.js';
import { operationRoutes } from './operations.js';
import { testClockRoutes } from './test-clocks.js';

/** The routes of all resources. */
export const RESOURCE_ROUTES: readonly Route[] = [
  ...eventRoutes,
  ...operationRoutes,
  ...testClockRoutes,
];
