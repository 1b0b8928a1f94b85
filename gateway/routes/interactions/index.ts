import type { Route } from '../../routing/route.js';
import { interactionRoutes } from './interactions.js';

/** What was said with borrowers. */
export const allInteractionRoutes: readonly Route[] = [...interactionRoutes];
