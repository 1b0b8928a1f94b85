export { decisionBeside } from './facts.js';
export { isAnswer } from './history.js';
export { complianceModule } from './module.js';
export type * from './requests.js';
export { screen, type ScreenEnv } from './screen.js';
