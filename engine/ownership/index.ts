export { ownersOn, type OwnershipSpan, ownershipSpans } from './spans.js';
export { commissionOn, splitByShares } from './split.js';
