import type { Route } from '../../routing/route.js';
import { interactionRoutes } from './interactions.js';
import { receiveRoutes } from './receive.js';

/** What was said with borrowers. */
export const allInteractionRoutes: readonly Route[] = [...interactionRoutes, ...receiveRoutes];
