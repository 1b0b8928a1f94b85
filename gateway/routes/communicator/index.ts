import type { NameServers } from '../../outgoing/name-servers.js';
import type { Route } from '../../routing/route.js';
import { callbackRoutes } from './callbacks.js';
import { sendRoutes } from './send.js';
import { sendingRoutes } from './sending.js';

/** Messages to borrowers, and where they come from. */
export const communicatorRoutes = (names: NameServers, callbackSecret: string | null): readonly Route[] => [
  ...sendingRoutes(names),
  ...sendRoutes(),
  ...callbackRoutes(callbackSecret),
];
