export type * from './fee-type.js';
export * from './loan-type-defaults.js';
export type * from './loan-type-settings.js';
