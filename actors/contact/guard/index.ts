export { decisionBeside } from './can-interact.js';
export { contactFor, faultOfNumber, type KnownNumber, knownNumbers } from './numbers.js';
export { isAnswer, referredToScreen, screen, type ScreenEnv } from './situation.js';
export { complianceModule } from './module.js';
export type * from './requests.js';
