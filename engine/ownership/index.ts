export { commissionOn } from './commission.js';
export { ownersOn, type OwnershipSpan, ownershipSpans } from './spans.js';
export { splitByShares } from './split.js';
