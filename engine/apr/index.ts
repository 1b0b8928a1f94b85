export * from './annuity.js';
export * from './apr.js';
export * from './fixed-point.js';
export * from './rate-conversion.js';
export * from './solver.js';
export * from './timing.js';
export * from './unit-period.js';
export * from './xirr.js';
