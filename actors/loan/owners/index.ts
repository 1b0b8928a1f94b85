export { ownerCommands } from './decide.js';
export { APPLY_OWNERS } from './evolve.js';
export type { LoanOwner, OwnerFacts, RecordedOwners } from './facts.js';
export { firstOwnersOf, idsIn, owningInvestors, ownershipOf, wasOwnedBy } from './owners.js';
export { ownerQueries } from './view.js';
