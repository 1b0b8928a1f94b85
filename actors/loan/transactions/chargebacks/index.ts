export { chargebackCommands } from './decide.js';
export { APPLY_CHARGEBACKS } from './evolve.js';
export type * from './evolve.js';
export { chargebackQueries } from './queries.js';
