export { type Decided, decisionBeside } from './facts.js';
export { complianceModule } from './module.js';
export type * from './requests.js';
export { screen, type Screened, type ScreenAsked, type ScreenEnv } from './screen.js';
