export { ownerCommands } from './decide.js';
export { APPLY_OWNERS } from './evolve.js';
export type { OwnerFacts, RecordedOwners } from './facts.js';
export { idsIn, owningInvestors, ownershipOf, wasOwnedBy } from './owners.js';
export { ownerQueries } from './view.js';
