export { portalUserModule } from './module.js';
export type { PortalSession, ShownSession } from './queries.js';
export type * from './requests.js';
export { hashOfName } from './state.js';
