export * from './accrued.js';
export * from './cents.js';
export * from './rate.js';
export * from './rounding.js';
