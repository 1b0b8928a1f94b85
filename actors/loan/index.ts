export { loanModule } from './module.js';
export type * from './machine.js';
export type * from './requests.js';
export type * from './views/types.js';
