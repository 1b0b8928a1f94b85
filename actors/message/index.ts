export { type HydrationEnv, loanTypeIdOf, type MessageSubjects, zoneOfMessage } from './hydrate.js';
export { type MessageOrder, renderMessage } from './render-message.js';
export type { Rendered, RenderedMessage, RenderFault } from './render-parts.js';
