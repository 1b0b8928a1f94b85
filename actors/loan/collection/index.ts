export { APPLY_COMMISSIONS, type CommissionFacts, commissionWork, type RecordedCommission } from './commissions.js';
export { collectionCommands } from './decide.js';
export { APPLY_COLLECTION, type CollectionFacts } from './evolve.js';
export { livePlacement, placedDays, placementOn, type Placement } from './placements.js';
export { collectionQueries } from './view.js';
