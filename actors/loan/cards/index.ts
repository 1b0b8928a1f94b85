export { cardCommands } from './decide.js';
export { cardOfNewLoan } from './read.js';
export { APPLY_CARDS, type CardFacts, suspendCards } from './evolve.js';
export { takeIssuerEvent } from './issuer-events.js';
export { cardQueries } from './view.js';
