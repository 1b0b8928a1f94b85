export { chargebackCommands } from './decide.js';
export { APPLY_CHARGEBACKS } from './record.js';
export { chargebackQueries } from './queries.js';
