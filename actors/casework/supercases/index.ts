export { ACTIVATIONS, CONTACT_FACTS, membersOfNewHome, membersOfNewLoan } from './disasters/later.js';
export { supercaseModules } from './module.js';
export type { MemberView } from './member.js';
export type * from './requests.js';
export type { OrderedBulkView, PopulationView, SupercaseView } from './views.js';
