import type { NameServers } from '../../outgoing.js';
import type { Renderer } from '../../rendering/renderer.js';
import type { Route } from '../../routing/route.js';
import { callbackRoutes } from './callbacks.js';
import { campaignRoutes } from './campaigns.js';
import { campaignRunRoutes } from './campaign-runs.js';
import { reportRoutes } from './reports.js';
import type { ContentStore } from '../../documents/content-store.js';
import { complianceRoutes } from './compliance.js';
import { interactionRoutes } from './interactions.js';
import { type CallbackSecrets, providerTextRoutes } from './provider-texts.js';
import { receiveRoutes } from './receive.js';
import { reminderRoutes } from './reminders.js';
import { renderingRoutes } from './rendering.js';
import { sendRoutes } from './send.js';
import { sendingRoutes } from './sending.js';
import { undeliveredRoutes } from './undelivered.js';
import { unsubscribeRoutes } from './unsubscribe.js';
import { templateRoutes } from './templates.js';

/** The outside parts that routes of communications use. */
interface CommunicationsOutside {
  readonly names: NameServers;
  readonly renderer: Renderer;
  /** The secrets that callbacks of delivery adapters are signed with. */
  readonly callbackSecrets: CallbackSecrets;
  readonly contents: ContentStore;
}

/** Messages to borrowers, their templates, interactions, and the compliance guard. */
export const communicationRoutes = ({ names, renderer, callbackSecrets, contents }: CommunicationsOutside): readonly Route[] => [
  ...sendingRoutes(names),
  ...sendRoutes(),
  ...callbackRoutes(callbackSecrets.callback),
  ...providerTextRoutes(callbackSecrets.textAccountKey),
  ...unsubscribeRoutes(),
  ...undeliveredRoutes,
  ...templateRoutes(renderer),
  ...renderingRoutes(renderer),
  ...interactionRoutes,
  ...receiveRoutes,
  ...complianceRoutes,
  ...reminderRoutes,
  ...campaignRoutes,
  ...campaignRunRoutes(contents),
  ...reportRoutes(contents),
];
