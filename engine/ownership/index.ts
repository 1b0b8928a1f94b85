export { ownersOn, type OwnershipSpan, ownershipSpans } from './spans.js';
export { commissionOn, splitByShares, splitByWeights } from './split.js';
