export { decisionBeside } from './can-interact.js';
export { contactFor, faultOfNumber } from './numbers.js';
export { isAnswer, screen, type ScreenEnv } from './situation.js';
export { complianceModule } from './module.js';
export type * from './requests.js';
