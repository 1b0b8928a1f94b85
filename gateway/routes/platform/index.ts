import type { AddressRules } from '../../outgoing.js';
import type { Route } from '../../routing/route.js';
import { eventRoutes } from './events.js';
import { testClockRoutes } from './test-clocks.js';
import { webhookRoutes } from './webhooks.js';

/** Events, webhooks and test clocks. */
export const platformRoutes = (addresses: AddressRules): readonly Route[] => [
  ...eventRoutes,
  ...webhookRoutes(addresses),
  ...testClockRoutes,
];
