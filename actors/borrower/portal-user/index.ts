export { portalUserModule } from './module.js';
export type { PortalSession, ShownSession } from './view.js';
export type * from './requests.js';
export { hashOfName } from './state.js';
