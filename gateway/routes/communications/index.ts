import type { NameServers } from '../../outgoing.js';
import type { Renderer } from '../../rendering/renderer.js';
import type { Route } from '../../routing/route.js';
import { campaignRoutes } from './campaigns.js';
import { campaignRunRoutes } from './campaign-runs.js';
import { reportRoutes } from './reports.js';
import type { ContentStore } from '../../documents/content-store.js';
import { callbackRoutes } from './callbacks.js';
import { complianceRoutes } from './compliance.js';
import { interactionRoutes } from './interactions.js';
import { receiveRoutes } from './receive.js';
import { reminderRoutes } from './reminders.js';
import { renderingRoutes } from './rendering.js';
import { sendRoutes } from './send.js';
import { sendingRoutes } from './sending.js';
import { templateRoutes } from './templates.js';

/** What routes of communications need of the world outside. */
interface CommunicationsOutside {
  readonly names: NameServers;
  readonly renderer: Renderer;
  /** By which delivery adapters sign their callbacks; without one no callback is accepted. */
  readonly callbackSecret: string | null;
  readonly contents: ContentStore;
}

/** Messages to borrowers, their templates, interactions, and the compliance guard. */
export const communicationRoutes = ({ names, renderer, callbackSecret, contents }: CommunicationsOutside): readonly Route[] => [
  ...sendingRoutes(names),
  ...sendRoutes(),
  ...callbackRoutes(callbackSecret),
  ...templateRoutes,
  ...renderingRoutes(renderer),
  ...interactionRoutes,
  ...receiveRoutes,
  ...complianceRoutes,
  ...reminderRoutes,
  ...campaignRoutes,
  ...campaignRunRoutes(contents),
  ...reportRoutes,
];
