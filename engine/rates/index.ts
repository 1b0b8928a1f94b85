export { beginningAt, consecutiveBands, consecutiveInterestBands, firstDifference } from './bands.js';
export { type AccrualMethod, compoundAccrual, compoundGrowth, type Growth, simpleGrowth } from './compound.js';
export * from './timeline.js';
