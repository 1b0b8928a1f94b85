export { amortize } from './amortize.js';
export * from './errors.js';
export { originationShare } from './fees.js';
export { MAX_SCHEDULE_ROWS } from './plan.js';
export { isNothingPrepaid, NOTHING_PREPAID, type Prepaid, prepaidRow } from './prepaid.js';
export * from './types.js';
