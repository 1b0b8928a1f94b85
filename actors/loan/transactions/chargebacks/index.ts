export { chargebackCommands } from './commands.js';
export { APPLY_CHARGEBACKS } from './evolve.js';
export type * from './facts.js';
export { chargebackQueries } from './queries.js';
