export * from './condition.js';
export * from './field-value.js';
export * from './trigger.js';
