export { amortize, originationShare } from './amortize.js';
export { AmortizationError, MAX_SCHEDULE_ROWS } from './level.js';
export { isNothingPrepaid, NOTHING_PREPAID, type Prepaid, prepaidRow } from './prepaid.js';
export * from './types.js';
