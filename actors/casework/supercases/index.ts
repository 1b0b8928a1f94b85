export { ACTIVATIONS, CONTACT_FACTS, membersOfNewHome, membersOfNewLoan } from './disasters.js';
export { supercaseModules } from './module.js';
export type { MemberView } from './members.js';
export type * from './requests.js';
export type { OrderedBulkView, PopulationView, SupercaseView } from './views.js';
