export { caseMachine } from './machine.js';
export { caseModule } from './module.js';
export { type CaseOrigin, openedBySystem } from './commands/create.js';
export type * from './blocks/requests.js';
export type * from './blocks/view-types.js';
export type * from './requests.js';
export type { CaseState } from './state.js';
export type * from './views/types.js';
export type * from './words.js';
