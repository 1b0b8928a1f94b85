export * from './wire/json-text.js';
export * from './wire/list.js';
export * from './wire/types.js';
export * from './wire/values.js';
