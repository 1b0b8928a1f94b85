export * from './wire/json-text.js';
export type * from './wire/list.js';
export type * from './wire/types.js';
export * from './wire/values.js';
